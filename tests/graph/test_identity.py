"""Which entries are one episode, and which shows are one: feeds by their signs, pages by titles, texts by clues."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.atlas import CHAIN, snapshot
from tests.strategies import snapshots, times
from torchatlas.graph import identity
from torchatlas.graph.build import join_graph
from torchatlas.graph.findings import Catalogue, Extraction, Vocabulary
from torchatlas.graph.identity import Clues, KnownEpisodes, bare_title, joined_shows, matches, same_text, terms_of
from torchatlas.graph.layout import overview
from torchatlas.graph.model import Episode, InShow, Show, Snapshot
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.related import nearest, related

TEXT = "Valves are small and dull, so let us take one apart: a spring, a disc, and the hiss of both."
OTHER = "Spouts are long and thin, and today we ask why some of them drip while others pour so well."


def episode(title: str = "Strides", **facts: Any) -> Episode:
    return replace(Episode(f"s/{title}", title, show="Sand"), **facts)


def merged(*entries: Episode) -> Any:
    return identity.merge_sources(Catalogue(), [Extraction(entry, "") for entry in entries])


F, G = {"guid": "f"}, {"guid": "g"}
DAY, NEXT_DAY, YEARS_LATER = ({"published": day} for day in ("2021-01-01", "2021-01-02", "2024-01-01"))


@pytest.mark.parametrize(
    ("entries", "which"),
    [
        # the same title in the same show is one, unless the dates disagree
        (({}, {"title": "STRIDES!", "show": "sand", **G}), "1 1"),
        (({}, {"show": "Elsewhere", **G}), "1 2"),
        ((DAY, YEARS_LATER | G), "1 2"),
        (({}, DAY, YEARS_LATER | G), "1 1 2"),
        # a date a day off is the same episode, but not beside another guid
        ((DAY, NEXT_DAY | G), "1 1"),
        ((DAY | F, NEXT_DAY | G), "1 2"),
        # without dates, two are two where both have a guid of their own
        ((F, G), "1 2"),
        ((F, F, {}), "1 1 1"),
        ((F, DAY | G), "1 1"),
        # titles that differ in marks alone are two where these tell
        (({"title": "C++ frontend"}, {"title": "C frontend"}), "1 2"),
        (({"title": "!!!"}, {"title": "???"}), "1 2"),
        # a feed read twice adds nothing
        (({}, {"title": "New"} | G, {"title": "New"} | G), "1 2 2"),
    ],
)
def test_entries_are_one_episode_by_guid_title_and_date_and_of_two_with_one_id_the_second_gets_another(
    entries: Sequence[dict[str, Any]], which: str
) -> None:
    ids = {"1": "s/Strides", "2": "s/Strides-2"}
    episodes, found, *_ = merged(*(replace(episode(), **facts) for facts in entries))
    assert found == [ids[n] for n in which.split()]
    assert {e.id for e in episodes} == {*found}


def test_the_same_address_is_the_same_episode_and_fills_what_is_unknown() -> None:
    known, more = episode(number=49, url="https://example.org/49"), {"minutes": 12, "audio_url": "https://a/b.mp3", **G}
    other = episode("Another title", id="other/x", show="Other", url=known.url, **more)
    assert merged(known, other)[0] == (replace(known, **more),)
    assert merged(known, other)[1] == [known.id] * 2


@pytest.mark.parametrize(
    ("first", "second", "label"),
    [
        ((13, None), (1, 2), "#13 Strides"),  # one source counts on, the other begins anew
        ((1, 2), (13, None), "S2 E1 Strides"),
        ((None, None), (1, 2), "S2 E1 Strides"),
        ((13, None), (13, 2), "S2 E13 Strides"),
        ((None, 2), (1, 2), "S2 E1 Strides"),
        ((None, 2), (13, None), "Strides"),
        ((13, None), (None, 2), "#13 Strides"),
        ((13, 1), (None, None), "#13 Strides"),  # a show that has had one season
    ],
)
def test_season_and_number_are_of_one_source(first: Any, second: Any, label: str) -> None:
    entries = (episode(number=number, season=season) for number, season in (first, second))
    assert [e.label for e in merged(*entries)[0]] == [label]


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


def test_a_title_that_thousands_of_episodes_have_is_numbered_without_trying_all_numbers_again() -> None:
    class Taken(dict[str, int]):
        asked = 0

        def __contains__(self, key: object) -> bool:
            self.asked += 1
            return super().__contains__(key)

    taken = Taken()
    given_ids = [identity.free_id("show/news", taken) for _ in range(500)]
    assert given_ids == ["show/news", *(f"show/news-{n}" for n in range(2, 501))]
    assert taken.asked < 3 * 500
    assert identity.free_id("show/news-7", taken) == "show/news-7-2"


@pytest.mark.parametrize(
    ("text", "other", "same"),
    [
        (TEXT, TEXT, True),
        (TEXT, TEXT.replace("dull, so", "dull; so").upper(), True),
        (TEXT, TEXT[:60], True),
        (TEXT, TEXT + " Further reading. - Springs https://example.org/springs", True),
        (TEXT, TEXT.replace("dull", "boring"), True),
        (TEXT, "Valves are small and dull", False),  # too short to tell
        (TEXT, "Valves are small and dull, but today we look at spouts and at nothing else but spouts.", False),
        (TEXT, "", False),
        # short texts are equal or not
        ("What's vmap?", "what’s VMAP", True),
        ("What's vmap?", "What's vmap for?", False),
        ("", "https://example.org", False),
    ],
)
def test_the_beginning_of_a_text_is_that_text(text: str, other: str, same: bool) -> None:
    assert same_text(text, other) is same_text(other, text) is same


@given(st.text(), st.integers(min_value=0))
def test_the_order_of_two_texts_does_not_matter(text: str, cut: int) -> None:
    beginning = text[: cut % (len(text) + 1)]
    assert same_text(text, beginning) == same_text(beginning, text)


@pytest.mark.parametrize(
    ("written", "bare"),
    [
        *((f"{mark}Loops{comma} and valves", "loopsandvalves") for mark, comma in (("“", "”"), ("#12 - ", ","))),
        *((f"{show}Loops and Valves", "loopsandvalves") for show in ("", "Episode 12: ", "Kettles - ")),
        ("Loops - Part 2", "loopspart2"),
        # what is the title itself stays
        ("Kettles", "kettles"),
        ("12: ", "12"),
        ("2001: A kettle", "akettle"),
    ],
)
def test_a_title_is_compared_without_show_number_and_marks(written: str, bare: str) -> None:
    assert bare_title(written, "Kettles") == bare


@pytest.mark.parametrize(
    ("written", "may"),
    [
        ("S2E1: Loops", True),
        ("Kettles - Season 2, Episode 01: Loops", True),
        ("Loops", True),
        ("Episode 14: Loops", True),  # one may count on where the other begins anew
        ("S1E1: Loops", False),
        ("S2E2: Loops", False),
    ],
)
def test_titles_of_another_season_or_number_are_two(written: str, may: bool) -> None:
    assert identity.may_be_one("Kettles: S2E1: Loops", written, "Kettles") is may
    assert identity.may_be_one(written, "S2E1: Loops", "Kettles") is may


def signs(known: Episode, new: Episode, text: str = "") -> tuple[str, ...]:
    """The evidence by which a page's entry is the known episode, whose text stands in the feed; () where it is not."""
    familiar = KnownEpisodes()
    familiar.add(known).texts.append(("the feed", TEXT))
    found = familiar.by_title(new, text)
    return found[1] if found else ()


@pytest.mark.parametrize(
    ("a", "b", "slip"),
    [
        ("Random number generators", "Random number genrators", True),
        ("Serialization", "Serialisation", True),
        ("Inductor - Define-by-run IR", "Inductor - Post-grad FX passes", False),
        ("CUDA graphs", "CPU graphs", False),
        ("Loops 1", "Loops 2", False),
        ("torch.nn", "torch.fx", False),
        ("Compiled autograd", "Compiled", False),
    ],
)
def test_a_slip_is_one_letter_in_one_long_word_where_a_date_a_length_or_the_text_agrees(
    a: str, b: str, slip: bool
) -> None:
    dated, timed = {"published": "2024-01-01"}, {"minutes": 9}
    assert signs(episode(a, **dated), episode(b, **dated)) == (f"title {a!r} but for a typo", "same date") * slip
    assert bool(signs(episode(a, **timed), episode(b, minutes=10))) is slip
    assert bool(signs(episode(a), episode(b), TEXT)) is slip
    assert not signs(episode(a, **timed), episode(b, minutes=11)) and not signs(episode(a), episode(b), OTHER)


@pytest.mark.parametrize(
    ("title", "whole", "is_cut"),
    [
        ("API design via lexical and dyn…", "API design via lexical and dynamic scoping", True),
        ("How strides and views...", "How strides and views work", True),
        ("API design via lexical and dyn", "API design via lexical and dynamic scoping", False),
        ("Inductor...", "Inductor - IR", False),
    ],
)
def test_a_title_may_be_cut_short(title: str, whole: str, is_cut: bool) -> None:
    assert signs(episode(whole), episode(title), TEXT) == ("title cut short", "same text as in the feed") * is_cut


def test_a_title_that_is_the_beginning_of_two_tells_nothing() -> None:
    familiar = KnownEpisodes()
    for rest in ("one", "two"):
        familiar.add(episode(f"API design via lexical scoping, {rest}"))
    assert familiar.by_title(episode("API design via lexical..."), "") is None


@pytest.mark.parametrize(
    ("facts", "evidence"),
    [
        ({}, ("same title",)),
        ({"published": "2024-01-05"}, ("same title", "same date")),
        ({"published": "2024-01-02", "minutes": 11}, ("same title", "dates 3 days apart", "length 11 min")),
        ({"published": "2024-01-01"}, ()),
        ({"kind": "post"}, ()),
        ({"kind": "post", "url": "https://e.org/1"}, ()),
        ({"published": "2020-01-01", "url": "https://e.org/1"}, ("same address",)),
        ({"title": "S2E2: Views"}, ()),
        ({"title": "Episode 1: Views"}, ("same title",)),
        ({"show": "Other"}, ()),
    ],
)
def test_an_entry_of_a_page_is_an_episode_by_its_title_with_what_else_agrees(facts: Any, evidence: Any) -> None:
    known = episode("S2E1: Views", published="2024-01-05", minutes=10, url="https://e.org/1")
    assert signs(known, replace(episode("Views"), **facts)) == evidence


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


@pytest.mark.parametrize(
    ("show", "titles", "name"),
    [
        ("the kettles", "", "The Kettles"),
        ("Kettle Hour", "Loops Valves Spouts Tea Milk Ice", "The Kettles"),
        ("Kettle Hour", "Loops Valves Spouts Tea Milk Ice Rice", "Kettle Hour"),
        ("Kettle Hour", "Loops Valves", "Kettle Hour"),
    ],
)
def test_a_show_is_known_by_its_name_or_by_half_of_its_titles(show: str, titles: str, name: str) -> None:
    familiar = KnownEpisodes()
    for title in ("Loops", "Valves", "The Kettles - Spouts"):
        familiar.add(episode(title, show="The Kettles"))
    assert familiar.show_of(show, titles.split()) == name


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
    ("text", "by_title", "by_subject"),
    [("slate pumice tuff", True, True), ("slate pumice tuff agate", False, True), ("pumice tuff", False, False)],
)
def test_title_and_subjects_prove_more_than_other_words(text: str, by_title: bool, by_subject: bool) -> None:
    assert not matched(text)
    for place, proved in (("title", by_title), ("subjects", by_subject)):
        named = [replace(rock, **{place: frozenset(terms_of(name))}) for rock, name in zip(ROCKS, RARE, strict=True)]
        assert matched(text, named) == (4, "rare terms: slate") * proved


def test_a_long_text_about_all_is_held_back() -> None:
    everything = Clues({**terms_of(" ".join(RARE)), **terms_of("pumice tuff agate opal")})
    assert matched("basalt cliff", [*ROCKS, everything]) == (1, "rare terms: basalt")


def test_forms_of_a_word_agree_by_their_beginning_and_code_by_its_name() -> None:
    assert terms_of("serialization x", 2.0) == {"word serialization": 2.0, "stem serial": 1.2}
    assert set(terms_of("aten::add_ of MyTensor")) >= {"code aten::add_", "code mytensor"}
    assert identity.strongest([{"a": 0.5, "b": 2.0}, {"a": 1.0, "b": 1.0}, {}]) == {"a": 1.0, "b": 2.0}


HUM = Show("hum", "Hum", author="Ada")


def titled(title: str, **facts: str) -> Show:
    return Show(title.lower().replace(" ", "-"), title, **facts)


RSS, B = "https://hum.invalid/rss", "https://b.invalid"


@pytest.mark.parametrize(
    ("shows", "together"),
    [
        # the same title, guid or feed is one show
        ((titled("Hum", guid="a-1", feed_url=RSS), titled("HUM!", url="https://hum.invalid")), "01"),
        ((titled("Hum", guid="a-1", feed_url=RSS), titled("The Hum", guid="A-1")), "01"),
        ((titled("Hum", guid="a-1", feed_url=RSS), titled("The Hum", feed_url="http://hum.invalid/rss/")), "01"),
        ((titled("Hum", guid="a-1", feed_url=RSS), titled("The Hum", feed_url="https://www.HUM.invalid/rss")), "01"),
        # also where each source knows only the next
        ((titled("A", guid="1"), titled("B", guid="1", feed_url=B), titled("C", feed_url=B)), "012"),
        # two guids are two shows, and titles without a letter are compared as they are
        ((titled("Hum", guid="1"), titled("Hum", guid="2")), "0 1"),
        ((titled("\N{GRAPES}"), titled("\N{MELON}"), Show("c", "\N{MELON}")), "0 12"),
        # two private feeds may differ in their tokens alone
        (tuple(titled(name, feed_url=f"{B}/rss?token=***") for name in "AB"), "0 1"),
    ],
)
def test_sources_of_one_show_are_joined_in_any_order(shows: Sequence[Show], together: str) -> None:
    for order in permutations(shows):
        one = joined_shows(order)
        groups = {tuple(n for n, other in enumerate(shows) if one[other] == one[show]) for show in shows}
        assert groups == {tuple(map(int, group)) for group in together.split()}


def test_one_title_with_two_guids_is_two_shows_with_ids_of_their_own() -> None:
    one, two = titled("Hum", guid="1"), titled("Hum", guid="2")
    found = joined_shows([one, two, titled("Hum")])
    assert found[one].id == "hum" and found[two].id.startswith("hum-") and found[titled("Hum")] == found[one]
    assert joined_shows([one, two]) == joined_shows([one, two])


def test_an_episode_in_two_feeds_is_in_both_shows_and_the_edges_say_under_which_name() -> None:
    network = Show("network", "The Network")
    one, two = (Episode(f"hum/{n}", n, show="HUM", guid=n) for n in "12")
    told = [Extraction(one, "", show=HUM), Extraction(one, "", show=network), Extraction(two, "")]
    assert identity.merge_sources(Catalogue(), [*told, told[0]])[3] == (
        InShow("hum/1", "hum", quote="Hum"),
        InShow("hum/1", "network", quote="The Network"),
        InShow("hum/2", "hum", quote="HUM"),
    )


def graph_of(catalogue: Catalogue, *entries: Extraction) -> Snapshot:
    return join_graph(Vocabulary(()), catalogue, entries)[0]


def test_catalogue_feeds_and_pages_of_one_show_are_one_node() -> None:
    catalogue = Catalogue((Episode("hum/one", "One", show="Hum"),), shows=(replace(HUM, url="https://hum.invalid"),))
    fed = Extraction(Episode("hum/two", "Two", show="Hum"), "", show=Show("hum", "hum", feed_url=RSS))
    page = Extraction(Episode("hum/three", "Three", show="Hum"), "")
    graph = graph_of(catalogue, fed, page, Extraction(Episode("x/four", "Four", show=""), ""))
    assert graph.shows == (replace(HUM, url="https://hum.invalid", feed_url=RSS),)
    quoted = [(e.source, e.quote) for e in graph.in_show]
    assert quoted == [("hum/one", "Hum"), ("hum/three", "Hum"), ("hum/two", "hum")]
    assert graph_of(Catalogue(shows=(HUM,))).shows == ()  # it has no episodes


def test_shows_with_one_title_keep_their_own_episodes() -> None:
    """Each of the two begins with an episode called so, as many shows do."""
    first = Episode("news/introduction", "Introduction", show="News")
    entries = (Extraction(replace(first, guid=f"{g}/1"), "", show=titled("News", guid=g)) for g in ("G1", "G2"))
    graph = graph_of(Catalogue(), *entries)
    found = [(e.source, graph.episode[e.source].guid, graph.show[e.target].guid) for e in graph.in_show]
    assert found == [("news/introduction", "G1/1", "G1"), ("news/introduction-2", "G2/1", "G2")]


@given(snapshots())
@settings(max_examples=times(40))
def test_places_and_nearness_do_not_depend_on_shows(graph: Snapshot) -> None:
    without = replace(graph, shows=(), in_show=())
    assert overview(graph) == overview(without)
    assert nearest(graph) == nearest(without)


def test_plans_do_not_depend_on_shows() -> None:
    """A show would be a hub: one step from each of its episodes to each other."""
    without = snapshot()
    edges = tuple(InShow(e.id, "hum", quote="Hum") for e in without.episodes)
    graph = replace(without, shows=(HUM,), in_show=edges)
    for goal in (*CHAIN, *graph.episode):
        assert make_plan(graph, [goal]) == make_plan(without, [goal])
    assert [related(graph, e) for e in graph.episode] == [related(without, e) for e in graph.episode]
