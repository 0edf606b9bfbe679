"""Which entries are one episode, and which shows are one: feeds by their signs, pages by titles, texts by clues."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from tests.extract.cases import pairs, rows
from torchatlas.graph import identity
from torchatlas.graph.build import join_graph
from torchatlas.graph.findings import Catalogue, Extraction, Vocabulary
from torchatlas.graph.identity import Clues, KnownEpisodes, bare_title, joined_shows, matches, same_text, terms_of
from torchatlas.graph.model import Episode, InShow, Show

TEXT = "Valves are small and dull, so let us take one apart: a spring, a disc, and the hiss of both."
OTHER = "Spouts are long and thin, and today we ask why some of them drip while others pour so well."


def episode(title: str = "Strides", **facts: Any) -> Episode:
    return replace(Episode(f"s/{title}", title, show="Sand"), **facts)


def merged(*entries: Episode) -> Any:
    return identity.merge_sources(Catalogue(), [Extraction(entry, "") for entry in entries])


def entries(text: str) -> list[Episode]:
    """Entries of "Strides" with other facts: "; number=1, season=2" are two."""
    told = ([fact.split("=", 1) for fact in entry.strip().split(", ") if fact] for entry in text.split(";"))
    return [replace(episode(), **{name: int(f) if f.isdigit() else f for name, f in facts}) for facts in told]


# The same title in the same show is one, unless the dates disagree; a day off is no other one, but beside another guid.
# Without dates, two are two where both have a guid, and titles that differ in marks alone where these tell.
ONE_OR_TWO = """
; title=STRIDES!, show=sand, guid=g => 1 1 | ; show=Elsewhere, guid=g => 1 2 | title=C++; title=C => 1 2
published=2021-01-01; published=2024-01-01, guid=g => 1 2 | guid=f; guid=g => 1 2 | title=!!!; title=??? => 1 2
; published=2021-01-01; published=2024-01-01, guid=g => 1 1 2 | guid=f; guid=f; => 1 1 1
published=2021-01-01; published=2021-01-02, guid=g => 1 1 | guid=f; published=2021-01-01, guid=g => 1 1
published=2021-01-01, guid=f; published=2021-01-02, guid=g => 1 2 | ; title=New, guid=g; title=New, guid=g => 1 2 2
"""


@pytest.mark.parametrize(("facts", "which"), pairs(ONE_OR_TWO))
def test_entries_are_one_episode_by_guid_title_and_date(facts: str, which: str) -> None:
    ids = {"1": "s/Strides", "2": "s/Strides-2"}
    episodes, found, *_ = merged(*entries(facts))
    assert found == [ids[n] for n in which.split()]
    assert {e.id for e in episodes} == {*found}


def test_the_same_address_is_the_same_episode_and_fills_what_is_unknown() -> None:
    known = episode(number=49, url="https://example.org/49")
    more: Any = {"minutes": 12, "audio_url": "https://a/b.mp3", "guid": "g"}
    found = merged(known, episode("Another title", id="other/x", show="Other", url=known.url, **more))
    assert found[:2] == ((replace(known, **more),), [known.id] * 2)
    first, *more = (Episode("s/a", "A", "s", minutes=n, estimated=by) for n, by in ((5, ""), (9, "words"), (None, "")))
    assert [identity.fullest(*pair).estimated for pair in ((first, more[0]), more[::-1])] == ["", "words"]


UUID = "917393e3-1b1e-5cef-ace4-edaa54e1f810"
FEEDS = """
A, guid=f; B, guid=f => 1 2 | A, guid=f; A, guid=f => 1 1 | A, url=u; A, guid=f; B, url=u, guid=g => 1 2 1
A, guid=https://e.org/1; B, guid=https://e.org/1 => 1 1 | A, guid=UUID; B, guid=UUID => 1 1
A, guid=f, audio_url=http://e.org/1; B, guid=g, audio_url=https://e.org/1 => 1 1
A, guid=f, audio_url=a, title=One; A, guid=g, audio_url=a, title=Two; B, guid=a, audio_url=a, title=No => 1 2 3
A, guid=f, url=u; A, guid=g, url=u; B, guid=h, url=u => 1 2 3 | A, guid=f, url=A.org; B, guid=h, url=A.org => 1 2
A, guid=f, published=2022-05-09; A, guid=g, published=2022-05-09 => 1 2
A, guid=f, published=2022-05-09; A, guid=g, published=2022-05-09; A2, published=2022-05-09; A2, guid=f => 1 2 3 1
A, guid=f, published=2022-05-09; A2, guid=g, published=2022-05-09 => 1 1
"""


@pytest.mark.parametrize(("facts", "which"), pairs(FEEDS))
def test_entries_of_one_feed_are_two_and_only_an_address_or_a_uuid_is_a_guid_across_shows(facts, which) -> None:
    feeds, told = zip(*(entry.strip().split(", ", 1) for entry in facts.replace("UUID", UUID).split(";")), strict=True)
    shows = [Show(feed[0], feed[0], url=f"{feed[0]}.org", feed_url=f"https://{feed}.org") for feed in feeds]
    found = [Extraction(e, "", show=show) for e, show in zip(entries(";".join(told)), shows, strict=True)]
    ids = ["", "s/Strides", "s/Strides-2", "s/Strides-3"]
    assert identity.merge_sources(Catalogue(), found)[1] == [ids[int(n)] for n in which.split()]


# One counts on where the other begins anew in each season; a show that has had one season does not tell it.
LABELS = """
number=13; number=1, season=2 => #13 Strides | number=13; season=2 => #13 Strides | number=13, season=1; => #13 Strides
season=2; number=1, season=2 => S2 E1 Strides | ; number=1, season=2 => S2 E1 Strides | season=2; number=13 => Strides
number=1, season=2; number=13 => S2 E1 Strides | number=13; number=13, season=2 => S2 E13 Strides
"""


@pytest.mark.parametrize(("facts", "label"), pairs(LABELS))
def test_season_and_number_are_of_one_source(facts: str, label: str) -> None:
    assert [e.label for e in merged(*entries(facts))[0]] == [label]


def test_two_feeds_of_a_show_that_calls_episodes_alike_have_each_once() -> None:
    def feed(guid: str, *days: str) -> list[Episode]:
        return [episode("News", guid=guid and f"{guid}{d}", published=d) for d in days]

    months = [f"2024-{month:02}" for month in range(1, 13)]
    first, days_4, days_5 = ([f"{month}-0{day}" for month in months] for day in (1, 4, 5))
    ids = merged(*feed("g", *first), *feed("h", *first))[1]
    assert ids[:12] == ids[12:] and len(set(ids)) == 12
    assert merged(*feed("g", *first), *feed("", *days_4))[1] == ids
    assert len(set(merged(*feed("g", *first), *feed("", *days_5))[1])) == 24
    weekly = feed("g", "2024-01-01", "2024-01-04")
    assert merged(*weekly, *feed("", "2024-01-03"))[1][-1] == "s/News-2"  # the nearer one


def alike(text: str, other: str) -> bool:
    assert same_text(text, other) is same_text(other, text)
    return same_text(text, other)


def may_be(written: str) -> set[bool]:
    """Whether a title may be that of the first episode of the second season."""
    pairs = (("Kettles: S2E1: Loops", written), (written, "S2E1: Loops"))
    return {identity.may_be_one(*pair, "Kettles") for pair in pairs}


TAKEN = {"news-2": 2}
LOOPS = ("“Loops” and valves", "#12 - Loops, and valves", "Episode 12: Loops and Valves", "Kettles - Loops and Valves")


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        # the beginning of a text is that text
        *((alike(TEXT, text), True) for text in (TEXT, TEXT.replace("dull, so", "dull; so").upper(), TEXT[:60])),
        (alike(TEXT, TEXT + " Further reading. - Springs https://example.org/springs"), True),
        (alike(TEXT, TEXT.replace("dull", "boring")), True),
        *((alike(TEXT, text), False) for text in ("Valves are small and dull", "")),  # too short to tell
        (alike(TEXT, "Valves are small and dull, but today we look at spouts and at nothing else but spouts."), False),
        # short texts are equal or not
        ([alike("What's vmap?", text) for text in ("what’s VMAP", "What's vmap for?")], [True, False]),
        (alike("", "https://example.org"), False),
        # a title is compared without show, number and marks, but what is the title itself stays
        *((bare_title(title, "Kettles"), "loopsandvalves") for title in LOOPS),
        ([bare_title(title, "Kettles") for title in ("Kettles", "12: ", "2001: A tea")], ["kettles", "12", "atea"]),
        (bare_title("Loops - Part 2", "Kettles"), "loopspart2"),
        # titles of another season or number are two, but one may count on where the other begins anew
        *(
            (may_be(f"{episode}Loops"), {True})
            for episode in ("S2E1: ", "", "Episode 14: ", "Kettles - Season 2, Episode 01: ")
        ),
        *((may_be(title), {False}) for title in ("S1E1: Loops", "S2E2: Loops")),
        # forms of a word agree by their beginning, and code by its name
        (terms_of("serialization x", 2.0), {"word serialization": 2.0, "stem serial": 1.2}),
        ({*terms_of("aten::add_ of MyTensor")} >= {"code aten::add_", "code mytensor"}, True),
        (identity.strongest([{"a": 0.5, "b": 2.0}, {"a": 1.0, "b": 1.0}, {}]), {"a": 1.0, "b": 2.0}),
        # a title that thousands of episodes have is numbered without trying all numbers again
        ([identity.free_id("news", TAKEN) for _ in range(3)], ["news", "news-3", "news-4"]),
        (identity.free_id("news-2", {"news-2": 1}), "news-2-1"),
        (TAKEN["news"], 5),
    ],
)
def test_texts_and_titles_are_compared_without_what_does_not_count(found: object, expected: object) -> None:
    assert found == expected


def signs(known: Episode, new: Episode, text: str = "") -> tuple[str, ...]:
    """The evidence by which a page's entry is the known episode, whose text stands in the feed; () where it is not."""
    familiar = KnownEpisodes()
    familiar.add(known).texts.append(("the feed", TEXT))
    found = familiar.by_title(new, text)
    return found[1] if found else ()


SLIPS = "Random number generators ~ Random number genrators", "Serialization ~ Serialisation"
OTHERS = ("Inductor - Define-by-run IR ~ Inductor - Post-grad FX passes", "CUDA graphs ~ CPU graphs")
OTHERS += ("Loops 1 ~ Loops 2", "torch.nn ~ torch.fx", "Compiled autograd ~ Compiled")


@pytest.mark.parametrize("titles", SLIPS + OTHERS)
def test_a_slip_is_one_letter_in_one_long_word_where_a_date_a_length_or_the_text_agrees(titles: str) -> None:
    (a, b), slip = titles.split(" ~ "), titles in SLIPS
    dated, timed = {"published": "2024-01-01"}, {"minutes": 9}
    assert signs(episode(a, **dated), episode(b, **dated)) == (f"title {a!r} but for a typo", "same date") * slip
    assert bool(signs(episode(a, **timed), episode(b, minutes=10))) is slip
    assert bool(signs(episode(a), episode(b), TEXT)) is slip
    assert not signs(episode(a, **timed), episode(b, minutes=11)) and not signs(episode(a), episode(b), OTHER)


CUT = """
API design via lexical and dyn… => API design via lexical and dynamic scoping => cut | Inductor... => Inductor - IR =>
How strides and views... => How strides and views work => cut
API design via lexical and dyn => API design via lexical and dynamic scoping =>
"""


@pytest.mark.parametrize(("title", "whole", "is_cut"), rows(CUT))
def test_a_title_may_be_cut_short_if_it_is_the_beginning_of_one(title: str, whole: str, is_cut: str) -> None:
    assert signs(episode(whole), episode(title), TEXT) == ("title cut short", "same text as in the feed") * bool(is_cut)
    familiar = KnownEpisodes()
    for rest in ("one", "two"):
        familiar.add(episode(f"{whole}, {rest}"))
    assert familiar.by_title(episode(title), "") is None


PAGED = """
=> same title | published=2024-01-05 => same title; same date | published=2024-01-01 => | show=Other => | kind=post =>
published=2024-01-02, minutes=11 => same title; dates 3 days apart; length 11 min | title=Episode 1: Views => same title
published=2020-01-01, url=https://e.org/1 => same address | kind=post, url=https://e.org/1 => | title=S2E2: Views =>
"""


@pytest.mark.parametrize(("facts", "evidence"), pairs(PAGED))
def test_an_entry_of_a_page_is_an_episode_by_its_title_with_what_else_agrees(facts: str, evidence: str) -> None:
    known = episode("S2E1: Views", published="2024-01-05", minutes=10, url="https://e.org/1")
    (entry,) = entries(facts if "title" in facts else f"title=Views, {facts}".removesuffix(", "))
    assert "; ".join(signs(known, entry)) == evidence


def test_of_two_episodes_of_one_title_the_one_of_the_day_counts_then_the_one_with_the_text() -> None:
    familiar = KnownEpisodes()
    first, second = (familiar.add(episode("Views", published=f"2024-01-0{day}")) for day in (1, 3))
    second.texts.append(("a page", TEXT))
    assert [k.episode.id for k in (first, second)] == ["s/Views", "s/Views-2"]
    cases = (("2024-01-01", TEXT, first), ("2024-01-03", TEXT, second), ("2024-01-02", TEXT, second))
    for day, text, meant in (*cases, (None, TEXT, second), (None, OTHER, first)):
        found = familiar.by_title(episode("Views", published=day), text)
        assert found and found[0] is meant, day


def test_a_text_is_the_one_episode_that_has_it_of_its_own_show_first() -> None:
    familiar = KnownEpisodes()
    here, there = familiar.add(episode("Valves")), familiar.add(episode("Discs", show="T"))
    there.texts.append(("its feed", TEXT))
    assert familiar.by_text(TEXT[:70], "Sand") == (there, ("same text as in its feed",))
    here.texts += [("a page", OTHER), ("this page", TEXT)]
    assert familiar.by_text(TEXT, "sand") == (here, ("same text as in this page",))
    assert familiar.by_text(TEXT, "U") is None and familiar.by_text("Tea.", "Sand") is None
    assert [[*familiar.of_show(show)] for show in ("Sand", "", "U")] == [[here], [here, there], []]


def test_a_show_is_known_by_its_name_or_by_half_of_its_titles() -> None:
    familiar, known = KnownEpisodes(), "Loops Valves Spouts Tea Milk Ice"
    for title in ("Loops", "Valves", "The Kettles - Spouts"):
        familiar.add(episode(title, show="The Kettles"))
    assert familiar.show_of("the kettles", "") == familiar.show_of("Hour", known.split()) == "The Kettles"
    assert {familiar.show_of("Hour", titles.split()) for titles in (f"{known} Rice", "Loops Valves")} == {"Hour"}


RARE = ("quartz", "basalt", "granite", "marble", "slate", "gneiss", "chalk", "flint")
ROCKS = tuple(Clues(terms_of(f"{rock} cliff"), minutes=10 * n) for n, rock in enumerate(RARE, 2))


def matched(text: str, known: Sequence[Clues] = ROCKS, **clues: Any) -> tuple[object, ...]:
    """The place and the evidence, without its margin, of the episode that a description is."""
    found = matches([Clues(terms_of(text), **clues)], known)[0]
    return (found[0], *found[1][:-1]) if found else ()


def test_a_description_is_the_episode_whose_rare_words_it_has_and_no_other_description_is() -> None:
    cliff, tuff = (Clues(terms_of(f"basalt {word}")) for word in ("cliff", "tuff"))
    for found, margin in (([cliff, tuff], "0.60"), ([cliff], "0.85")):
        basalt = (1, ("rare terms: basalt", f"margin {margin} over what else it could be"))
        assert matches(found, ROCKS) == [basalt, None][: len(found)]
    assert not matched("cliff") and not matched("granite pumice tuff")
    assert matches([], ROCKS) == [] and matches([cliff], []) == [None]
    assert not matched("cliff", [Clues({}), *ROCKS])
    everything = Clues({**terms_of(" ".join(RARE)), **terms_of("pumice tuff agate opal")})  # is held back
    assert matched("basalt cliff", [*ROCKS, everything]) == (1, "rare terms: basalt")


def test_a_length_decides_between_two_episodes_and_is_told_where_it_agrees() -> None:
    twins = [Clues(terms_of("quartz basalt"), minutes=minutes) for minutes in (20, 40)] + [*ROCKS[2:]]
    rare = "rare terms: basalt, quartz"
    lengths = {None: (), 30: (), 43: (), 42: (1, rare), 41: (1, rare, "length: 40 min"), 38: (1, rare)}
    assert {minutes: matched("quartz basalt", twins, minutes=minutes) for minutes in lengths} == lengths


def test_a_link_that_one_episode_alone_has_proves_it_and_other_links_speak_against_it() -> None:
    linked = [replace(rock, links=frozenset({f"l{n}", "home"})) for n, rock in enumerate(ROCKS)]
    shown = {link: matched("slate pumice tuff", linked, links=frozenset({link})) for link in ("l4", "home", "l3", "x")}
    assert shown == {"l4": (4, "rare terms: slate", "link: l4"), "home": (), "l3": (), "x": ()}
    assert matched("slate basalt basalt", linked, links=frozenset({"l4", "l1"})) == ()


@pytest.mark.parametrize(
    ("text", "proved"),
    [("slate pumice tuff", "title subjects"), ("slate pumice tuff agate", "subjects"), ("pumice tuff", "")],
)
def test_title_and_subjects_prove_more_than_other_words(text: str, proved: str) -> None:
    assert not matched(text)
    for place in ("title", "subjects"):
        named = [replace(rock, **{place: frozenset(terms_of(name))}) for rock, name in zip(ROCKS, RARE, strict=True)]
        assert matched(text, named) == (4, "rare terms: slate") * (place in proved)


def titled(title: str, **facts: str) -> Show:
    return Show(title.lower().replace(" ", "-"), title, **facts)


HUM, RSS, B = titled("Hum", author="Ada"), "https://hum.invalid/rss", "https://b.invalid"
ONE, TWO = titled("Hum", guid="1"), titled("Hum", guid="2")
# The same title, guid or feed is one show, also where each source knows only the next; two guids are two shows, titles
# without a letter are compared as they are, and two private feeds may differ in their tokens alone.
JOINED = f"""
Hum, guid=a-1; HUM!, url=https://hum.invalid => 01 | Hum, guid=a-1; The Hum, guid=A-1 => 01
Hum, feed_url={RSS}; The Hum, feed_url=http://hum.invalid/rss/ => 01
Hum, feed_url={RSS}; The Hum, feed_url=https://www.HUM.invalid/rss => 01
A, guid=1; B, guid=1, feed_url={B}; C, feed_url={B} => 012
Hum, guid=1; Hum, guid=2 => 0 1 | \N{GRAPES}; \N{MELON}; \N{MELON}, id=c => 0 12
A, feed_url={B}/rss?token=***; B, feed_url={B}/rss?token=*** => 0 1
"""


@pytest.mark.parametrize(("told", "together"), pairs(JOINED))
def test_sources_of_one_show_are_joined_in_any_order(told: str, together: str) -> None:
    sources = (source.split(", ") for source in told.split("; "))
    shows = [replace(titled(title), **dict(fact.split("=", 1) for fact in facts)) for title, *facts in sources]
    for order in permutations(shows):
        one = joined_shows(order)
        groups = {tuple(n for n, other in enumerate(shows) if one[other] == one[show]) for show in shows}
        assert groups == {tuple(map(int, group)) for group in together.split()}


def test_one_title_with_two_guids_is_two_shows_with_ids_of_their_own() -> None:
    found = joined_shows([ONE, TWO, titled("Hum")])
    assert found[ONE].id == "hum" and found[TWO].id.startswith("hum-") and found[titled("Hum")] == found[ONE]
    first = Episode("news/introduction", "Introduction", show="News")  # as many shows call their first
    entries = [Extraction(replace(first, guid=f"{g}/1"), "", show=titled("News", guid=g)) for g in ("G1", "G2")]
    graph = join_graph(Vocabulary(()), Catalogue(), entries)[0]
    places = [(e.source, graph.episode[e.source].guid, graph.show[e.target].guid) for e in graph.in_show]
    assert places == [("news/introduction", "G1/1", "G1"), ("news/introduction-2", "G2/1", "G2")]


def test_catalogue_feeds_and_pages_of_one_show_are_one_node_and_the_edges_say_under_which_name() -> None:
    network = Show("network", "The Network")
    one, two, three, four = (Episode(f"hum/{n}", n, show="HUM" if n == "3" else "Hum", guid=B + n) for n in "1234")
    told = [Extraction(two, "", show=titled("hum", feed_url=RSS)), Extraction(two, "", show=network)]
    told += [Extraction(three, ""), Extraction(replace(four, show=""), ""), told[0]]
    curated = Catalogue((one,), shows=(replace(HUM, url=B), titled("No episodes")))
    *_, shows, in_show = identity.merge_sources(curated, told)
    assert {*shows} == {replace(HUM, url=B, feed_url=RSS), network}
    quoted = {"hum/1": ["Hum"], "hum/2": ["hum", "The Network"], "hum/3": ["HUM"]}
    ids = {"The Network": "network"}
    assert in_show == tuple(InShow(e, ids.get(q, "hum"), quote=q) for e, names in quoted.items() for q in names)
