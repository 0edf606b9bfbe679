from dataclasses import replace

import pytest

from torchatlas.graph.build import Joined, join_graph
from torchatlas.graph.findings import Catalogue, Extraction, Mention, Statement, StatementRelation, Vocabulary
from torchatlas.graph.model import Concept, ConceptRelation, Episode, ListenAfter, Requires

CONCEPTS = tuple(Concept(n, n, area="Area") for n in ("bow", "string", "arrow"))
VOCABULARY = Vocabulary(CONCEPTS)
ONE, TWO, THREE = (Episode(f"feed/{n}", n.title(), show="Feed", guid=n) for n in ("one", "two", "three"))
SAID = "So it is said."


def says(episode: Episode, relation: StatementRelation, subject: str, object_: str, quote: str = SAID) -> Extraction:
    return Extraction(
        episode,
        f"Well. {quote}",
        mentions=(),
        links=(),
        statements=(Statement(relation, subject, object=object_, quote=quote, field="description", start=6),),
    )


def silent(episode: Episode) -> Extraction:
    return Extraction(episode, "")


def joined(*found: Extraction) -> Joined:
    return join_graph(VOCABULARY, Catalogue(), found)


def test_what_an_author_asks_for_is_an_edge_with_his_words() -> None:
    for relation, ends in (("LISTEN_AFTER", (ONE.id, TWO.id)), ("LISTEN_BEFORE", (TWO.id, ONE.id))):
        (edge,) = joined(says(ONE, relation, "One", "Two"), silent(TWO)).graph.listen_after
        assert edge == ListenAfter(*ends, origin="declared", quote=SAID, at=None, field="description", start=6)
    graph = joined(says(ONE, "RELATED_EPISODE", "One", "Two"), silent(TWO)).graph
    assert [(r.source, r.target, r.quote, r.start) for r in graph.refers_to] == [(ONE.id, TWO.id, SAID, 6)]
    graph = joined(says(ONE, "USES", "arrow", "bow")).graph
    (relation,) = graph.concept_relations
    assert (relation.origin, relation.confidence, relation.quote) == ("stated", 0.5, SAID)
    assert (relation.episode, relation.field, relation.start) == (ONE.id, "description", 6) and not graph.requires


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("episode 2", ["feed/two"]),
        ("S2 E1", ["feed/three"]),
        ("episode 1 of season 2", ["feed/three"]),
        ("episode 1", []),
    ],
)
def test_an_episode_that_is_called_by_its_number_is_the_one_of_the_show_that_has_it(
    said: str, meant: list[str]
) -> None:
    """Two seasons have an episode 1, so that "episode 1" is neither."""
    one, two = (replace(e, number=n, season=1) for n, e in ((1, ONE), (2, TWO)))
    other = Episode("other/two", "Two", show="Other", guid="other", number=2)
    last = replace(THREE, number=1, season=2)
    asks = Episode("feed/four", "Four", show="Feed", guid="four", number=2, season=2)
    found = [silent(e) for e in (one, two, last, other)]
    graph = joined(says(replace(asks, number=9), "LISTEN_AFTER", "Four", said), *found).graph
    assert [edge.target for edge in graph.listen_after] == meant


@pytest.mark.parametrize("later_says", ["LISTEN_BEFORE", "LISTEN_AFTER"])
def test_of_two_orders_that_contradict_each_other_the_first_one_counts_and_the_other_is_told(later_says: str) -> None:
    one = says(ONE, "LISTEN_AFTER", "One", "Two")
    two = says(TWO, later_says, "Two", "One", "The other way round.")  # type: ignore[arg-type]
    result = joined(two, one)
    assert [(e.source, e.target) for e in result.graph.listen_after] == [(ONE.id, TWO.id)]
    assert [("The other way round" in line) for line in result.set_aside] == [True] * (later_says == "LISTEN_AFTER")


def test_what_two_texts_say_is_one_edge_with_the_words_of_the_first() -> None:
    said = [says(e, "USES", "arrow", "bow", q) for e, q in ((ONE, SAID), (TWO, "Again."))]
    result = joined(*said)
    assert [(r.quote, r.episode) for r in result.graph.concept_relations] == [(SAID, ONE.id)] and not result.set_aside


@pytest.mark.parametrize(("subject", "object_"), [("arrow", "quiver"), ("quiver", "arrow"), ("arrow", "arrow")])
def test_a_statement_about_one_concept_only_makes_no_edge(subject: str, object_: str) -> None:
    graph = joined(says(ONE, "USES", subject, object_)).graph
    assert graph.concept_relations == ()


def test_an_order_that_closes_a_circle_of_three_is_told() -> None:
    circle = [says(a, "LISTEN_AFTER", a.title, b.title) for a, b in ((ONE, TWO), (THREE, ONE), (TWO, THREE))]
    result = joined(*circle)
    assert {(e.source, e.target) for e in result.graph.listen_after} == {(ONE.id, TWO.id), (THREE.id, ONE.id)}
    assert [line.startswith(TWO.id) for line in result.set_aside] == [True]


def test_the_order_of_the_catalogue_stays_and_its_contrary_is_told() -> None:
    known = ListenAfter("feed/one", "feed/two", at=5)
    catalogue = Catalogue((ONE, TWO), listen_after=(known,))
    result = join_graph(VOCABULARY, catalogue, [says(TWO, "LISTEN_AFTER", "Two", "One")])
    assert result.graph.listen_after == (known,)
    assert result.set_aside == (
        "feed/two: 'So it is said.' (LISTEN_AFTER) contradicts what came first: feed/two already comes before feed/one",
    )


def test_of_texts_that_contradict_each_other_on_concepts_the_first_one_counts_and_the_other_is_told() -> None:
    result = joined(says(TWO, "EXTENDS", "bow", "arrow", "No."), says(ONE, "EXTENDS", "arrow", "bow"))
    assert [(r.kind, r.source, r.target) for r in result.graph.concept_relations] == [("EXTENDS", "arrow", "bow")]
    (line,) = result.set_aside
    assert "'No.'" in line and line.endswith("first: feed/one said 'So it is said.': arrow EXTENDS bow")


def test_what_is_curated_is_neither_reversed_nor_doubled_by_a_text() -> None:
    curated = replace(
        VOCABULARY,
        requires=(Requires("arrow", "string", need="hear", reason="r"),),
        relations=(ConceptRelation("bow", "string", kind="USES", reason="r"),),
    )
    texts = [says(TWO, "USES", "string", "bow", "Back."), says(THREE, "USES", "bow", "string", "The same.")]
    result = join_graph(curated, Catalogue(), texts)
    assert result.graph.requires == curated.requires
    assert result.graph.concept_relations == curated.relations
    assert result.set_aside == ("feed/two: 'Back.' (USES) contradicts what came first: it is curated: bow USES string",)


def test_a_fact_of_the_catalogue_has_no_words_to_quote() -> None:
    catalogue = Catalogue(
        (ONE,), relations=(ConceptRelation("bow", "string", kind="USES", reason="r", episode=ONE.id),)
    )
    result = join_graph(VOCABULARY, catalogue, [says(TWO, "USES", "string", "bow")])
    assert [line.split("first: ")[1] for line in result.set_aside] == ["it is curated: bow USES string"]


def test_an_alternative_is_one_both_ways() -> None:
    texts = [says(ONE, "ALTERNATIVE_TO", "bow", "string"), says(TWO, "ALTERNATIVE_TO", "string", "bow")]
    result = joined(*texts)
    assert len(result.graph.concept_relations) == 1
    assert not result.set_aside


def test_a_title_means_the_episode_of_the_same_show_and_one_of_several_episodes_means_none() -> None:
    other = replace(TWO, id="other/two", show="Other", guid="other")
    one_day, another = (replace(TWO, guid=day, published=day) for day in ("2024-01-01", "2024-02-01"))
    abroad = replace(ONE, id="third/one", title="Here", show="Third", guid="third")

    def heard_after(said: Extraction, *others: Episode) -> list[str]:
        graph = joined(said, *map(silent, others)).graph
        return [edge.target for edge in graph.listen_after]

    said = says(ONE, "LISTEN_AFTER", "One", "Two")
    assert heard_after(said, TWO, other) == heard_after(said, other, TWO) == [TWO.id]
    assert heard_after(said, other) == [other.id]
    assert heard_after(said, one_day, another) == heard_after(said, one_day, another, other) == []
    assert heard_after(says(abroad, "LISTEN_AFTER", "Here", "Two"), TWO, other) == []


def test_an_episode_is_not_heard_after_itself() -> None:
    result = joined(says(ONE, "LISTEN_AFTER", "One", "one"))
    assert not result.graph.listen_after
    assert not result.set_aside


def test_what_is_stated_of_names_that_no_vocabulary_has_is_an_edge_too() -> None:
    written = (("to_quiver()", "to-quiver"), ("Quiver", "quiver"))
    mentions = tuple(Mention(id_, "description", start=0, end=len(text), text=text) for text, id_ in written)
    said = replace(says(ONE, "USES", "to_quiver", "Quiver"), mentions=mentions)
    again = Extraction(TWO, "", mentions=mentions)
    (edge,) = joined(said, again).graph.concept_relations
    assert (edge.source, edge.kind, edge.target) == ("to-quiver", "USES", "quiver")


def test_the_episode_on_a_subject_is_the_one_of_the_show_that_has_it_in_its_title() -> None:
    def titled(episode: Episode) -> Extraction:
        episode = replace(episode, title=f"On the bow, {episode.title}")
        return Extraction(episode, "", mentions=(Mention("bow", "title", start=7, end=10, text="bow"),))

    def orders(*others: Extraction, relation: StatementRelation = "LISTEN_AFTER") -> list[tuple[str, str]]:
        graph = joined(says(ONE, relation, "One", "bow"), *others).graph
        return [(e.source, e.target) for e in graph.listen_after]

    elsewhere = replace(THREE, id="other/three", show="Other")
    assert orders(titled(TWO)) == orders(titled(TWO), titled(elsewhere)) == [(ONE.id, TWO.id)]
    assert orders(titled(TWO), relation="LISTEN_BEFORE") == [(TWO.id, ONE.id)]
    assert orders() == orders(titled(elsewhere)) == orders(titled(TWO), titled(THREE)) == []
