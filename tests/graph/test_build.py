"""One graph of vocabulary, catalogue and texts: what is joined, what texts state and link, and that all is proven."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from tests.graph import builds
from tests.graph.builds import build_graph, edges
from tests.strategies import snapshots
from torchatlas.graph import model
from torchatlas.graph.build import episode_links, join_graph, with_evidence
from torchatlas.graph.errors import CycleError
from torchatlas.graph.findings import Catalogue, Explained, Extraction, FoundLink, Mention, Statement, Vocabulary
from torchatlas.graph.layout import overview
from torchatlas.graph.model import Concept, ConceptRelation, Episode, Mentions, RefersTo, Requires, Snapshot, Teaches
from torchatlas.graph.related import nearest

NAMES = ("autograd", "dispatcher", "vmap", "functionalization")
(KEY,) = edges("requires", "functionalization dispatcher: it is a dispatch key")
VOCABULARY = Vocabulary(tuple(Concept(n, n, area="Area", definition=f"What {n} is.") for n in NAMES), (KEY,))
KNOWN = Episode("show/one", "One", show="Show", number=1, summary="Explains autograd.")
CATALOGUE = Catalogue(
    (KNOWN,),
    (Teaches("show/one", "autograd", depth="main", at=1),),
    assumes=(model.Assumes("show/one", "dispatcher", how="silent", at=3, why="it leans on it"),),
)
TEXT = "dispatcher here, dispatcher there, dispatcher again. autograd. vmap, as it stands."
FEED = Episode("feed/two", "vmap", show="Feed", guid="g2", url="https://example.org/2")


def another(name: str) -> Episode:
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


def graph(*found: Extraction, **catalogue: Any) -> Snapshot:
    return build_graph(VOCABULARY, replace(CATALOGUE, **catalogue), found)


def taught(snapshot: Snapshot, episode: str) -> list[tuple[Any, ...]]:
    return [(t.target, t.depth, t.weight, t.at, t.evidence) for t in snapshot.taught_by[episode]]


def mentioned(snapshot: Snapshot) -> list[tuple[str, str, int]]:
    return [(m.source, m.target, m.count) for m in snapshot.mentions]


def test_a_feed_joins_the_catalogue_by_what_its_title_names_once_and_its_notes_thrice() -> None:
    joint = join_graph(VOCABULARY, CATALOGUE, [found()])[0]
    assert set(joint.episode) == {"show/one", "feed/two"}
    part: Any = {"depth": "part", "weight": 0.5, "field": "description", "origin": "inferred"}
    main: Any = {"depth": "main", "weight": 1.0, "field": "title", "origin": "declared"}
    assert [t for t in joint.teaches if t.source == "feed/two"] == [
        Teaches("feed/two", "dispatcher", evidence="dispatcher", start=0, **part),
        Teaches("feed/two", "vmap", evidence="vmap", start=0, **main),
    ]
    m = mention("autograd", "autograd")
    edge = Mentions("feed/two", "autograd", count=1, field=m.field, start=m.start, end=m.end, evidence=m.text)
    assert joint.mentions == (edge,)
    assert [(c.source, c.target) for c in joint.cites] == [("feed/two", "pytorch/pytorch#1")]
    twice = graph(replace(found(), mentions=found().mentions[:3]))
    assert [t.target for t in twice.taught_by["feed/two"]] == ["vmap"]
    assert mentioned(twice) == [("feed/two", "dispatcher", 2)]


def test_what_a_transcript_shows_comes_before_what_notes_name_and_after_the_catalogue() -> None:
    heard = (
        Explained("dispatcher", "main", at=90, weight=1.0, quote="so the dispatcher is"),
        Explained("autograd", "part", at=300, weight=0.4, quote="and autograd"),
    )
    assert taught(graph(replace(found(), explained=heard)), "feed/two") == [
        ("dispatcher", "main", 1.0, 90, "so the dispatcher is"),
        ("vmap", "main", 1.0, None, "vmap"),
        ("autograd", "part", 0.4, 300, "and autograd"),
    ]
    assert taught(graph(replace(found(KNOWN), explained=heard)), "show/one") == [("autograd", "main", 1.0, 1, "")]


def test_a_namesake_of_another_date_keeps_what_is_found_in_it() -> None:
    dated = (replace(KNOWN, published="2021-01-01"),)
    joint = graph(found(replace(KNOWN, published="2024-01-01")), episodes=dated)
    assert {m.source for m in joint.mentions} | {c.source for c in joint.cites} == {"show/one-2"}


def test_what_is_judged_or_taken_for_granted_is_not_mentioned_again_and_not_judged_by_counting() -> None:
    """Autograd is taught and dispatcher assumed by the catalogue's episode."""
    for entry in (KNOWN, replace(KNOWN, summary="")):
        joint = graph(found(entry), found(entry))
        assert [t.target for t in joint.teaches] == ["autograd"]
        assert [m.target for m in joint.mentions] == ["vmap"]


def test_the_same_inputs_in_another_order_make_the_same_graph() -> None:
    """Of statements that contradict each other the same one counts, too."""
    one, other, contrary = says(ONE, "bow USES string"), found(TWO), says(THREE, "string USES bow")
    assert joined(one, other, contrary) == joined(contrary, other, one)


def test_a_circle_names_its_edges() -> None:
    back = edges("requires", "dispatcher functionalization bridge: turned round")
    with pytest.raises(CycleError, match="turned round"):
        build_graph(replace(VOCABULARY, requires=(KEY, *back)), CATALOGUE, [])


def test_every_node_has_a_place_on_the_map() -> None:
    joint = graph(found())
    places = {n.id: (n.x, n.y) for n in (*joint.concepts, *joint.episodes)}
    assert places == overview(join_graph(VOCABULARY, CATALOGUE, [found()])[0])
    assert len(set(places.values())) == len(places)


@pytest.mark.parametrize(
    ("words", "name"),
    [(("dispatcher", "autograd"), "autograd"), (("vmap", "here"), "here")],  # the shortest, then by the alphabet
)
def test_what_no_vocabulary_has_becomes_a_concept_once_two_episodes_name_it(words: Sequence[str], name: str) -> None:
    named = tuple(mention("set-output", word) for word in words)
    one = replace(found(), mentions=(*named, replace(named[0], concept_id="rare")))
    joint = graph(one, replace(one, episode=another("three"), mentions=named))
    (new,) = (c for c in joint.concepts if c.id not in NAMES)
    definition = "Named in the notes; the vocabulary has no entry for it."
    assert (new.id, new.name, new.area, new.definition) == ("set-output", name, "Terms", definition)
    assert ("feed/two", "set-output", 2) in mentioned(joint)


def test_what_one_episode_alone_names_joins_nothing_and_is_left_out() -> None:
    """The name of a second episode counts, its summary, which is ours, does not."""
    named = mention("set-output", "dispatcher")
    explained = (Explained("set-output", "part", at=5, weight=0.4, quote="so set output"),)
    one = replace(found(), mentions=(named,), explained=explained)
    by_us = replace(one, episode=another("three"), mentions=(replace(named, field="summary"),), explained=())
    for texts in ([one], [one, one], [one, by_us]):
        assert "set-output" not in graph(*texts).concept
    assert [t[::3] for t in taught(graph(one, replace(by_us, mentions=(named,))), "feed/two")] == [("set-output", 5)]


@pytest.mark.parametrize(
    ("spelling", "area"), [("set_output", "Code"), ("setOutput", "Code"), ("Set-output", "Terms"), ("SET", "Terms")]
)
def test_what_no_vocabulary_has_is_code_or_a_term_by_its_spelling(spelling: str, area: str) -> None:
    one = Extraction(FEED, spelling, mentions=(Mention("x", "description", start=0, end=9, text=spelling),))
    assert graph(one, replace(one, episode=another("three"))).concept["x"].area == area


def test_a_term_that_one_episode_makes_of_a_concept_counts_as_the_concept() -> None:
    joint = graph(replace(found(), mentions=(mention("quilt", "autograd", part="autograd"),)))
    assert "quilt" not in joint.concept
    assert mentioned(joint) == [("feed/two", "autograd", 1)]


@pytest.mark.parametrize(
    ("titles", "notes", "text", "kept"),
    [
        (2, 0, "Attics.", {"owl"}),
        (4, 0, "Attics.", {"owl"}),
        (5, 0, "Attics.", set()),
        (5, 0, "", {"owl"}),
        (5, 5, "OWL.", {"owl"}),
        (40, 1, "OWL.", set()),
    ],
)
def test_what_titles_say_and_few_notes_is_the_name_of_a_series_and_no_concept(
    titles: int, notes: int, text: str, kept: set[str]
) -> None:
    title, note = (Mention("owl", field, start=0, end=3, text="OWL") for field in ("title", "description"))
    told = (Extraction(another(f"owl {n}"), text, mentions=(title, note)[: 1 + (n < notes)]) for n in range(titles))
    assert set(graph(*told).concept) - set(NAMES) == kept


def test_a_link_has_the_first_label_that_an_entry_gives_it() -> None:
    address = "https://example.org/a"
    labels = {FEED: "", another("zero"): "a post", another("six"): ""}
    links = {e: (FoundLink(address, "blog", label=label, id="a"),) for e, label in labels.items()}
    joint = graph(*(replace(found(e), links=link) for e, link in links.items()))
    assert joint.links == (model.Link("a", address, type="blog", label="a post"),)
    cited = {("feed/six", ""), ("feed/two", ""), ("feed/zero", "a post")}
    assert {*joint.cites} == {model.Cites(e, "a", label=label, quote=address) for e, label in cited}


def test_a_quote_from_a_title_stands_there() -> None:
    said = Statement("USES", "vmap", object="autograd", quote="vmap", field="title", start=0)
    assert len(graph(found(FEED, said)).concept_relations) == 1
    _, set_aside = join_graph(VOCABULARY, CATALOGUE, [found(FEED, replace(said, start=1))])
    assert set_aside == ("(vmap)-[:USES]->(autograd) quotes 'vmap', which is not at 1 of the title",)


BOWS = Vocabulary(tuple(Concept(n, n, area="Area") for n in ("bow", "string", "arrow")))
ONE, TWO, THREE = (Episode(f"feed/{n}", n.title(), show="Feed", guid=n) for n in ("one", "two", "three"))


def says(episode: Episode, said: str) -> Extraction:
    """What is found in the notes of an episode that say one thing: "One LISTEN_AFTER Two"."""
    subject, relation, object_ = re.split(" ([A-Z_]{4,}) ", said)
    said_so = Statement(relation, subject, object=object_, quote=said, field="description", start=6)  # type: ignore[arg-type]
    return Extraction(episode, f"Well. {said}", statements=(said_so,))


def joined(*found: Extraction | Episode, vocabulary: Vocabulary = BOWS, **catalogue: Any) -> Any:
    texts = (x if isinstance(x, Extraction) else Extraction(x, "") for x in found)
    return join_graph(vocabulary, Catalogue(**catalogue), texts)


def keys(graph: Snapshot, *groups: str) -> list[str]:
    return [" ".join(model.key_of(edge)) for group in groups for edge in getattr(graph, group)]


def test_what_an_author_asks_for_is_an_edge_with_his_words() -> None:
    for said, ends in (("One LISTEN_AFTER Two", (ONE.id, TWO.id)), ("One LISTEN_BEFORE Two", (TWO.id, ONE.id))):
        (edge,) = joined(says(ONE, said), TWO)[0].listen_after
        assert edge == model.ListenAfter(*ends, origin="declared", quote=said, at=None, field="description", start=6)
    (refers,) = joined(says(ONE, said := "One RELATED_EPISODE Two"), TWO)[0].refers_to
    assert refers == RefersTo(ONE.id, TWO.id, relation="mentions", quote=said, field="description", start=6)
    graph = joined(says(ONE, said := "arrow USES bow"))[0]
    quoted: Any = {"episode": ONE.id, "quote": said, "field": "description", "start": 6}
    relation = ConceptRelation("arrow", "bow", kind="USES", origin="stated", confidence=0.5, **quoted)
    assert graph.concept_relations == (relation,) and not graph.requires


USED = edges("concept_relations", "bow USES string: r")
CURATED = replace(BOWS, requires=edges("requires", "arrow string: r"), relations=USED)
OF_CATALOGUE = {"episodes": (ONE,), "relations": (replace(USED[0], episode=ONE.id),)}
KNOWN_ORDER = {"episodes": (ONE, TWO), "listen_after": (model.ListenAfter("feed/one", "feed/two", at=5),)}
IN_ORDER, TURNED = ["LISTEN_AFTER feed/one feed/two"], "feed/two already comes before feed/one"


@pytest.mark.parametrize(
    ("said", "given", "kept", "first"),
    [
        # of two orders that contradict each other the first one counts, and the other is told
        ("two: Two LISTEN_BEFORE one; one: One LISTEN_AFTER two", {}, IN_ORDER, ""),  # in either case
        ("two: Two LISTEN_AFTER One; one: One LISTEN_AFTER Two", {}, IN_ORDER, TURNED),
        ("two: Two LISTEN_AFTER One", KNOWN_ORDER, IN_ORDER, TURNED),
        (
            "two: Two LISTEN_AFTER Three; one: One LISTEN_AFTER Two; three: Three LISTEN_AFTER One",
            {},
            [*IN_ORDER, "LISTEN_AFTER feed/three feed/one"],
            "feed/two already comes before feed/three",
        ),
        ("one: One LISTEN_AFTER one", {}, [], ""),
        # so it is with relations of concepts, and each stands once
        (
            "two: bow EXTENDS arrow; one: arrow EXTENDS bow",
            {},
            ["EXTENDS arrow bow"],
            "feed/one said 'arrow EXTENDS bow': arrow EXTENDS bow",
        ),
        ("one: arrow USES bow; two: arrow USES bow", {}, ["USES arrow bow"], ""),
        ("one: arrow USES bow; two: arrow EXTENDS bow", {}, ["EXTENDS arrow bow", "USES arrow bow"], ""),
        ("one: bow ALTERNATIVE_TO string; two: string ALTERNATIVE_TO bow", {}, ["ALTERNATIVE_TO bow string"], ""),
        *((f"one: {said}", {}, [], "") for said in ("arrow USES quiver", "quiver USES arrow", "arrow USES arrow")),
        # what is curated is neither reversed nor doubled, and has no words to quote
        ("two: string USES bow", {"vocabulary": CURATED}, ["USES bow string"], "it is curated: bow USES string"),
        ("three: bow USES string", {"vocabulary": CURATED}, ["USES bow string"], ""),
        ("two: string USES bow", OF_CATALOGUE, ["USES bow string"], "it is curated: bow USES string"),
    ],
)
def test_of_what_is_said_the_first_counts_and_what_contradicts_it_is_told(
    said: str, given: dict[str, Any], kept: list[str], first: str
) -> None:
    texts = {of: says(another(of), what) for of, what in (text.split(": ") for text in said.split("; "))}
    graph, set_aside = joined(*texts.values(), *(e for e in (ONE, TWO) if not given), **given)
    assert keys(graph, "listen_after", "concept_relations") == kept
    assert graph.requires == given.get("vocabulary", BOWS).requires
    (_, what), *_ = (text.split(": ") for text in said.split("; "))
    told = rf"feed/two: '{what}' \({what.split()[1]}\) contradicts what came first: {first}"
    assert [bool(re.fullmatch(told, line)) for line in set_aside] == [True] * bool(first)


def test_of_two_relations_of_the_same_concepts_the_curated_one_comes_first() -> None:
    (curated,) = edges("concept_relations", "bow USES string: curated")
    reverse = ConceptRelation("string", "bow", kind="USES", origin="declared", episode=ONE.id, at=3)
    given = {"episodes": (ONE,), "relations": (reverse,)}
    assert joined(**given)[0].concept_relations == (reverse,)
    assert joined(**given, vocabulary=replace(BOWS, relations=(curated,)))[0].concept_relations == (curated,)


def test_of_what_two_texts_say_the_words_of_the_first_stay() -> None:
    (relation,) = joined(says(TWO, "arrow USES bow"), says(ONE, "arrow USES bow"))[0].concept_relations
    assert (relation.quote, relation.episode) == ("arrow USES bow", ONE.id)
    heard = RefersTo("feed/one", "feed/two", relation="continues", at=9)
    itself = RefersTo("feed/one", "feed/one", relation="mentions", at=1)
    said = [says(ONE, f"One {relation} Two") for relation in ("RELATED_EPISODE", "LISTEN_AFTER")]
    graph = joined(*said, **KNOWN_ORDER, refers_to=(heard, itself))[0]
    assert (graph.refers_to, graph.listen_after) == ((heard,), KNOWN_ORDER["listen_after"])


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("episode 2", ["feed/two"]),
        ("S2 E1", ["feed/three"]),
        ("episode 1 of season 2", ["feed/three"]),
        ("episode 1", []),  # two seasons have one
    ],
)
def test_an_episode_that_is_called_by_its_number_is_the_one_of_the_show_that_has_it(
    said: str, meant: list[str]
) -> None:
    one, two = (replace(e, number=n, season=1) for n, e in ((1, ONE), (2, TWO)))
    other = Episode("other/two", "Two", show="Other", guid="other", number=2)
    asks = Episode("feed/four", "Four", show="Feed", guid="four", number=9, season=2)
    said_so = says(asks, f"Four LISTEN_AFTER {said}")
    graph, _ = joined(one, two, replace(THREE, number=1, season=2), other, said_so)
    assert [edge.target for edge in graph.listen_after] == meant


def test_a_title_means_the_episode_of_the_same_show_and_one_of_several_episodes_means_none() -> None:
    other = replace(TWO, id="other/two", show="Other", guid="other")
    one_day, next_month = (replace(TWO, guid=day, published=day) for day in ("2024-01-01", "2024-02-01"))
    abroad = says(replace(ONE, id="third/one", title="Here", show="Third", guid="third"), "Here LISTEN_AFTER Two")
    said = says(ONE, "One LISTEN_AFTER Two")
    for text, others, meant in (
        (said, (TWO, other), [TWO.id]),
        (said, (other, TWO), [TWO.id]),
        (said, (other,), [other.id]),
        (said, (one_day, next_month), []),
        (said, (one_day, next_month, other), []),
        (abroad, (TWO, other), []),
    ):
        assert [edge.target for edge in joined(text, *others)[0].listen_after] == meant


def test_the_episode_on_a_subject_is_the_one_of_the_show_that_has_it_in_its_title() -> None:
    def titled(episode: Episode) -> Extraction:
        episode = replace(episode, title=f"On the bow, {episode.title}")
        return Extraction(episode, "", mentions=(Mention("bow", "title", start=7, end=10, text="bow"),))

    elsewhere = replace(THREE, id="other/three", show="Other")
    for relation, others, expected in (
        ("LISTEN_AFTER", (TWO,), IN_ORDER),
        ("LISTEN_AFTER", (TWO, elsewhere), IN_ORDER),
        ("LISTEN_BEFORE", (TWO,), ["LISTEN_AFTER feed/two feed/one"]),
        ("LISTEN_AFTER", (), []),
        ("LISTEN_AFTER", (elsewhere,), []),
        ("LISTEN_AFTER", (TWO, THREE), []),
    ):
        graph, _ = joined(says(ONE, f"One {relation} bow"), *map(titled, others))
        assert keys(graph, "listen_after") == expected


def test_what_is_stated_of_names_that_no_vocabulary_has_is_an_edge_too() -> None:
    written = (("to_quiver()", "to-quiver"), ("Quiver", "quiver"))
    mentions = tuple(Mention(id_, "description", start=0, end=len(text), text=text) for text, id_ in written)
    said = replace(says(ONE, "to_quiver USES Quiver"), mentions=mentions)
    assert keys(joined(said, Extraction(TWO, "", mentions=mentions))[0], "concept_relations") == [
        "USES to-quiver quiver"
    ]


HOOT = Episode("s/one", "Why owls hoot", show="The Owl Show", guid="1", url="https://example.org/1")
SEE = Episode("s/two", "Episode 2: How owls see", show="The Owl Show", guid="2", url="https://example.org/2/")
MOLES = Episode("o/one", "How moles dig", show="Other", guid="3", url="https://example.org/3")
NOTES = "We said how owls see, and more."


def notes(label: str, url: str = "https://other.example/x", kind: Any = "other") -> Extraction:
    return Extraction(HOOT, NOTES, links=(FoundLink(url, kind, label=label, id=url),))


def referred(extraction: Extraction, *more: Episode) -> list[tuple[str, str, int | None]]:
    episodes = (HOOT, SEE, MOLES, *more)
    shows = (model.Show("s", "The Owl Show", url="https://example.org/"), model.Show("o", "Other"))
    in_show = tuple(model.InShow(e.id, e.id[0], quote=e.show) for e in episodes)
    links = episode_links([(HOOT.id, extraction)], Snapshot((), episodes, shows=shows, in_show=in_show))
    return [(edge.target, edge.quote, edge.start) for edge in links]


def owls(title: str, **facts: Any) -> Episode:
    return Episode("s/x", title, show="The Owl Show", **facts)


SEASONS = tuple(replace(owls(f"S{n}E3: What owls eat"), id=f"s/{n}") for n in (1, 2))


@pytest.mark.parametrize(
    ("link", "more", "edge"),
    [
        # a link leads to the episode whose page it names
        (("more", "http://www.example.org/2#t=9"), (), (SEE.id, "more", 26)),
        (("", "https://example.org/2"), (), (SEE.id, "https://example.org/2", None)),
        (("more", "https://example.org/3"), (), (MOLES.id, "more", 26)),
        (("more", "https://example.org/1"), (), None),  # its own
        (("more", "https://example.org/2"), (replace(SEE, id="s/x"),), None),  # the page of the show
        # "our website": the page of a trailer is often the show's own
        (("more", "https://www.example.org/"), (owls("Trailer", url="https://example.org"),), None),
        # or to that of its show whose whole title it bears
        (("how owls see",), (), (SEE.id, "how owls see", 8)),
        (("The Owl Show - Episode 2: How owls see!",), (), (SEE.id, "https://other.example/x", None)),
        (("S2E2: How owls see",), (), (SEE.id, "https://other.example/x", None)),
        *(((title,), (owls("How owls see"),), None) for title in ("how owls see", "S2E2: How owls see")),  # of two
        (("how owls see", "https://other.example/x", "profile"), (), None),
        # but to none of another season or number
        (("S2E5: What owls eat",), SEASONS[:1], None),
        (("S2E3: What owls eat",), SEASONS, ("s/2", "https://other.example/x", None)),
        (("What owls eat",), SEASONS[:1], ("s/1", "https://other.example/x", None)),
        # a title of another show, too few words, more words, the title of the episode itself
        *(((title,), (owls("Owls see"),), None) for title in ("How moles dig", "owls see", "Why owls hoot", "")),
        (("How owls see at night",), (), None),
        # a trailer may bear the name of the show, and what stands behind it may be marks alone
        *(((f"The Owl Show{end}",), (owls("The Owl Show"),), None) for end in ("", ": - !")),
        *(((f"The Owl Show{end}",), (owls("The Owl Show: ?!"),), None) for end in ("", ": - !")),
    ],
)
def test_a_link_of_the_notes_leads_to_one_episode_or_none(
    link: Sequence[str], more: Sequence[Episode], edge: tuple[str, str, int | None] | None
) -> None:
    assert referred(notes(*link), *more) == ([edge] if edge else [])


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Furthermore, to see more", 20),
        ("Nevermore", None),
        ("On hares more, and on owls more", None),  # which of the two bears the link is not known
    ],
)
def test_the_words_of_a_link_are_quoted_where_they_stand_once_as_whole_words(text: str, start: int | None) -> None:
    ((_, quote, found),) = referred(replace(notes("more", str(SEE.url)), text=text))
    assert (quote, found) == (SEE.url if start is None else "more", start)


def test_two_shows_of_one_title_keep_their_episodes_apart() -> None:
    own, others = (model.Show("owl-show", "The Owl Show", guid=guid) for guid in ("11111111-1", "22222222-2"))
    texts = [notes("how owls see"), Extraction(replace(SEE, id="t/two"), "On eyes.")]
    for shows, count in (((own, others), 0), ((own, own), 1)):
        told = (replace(text, show=show) for text, show in zip(texts, shows, strict=True))
        assert len(joined(*told)[0].refers_to) == count


def test_the_catalogue_states_its_references_itself() -> None:
    assert not referred(replace(notes("how owls see"), episode=replace(HOOT, summary=NOTES)))


def test_an_episode_that_notes_link_is_related() -> None:
    graph = joined(notes("how owls see"), Extraction(SEE, "On eyes."))[0]
    quoted: Any = {"quote": "how owls see", "field": "description", "start": NOTES.index("how owls see")}
    assert graph.refers_to == (RefersTo(HOOT.id, SEE.id, relation="mentions", **quoted),)
    assert [e.reasons for e in nearest(graph)] == [("this episode mentions it",), ("mentions this episode",)]


NAMED = "It names b. Hear the other one first."
TEXTS = {("one", "description"): [NAMED], ("one", "title"): ["One"]}
DECLARED: Any = {"origin": "declared", "quote": "It names b.", "episode": "one", "field": "description", "start": 0}
INFERRED: Any = {"origin": "inferred", "confidence": 0.9, "quote": "It leans on B.", "field": "definition", "start": 0}
WHOLE = builds.graph(
    concepts=tuple(Concept(c, c.upper(), area="x", definition="It leans on B." if c == "a" else "") for c in "abcd"),
    episodes=(Episode("one", "One", show="s"), Episode("two", "Two", show="s")),
    links=(model.Link("l", "https://example.org", type="other"),),
    teaches=(
        Teaches("one", "a", depth="main", at=0),
        Teaches("one", "b", depth="part", evidence="b", field="description", start=9),
        Teaches("one", "c", depth="part", why="its notes do"),
    ),
    assumes=(
        model.Assumes("one", "d", how="curated", why="it leans on it"),
        model.Assumes("two", "d", how="silent", at=3),
    ),
    mentions=(Mentions("one", "d", count=1, field="title", start=0, end=3, evidence="One"),),
    requires=(
        *edges("requires", "b c: because"),
        Requires("c", "d", need="bridge", reason="as said", **DECLARED),
        Requires("a", "b", need="bridge", reason="its text says so", **INFERRED),
    ),
    listen_after=(model.ListenAfter("two", "one", quote="Hear the other one first.", field="description", start=12),),
    refers_to=(RefersTo("one", "two", relation="mentions", at=4), *edges("refers_to", "two mentions one: the first")),
    related_to=(model.RelatedTo("one", "two", score=0.7, reasons=("both explain A",)),),
    cites=(model.Cites("one", "l", quote="https://example.org"),),
    concept_relations=(
        *edges("concept_relations", "a USES b: it does"),
        ConceptRelation("a", "c", kind="USES", **DECLARED),
        ConceptRelation("a", "d", kind="USES", origin="declared", episode="one", at=7),
    ),
)


def test_a_graph_with_evidence_everywhere_stays_as_it_is() -> None:
    assert with_evidence(WHOLE, TEXTS) == (WHOLE, ())


LOST: dict[str, tuple[dict[str, Any], ...]] = {
    "teaches one a": ({"at": None}, {"at": None, "evidence": "a wording that stands nowhere"}),
    "teaches one b": ({"field": ""}, {"evidence": " "}),
    "teaches one c": ({"why": ""},),
    "assumes one d": ({"why": " "},),
    "assumes two d": ({"at": None},),
    "mentions one d": ({"evidence": ""},),
    "requires b c": ({"reason": ""},),
    "requires c d": ({"quote": ""},),
    "requires a b": ({"confidence": 1.0}, {"quote": ""}, {"reason": ""}),
    "listen_after two one": ({"quote": ""},),
    "refers_to one two": ({"at": None},),
    "refers_to two one": ({"quote": ""},),
    "related_to one two": ({"reasons": ("",)},),
    "cites one l": ({"quote": ""},),
    "concept_relations a b": ({"reason": ""},),
    "concept_relations a c": ({"quote": ""},),
    "concept_relations a d": ({"episode": None},),
}
MISQUOTED: dict[str, tuple[dict[str, Any], ...]] = {
    "teaches one b": ({"start": 8}, {"start": None}),
    "mentions one d": ({"evidence": "one"},),
    "requires c d": ({"episode": "two"},),
    "requires a b": ({"quote": "It rests on B."},),
    "listen_after two one": ({"field": "title"},),
    "refers_to two one": ({"field": "description", "start": 0},),
    "concept_relations a c": ({"start": 1},),
}
CASES = {"does not say where it comes from": LOST, " quotes ": MISQUOTED}


@pytest.mark.parametrize(
    ("says", "edge", "other"),
    [(says, edge, other) for says, table in CASES.items() for edge, others in table.items() for other in others],
)
def test_an_edge_without_evidence_or_quoted_wrongly_goes_and_is_named(
    says: str, edge: str, other: dict[str, Any]
) -> None:
    group, _, ends = edge.partition(" ")
    changed = tuple(replace(e, **other) if f"{e.source} {e.target}" == ends else e for e in getattr(WHOLE, group))
    kept, (line,) = with_evidence(replace(WHOLE, **{group: changed}), TEXTS)
    assert {f"{e.source} {e.target}" for e in {*changed} - {*getattr(kept, group)}} == {ends}
    assert re.match(r"\({}\)-\[:\w+\]->\({}\) ".format(*ends.split()), line) and "\n" not in line
    assert says in line


def test_a_text_that_was_not_quoted_verbatim_costs_one_edge_and_not_the_build() -> None:
    slips = ("a", 0, "X"), ("b", 9, "b")
    mentions = tuple(Mention(c, "description", start=at, end=at + 1, text=text) for c, at, text in slips)
    said = Extraction(WHOLE.episodes[0], NAMED, mentions=mentions)
    kept, set_aside = joined(said, vocabulary=Vocabulary(WHOLE.concepts), episodes=WHOLE.episodes[:1])
    assert [m.target for m in kept.mentions] == ["b"]
    assert set_aside == ("(one)-[:MENTIONS]->(a) quotes 'X', which is not at 0 of the description",)


@given(snapshots())
def test_the_nearest_episodes_have_reasons(whole: Snapshot) -> None:
    assert all(edge.reasons and all(map(str.strip, edge.reasons)) for edge in nearest(whole))
