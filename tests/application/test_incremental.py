"""A graph that is built step by step, with what earlier builds kept, is the graph of a build from nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import escape
from itertools import count
from pathlib import Path

import pytest
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from tests.strategies import times
from torchatlas.build import Inputs, build
from torchatlas.graph.export import csv_files
from torchatlas.graph.stores.memory import MemoryStore

pytestmark = pytest.mark.slow

TITLES = ("The lantern", "A night at sea", "Owls")
NOTES = (
    "The owl cache uses the lantern pass. Listen to Owls first.",
    "The lantern pass is built on the tide table. Listen to The lantern first.",
    'The foghorn is new, and so is <a href="https://e.org/owl">the owl cache</a>. Listen to A night at sea first.',
    "What is a tide table? A tide table is a list.",
)
TOPICS = {
    "owl-cache": 'name = "owl cache"\ndefinition = "A cache that needs the lantern pass."\n',
    "lantern-pass": 'name = "lantern pass"\ndefinition = "A pass that leaves the lights on."\n',
    "tide-table": 'name = "tide table"\ndefinition = "A list of tides."\n',
    "foghorn": 'name = "foghorn"\ndefinition = "Is heard before the owl cache."\n',
}
CORRECTIONS = (
    "",
    '[topic.buoy]\nname = "buoy"\ndefinition = "It relies on the tide table."\n',
    '[topic.buoy]\nname = "lighthouse"\naliases = ["foghorns"]\ndefinition = "It relies on the lantern pass."\n',
)


@dataclass(frozen=True)
class Wanted:
    """What the files say: the number of an entry -> its title and notes, the topics, and the corrections."""

    entries: tuple[tuple[int, str, str], ...] = ()
    topics: tuple[str, ...] = tuple(TOPICS)
    corrections: str = ""

    def inputs(self, cache: Path | None) -> Inputs:
        items = "".join(
            f"<item><guid>owl-{number}</guid><title>{title}</title><description>{escape(notes)}</description></item>"
            for number, title, notes in self.entries
        )
        feed = f'<?xml version="1.0"?><rss version="2.0"><channel><title>Harbour</title>{items}</channel></rss>'
        vocabulary = "area = 'Harbour'\n" + "".join(f"[{id_}]\n{TOPICS[id_]}" for id_ in self.topics)
        return Inputs(
            code="",
            concepts=(("harbour.toml", vocabulary),),
            unplaced=("unplaced.toml", ""),
            episodes=(),
            corrections=self.corrections,
            feeds=(("harbour.xml", feed.encode()),),
            cache=cache,
        )


def exported(inputs: Inputs, store: MemoryStore) -> dict[str, bytes]:
    """The graph that these inputs leave in a store, as its export writes it."""
    build(inputs, store)
    return csv_files(store.snapshot())


@pytest.fixture(scope="module", autouse=True)
def _no_general_terms() -> Iterator[None]:
    """Leave out the terms that ship, of which the texts name none: to learn them is most of a small build."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("torchatlas.extract.concepts.general_terms", lambda *_: iter(()))
        yield


@st.composite
def histories(draw: st.DrawFn) -> list[Wanted]:
    """Some entries and, one after another, additions, edits and deletions of entries, and changes of the two files."""
    entries = st.tuples(st.sampled_from(TITLES), st.sampled_from(NOTES))
    numbers = count()
    now = Wanted(tuple((next(numbers), *entry) for entry in draw(st.lists(entries, min_size=1, max_size=4))))
    seen = [now]
    for _ in range(draw(st.integers(1, 4))):
        change = draw(st.sampled_from(("add", "edit", "delete", "topics", "corrections")))
        rows, at = list(now.entries), draw(st.integers(0, max(0, len(now.entries) - 1)))
        if change == "topics":
            now = replace(now, topics=tuple(draw(st.lists(st.sampled_from(list(TOPICS)), min_size=2, unique=True))))
        elif change == "corrections":
            now = replace(now, corrections=draw(st.sampled_from(CORRECTIONS)))
        else:
            if change == "edit" and rows:
                rows[at] = (rows[at][0], *draw(entries))
            elif change == "delete" and rows:
                del rows[at]
            else:
                rows.insert(at, (next(numbers), *draw(entries)))
            now = replace(now, entries=tuple(rows))
        event(change)
        seen.append(now)
    return seen


ALONE = Wanted(((0, "A night at sea", NOTES[1]),), corrections=CORRECTIONS[1])
NAMED_LATER = [ALONE, replace(ALONE, entries=(*ALONE.entries, (1, "The lantern", NOTES[3])))]
"""The notes of an entry name an episode before there is one."""
EXPLAINED_LATER = [replace(ALONE, topics=("lantern-pass",)), ALONE]
"""Notes and a definition speak of a topic before there is one."""


@settings(max_examples=times(6))
@given(histories())
@example(NAMED_LATER)
@example(EXPLAINED_LATER)
def test_step_by_step_and_from_nothing_the_graph_is_the_same_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, history: list[Wanted]
) -> None:
    cache, store = tmp_path_factory.mktemp("steps") / "cache.sqlite3", MemoryStore()
    for wanted in history[:-1]:
        build(wanted.inputs(cache), store)
    assert exported(history[-1].inputs(cache), store) == exported(history[-1].inputs(None), MemoryStore())
