import re
from dataclasses import replace
from typing import Any

import pytest

from tests.graph.builds import build_graph, edges
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
    Snapshot,
    Teaches,
)

NAMES = ("autograd", "dispatcher", "vmap", "functionalization")
(KEY,) = edges("requires", "functionalization dispatcher: it is a dispatch key")
VOCABULARY = Vocabulary(tuple(Concept(n, n, area="Area", definition=f"What {n} is.") for n in NAMES), (KEY,))
KNOWN = Episode("show/one", "One", show="Show", number=1, summary="Explains autograd.")
CATALOGUE = Catalogue(
    (KNOWN,),
    (Teaches("show/one", "autograd", depth="main", at=1),),
    assumes=(Assumes("show/one", "dispatcher", how="silent", at=3, why="it leans on it"),),
)
TEXT = "dispatcher here, dispatcher there, dispatcher again. autograd. vmap, as it stands."
FEED = Episode("feed/two", "vmap", show="Feed", guid="g2", url="https://example.org/2")


def another(name: str) -> Episode:
    """A second episode of the feed."""
    return replace(FEED, id=f"feed/{name}", title=name.title(), guid=name, url=None)


def mention(id_: str, word: str, **facts: Any) -> Mention:
    start = TEXT.index(word)
    return replace(Mention(id_, "description", start=start, end=start + len(word), text=word), **facts)


def found(episode: Episode = FEED, *statements: Statement) -> Extraction:
    spans = re.finditer("dispatcher|autograd|vmap", TEXT)
    mentions = [Mention(m[0], "description", start=m.start(), end=m.end(), text=m[0]) for m in spans]
    title = [Mention("vmap", "title", start=0, end=4, text="vmap")] if episode.title == "vmap" else []
    address = "https://github.com/pytorch/pytorch/pull/1/files"
    link = FoundLink(address, "github_pr", label="the fix", id="pytorch/pytorch#1")
    return Extraction(episode, TEXT, mentions=(*title, *mentions), links=(link,), statements=statements)


def stated(relation: Any, subject: str, object_: str, episode: Episode = FEED) -> Extraction:
    quote = "as it stands"
    return found(episode, Statement(relation, subject, object=object_, quote=quote, start=TEXT.index(quote)))


def graph(*found: Extraction, **catalogue: Any) -> Snapshot:
    return build_graph(VOCABULARY, replace(CATALOGUE, **catalogue), found)


def taught(snapshot: Snapshot, episode: str) -> list[tuple[str, str]]:
    return [(t.target, t.depth) for t in snapshot.taught_by[episode]]


def test_a_feed_joins_the_catalogue() -> None:
    joint = graph(found())
    assert set(joint.episode) == {"show/one", "feed/two"}
    assert taught(joint, "feed/two") == [("vmap", "main"), ("dispatcher", "part")]
    assert [(m.source, m.target, m.count, m.evidence) for m in joint.mentions] == [
        ("feed/two", "autograd", 1, "autograd")
    ]
    assert [(c.source, c.target) for c in joint.cites] == [("feed/two", "pytorch/pytorch#1")]


def test_what_a_transcript_shows_comes_before_what_notes_name_and_after_the_catalogue() -> None:
    heard = (
        Explained("dispatcher", "main", at=90, weight=1.0, quote="so the dispatcher is"),
        Explained("autograd", "part", at=300, weight=0.4, quote="and autograd"),
    )
    explained = graph(replace(found(), explained=heard)).taught_by["feed/two"]
    assert [(t.target, t.depth, t.weight, t.at, t.evidence) for t in explained] == [
        ("dispatcher", "main", 1.0, 90, "so the dispatcher is"),
        ("vmap", "main", 1.0, None, "vmap"),
        ("autograd", "part", 0.4, 300, "and autograd"),
    ]
    judged = graph(replace(found(KNOWN), explained=heard)).taught_by["show/one"]
    assert [(t.target, t.at) for t in judged] == [("autograd", 1)]


def test_a_namesake_of_another_date_keeps_what_is_found_in_it() -> None:
    dated = (replace(KNOWN, published="2021-01-01"),)
    joint = graph(found(replace(KNOWN, published="2024-01-01")), episodes=dated)
    assert {m.source for m in joint.mentions} | {c.source for c in joint.cites} == {"show/one-2"}


def test_what_is_judged_or_taken_for_granted_is_not_mentioned_again_and_not_judged_by_counting() -> None:
    """Autograd is taught and dispatcher assumed by the catalogue's episode."""
    for entry in (KNOWN, replace(KNOWN, summary="")):
        joint = graph(found(entry), found(entry))
        assert taught(joint, "show/one") == [("autograd", "main")]
        assert [m.target for m in joint.mentions] == ["vmap"]


def test_the_same_inputs_in_another_order_make_the_same_graph() -> None:
    """Of statements that contradict each other the same one counts, too."""
    for one, other in (
        (found(), found(another("three"))),
        (stated("USES", "vmap", "autograd"), stated("USES", "autograd", "vmap", another("three"))),
    ):
        assert graph(one, other) == graph(other, one)


def test_statements_become_edges() -> None:
    (edge,) = graph(stated("EXTENDS", "vmap", "autograd")).concept_relations
    assert (edge.kind, edge.source, edge.target, edge.quote) == ("EXTENDS", "vmap", "autograd", "as it stands")
    for relation, ends in {"LISTEN_AFTER": ("feed/two", "show/one"), "LISTEN_BEFORE": ("show/one", "feed/two")}.items():
        assert [(e.source, e.target) for e in graph(stated(relation, "vmap", "one")).listen_after] == [ends]


def test_a_circle_names_its_edges() -> None:
    back = edges("requires", "dispatcher functionalization bridge: turned round")
    with pytest.raises(CycleError, match="turned round"):
        build_graph(replace(VOCABULARY, requires=(KEY, *back)), CATALOGUE, [])


def test_a_curated_relation_wins_over_one_that_points_the_other_way() -> None:
    curated = ConceptRelation("autograd", "dispatcher", kind="USES", reason="curated")
    reverse = ConceptRelation("dispatcher", "autograd", kind="USES", origin="declared", episode="show/one", at=3)
    catalogue = replace(CATALOGUE, relations=(reverse,))
    assert build_graph(VOCABULARY, catalogue, []).concept_relations == (reverse,)
    assert build_graph(replace(VOCABULARY, relations=(curated,)), catalogue, []).concept_relations == (curated,)


def test_every_node_has_a_place_on_the_map() -> None:
    joint = graph(found())
    places = {n.id: (n.x, n.y) for n in (*joint.concepts, *joint.episodes)}
    assert places == overview(join_graph(VOCABULARY, CATALOGUE, [found()]).graph)
    assert len(set(places.values())) == len(places)


@pytest.mark.parametrize(
    ("words", "name"),
    [(("dispatcher", "autograd"), "autograd"), (("vmap", "here"), "here")],  # the shortest, then by the alphabet
)
def test_what_no_vocabulary_has_becomes_a_concept_once_two_episodes_name_it(words: tuple[str, ...], name: str) -> None:
    named = tuple(mention("set-output", word) for word in words)
    one = replace(found(), mentions=(*named, replace(named[0], concept_id="rare")))
    joint = graph(one, replace(one, episode=another("three"), mentions=named))
    assert [(c.id, c.name, c.area) for c in joint.concepts if c.id not in NAMES] == [("set-output", name, "Terms")]
    assert ("feed/two", "set-output", 2) in [(m.source, m.target, m.count) for m in joint.mentions]


@pytest.mark.parametrize(
    ("spelling", "area"), [("set_output", "Code"), ("setOutput", "Code"), ("Set-output", "Terms"), ("SET", "Terms")]
)
def test_what_no_vocabulary_has_is_code_or_a_term_by_its_spelling(spelling: str, area: str) -> None:
    one = Extraction(FEED, spelling, mentions=(Mention("x", "description", start=0, end=9, text=spelling),))
    assert graph(one, replace(one, episode=another("three"))).concept["x"].area == area


def test_a_term_that_one_episode_makes_of_a_concept_counts_as_the_concept() -> None:
    joint = graph(replace(found(), mentions=(mention("quilt", "autograd", part="autograd"),)))
    assert "quilt" not in joint.concept
    assert ("feed/two", "autograd") in [(m.source, m.target) for m in joint.mentions]


def test_what_the_title_names_is_the_subject_and_what_the_notes_name_thrice_is_a_part() -> None:
    joint = join_graph(VOCABULARY, CATALOGUE, [found()]).graph
    part: Any = {"depth": "part", "weight": 0.5, "field": "description", "origin": "inferred"}
    main: Any = {"depth": "main", "weight": 1.0, "field": "title", "origin": "declared"}
    assert [t for t in joint.teaches if t.source == "feed/two"] == [
        Teaches("feed/two", "dispatcher", evidence="dispatcher", start=0, **part),
        Teaches("feed/two", "vmap", evidence="vmap", start=0, **main),
    ]
    m = mention("autograd", "autograd")
    edge = Mentions("feed/two", "autograd", count=1, field=m.field, start=m.start, end=m.end, evidence=m.text)
    assert joint.mentions == (edge,)


def test_what_the_notes_name_twice_is_mentioned_only() -> None:
    joint = graph(replace(found(), mentions=found().mentions[:3]))  # vmap in the title, dispatcher twice
    assert taught(joint, "feed/two") == [("vmap", "main")]
    assert [(m.target, m.count) for m in joint.mentions] == [("dispatcher", 2)]


def test_a_link_has_the_first_label_that_an_entry_gives_it() -> None:
    address = "https://example.org/a"
    labels = {FEED: "", another("zero"): "a post", another("six"): ""}
    links = {e: (FoundLink(address, "blog", label=label, id="a"),) for e, label in labels.items()}
    joint = graph(*(replace(found(e), links=link) for e, link in links.items()))
    assert joint.links == (Link("a", address, type="blog", label="a post"),)
    assert joint.cites == tuple(
        Cites(e, "a", label="a post" if e == "feed/zero" else "", quote=address)
        for e in ("feed/six", "feed/two", "feed/zero")
    )


def test_what_one_episode_alone_names_joins_nothing_and_is_left_out() -> None:
    """The name of a second episode counts, its summary, which is ours, does not."""
    named = mention("set-output", "dispatcher")
    explained = (Explained("set-output", "part", at=5, weight=0.4, quote="so set output"),)
    one = replace(found(), mentions=(named,), explained=explained)
    by_us = replace(one, episode=another("three"), mentions=(replace(named, field="summary"),), explained=())
    for texts in ([one], [one, one], [one, by_us]):
        assert "set-output" not in graph(*texts).concept
    joint = graph(one, replace(by_us, mentions=(named,)))
    assert joint.concept["set-output"].definition == "Named in the notes; the vocabulary has no entry for it."
    assert [(t.target, t.at) for t in joint.taught_by["feed/two"]] == [("set-output", 5)]


def test_what_two_sources_say_of_two_episodes_is_one_edge() -> None:
    """The catalogue's comes first; an episode does not come after itself, nor speak of itself."""
    heard = RefersTo("show/one", "show/two", relation="continues", at=9)
    after = (ListenAfter("show/two", "show/one", at=4),)
    joint = graph(
        *(stated(kind, "One", "Two", KNOWN) for kind in ("RELATED_EPISODE", "LISTEN_BEFORE")),
        episodes=(KNOWN, Episode("show/two", "Two", show="Show", number=2)),
        refers_to=(heard, RefersTo("show/one", "show/one", relation="mentions", at=1)),
        listen_after=after,
    )
    assert (joint.refers_to, joint.listen_after) == ((heard,), after)


def test_two_kinds_of_relation_between_two_concepts_stay() -> None:
    both = [stated(kind, "vmap", "autograd") for kind in ("USES", "EXTENDS")]
    assert [r.kind for r in graph(*both).concept_relations] == ["EXTENDS", "USES"]


def test_a_quote_from_a_title_stands_there() -> None:
    said = Statement("USES", "vmap", object="autograd", quote="vmap", field="title", start=0)
    assert len(graph(found(FEED, said)).concept_relations) == 1
    moved = join_graph(VOCABULARY, CATALOGUE, [found(FEED, replace(said, start=1))])
    assert moved.set_aside == ("(vmap)-[:USES]->(autograd) quotes 'vmap', which is not at 1 of the title",)


@pytest.mark.parametrize(("number", "text", "kept"), [(4, "Attics.", {"owl"}), (5, "Attics.", set()), (5, "", {"owl"})])
def test_what_titles_say_and_no_notes_is_the_name_of_a_series_and_no_concept(
    number: int, text: str, kept: set[str]
) -> None:
    owl = (Mention("owl", "title", start=0, end=3, text="OWL"),)
    told = (Extraction(another(f"owl {n}"), text, mentions=owl) for n in range(number))
    assert set(graph(*told).concept) - set(NAMES) == kept
