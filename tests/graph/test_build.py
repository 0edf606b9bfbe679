import re
from dataclasses import replace

import pytest

from torchatlas.graph.build.join import build_graph
from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.errors import CycleError
from torchatlas.graph.values.findings import Explained, Extraction, FoundLink, Mention, Statement
from torchatlas.graph.values.model import Assumes, Concept, ConceptRelation, Episode, Requires, Snapshot, Teaches

NAMES = ("autograd", "dispatcher", "vmap", "functionalization")
CONCEPTS = tuple(Concept(n, n, area="Area", definition=f"What {n} is.") for n in NAMES)
VOCABULARY = Vocabulary(
    CONCEPTS, (Requires("functionalization", "dispatcher", need="hear", reason="it is a dispatch key"),)
)
KNOWN = Episode("show/one", "One", show="Show", number=1, summary="Explains autograd.")
CATALOGUE = Catalogue(
    (KNOWN,),
    (Teaches("show/one", "autograd", depth="main", at=1),),
    assumes=(Assumes("show/one", "dispatcher", how="silent", at=3, why="it leans on it"),),
)
TEXT = "dispatcher here, dispatcher there, dispatcher again. autograd. vmap, as it stands."
FEED = Episode("feed/two", "vmap", show="Feed", guid="g2", url="https://example.org/2")


def found(episode: Episode = FEED, *statements: Statement) -> Extraction:
    words = ("dispatcher", "autograd", "vmap")
    spans = [(m.start(), m.end(), m[0]) for m in re.finditer("|".join(words), TEXT)]
    mentions = [Mention(word, "description", start=start, end=end, text=word) for start, end, word in spans]
    links = (
        FoundLink(
            "https://github.com/pytorch/pytorch/pull/1/files", "github_pr", label="the fix", id="pytorch/pytorch#1"
        ),
    )
    title = [Mention("vmap", "title", start=0, end=4, text="vmap")] if episode.title == "vmap" else []
    return Extraction(episode, TEXT, mentions=(*title, *mentions), links=links, statements=statements)


def stated(relation: str, subject: str, object_: str, episode: Episode = FEED) -> Extraction:
    start = TEXT.index("as it stands")
    return found(
        episode, Statement(relation, subject, object=object_, quote="as it stands", field="description", start=start)
    )  # type: ignore[arg-type]


def test_a_feed_joins_the_catalogue() -> None:
    graph = build_graph(VOCABULARY, CATALOGUE, [found()])
    assert set(graph.episode) == {"show/one", "feed/two"}
    assert [(t.target, t.depth) for t in graph.taught_by["feed/two"]] == [("vmap", "main"), ("dispatcher", "part")]
    assert [(m.source, m.target, m.count, m.evidence) for m in graph.mentions] == [
        ("feed/two", "autograd", 1, "autograd")
    ]
    assert [(c.source, c.target) for c in graph.cites] == [("feed/two", "pytorch/pytorch#1")]


def test_what_a_transcript_shows_comes_before_what_notes_name_and_after_the_catalogue() -> None:
    heard = (
        Explained("dispatcher", "main", at=90, weight=1.0, quote="so the dispatcher is"),
        Explained("autograd", "part", at=300, weight=0.4, quote="and autograd"),
    )
    graph = build_graph(VOCABULARY, CATALOGUE, [replace(found(), explained=heard)])
    assert [(t.target, t.depth, t.weight, t.at, t.evidence) for t in graph.taught_by["feed/two"]] == [
        ("dispatcher", "main", 1.0, 90, "so the dispatcher is"),
        ("vmap", "main", 1.0, None, "vmap"),
        ("autograd", "part", 0.4, 300, "and autograd"),
    ]
    graph = build_graph(VOCABULARY, CATALOGUE, [replace(found(KNOWN), explained=heard)])
    assert [(t.target, t.at) for t in graph.taught_by["show/one"]] == [("autograd", 1)]


def test_a_namesake_of_another_date_keeps_what_is_found_in_it() -> None:
    catalogue = replace(CATALOGUE, episodes=(replace(KNOWN, published="2021-01-01"),))
    graph = build_graph(VOCABULARY, catalogue, [found(replace(KNOWN, published="2024-01-01"))])
    assert {m.source for m in graph.mentions} | {c.source for c in graph.cites} == {"show/one-2"}


def test_what_is_judged_is_not_mentioned_again_and_not_judged_by_counting() -> None:
    graph = build_graph(VOCABULARY, CATALOGUE, [found(KNOWN)])
    assert [(t.target, t.depth) for t in graph.taught_by["show/one"]] == [("autograd", "main")]
    assert {m.target for m in graph.mentions} == {"vmap"}


def test_the_same_inputs_in_another_order_make_the_same_graph() -> None:
    other = found(replace(FEED, id="feed/three", title="Three", guid="g3", url=None))
    assert build_graph(VOCABULARY, CATALOGUE, [found(), other]) == build_graph(VOCABULARY, CATALOGUE, [other, found()])


def test_of_statements_that_contradict_each_other_the_same_one_counts_in_any_order() -> None:
    one = stated("REQUIRES_KNOWING", "vmap", "autograd")
    third = replace(FEED, id="feed/three", title="Three", guid="g3", url=None)
    other = stated("REQUIRES_KNOWING", "autograd", "vmap", third)
    assert build_graph(VOCABULARY, CATALOGUE, [one, other]) == build_graph(VOCABULARY, CATALOGUE, [other, one])


def test_statements_become_edges() -> None:
    graph = build_graph(VOCABULARY, CATALOGUE, [stated("RUNS_AFTER", "autograd", "vmap")])
    (edge,) = graph.concept_relations
    assert (edge.kind, edge.source, edge.target, edge.quote) == ("RUNS_BEFORE", "vmap", "autograd", "as it stands")
    graph = build_graph(VOCABULARY, CATALOGUE, [stated("LISTEN_AFTER", "vmap", "One")])
    assert [(e.source, e.target) for e in graph.listen_after] == [("feed/two", "show/one")]
    graph = build_graph(VOCABULARY, CATALOGUE, [stated("LISTEN_BEFORE", "vmap", "one")])
    assert [(e.source, e.target) for e in graph.listen_after] == [("show/one", "feed/two")]


def test_a_stated_prerequisite_never_reverses_a_curated_one() -> None:
    def needs(graph: Snapshot) -> set[tuple[str, str, str]]:
        return {(r.source, r.target, r.origin) for r in graph.requires}

    curated = ("functionalization", "dispatcher", "curated")
    assert needs(
        build_graph(VOCABULARY, CATALOGUE, [stated("REQUIRES_KNOWING", "dispatcher", "functionalization")])
    ) == {curated}
    new = build_graph(VOCABULARY, CATALOGUE, [stated("REQUIRES_KNOWING", "vmap", "dispatcher")])
    assert needs(new) == {curated, ("vmap", "dispatcher", "declared")}


def test_a_circle_names_its_edges() -> None:
    back = Requires("dispatcher", "functionalization", need="bridge", reason="turned round")
    with pytest.raises(CycleError, match="turned round"):
        build_graph(replace(VOCABULARY, requires=(*VOCABULARY.requires, back)), CATALOGUE, [])


def test_a_curated_relation_wins_over_one_that_points_the_other_way() -> None:
    curated = ConceptRelation("autograd", "dispatcher", kind="USES", reason="curated")
    reverse = ConceptRelation("dispatcher", "autograd", kind="USES", origin="declared", quote="stated")
    graph = build_graph(replace(VOCABULARY, relations=(curated,)), replace(CATALOGUE, relations=(reverse,)), [])
    assert graph.concept_relations == (curated,)


def test_every_node_has_a_place_on_the_map() -> None:
    graph = build_graph(VOCABULARY, CATALOGUE, [found()])
    places = [(n.x, n.y) for n in (*graph.concepts, *graph.episodes)]
    assert len(set(places)) == len(places)


def test_what_no_vocabulary_has_becomes_a_concept_once_two_episodes_name_it() -> None:
    spans = [(TEXT.index(word), word) for word in ("dispatcher", "autograd")]
    named = tuple(
        Mention("set-output", "description", start=start, end=start + len(word), text=word) for start, word in spans
    )
    one = replace(found(), mentions=(*named, replace(named[0], concept_id="rare")))
    two = replace(one, episode=replace(FEED, id="feed/three", title="Three", guid="g3", url=None), mentions=named)
    graph = build_graph(VOCABULARY, CATALOGUE, [one, two])
    new = [(c.id, c.name, c.area) for c in graph.concepts if c.id not in NAMES]
    assert new == [("set-output", "autograd", "Code")]  # by the shortest of its spellings
    assert ("feed/two", "set-output", 2) in [(m.source, m.target, m.count) for m in graph.mentions]
    assert set(build_graph(VOCABULARY, CATALOGUE, [one]).concept) == set(NAMES)
