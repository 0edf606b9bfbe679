"""Vocabularies, episodes and corrections become values; a mistake in a file is one line with its place."""

from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import TEXTS, catalogue, each, rows, vocabulary
from torchatlas.extract.catalogue import (
    line_of,
    load_catalogue,
    load_journeys,
    load_resources,
    load_vocabulary,
    parse_corrections,
)
from torchatlas.graph.build import join_graph
from torchatlas.graph.corrections import DroppedEdge, Merge, NewEdge, Realias, Rename, Split, Topic
from torchatlas.graph.errors import DataError
from torchatlas.graph.findings import Catalogue
from torchatlas.graph.model import Show
from torchatlas.graph.questions import Resolver

ONE, GOOD, CORRECTIONS, LINES, RESOURCES = (
    Path(__file__).parent.joinpath("files", f"{name}.toml").read_text("utf-8")
    for name in ("episode", "vocabulary", "corrections", "lines", "resources")
)
CONCEPTS = [f'[{name}]\nname = "{name}"\ndefinition = "d"\n' for name in ("vmap", "dispatcher", "autograd")]
AREA = "".join(['area = "A"\n', *CONCEPTS, 'phrases = ["the tape"]\n'])
VOCABULARY = load_vocabulary([("v.toml", AREA)], ("unplaced.toml", '"a joke" = "none"'))
OTHERS = [(2, "Second", '\nhear_next = ["third"]'), (3, "Third", "")]


def load(one: str = ONE) -> Catalogue:
    others = [(f"{n}.toml", f'number = {n}\ntitle = "{title}"\nbasis = "title"{more}\n') for n, title, more in OTHERS]
    return load_catalogue([("1.toml", one), *others], VOCABULARY, Show("show", "Show"))


def test_episodes_become_values() -> None:
    c = load()
    # The main one of two wordings wins; what it teaches it does not assume.
    assert [(t.source, t.target, t.depth, t.at) for t in c.teaches] == [("show/first", "autograd", "main", 30)]
    assert [(a.target, a.at, a.why) for a in c.assumes] == [("dispatcher", 5, "w")]
    after = {(e.source, e.target) for e in c.listen_after}
    assert after == {("show/first", "show/second"), ("show/third", "show/second")}
    # A relation without a second is left out.
    assert [(r.kind, r.target, r.at, r.reason) for r in c.relations] == [("USES", "dispatcher", 40, "r")]
    assert (c.episodes[1].published, c.episodes[1].minutes, c.episodes[1].url) == (None, None, None)


def test_resources_become_values() -> None:
    c = load_resources([("r.toml", RESOURCES)], VOCABULARY, load())
    (tape, talk), taught = c.resources, [t for t in c.teaches if t.source == "notes/the-tape"]
    assert (tape.kind, tape.minutes, tape.guests) == ("docs", 12, ("Ada",)) and c.assumes[-1].source == tape.id
    assert tape.dated == ("It is a proposal, which is not merged.",) and talk.minutes is None and len(c.episodes) == 3
    assert [(t.target, t.weight, t.why) for t in taught] == [("autograd", 0.5, "Recording"), ("vmap", 0.95, "Mapping")]


def test_a_file_becomes_values() -> None:
    v = load_vocabulary([("a.toml", GOOD)], ("unplaced.toml", '"a joke" = "no concept"'))
    first, _, last = v.concepts
    assert (first.id, first.area, first.aliases) == ("aotautograd", "Compilation", ("AOT Autograd",))
    assert (first.phrases, last.phrases, last.in_texts) == (("tracing ahead of time",), (), ("FX",))
    needs = {(r.source, r.target, r.need) for r in v.requires}
    assert needs == {(s, "functionalization", need) for s, need in ((first.id, "hear"), (last.id, "bridge"))}
    assert [(r.kind, r.target, r.reason) for r in v.relations] == [("PART_OF", "fx-graph", "for the test")]
    assert v.unplaced == {"a joke": "no concept"}


def test_an_id_or_a_phrase_in_two_files_is_refused() -> None:
    with pytest.raises(DataError, match=r"b.toml:3: fx-graph is defined in a.toml:16 too"):
        load_vocabulary([("a.toml", GOOD), ("b.toml", 'area = "X"\n\n[fx-graph]\nname = "other"\ndefinition = "d"\n')])
    phrase = '"a joke" = "tracing ahead of time"\n"tracing ahead of time" = "twice"'
    with pytest.raises(DataError, match=r"unplaced.toml:2: 'tracing ahead of time' is claimed by aotautograd"):
        load_vocabulary([("a.toml", GOOD)], ("unplaced.toml", phrase))


def test_each_kind_of_correction_becomes_a_value_with_its_place() -> None:
    found = parse_corrections("c.toml", CORRECTIONS)
    topic, *others = found
    assert isinstance(topic, Topic)
    assert (topic.place, topic.concept.name, topic.concept.area) == ("c.toml:2", "Flex", "Yours")
    assert others == [
        NewEdge("c.toml:5", "REQUIRES", source="flex", target="inductor", reason="it is compiled", need="hear"),
        NewEdge("c.toml:6", "REQUIRES", source="flex", target="vmap", reason="its score is mapped", need="worth"),
        NewEdge("c.toml:7", "PART_OF", source="flex", target="pt2", reason="it ships with it"),
        Realias("c.toml:8", "Dynamo", add=("the evaluator",)),
        Rename("c.toml:12", "vmap", name="vectorizing map"),
        Merge("c.toml:16", "a", into="b"),
        Merge("c.toml:20", "c", into="d"),
        Split("c.toml:24", "e", into="flex", aliases=("f",), episodes=("6",)),
        NewEdge("c.toml:30", "TEACHES", source="61", target="flex", reason="I heard it", at=90),
        NewEdge("c.toml:41", "REQUIRES", source="a", target="b", reason="a is made of b", need="worth"),
        DroppedEdge("c.toml:37", "USES", source="x", target="y"),
    ]
    assert parse_corrections("c.toml", "") == () and len({str(c) for c in found}) == len(found)


READ: dict[str, tuple[Callable[[str], object], str]] = {
    "1.toml": (load, ONE),
    "a.toml": (lambda text: load_vocabulary([("a.toml", text)]), GOOD),
    "r.toml": (lambda text: load_resources([("r.toml", text)], VOCABULARY, Catalogue()), RESOURCES),
    "c.toml": (lambda text: parse_corrections("c.toml", text), CORRECTIONS),
    "j.toml": (lambda text: load_journeys([("j.toml", text)]), 'title = "T"\nabout = "a"\ngoals = ["vmap"]'),
}


@pytest.mark.parametrize(("old", "new", "message"), rows(TEXTS["mistakes"]))
def test_a_mistake_is_one_line_with_its_place(old: str, new: str, message: str) -> None:
    read, text = READ[message.split(":")[0]]
    assert old in text
    with pytest.raises(DataError, match=r"^[^\n]*$") as caught:
        read(text.replace(old, new.replace(r"\n", "\n"), 1))
    assert all(part in str(caught.value) for part in message.split(" ... "))


AT = """2: at | 4: a | 5: a/at | 6: a/quoted_key/at | 7: a/list | 8: a/list/0/at | 9: a/list/1 | 11: a/list/1/at
    12: a/list/2 a/list/4 | 15: a/rows/0/missing/key | 16: a/rows/0/at | 18: a/rows/1 | 21: a/rows/1/at | 1: missing
    23: a/rows/1/deep/at | 24: a/rows/1/more/0 | 26: a/rows/1/more/1/at"""


@pytest.mark.parametrize(("path", "line"), each(AT))
def test_the_line_of_a_value(path: str, line: str) -> None:
    keys = [int(key) if key.isdigit() else key.replace("_", " ") for key in path.split("/")]
    assert line_of(LINES, tuple(keys)) == int(line)


VALUES = st.recursive(
    st.integers() | st.text(max_size=9) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_the_line_holds_a_mark_that_stands_once(content: dict[str, Any]) -> None:
    text = tomlkit.dumps({**content, "last": {"rows": [{"a": 1}, {"mark": "M" * 20}]}})
    assert "M" * 20 in text.split("\n")[line_of(text, ("last", "rows", 1, "mark")) - 1]


def test_what_ships_has_main_subjects_evidence_for_each_edge_and_no_circle_of_orders() -> None:
    mains = {t.source for t in catalogue().teaches if t.depth == "main"}
    assert len(catalogue().episodes) >= 83 and not {e.id for e in catalogue().episodes} - mains
    assert join_graph(vocabulary(), catalogue(), ())[1] == ()
    sorter = TopologicalSorter[str]()
    for after in catalogue().listen_after:
        sorter.add(after.source, after.target)
    sorter.prepare()


def test_a_concept_goes_by_the_name_that_episodes_say_and_one_of_several_meanings_is_a_guess() -> None:
    names = {c.id: c.name for c in vocabulary().concepts}
    ids = ("operator-fusion", "operator-decomposition", "native-operator", "gil", "volta")
    said = ["fusion", "decomposition", "native function", "global interpreter lock", "Volta"]
    assert [names[id_] for id_ in ids] == said
    for goal, meant in (("JIT", "TorchScript"), ("AOT", "AOTAutograd")):
        found = Resolver(join_graph(vocabulary(), catalogue(), ())[0]).resolve(goal, "goal")
        assert not found.sure and meant in (found.taken_as, *(reading.name for reading in found.other))
