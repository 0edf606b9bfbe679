"""Prerequisites that definitions and notes tell of, from their wording to edges of the graph."""

import re
from dataclasses import replace
from graphlib import TopologicalSorter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.graph.builds import build_graph, edges
from torchatlas.graph import inference
from torchatlas.graph.build import join_graph
from torchatlas.graph.findings import Catalogue, Extraction, Field, Mention, Statement, Vocabulary
from torchatlas.graph.inference import FIRST, LEANING, Passage, namings, prerequisites, without_circles
from torchatlas.graph.model import Concept, Episode, Requires, Snapshot

NAMES = ("kiln", "clay", "glaze", "raku", "tea")


def passage(text: str, field: Field = "definition", start: int = 0) -> Passage:
    spans = [(m.start(), m.end()) for m in re.finditer("|".join(NAMES), text)]
    mentions = tuple(Mention(text[a:b], field, start=start + a, end=start + b, text=text[a:b]) for a, b in spans)
    return Passage(field, text, mentions=mentions, start=start)


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("Made with clay.", FIRST),
        ("Made of earth and then of clay.", FIRST),
        ("A craft that is based on clay.", FIRST),
        ("A craft. It has clay.", None),
        ("A craft of shapes; others paint clay.", None),
        ("A craft. It is based on the clay.", LEANING),
        ("A craft. It uses clay.", LEANING),
        ("Arts such as clay.", None),
        ("A craft without any clay.", None),
        ("Is it based on clay?", None),
        ("A craft used for clay.", None),
        ("See also clay.", None),
        ("What raku is.", None),  # nothing names itself
        # only a definition has a first sentence that tells
        ("notes: Made with clay.", None),
        # in notes that tell of much, only the concept itself leans on another
        ("notes of an episode: Here raku is based on clay.", LEANING),
        ("notes of an episode: Here the kiln is built on clay, and raku is far.", None),
        ("notes of an episode: Here raku and the kiln, which is built on clay.", None),
    ],
)
def test_how_a_text_names_another_concept(text: str, confidence: float | None) -> None:
    of, _, said = text.rpartition(": ")
    found = passage(said, "description" if of else "definition")
    named = namings("raku", found._replace(episode="an-episode" if "episode" in of else None))
    assert {n.target: n.confidence for n in named} == ({"clay": confidence} if confidence else {})


@given(st.text(st.sampled_from("aB .!?\n)\"'"), max_size=40))
def test_sentences_are_the_text_without_the_white_space_between_them(text: str) -> None:
    spans = list(inference.sentences(text))
    assert re.sub(r"\s", "", "".join(text[a:b] for a, b in spans)) == re.sub(r"\s", "", text)
    assert all(a < b and text[a:b] == text[a:b].strip() for a, b in spans)


def test_the_sentence_is_quoted_with_its_place_in_the_field() -> None:
    notes = "Before. Yes. It needs clay. After."
    (found,) = namings("tea", passage(notes[8:], "description", 8))
    assert (found.quote, found.start) == ("It needs clay.", 13)
    assert notes[found.start :].startswith(found.quote)


def test_of_several_namings_the_surest_counts_and_among_equals_the_first() -> None:
    said = ("A drink. It uses clay.", "Made with clay.", "Fired clay.")
    (found,) = prerequisites(("tea", passage(text)) for text in said)
    assert (found.confidence, found.quote) == (FIRST, "Made with clay.")


@pytest.mark.parametrize(
    ("clay", "kept"),
    [
        ("Fine earth.", {("kiln", "clay")}),
        ("Fine earth. It needs a kiln.", {("kiln", "clay")}),
        ("Fine earth for a kiln.", set()),
    ],
)
def test_what_is_named_back_as_surely_is_no_prerequisite(clay: str, kept: set[tuple[str, str]]) -> None:
    found = prerequisites([("kiln", passage("A chamber that hardens clay.")), ("clay", passage(clay))])
    assert {(n.source, n.target) for n in found} == kept


def naming(concept: str, needed: str, confidence: float) -> Requires:
    return Requires(concept, needed, need="bridge", reason="", origin="inferred", confidence=confidence)


def test_the_strongest_hold_and_what_contradicts_them_is_told() -> None:
    circle = (naming("a", "b", 0.9), naming("b", "c", 0.8), naming("c", "a", 0.7))
    assert without_circles(circle) == (circle[:2], circle[2:])
    assert without_circles(circle[::-1]) == (circle[:2], circle[2:])
    assert without_circles(circle, [("b", "a")]) == (circle[1:], circle[:1])


ids = st.sampled_from("abcdef")
found_namings = st.lists(st.builds(naming, ids, ids, st.floats(0, 1)).filter(lambda n: n.source != n.target))


@given(found_namings)
def test_what_is_kept_has_no_circle(found: list[Requires]) -> None:
    kept, aside = without_circles(found)
    sorter = TopologicalSorter[str]()
    for n in kept:
        sorter.add(n.source, n.target)
    sorter.prepare()
    assert sorted(map(repr, (*kept, *aside))) == sorted(map(repr, found))


BOATS = ("anchor", "hull", "keel", "mast", "rigging", "sail", "sloop")
DEFINITIONS = {
    "anchor": "A weight that holds a boat in its place.",
    "hull": "The body of a boat, which keeps the water out.",
    "keel": "The beam along the bottom of the hull that keeps a boat upright.",
    "mast": "The pole that stands on the keel.",
    "sail": "A cloth that hangs from the mast and catches the wind.",
    "rigging": "The ropes that hold the mast and turn the sail.",
    "sloop": "A boat with a mast and a sail on one hull.",
}
CONCEPTS = tuple(Concept(n, n, area="Boats", definition=DEFINITIONS[n]) for n in BOATS)
CURATED = edges("requires", "sail mast: it hangs there, mast keel bridge: it stands there")
VOCABULARY = Vocabulary(CONCEPTS, CURATED)
EPISODE = Episode("feed/tying-up", "Tying up", show="Feed", guid="g")


def mentioned(text: str, field: Any = "definition") -> tuple[Mention, ...]:
    spans = re.finditer("|".join(BOATS), text)
    return tuple(Mention(m[0], field, start=m.start(), end=m.end(), text=m[0]) for m in spans)


DEFINED = {c.id: mentioned(c.definition) for c in CONCEPTS}


def notes(text: str, *statements: Statement, episode: Episode = EPISODE) -> Extraction:
    return Extraction(episode, text, mentions=mentioned(text, "description"), statements=statements)


def graph(*found: Extraction, own: tuple[str, ...] = ("sloop", "rigging"), **changes: Any) -> Snapshot:
    return build_graph(replace(VOCABULARY, **changes), Catalogue(), found, frozenset(own), DEFINED)


def inferred(snapshot: Snapshot) -> dict[tuple[str, str], Requires]:
    return {(r.source, r.target): r for r in snapshot.requires if r.origin == "inferred"}


def test_own_concepts_get_the_prerequisites_that_their_definitions_name() -> None:
    found = inferred(graph())
    assert set(found) == {("rigging", "sail"), ("sloop", "sail"), ("sloop", "hull")}
    edge = found["sloop", "sail"]
    assert (edge.need, edge.quote, edge.field, edge.start) == ("bridge", DEFINITIONS["sloop"], "definition", 0)
    assert 0.7 <= edge.confidence < 1
    assert "first sentence" in edge.reason


def test_without_own_concepts_nothing_is_inferred_and_nothing_changes() -> None:
    assert graph(own=()).requires == tuple(sorted(CURATED, key=lambda r: r.source))
    assert graph(own=("sail", "mast", "unknown")).requires == graph(own=()).requires


def test_what_follows_from_another_is_left_out_and_at_most_a_few_are_kept() -> None:
    assert ("sloop", "mast") not in inferred(graph())
    alone = inferred(graph(own=("sloop",), requires=()))
    assert {needed for _, needed in alone} == {"mast", "sail", "hull"}
    fleet = Concept("fleet", "fleet", area="Boats", definition="Boats of hull, keel, mast, rigging and sail.")
    vocabulary = Vocabulary((*CONCEPTS, fleet), ())
    defined = {c.id: mentioned(c.definition) for c in vocabulary.concepts}
    assert len(inferred(build_graph(vocabulary, Catalogue(), (), {"fleet"}, defined))) == inference.AT_MOST


def test_notes_count_where_they_say_that_one_leans_on_another_with_their_place() -> None:
    said = "We were at sea. An anchor is built on the hull. It rained."
    (edge,) = inferred(graph(notes(said), own=("anchor",))).values()
    assert (edge.source, edge.target, edge.episode, edge.field) == ("anchor", "hull", EPISODE.id, "description")
    assert said[edge.start :].startswith("An anchor is built on the hull.") == bool(edge.quote)


@pytest.mark.parametrize(
    "text",
    [
        "An anchor and a hull. Hull here, anchor there. Anchor, hull.",
        "About the anchor.\nSee also the hull.",
        "An anchor is built on a rope.",
    ],
)
def test_standing_beside_each_other_or_in_the_title_makes_no_prerequisite(text: str) -> None:
    said, title = notes(text), Mention("hull", "title", start=24, end=28, text="hull")
    assert not inferred(graph(replace(said, mentions=(*said.mentions, title)), own=("anchor",)))


SHOW = tuple(Episode(n, n, show="Show") for n in ("one", "two"))
ORDER = edges("listen_after", "two one")
IN_ORDER = Catalogue(SHOW, edges("teaches", "one rigging, two sail"), listen_after=ORDER)
INSTEAD = edges("concept_relations", "sail ALTERNATIVE_TO rigging: so")
IN_PART = Catalogue(SHOW, edges("teaches", "one ~rigging, two sail"), listen_after=ORDER)


@pytest.mark.parametrize(
    ("vocabulary", "catalogue", "kept", "told"),
    [
        (VOCABULARY, Catalogue(), True, False),
        (replace(VOCABULARY, requires=(*CURATED, *edges("requires", "sail rigging bridge"))), Catalogue(), False, True),
        (VOCABULARY, IN_ORDER, False, True),
        # the order of episodes that touch both in part says nothing
        (VOCABULARY, IN_PART, True, False),
        (replace(VOCABULARY, relations=INSTEAD), Catalogue(), False, False),
    ],
)
def test_nobody_who_said_the_contrary_is_contradicted(
    vocabulary: Vocabulary, catalogue: Catalogue, kept: bool, told: bool
) -> None:
    graph, set_aside = join_graph(vocabulary, catalogue, [], {"rigging"}, DEFINED)
    assert (("rigging", "sail") in inferred(graph)) is kept
    assert any("rigging requires sail" in line for line in set_aside) is told
    assert set(vocabulary.requires) <= set(graph.requires)


def test_only_what_has_a_definition_at_hand_is_a_prerequisite() -> None:
    defined = {c: found for c, found in DEFINED.items() if c != "hull"}
    assert set(inferred(build_graph(VOCABULARY, Catalogue(), (), {"sloop"}, defined))) == {("sloop", "sail")}


def test_the_same_in_another_order_is_the_same_graph() -> None:
    one, two = notes("A sloop needs a keel."), notes("A sloop.", episode=replace(EPISODE, id="b", title="B", guid="b"))
    assert graph(one, two) == graph(two, one)


SAILS, SLOOPS = (Episode(f"feed/{title}s", title, show="Feed", guid=title) for title in ("sail", "sloop"))


def about(episode: Episode, text: str, *statements: Statement) -> Extraction:
    found = notes(text, *statements, episode=episode)
    return replace(found, mentions=(*mentioned(episode.title, "title"), *found.mentions))


def need(*found: Extraction, own: tuple[str, ...] = ("sloop", "sail")) -> Requires:
    return next(r for r in graph(*found, own=own).requires if (r.source, r.target) == ("sloop", "sail"))


def test_an_own_topic_with_an_episode_that_a_text_asks_to_hear_first_is_worth_an_episode() -> None:
    asks = Statement("LISTEN_AFTER", "sloop", object="sail", quote="Listen to sail first", field="description", start=3)
    later = about(SLOOPS, "A. Listen to sail first.", asks)
    edge = need(about(SAILS, "On sails."), later)
    assert (edge.need, edge.origin, edge.confidence, edge.reason) == ("worth", "declared", 1.0, "Listen to sail first")
    assert (edge.quote, edge.episode, edge.start) == ("Listen to sail first", "feed/sloops", 3)
    assert need(about(SAILS, "On sails."), about(SLOOPS, "A boat.")).need == "bridge"
    assert need(replace(about(SAILS, ""), mentions=()), later).need == "bridge"
    assert need(about(SAILS, "On sails."), later, own=("sloop",)).need == "bridge"
