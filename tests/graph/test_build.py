"""One graph of vocabulary, catalogue and texts: what is joined, what texts state and link, and that all is proven."""

import re
from dataclasses import replace
from typing import Any

import pytest

from tests.extract.cases import pairs, rows
from tests.graph import builds
from tests.graph.builds import build_graph, edges
from torchatlas.graph import model
from torchatlas.graph.build import episode_links, join_graph, with_evidence
from torchatlas.graph.errors import CycleError
from torchatlas.graph.findings import Catalogue, Explained, Extraction, FoundLink, Mention, Statement, Vocabulary
from torchatlas.graph.layout import overview
from torchatlas.graph.model import Concept, ConceptRelation, Episode, Mentions, RefersTo, Requires, Snapshot, Teaches

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


ONE, TWO, THREE, FOUR = map(another, ("one", "two", "three", "four"))


def mention(id_: str, text: str, field: Any = "description", within: str = TEXT, **facts: Any) -> Mention:
    start = max(within.find(text), 0)
    return replace(Mention(id_, field, start=start, end=start + len(text), text=text), **facts)


def found(episode: Episode = FEED, *statements: Statement, **facts: Any) -> Extraction:
    spans = re.finditer("dispatcher|autograd|vmap", TEXT)
    mentions = [Mention(m[0], "description", start=m.start(), end=m.end(), text=m[0]) for m in spans]
    title = [mention("vmap", "vmap", "title", "vmap")] if episode.title == "vmap" else []
    address = "https://github.com/pytorch/pytorch/pull/1/files"
    link = FoundLink(address, "github_pr", label="the fix", id="pytorch/pytorch#1")
    return replace(Extraction(episode, TEXT, (*title, *mentions), links=(link,), statements=statements), **facts)


def graph(*found: Extraction, **catalogue: Any) -> Snapshot:
    return build_graph(VOCABULARY, replace(CATALOGUE, **catalogue), found)


def taught(snapshot: Snapshot, episode: str) -> list[tuple[Any, ...]]:
    return [(t.target, t.depth, t.weight, t.at, t.evidence) for t in snapshot.taught_by[episode]]


def mentioned(snapshot: Snapshot) -> list[tuple[str, str, int]]:
    return [(m.source, m.target, m.count) for m in snapshot.mentions]


def test_a_feed_joins_the_catalogue_by_what_its_title_names_once_and_its_notes_thrice() -> None:
    joint = graph(found())
    part: Any = {"depth": "part", "weight": 0.5, "field": "description", "origin": "inferred"}
    main: Any = {"depth": "main", "weight": 1.0, "field": "title", "origin": "declared"}
    assert [t for t in joint.teaches if t.source == "feed/two"] == [
        Teaches("feed/two", "dispatcher", evidence="dispatcher", start=0, **part),
        Teaches("feed/two", "vmap", evidence="vmap", start=0, **main),
    ]
    quoted: Any = {"field": "description", "start": 53, "end": 61, "evidence": "autograd"}
    assert joint.mentions == (Mentions("feed/two", "autograd", count=1, **quoted),)
    assert [(c.source, c.target) for c in joint.cites] == [("feed/two", "pytorch/pytorch#1")]
    twice = graph(found(mentions=found().mentions[:3]))
    assert [t.target for t in twice.taught_by["feed/two"]] == ["vmap"]
    assert mentioned(twice) == [("feed/two", "dispatcher", 2)]
    places = {n.id: (n.x, n.y) for n in (*joint.concepts, *joint.episodes)}
    assert places == overview(join_graph(VOCABULARY, CATALOGUE, [found()])[0])


def test_what_a_transcript_shows_comes_before_what_notes_name_and_after_the_catalogue() -> None:
    heard = (
        Explained("dispatcher", "main", at=90, weight=1.0, quote="so the dispatcher is"),
        Explained("autograd", "part", at=300, weight=0.4, quote="and autograd"),
    )
    assert taught(graph(found(explained=heard)), "feed/two") == [
        ("dispatcher", "main", 1.0, 90, "so the dispatcher is"),
        ("vmap", "main", 1.0, None, "vmap"),
        ("autograd", "part", 0.4, 300, "and autograd"),
    ]
    assert taught(graph(found(KNOWN, explained=heard)), "show/one") == [("autograd", "main", 1.0, 1, "")]


def test_a_namesake_of_another_date_keeps_what_is_found_in_it() -> None:
    dated = (replace(KNOWN, published="2021-01-01"),)
    joint = graph(found(replace(KNOWN, published="2024-01-01")), episodes=dated)
    assert {m.source for m in joint.mentions} | {c.source for c in joint.cites} == {"show/one-2"}


def test_what_is_judged_or_taken_for_granted_is_not_mentioned_again_and_not_judged_by_counting() -> None:
    """Autograd is taught and dispatcher assumed by the catalogue's episode."""
    for entry in (KNOWN, replace(KNOWN, summary="")):
        joint = graph(found(entry), found(entry))
        assert ([t.target for t in joint.teaches], [m.target for m in joint.mentions]) == (["autograd"], ["vmap"])


def test_a_circle_names_its_edges() -> None:
    back = edges("requires", "dispatcher functionalization bridge: turned round")
    with pytest.raises(CycleError, match="turned round"):
        build_graph(replace(VOCABULARY, requires=(KEY, *back)), CATALOGUE, [])


SPELLED = """
set_output set_output => set_output Code | setOutput setOutput => setOutput Code | SET SET => SET Terms
Set-output Set-output => Set-output Terms | dispatcher vmap => vmap Terms | vmap here => here Terms
"""  # the shortest, then by the alphabet


@pytest.mark.parametrize(("spellings", "name"), pairs(SPELLED))
def test_what_two_episodes_name_becomes_a_concept(spellings: str, name: str) -> None:
    named = tuple(mention("set-output", word, within=spellings) for word in spellings.split())
    one = Extraction(FEED, spellings, mentions=(*named, replace(named[0], concept_id="rare")))
    joint = graph(one, replace(one, episode=THREE, mentions=named))
    (new,) = (c for c in joint.concepts if c.id not in NAMES)
    assert (new.id, f"{new.name} {new.area}") == ("set-output", name)
    assert new.definition == "Named in the notes; the vocabulary has no entry for it."
    assert ("feed/two", "set-output", 2) in mentioned(joint)


def test_what_one_episode_alone_names_joins_nothing_and_is_left_out_or_counts_as_the_concept_that_it_is_of() -> None:
    """The name of a second episode counts, its summary, which is ours, does not."""
    named = mention("set-output", "dispatcher")
    explained = Explained("set-output", "part", at=5, weight=0.4, quote="so set output")
    one = found(mentions=(named,), explained=(explained,))
    by_us = replace(one, episode=THREE, mentions=(replace(named, field="summary"),), explained=())
    for texts in ([one], [one, one], [one, by_us]):
        assert "set-output" not in graph(*texts).concept
    assert [t[::3] for t in taught(graph(one, replace(by_us, mentions=(named,))), "feed/two")] == [("set-output", 5)]
    of_it = graph(found(mentions=(mention("quilt", "autograd", part="autograd"),)))
    assert "quilt" not in of_it.concept and mentioned(of_it) == [("feed/two", "autograd", 1)]


@pytest.mark.parametrize(
    ("titles", "notes", "text", "kept"),
    [(4, 0, "OWL.", True), (5, 0, "OWL.", False), (5, 0, "", True), (5, 5, "OWL.", True), (40, 1, "OWL.", False)],
)
def test_what_titles_say_and_few_notes_is_a_series(titles: int, notes: int, text: str, kept: bool) -> None:
    both = [mention("owl", "OWL", field) for field in ("title", "description")]
    told = (Extraction(another(f"owl {n}"), text, mentions=tuple(both[: 1 + (n < notes)])) for n in range(titles))
    assert ("owl" in graph(*told).concept) is kept


def test_a_link_has_the_first_label_that_an_entry_gives_it() -> None:
    address = "https://example.org/a"
    told = {"six": "", "two": "a post", "zero": "another"}.items()
    joint = graph(*(found(another(of), links=(FoundLink(address, "blog", label=said, id="a"),)) for of, said in told))
    assert joint.links == (model.Link("a", address, type="blog", label="a post"),)
    assert {*joint.cites} == {model.Cites(f"feed/{of}", "a", label=said, quote=address) for of, said in told}


def test_a_quote_from_a_title_stands_there() -> None:
    said = Statement("USES", "vmap", object="autograd", quote="vmap", field="title", start=0)
    kept, aside = (join_graph(VOCABULARY, CATALOGUE, [found(FEED, replace(said, start=n))]) for n in (0, 1))
    told = "(vmap)-[:USES]->(autograd) quotes 'vmap', which is not at 1 of the title"
    assert (len(kept[0].concept_relations), aside[1]) == (1, (told,))


BOWS = Vocabulary(tuple(Concept(n, n, area="Area") for n in ("bow", "string", "arrow")))


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
KNOWN_ORDER = {"episodes": (ONE, TWO), "listen_after": (model.ListenAfter("feed/one", "feed/two", at=5),)}
GIVEN: dict[str, Any] = {"": {}, "ORDER": KNOWN_ORDER, "CURATED": {"vocabulary": CURATED}}
GIVEN["CATALOGUE"] = {"episodes": (ONE,), "relations": (replace(USED[0], episode=ONE.id),)}
IN_ORDER, TURNED = "LISTEN_AFTER feed/one feed/two", "feed/two already comes before feed/one"
# Of two orders or relations that contradict each other the first one counts, and the other is told; each stands once.
# What is curated is neither reversed nor doubled, and has no words to quote.
SAID = f"""
two: Two LISTEN_BEFORE one; one: One LISTEN_AFTER two => => {IN_ORDER} => | one: One LISTEN_AFTER one => => =>
two: Two LISTEN_AFTER One; one: One LISTEN_AFTER Two => => {IN_ORDER} => {TURNED}
two: Two LISTEN_AFTER Three; one: One LISTEN_AFTER Two; three: Three LISTEN_AFTER One =>\
 => {IN_ORDER}, LISTEN_AFTER feed/three feed/one => feed/two already comes before feed/three
two: Two LISTEN_AFTER One => ORDER => {IN_ORDER} => {TURNED} | one: arrow USES arrow => => =>
two: bow EXTENDS arrow; one: arrow EXTENDS bow => => EXTENDS arrow bow =>\
 feed/one said 'arrow EXTENDS bow': arrow EXTENDS bow
one: arrow USES bow; two: arrow USES bow => => USES arrow bow => | one: arrow USES quiver => => =>
one: arrow USES bow; two: arrow EXTENDS bow => => EXTENDS arrow bow, USES arrow bow => | one: quiver USES arrow => => =>
one: bow ALTERNATIVE_TO string; two: string ALTERNATIVE_TO bow => => ALTERNATIVE_TO bow string =>
two: string USES bow => CURATED => USES bow string => it is curated: bow USES string
two: string USES bow => CATALOGUE => USES bow string => it is curated: bow USES string
three: bow USES string => CURATED => USES bow string =>
"""


@pytest.mark.parametrize(("said", "of", "kept", "first"), rows(SAID))
def test_the_first_that_is_said_counts_and_the_contrary_is_told(said: str, of: str, kept: str, first: str) -> None:
    given = GIVEN[of]
    texts = [says(another(of), what) for of, what in (text.split(": ") for text in said.split("; "))]
    result, turned = (joined(*order, *(e for e in (ONE, TWO) if not given), **given) for order in (texts, texts[::-1]))
    assert result == turned and ", ".join(keys(result[0], "listen_after", "concept_relations")) == kept
    assert result[0].requires == given.get("vocabulary", BOWS).requires
    (what,) = texts[0].statements
    told = rf"feed/two: '{what.quote}' \({what.relation}\) contradicts what came first: {first}"
    assert [bool(re.fullmatch(told, line)) for line in result[1]] == [True] * bool(first)


def test_of_what_two_say_the_words_of_the_first_or_of_the_curated_stay() -> None:
    (relation,) = joined(says(TWO, "arrow USES bow"), says(ONE, "arrow USES bow"))[0].concept_relations
    assert (relation.quote, relation.episode) == ("arrow USES bow", ONE.id)
    reverse = ConceptRelation("string", "bow", kind="USES", origin="declared", episode=ONE.id, at=3)
    given = {"episodes": (ONE,), "relations": (reverse,)}
    for vocabulary, kept in ((BOWS, (reverse,)), (replace(BOWS, relations=USED), USED)):
        assert joined(**given, vocabulary=vocabulary)[0].concept_relations == kept
    heard = RefersTo("feed/one", "feed/two", relation="continues", at=9)
    itself = RefersTo("feed/one", "feed/one", relation="mentions", at=1)
    said = [says(ONE, f"One {relation} Two") for relation in ("RELATED_EPISODE", "LISTEN_AFTER")]
    graph = joined(*said, **KNOWN_ORDER, refers_to=(heard, itself))[0]
    assert (graph.refers_to, graph.listen_after) == ((heard,), KNOWN_ORDER["listen_after"])


OTHER = replace(TWO, id="other/two", show="Other", guid="other", number=2)
SEASONS = (*(replace(e, number=n, season=s) for e, n, s in ((ONE, 1, 1), (TWO, 2, 1), (THREE, 1, 2))), OTHER)
FOREIGN, ABROAD = replace(OTHER, id="x/two", show="X", guid="x"), replace(THREE, show="Other")
TWICE = tuple(replace(TWO, guid=day, published=day) for day in ("2024-01-01", "2024-02-01"))


def on_bows(episode: Episode) -> Extraction:
    episode = replace(episode, title=f"On the bow, {episode.title}")
    return Extraction(episode, "", mentions=(mention("bow", "bow", "title", episode.title),))


@pytest.mark.parametrize(
    ("called", "others", "meant"),
    [
        ("episode 2", SEASONS, ["feed/two"]),
        *((called, SEASONS, ["feed/three"]) for called in ("S2 E1", "episode 1 of season 2")),
        ("episode 1", SEASONS, []),  # two seasons have one
        # a title: of the same show first, and one of several episodes means none
        *(("Two", others, [TWO.id]) for others in ((TWO, OTHER), (OTHER, TWO))),
        ("Two", (OTHER,), [OTHER.id]),
        *(("Two", others, []) for others in (TWICE, (*TWICE, OTHER), (OTHER, FOREIGN))),
        # the one on a subject, of the same show
        *(("bow", [*map(on_bows, others)], [TWO.id]) for others in ((TWO,), (TWO, ABROAD))),
        *(("bow", [*map(on_bows, others)], []) for others in ((), (ABROAD,), (TWO, THREE))),
    ],
)
def test_an_episode_goes_by_its_number_its_title_or_its_subject(called: str, others: Any, meant: list[str]) -> None:
    result = joined(*others, says(replace(FOUR, number=9, season=2), f"Four LISTEN_AFTER {called}"))
    assert [edge.target for edge in result[0].listen_after] == meant


def test_what_is_stated_of_names_that_no_vocabulary_has_is_an_edge_too() -> None:
    mentions = (mention("to-quiver", "to_quiver()"), mention("quiver", "Quiver"))
    said = replace(says(ONE, "to_quiver USES Quiver"), mentions=mentions)
    graph = joined(said, Extraction(TWO, "", mentions=mentions))[0]
    assert keys(graph, "concept_relations") == ["USES to-quiver quiver"]


HOOT = Episode("s/one", "Why owls hoot", show="The Owl Show", guid="1", url="https://example.org/1")
SEE = Episode("s/two", "Episode 2: How owls see", show="The Owl Show", guid="2", url="https://example.org/2/")
MOLES = Episode("o/one", "How moles dig", show="Other", guid="3", url="https://example.org/3")
NOTES, ELSEWHERE = "We said how owls see, and more.", "https://other.example/x"


def notes(label: str, url: str = ELSEWHERE, text: str = NOTES, kind: Any = "other") -> Extraction:
    return Extraction(HOOT, text, links=(FoundLink(url, kind, label=label, id=url),))


def referred(extraction: Extraction, more: str) -> list[str]:
    """Each target, the words that are quoted and their start, beside more episodes of the show, by title or page."""
    told = [("Trailer", e) if e.startswith("https:") else (e, None) for e in more.split("; ") if e]
    others = (replace(SEE, id=f"s/{n}", title=title, url=url) for n, (title, url) in enumerate(told))
    episodes = (HOOT, SEE, MOLES, *others)
    shows = (model.Show("s", "The Owl Show", url="https://example.org/"), model.Show("o", "Other"))
    in_show = tuple(model.InShow(e.id, e.id[0], quote=e.show) for e in episodes)
    links = episode_links([(HOOT.id, extraction)], Snapshot((), episodes, shows=shows, in_show=in_show))
    return [f"{edge.target} {edge.quote} {edge.start}" for edge in links]


# A link leads to the episode whose page it names, not to its own, that of the show or that of a trailer; or to that of
# its show whose whole title it bears, with as many words, but to none of another season or number, nor to one of two.
# What stands behind the name of the show may be marks alone. Its words are quoted where they stand once as whole words.
LINKED = f"""
more => http://www.example.org/2#t=9 => => s/two more 26 | more => https://example.org/3 => => o/one more 26
=> https://example.org/2 => => s/two https://example.org/2 None | more => https://example.org/1 => =>
more => https://example.org/2 => https://example.org/2/ => | more => https://www.example.org/ => https://example.org =>
how owls see => {ELSEWHERE} => => s/two how owls see 8
The Owl Show - Episode 2: How owls see! => {ELSEWHERE} => => s/two {ELSEWHERE} None
S2E2: How owls see => {ELSEWHERE} => => s/two {ELSEWHERE} None
how owls see => {ELSEWHERE} => How owls see => | S2E2: How owls see => {ELSEWHERE} => How owls see =>
S2E5: What owls eat => {ELSEWHERE} => S1E3: What owls eat => | Why owls hoot => {ELSEWHERE} => Owls see =>
S2E3: What owls eat => {ELSEWHERE} => S1E3: What owls eat; S2E3: What owls eat => s/1 {ELSEWHERE} None
What owls eat => {ELSEWHERE} => S1E3: What owls eat => s/0 {ELSEWHERE} None
How moles dig => {ELSEWHERE} => Owls see => | owls see => {ELSEWHERE} => Owls see => | => {ELSEWHERE} => Owls see =>
How owls see at night => {ELSEWHERE} => => | The Owl Show: - ! => {ELSEWHERE} => The Owl Show: ?! =>
The Owl Show => {ELSEWHERE} => The Owl Show => | The Owl Show: - ! => {ELSEWHERE} => The Owl Show =>
The Owl Show => {ELSEWHERE} => The Owl Show: ?! =>
more => https://example.org/2 => => s/two more 20 => Furthermore, to see more
more => https://example.org/2 => => s/two https://example.org/2 None => Nevermore
more => https://example.org/2 => => s/two https://example.org/2 None => On hares more, and on owls more
"""


@pytest.mark.parametrize(("link", "more", "edge"), [((a, url, *text), m, to) for a, url, m, to, *text in rows(LINKED)])
def test_a_link_of_the_notes_leads_to_one_episode_or_none(link: Any, more: str, edge: str) -> None:
    assert referred(notes(*link), more) == [edge] * bool(edge)
    assert not referred(replace(notes(*link), episode=replace(HOOT, summary=notes(*link).text)), more)  # it is curated
    assert not referred(notes("how owls see", kind="profile"), "")


def test_two_shows_of_one_title_keep_their_episodes_apart() -> None:
    own, others = (model.Show("owl-show", "The Owl Show", guid=guid) for guid in ("11111111-1", "22222222-2"))
    texts = [notes("how owls see"), Extraction(replace(SEE, id="t/two"), "On eyes.")]
    for shows, count in (((own, others), 0), ((own, own), 1)):
        told = (replace(text, show=show) for text, show in zip(texts, shows, strict=True))
        edge = RefersTo(HOOT.id, "t/two", relation="mentions", quote="how owls see", field="description", start=8)
        assert joined(*told)[0].refers_to == (edge,) * count


NAMED = "It names b. Hear the other one first."
TEXTS = {("one", "description"): [NAMED], ("one", "title"): ["One"]}
DECLARED: Any = {"origin": "declared", "quote": "It names b.", "episode": "one", "field": "description", "start": 0}
INFERRED: Any = {"origin": "inferred", "confidence": 0.9, "quote": "What a is.", "field": "definition", "start": 0}
WHOLE = builds.graph(
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
EVERY = {" ".join(model.key_of(edge)): edge for group in model.EDGE_GROUPS for edge in getattr(WHOLE, group)}
EVIDENCE = {"at": None, "why": " ", "quote": "", "reason": "", "evidence": " ", "reasons": ("",)}
LOST: list[tuple[str, dict[str, Any]]] = [
    *((key, {name: of for name, of in EVIDENCE.items() if hasattr(edge, name)}) for key, edge in EVERY.items()),
    ("TEACHES one a", {"at": None, "evidence": "a wording that stands nowhere"}),
    ("TEACHES one b", {"field": ""}),
    *(("REQUIRES a b", other) for other in ({"confidence": 1.0}, {"quote": ""}, {"reason": ""})),
    ("REQUIRES c d", {"quote": ""}),
    *((f"USES a {other}", {"episode": None}) for other in "cd"),
]
STARTS = {key: edge.start for key, edge in EVERY.items() if getattr(edge, "start", None) is not None}
MISQUOTED: list[tuple[str, dict[str, Any]]] = [
    *((key, {"start": other}) for key, start in STARTS.items() for other in (start + 1, None)),
    ("MENTIONS one d", {"evidence": "one"}),
    ("REQUIRES c d", {"episode": "two"}),
    ("REQUIRES a b", {"quote": "It rests on B."}),
    ("LISTEN_AFTER two one", {"field": "title"}),
    ("REFERS_TO two one", {"field": "description", "start": 0}),
]
CASES = [("does not say where it comes from", *case) for case in LOST] + [(" quotes ", *case) for case in MISQUOTED]


@pytest.mark.parametrize(("says", "key", "other"), CASES)
def test_an_edge_without_evidence_or_quoted_wrongly_goes_and_is_named(says: str, key: str, other: Any) -> None:
    assert with_evidence(WHOLE, TEXTS) == (WHOLE, ())
    groups = {name: getattr(WHOLE, name) for name in model.EDGE_GROUPS}
    slip = {name: tuple(replace(e, **other) if e == EVERY[key] else e for e in of) for name, of in groups.items()}
    kept, (line,) = with_evidence(replace(WHOLE, **slip), TEXTS)
    assert {*EVERY} - {*keys(kept, *groups)} == {key}
    kind, source, target = key.split()
    assert line.startswith(f"({source})-[:{kind}]->({target}) ") and says in line and "\n" not in line
