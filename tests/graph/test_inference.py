"""Prerequisites that definitions and notes tell of, from their wording to edges of the graph."""

import re
from collections.abc import Mapping
from dataclasses import replace
from graphlib import TopologicalSorter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import pairs
from tests.graph.builds import edges
from torchatlas.graph.build import join_graph
from torchatlas.graph.findings import Catalogue, Extraction, Mention, Statement, Vocabulary
from torchatlas.graph.inference import AT_MOST, FIRST, LEANING, without_circles
from torchatlas.graph.model import Concept, Episode, Requires, Snapshot

NOTHING = Catalogue()
NAMES = ("clay", "glaze", "kiln", "raku", "tea")
NOTED, FIRED = (Episode(f"feed/{n}", n, show="Feed", guid=n) for n in ("pots", "fire"))


def mentions(text: str, field: Any = "definition") -> tuple[Mention, ...]:
    spans = re.finditer("|".join(NAMES), text)
    return tuple(Mention(m[0], field, start=m.start(), end=m.end(), text=m[0]) for m in spans)


def notes(text: str, *statements: Statement, episode: Episode = NOTED, title: str = "") -> Extraction:
    found = (*mentions(title, "title"), *mentions(text, "description"))
    return Extraction(replace(episode, title=title or episode.title), text, mentions=found, statements=statements)


def joined(
    defined: str, *found: Extraction, own: str = "raku", catalogue: Catalogue = NOTHING, lost: str = "", **more: str
) -> tuple[Snapshot, tuple[str, ...]]:
    """A graph of these names with their definitions: "raku: Fired clay. | tea: A leaf."; `own` get prerequisites."""
    told = dict(text.split(": ", 1) for text in defined.split(" | ") if text)
    concepts = tuple(Concept(n, n, area="Pots", definition=told.get(n, "")) for n in NAMES)
    at_hand: Mapping[str, Any] = {n: mentions(told.get(n, "")) for n in NAMES if n != lost}
    groups = {name: edges("concept_relations" if name == "relations" else name, text) for name, text in more.items()}
    return join_graph(Vocabulary(concepts, **groups), catalogue, found, frozenset(own.split()), at_hand)


def inferred(found: tuple[Snapshot, tuple[str, ...]]) -> dict[str, Requires]:
    return {f"{r.source} {r.target}": r for r in found[0].requires if r.origin == "inferred"}


# Nothing names itself, and only a definition has a first sentence that tells. In notes that tell of much, only the
# concept itself leans on another; standing beside each other or in the title makes no prerequisite.
NAMED = r"""
Made with clay. => FIRST | Made of earth and then of clay. => FIRST | A craft that is based on clay. => FIRST
A craft. It has clay. => | A craft of shapes; others paint clay. => | A craft. It is based on the clay. => LEANING
A craft. It uses clay. => LEANING | Arts such as clay. => | A craft without any clay. => | Is it based on clay? =>
A craft used for clay. => | See also clay. => | What raku is. => | notes: Made with clay. =>
notes: At sea. Yes. Here raku is based on clay. It rained. => LEANING
notes: Here the kiln is built on clay, and raku is far. => | notes: Here raku and the kiln, which is built on clay. =>
notes: A raku and a clay. clay here, raku there. raku, clay. => | notes: About the raku.\nSee also the clay. =>
notes: A raku is built on a rope. =>
"""


@pytest.mark.parametrize(("text", "how"), pairs(NAMED))
def test_how_a_text_names_another_concept(text: str, how: str) -> None:
    noted, said = text.startswith("notes: "), text.removeprefix("notes: ").replace(r"\n", "\n")
    confidence = {"FIRST": FIRST, "LEANING": LEANING}.get(how)
    found = inferred(joined("", notes(said, title="clay")) if noted else joined(f"raku: {said}"))
    assert {key: edge.confidence for key, edge in found.items()} == ({"raku clay": confidence} if confidence else {})
    for edge in found.values():
        quote = "Here raku is based on clay." if noted else re.split(r"(?<=\.) ", said)[-1]
        where = ("description", NOTED.id) if noted else ("definition", None)
        assert (edge.need, edge.quote, edge.start) == ("bridge", quote, said.index(quote))
        assert (edge.field, edge.episode) == where
        assert ("first sentence" in edge.reason) is (confidence == FIRST)


def test_of_several_namings_the_surest_counts_and_among_equals_the_first_in_any_order() -> None:
    one, two = notes("So raku uses clay."), notes("Here raku needs clay.", episode=FIRED)
    for texts in ((one, two), (two, one)):
        assert inferred(joined("raku: A craft.", *texts))["raku clay"].quote == "Here raku needs clay."
        assert inferred(joined("raku: Fired clay.", *texts))["raku clay"].quote == "Fired clay."


def naming(concept: str, needed: str, confidence: float) -> Requires:
    return Requires(concept, needed, need="bridge", reason="", origin="inferred", confidence=confidence)


def test_the_strongest_hold_and_what_contradicts_them_is_told() -> None:
    circle = (naming("a", "b", 0.9), naming("b", "c", 0.8), naming("c", "a", 0.7))
    assert without_circles(circle) == without_circles(circle[::-1]) == (circle[:2], circle[2:])
    assert without_circles(circle, [("b", "a")]) == (circle[1:], circle[:1])


ids = st.sampled_from("abcdef")


@given(st.lists(st.builds(naming, ids, ids, st.floats(0, 1)).filter(lambda n: n.source != n.target)))
def test_what_is_kept_has_no_circle(found: list[Requires]) -> None:
    kept, aside = without_circles(found)
    sorter = TopologicalSorter[str]()
    for n in kept:
        sorter.add(n.source, n.target)
    sorter.prepare()
    assert sorted(map(repr, (*kept, *aside))) == sorted(map(repr, found))


ALL = "raku: Tea of glaze, clay, kiln and tea."
GLAZED = "raku: Pots with glaze and clay. | glaze: Melted clay."
SHOW = tuple(Episode(n, n, show="Show") for n in ("one", "two"))
ORDER = edges("listen_after", "two one: first one")
TAUGHT = (edges("teaches", f"one {raku}, two glaze") for raku in ("raku", "~raku"))
IN_ORDER, IN_PART = (Catalogue(SHOW, taught, listen_after=ORDER) for taught in TAUGHT)


@pytest.mark.parametrize(
    ("defined", "given", "kept"),
    [
        # what is curated, unknown or has no definition at hand stays without
        (GLAZED, {"own": ""}, ""),
        (GLAZED, {"own": "raku unknown", "requires": "raku tea"}, ""),
        (GLAZED, {"lost": "clay"}, "raku glaze"),
        # what is named back as surely is no prerequisite
        ("kiln: Hardens clay. | clay: Fine earth.", {"own": "kiln clay"}, "kiln clay"),
        ("kiln: Hardens clay. | clay: Fine earth. It needs a kiln.", {"own": "kiln clay"}, "kiln clay"),
        ("kiln: Hardens clay. | clay: Fine earth for a kiln.", {"own": "kiln clay"}, ""),
        # what follows from another is left out, and at most a few are kept
        (GLAZED, {}, "raku clay, raku glaze"),
        (GLAZED, {"requires": "glaze clay"}, "raku glaze"),
        (ALL, {}, "raku clay, raku glaze, raku kiln"),
        # nobody who said the contrary is contradicted; the order of episodes that touch both in part says nothing
        (GLAZED, {"requires": "glaze raku bridge"}, "raku clay; raku requires glaze"),
        (GLAZED, {"catalogue": IN_ORDER}, "raku clay; raku requires glaze"),
        (GLAZED, {"catalogue": IN_PART}, "raku clay, raku glaze"),
        (GLAZED, {"relations": "glaze ALTERNATIVE_TO raku: so"}, "raku clay"),
    ],
)
def test_own_concepts_get_the_prerequisites_that_nothing_contradicts(defined: str, given: Any, kept: str) -> None:
    found, (names, _, told) = joined(defined, **given), kept.partition("; ")
    assert ", ".join(sorted(inferred(found))) == names and len(inferred(found)) <= AT_MOST
    assert [line.startswith(f"{told} (inferred)") for line in found[1]] == [True] * bool(told)
    assert set(edges("requires", given.get("requires", ""))) <= set(found[0].requires)


def test_an_own_topic_with_an_episode_that_a_text_asks_to_hear_first_is_worth_an_episode() -> None:
    asks = Statement("LISTEN_AFTER", "raku", object="clay", quote="Listen to clay first", field="description", start=3)
    later, plain = (notes("A. Listen to clay first.", *said, title="raku") for said in ((asks,), ()))
    earlier = notes("On clay.", episode=FIRED, title="clay")

    def need(*found: Extraction, own: str = "raku clay") -> Requires:
        return next(r for r in joined("raku: Fired clay.", *found, own=own)[0].requires if r.target == "clay")

    edge = need(earlier, later)
    assert (edge.need, edge.origin, edge.confidence, edge.reason) == ("worth", "declared", 1.0, asks.quote)
    assert (edge.quote, edge.episode, edge.start) == (asks.quote, NOTED.id, 3)
    assert need(earlier, plain).need == need(replace(earlier, mentions=()), later).need == "bridge"
    assert need(earlier, later, own="raku").need == "bridge"
