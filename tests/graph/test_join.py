import re
from dataclasses import replace

import pytest

from tests.graph.builds import build_graph
from torchatlas.graph.build import join_graph
from torchatlas.graph.errors import CycleError
from torchatlas.graph.findings import Catalogue, Explained, Extraction, FoundLink, Mention, Statement, Vocabulary
from torchatlas.graph.layout import overview
from torchatlas.graph.model import (
    Assumes,
    Cites,
    Concept,
    ConceptRelation,
    Episode,
    Link,
    ListenAfter,
    Mentions,
    RefersTo,
    Requires,
    Teaches,
)

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
    one = stated("USES", "vmap", "autograd")
    third = replace(FEED, id="feed/three", title="Three", guid="g3", url=None)
    other = stated("USES", "autograd", "vmap", third)
    assert build_graph(VOCABULARY, CATALOGUE, [one, other]) == build_graph(VOCABULARY, CATALOGUE, [other, one])


def test_statements_become_edges() -> None:
    graph = build_graph(VOCABULARY, CATALOGUE, [stated("EXTENDS", "vmap", "autograd")])
    (edge,) = graph.concept_relations
    assert (edge.kind, edge.source, edge.target, edge.quote) == ("EXTENDS", "vmap", "autograd", "as it stands")
    graph = build_graph(VOCABULARY, CATALOGUE, [stated("LISTEN_AFTER", "vmap", "One")])
    assert [(e.source, e.target) for e in graph.listen_after] == [("feed/two", "show/one")]
    graph = build_graph(VOCABULARY, CATALOGUE, [stated("LISTEN_BEFORE", "vmap", "one")])
    assert [(e.source, e.target) for e in graph.listen_after] == [("show/one", "feed/two")]


def test_a_circle_names_its_edges() -> None:
    back = Requires("dispatcher", "functionalization", need="bridge", reason="turned round")
    with pytest.raises(CycleError, match="turned round"):
        build_graph(replace(VOCABULARY, requires=(*VOCABULARY.requires, back)), CATALOGUE, [])


def test_a_curated_relation_wins_over_one_that_points_the_other_way() -> None:
    curated = ConceptRelation("autograd", "dispatcher", kind="USES", reason="curated")
    reverse = ConceptRelation("dispatcher", "autograd", kind="USES", origin="declared", episode="show/one", at=3)
    catalogue = replace(CATALOGUE, relations=(reverse,))
    assert build_graph(VOCABULARY, catalogue, []).concept_relations == (reverse,)
    assert build_graph(replace(VOCABULARY, relations=(curated,)), catalogue, []).concept_relations == (curated,)


def test_every_node_has_a_place_on_the_map() -> None:
    graph = build_graph(VOCABULARY, CATALOGUE, [found()])
    places = {n.id: (n.x, n.y) for n in (*graph.concepts, *graph.episodes)}
    assert places == overview(join_graph(VOCABULARY, CATALOGUE, [found()]).graph)
    assert len(set(places.values())) == len(places)


def test_what_no_vocabulary_has_becomes_a_concept_once_two_episodes_name_it() -> None:
    spans = [(TEXT.index(word), word) for word in ("dispatcher", "autograd")]
    named = tuple(
        Mention("set-output", "description", start=start, end=start + len(word), text=word) for start, word in spans
    )
    one = replace(found(), mentions=(*named, replace(named[0], concept_id="rare")))
    two = replace(one, episode=replace(FEED, id="feed/three", title="Three", guid="g3", url=None), mentions=named)
    graph = build_graph(VOCABULARY, CATALOGUE, [one, two])
    new = [(c.id, c.name, c.area) for c in graph.concepts if c.id not in NAMES]
    assert new == [("set-output", "autograd", "Terms")]  # by the shortest of its spellings
    assert ("feed/two", "set-output", 2) in [(m.source, m.target, m.count) for m in graph.mentions]
    assert set(build_graph(VOCABULARY, CATALOGUE, [one]).concept) == set(NAMES)


def test_a_term_that_one_episode_makes_of_a_concept_counts_as_the_concept() -> None:
    start = TEXT.index("autograd")
    own = Mention("quilt", "description", start=start, end=start + 8, text="autograd", part="autograd")
    graph = build_graph(VOCABULARY, CATALOGUE, [replace(found(), mentions=(own,))])
    assert "quilt" not in graph.concept
    assert ("feed/two", "autograd") in [(m.source, m.target) for m in graph.mentions]


def test_what_the_title_names_is_the_subject_and_what_the_notes_name_thrice_is_a_part() -> None:
    graph = join_graph(VOCABULARY, CATALOGUE, [found()]).graph
    taught = [t for t in graph.teaches if t.source == "feed/two"]
    part = {"depth": "part", "weight": 0.5, "field": "description", "origin": "inferred"}
    main = {"depth": "main", "weight": 1.0, "field": "title", "origin": "declared"}
    assert taught == [
        Teaches("feed/two", "dispatcher", evidence="dispatcher", start=0, **part),  # type: ignore[arg-type]
        Teaches("feed/two", "vmap", evidence="vmap", start=0, **main),  # type: ignore[arg-type]
    ]
    at = TEXT.index("autograd")
    assert graph.mentions == (
        Mentions(
            "feed/two",
            "autograd",
            count=1,
            field="description",
            start=at,
            end=at + len("autograd"),
            evidence="autograd",
        ),
    )


def test_what_the_notes_name_twice_is_mentioned_only() -> None:
    twice = replace(found(), mentions=found().mentions[:3])  # vmap in the title, dispatcher twice
    graph = build_graph(VOCABULARY, CATALOGUE, [twice])
    assert [(t.target, t.depth) for t in graph.taught_by["feed/two"]] == [("vmap", "main")]
    assert [(m.target, m.count) for m in graph.mentions] == [("dispatcher", 2)]


def test_what_an_episode_takes_for_granted_is_not_mentioned_again() -> None:
    """Autograd is taught and dispatcher assumed by the catalogue's episode."""
    first = found(replace(KNOWN, summary=""))
    assert [m.target for m in build_graph(VOCABULARY, CATALOGUE, [first, first]).mentions] == ["vmap"]


def test_a_link_has_the_first_label_that_an_entry_gives_it() -> None:
    address = "https://example.org/a"
    unlabelled, labelled, other = (
        replace(found(episode), links=(FoundLink(address, "blog", label=label, id="a"),))
        for episode, label in (
            (FEED, ""),
            (replace(FEED, id="feed/zero", title="Zero", guid="g0", url=None), "a post"),
            (replace(FEED, id="feed/six", title="Six", guid="g6", url=None), ""),
        )
    )
    graph = build_graph(VOCABULARY, CATALOGUE, [unlabelled, labelled, other])
    assert graph.links == (Link("a", address, type="blog", label="a post"),)
    assert graph.cites == tuple(
        Cites(e, "a", label="a post" if e == "feed/zero" else "", quote=address)
        for e in ("feed/six", "feed/two", "feed/zero")
    )


def test_what_one_episode_alone_names_joins_nothing_and_is_left_out() -> None:
    """The name of a second episode counts, its summary, which is ours, does not."""
    mention = Mention("set-output", "description", start=0, end=10, text="dispatcher")
    explained = (Explained("set-output", "part", at=5, weight=0.4, quote="so set output"),)
    one = replace(found(), mentions=(mention,), explained=explained)
    second = replace(FEED, id="feed/three", title="Three", guid="g3", url=None)
    by_us = replace(one, episode=second, mentions=(replace(mention, field="summary"),), explained=())
    by_notes = replace(by_us, mentions=(mention,))
    for texts in ([one], [one, one], [one, by_us]):
        assert "set-output" not in build_graph(VOCABULARY, CATALOGUE, texts).concept
    graph = build_graph(VOCABULARY, CATALOGUE, [one, by_notes])
    assert graph.concept["set-output"].definition == "Named in the notes; the vocabulary has no entry for it."
    assert [(t.target, t.at) for t in graph.taught_by["feed/two"]] == [("set-output", 5)]


def test_of_two_spellings_as_short_the_first_in_the_alphabet_is_the_name() -> None:
    named = tuple(
        Mention("set-output", "description", start=TEXT.index(text), end=TEXT.index(text) + 4, text=text)
        for text in ("vmap", "here")
    )
    one = replace(found(), mentions=named)
    two = replace(one, episode=replace(FEED, id="feed/three", title="Three", guid="g3", url=None))
    assert build_graph(VOCABULARY, CATALOGUE, [one, two]).concept["set-output"].name == "here"


def test_what_two_sources_say_of_two_episodes_is_one_edge() -> None:
    """The catalogue's comes first; an episode does not come after itself, nor speak of itself."""
    other = Episode("show/two", "Two", show="Show", number=2)
    heard = RefersTo("show/one", "show/two", relation="continues", at=9)
    catalogue = replace(
        CATALOGUE,
        episodes=(KNOWN, other),
        refers_to=(heard, RefersTo("show/one", "show/one", relation="mentions", at=1)),
        listen_after=(ListenAfter("show/two", "show/one", at=4),),
    )
    said = [stated(kind, "One", "Two", KNOWN) for kind in ("RELATED_EPISODE", "LISTEN_BEFORE")]
    graph = build_graph(VOCABULARY, catalogue, said)
    assert graph.refers_to == (heard,)
    assert graph.listen_after == catalogue.listen_after


def test_two_kinds_of_relation_between_two_concepts_stay() -> None:
    both = [stated(kind, "vmap", "autograd") for kind in ("USES", "EXTENDS")]
    assert [r.kind for r in build_graph(VOCABULARY, CATALOGUE, both).concept_relations] == ["EXTENDS", "USES"]


def test_a_quote_from_a_title_stands_there() -> None:
    said = Statement("USES", "vmap", object="autograd", quote="vmap", field="title", start=0)
    assert len(build_graph(VOCABULARY, CATALOGUE, [found(FEED, said)]).concept_relations) == 1
    moved = join_graph(VOCABULARY, CATALOGUE, [found(FEED, replace(said, start=1))])
    assert moved.set_aside == ("(vmap)-[:USES]->(autograd) quotes 'vmap', which is not at 1 of the title",)


def test_what_titles_say_and_no_notes_is_the_name_of_a_series_and_no_concept() -> None:
    def told(number: int, text: str) -> Extraction:
        episode = replace(FEED, id=f"feed/{number}", title=f"OWL {number}", guid=f"g{number}", url=None, number=None)
        mentions = (Mention("owl", "title", start=0, end=3, text="OWL"),)
        return replace(found(), episode=episode, text=text, mentions=mentions, statements=(), links=())

    def concepts(*extractions: Extraction) -> set[str]:
        return set(build_graph(VOCABULARY, CATALOGUE, extractions).concept) - set(NAMES)

    assert concepts(*(told(n, "Attics.") for n in range(4))) == {"owl"}
    assert concepts(*(told(n, "Attics.") for n in range(5))) == set()
    assert concepts(*(told(n, "") for n in range(5))) == {"owl"}
