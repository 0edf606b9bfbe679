"""Which entries are one episode, and which shows are one: feeds by their signs, pages by titles, texts by clues."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.atlas import CHAIN, snapshot
from tests.strategies import snapshots, times
from torchatlas.graph.build import join_graph
from torchatlas.graph.findings import Catalogue, Extraction, Vocabulary
from torchatlas.graph.identity import (
    Clues,
    KnownEpisodes,
    MergedSources,
    bare_title,
    free_id,
    joined_shows,
    matches,
    may_be_one,
    merge_sources,
    same_text,
    strongest,
    terms_of,
)
from torchatlas.graph.layout import overview
from torchatlas.graph.model import Episode, InShow, Show, Snapshot
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.related import nearest, related

KNOWN = Episode("show/strides", "Strides", show="Show", number=49, url="https://example.org/49", minutes=None)
TEXT = "Valves are small and dull, so let us take one apart: a spring, a disc, and the hiss of both."
OTHER = "Spouts are long and thin, and today we ask why some of them drip while others pour so well."


def merged(*entries: Episode) -> MergedSources:
    return merge_sources(Catalogue(), [Extraction(entry, "") for entry in entries])


def test_the_same_address_is_the_same_episode_and_fills_what_is_unknown() -> None:
    found = Episode(
        "other/x", "Another title", show="Other", guid="g", url=KNOWN.url, minutes=12, audio_url="https://a/b.mp3"
    )
    result = merged(KNOWN, found)
    assert result.episodes == (replace(KNOWN, guid="g", minutes=12, audio_url="https://a/b.mp3"),)
    assert result.ids == ("show/strides", "show/strides")


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
def test_season_and_number_are_of_one_source(
    first: tuple[int | None, int | None], second: tuple[int | None, int | None], label: str
) -> None:
    entries = (replace(KNOWN, number=number, season=season) for number, season in (first, second))
    assert [episode.label for episode in merged(*entries).episodes] == [label]


def test_the_same_title_in_the_same_show_is_one_unless_the_dates_disagree() -> None:
    again = Episode("show/strides-x", "STRIDES!", show="show", guid="g")
    assert len(merged(KNOWN, again).episodes) == 1
    dated = replace(KNOWN, published="2021-01-01")
    assert len(merged(dated, replace(again, published="2024-01-01")).episodes) == 2
    assert len(merged(KNOWN, dated, replace(again, published="2024-01-01")).episodes) == 2
    assert len(merged(KNOWN, replace(again, show="Elsewhere")).episodes) == 2


def test_a_date_a_day_off_is_the_same_episode_but_not_beside_another_guid() -> None:
    dated = replace(KNOWN, published="2021-01-01")
    again = Episode("show/strides-x", "Strides", show="Show", guid="g", published="2021-01-02")
    assert len(merged(dated, again).episodes) == 1
    assert len(merged(replace(dated, guid="f"), again).episodes) == 2


def test_two_entries_of_one_title_without_dates_are_two_where_both_have_a_guid_of_their_own() -> None:
    first, second = (Episode(f"show/{g}", "Office hours", show="Show", guid=g) for g in "ab")
    assert merged(first, second).ids == ("show/a", "show/b")
    assert merged(first, first, replace(second, guid=None)).ids == ("show/a",) * 3
    assert merged(first, replace(second, published="2021-01-01")).ids == ("show/a", "show/a")


def test_two_feeds_of_a_show_that_calls_episodes_alike_have_each_once() -> None:
    def feed(guid: str, days: Iterable[str]) -> list[Episode]:
        return [Episode("show/news", "News", show="Show", guid=guid and f"{guid}{d}", published=d) for d in days]

    days = [f"2024-{month:02}-01" for month in range(1, 13)]
    ids = merged(*feed("g", days), *feed("h", days)).ids
    assert ids[:12] == ids[12:] and len(set(ids)) == 12
    off = [f"2024-{month:02}-04" for month in range(1, 13)]
    assert merged(*feed("g", days), *feed("", off)).ids == ids
    assert len(set(merged(*feed("g", days), *feed("", [f"{day[:-1]}5" for day in days])).ids)) == 24
    weekly = feed("g", ("2024-01-01", "2024-01-04"))
    assert merged(*weekly, *feed("", ["2024-01-03"])).ids[-1] == "show/news-2"  # the nearer one


def test_two_different_episodes_with_one_id_are_kept_apart() -> None:
    first = replace(KNOWN, published="2021-01-01", url=None)
    second = replace(KNOWN, published="2024-01-01", url="https://example.org/other")
    result = merged(first, second)
    assert [e.id for e in result.episodes] == ["show/strides", "show/strides-2"]
    assert result.ids == ("show/strides", "show/strides-2")  # what is found in an entry goes to its own episode


def test_a_feed_read_twice_adds_nothing() -> None:
    entry = Episode("show/new", "New", show="Show", guid="g1")
    assert merged(KNOWN, entry, entry).episodes == merged(KNOWN, entry).episodes


@pytest.mark.parametrize("titles", [("C++ frontend", "C frontend"), ("!!!", "???")])
def test_titles_that_differ_in_marks_alone_are_two_where_these_tell(titles: tuple[str, str]) -> None:
    assert len(merged(*(Episode(f"s/{n}", title, show="S") for n, title in enumerate(titles))).episodes) == 2


def test_a_title_that_thousands_of_episodes_have_is_numbered_without_trying_all_numbers_again() -> None:
    class Taken(dict[str, int]):
        asked = 0

        def __contains__(self, key: object) -> bool:
            self.asked += 1
            return super().__contains__(key)

    taken = Taken()
    given_ids = [free_id("show/news", taken) for _ in range(500)]
    assert given_ids == ["show/news", *(f"show/news-{n}" for n in range(2, 501))]
    assert taken.asked < 3 * 500
    assert free_id("show/news-7", taken) == "show/news-7-2"


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (TEXT, True),
        (TEXT.replace("dull, so", "dull; so").upper(), True),
        (TEXT[:60], True),
        (TEXT + " Further reading. - Springs https://example.org/springs", True),
        (TEXT.replace("dull", "boring"), True),
        ("Valves are small and dull", False),  # too short to tell
        ("Valves are small and dull, but today we look at spouts and at nothing else but spouts.", False),
        ("", False),
    ],
)
def test_the_beginning_of_a_text_is_that_text(other: str, same: bool) -> None:
    assert same_text(TEXT, other) is same_text(other, TEXT) is same


def test_short_texts_are_equal_or_not() -> None:
    assert same_text("What's vmap?", "what’s VMAP") and not same_text("What's vmap?", "What's vmap for?")
    assert not same_text("", "https://example.org")


@given(st.text(), st.integers(min_value=0))
def test_no_order_no_case_matters(text: str, cut: int) -> None:
    beginning = text[: cut % (len(text) + 1)]
    assert same_text(text, beginning) == same_text(beginning, text)


@pytest.mark.parametrize(
    "written",
    ["“Loops” and valves", "Episode 12: Loops and Valves", "#12 - loops, and valves", "Kettles - Loops and valves"],
)
def test_decorations_do_not_count(written: str) -> None:
    assert bare_title(written, "Kettles") == bare_title("Loops and valves")


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
    assert may_be_one("Kettles: S2E1: Loops", written, "Kettles") is may
    assert may_be_one(written, "S2E1: Loops", "Kettles") is may


@pytest.mark.parametrize("title", ["Kettles", "12: ", "2001: A kettle", "Loops - Part 2"])
def test_what_is_the_title_itself_stays(title: str) -> None:
    assert bare_title(title, "Kettles") != ""
    assert bare_title("Loops - Part 2") != bare_title("Loops - Part 3")


def episode(title: str, **facts: object) -> Episode:
    return Episode(f"s/{title}", title, show="Sand", **facts)  # type: ignore[arg-type]


def signs(known: Episode, new: Episode, text: str = "") -> tuple[str, ...]:
    """The evidence by which a page's entry is the known episode, whose text stands in the feed; () where it is not."""
    familiar = KnownEpisodes()
    familiar.add(known).texts.append(("the feed", TEXT))
    found = familiar.by_title(new, text)
    return found.evidence if found else ()


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
def test_an_entry_of_a_page_is_an_episode_by_its_title_with_what_else_agrees(
    facts: dict[str, object], evidence: tuple[str, ...]
) -> None:
    known = episode("S2E1: Views", published="2024-01-05", minutes=10, url="https://e.org/1")
    assert signs(known, replace(episode("Views"), **facts)) == evidence  # type: ignore[arg-type]


def test_of_two_episodes_of_one_title_the_one_of_the_day_counts_then_the_one_with_the_text() -> None:
    familiar = KnownEpisodes()
    first, second = (familiar.add(episode("Views", published=f"2024-01-0{day}")) for day in (1, 3))
    second.texts.append(("a page", TEXT))
    assert [k.episode.id for k in (first, second)] == ["s/Views", "s/Views-2"]
    for facts, meant in (("2024-01-01", first), ("2024-01-03", second), ("2024-01-02", second), (None, second)):
        found = familiar.by_title(episode("Views", published=facts), TEXT)
        assert found and found.known is meant
    assert familiar.by_title(episode("Views"), OTHER).known is first  # type: ignore[union-attr]


def test_a_text_is_the_one_episode_that_has_it_of_its_own_show_first() -> None:
    familiar = KnownEpisodes()
    here, there = familiar.add(episode("Valves")), familiar.add(replace(episode("Discs"), id="t/x", show="T"))
    there.texts.append(("its feed", TEXT))
    assert familiar.by_text(TEXT[:70], "Sand").known is there  # type: ignore[union-attr]
    here.texts += [("a page", OTHER), ("this page", TEXT)]
    found = familiar.by_text(TEXT, "sand")
    assert found and found.known is here and found.evidence == ("same text as in this page",)
    assert familiar.by_text(TEXT, "U") is None and familiar.by_text("Tea.", "Sand") is None
    assert [[*familiar.of_show(show)] for show in ("Sand", "", "U")] == [[here], [here, there], []]


@pytest.mark.parametrize(
    ("show", "titles", "name"),
    [
        ("the kettles", [], "The Kettles"),
        ("Kettle Hour", ["Loops", "Valves", "Spouts", "Tea", "Milk", "Ice"], "The Kettles"),
        ("Kettle Hour", ["Loops", "Valves", "Spouts", "Tea", "Milk", "Ice", "Rice"], "Kettle Hour"),
        ("Kettle Hour", ["Loops", "Valves"], "Kettle Hour"),
    ],
)
def test_a_show_is_known_by_its_name_or_by_half_of_its_titles(show: str, titles: list[str], name: str) -> None:
    familiar = KnownEpisodes()
    for title in ("Loops", "Valves", "The Kettles - Spouts"):
        familiar.add(replace(episode(title), show="The Kettles"))
    assert familiar.show_of(show, titles) == name


RARE = ("quartz", "basalt", "granite", "marble", "slate", "gneiss", "chalk", "flint")
ROCKS = tuple(Clues(terms_of(f"{rock} cliff"), minutes=10 * n) for n, rock in enumerate(RARE, 2))
NAMED = [frozenset(terms_of(rock)) for rock in RARE]


def matched(text: str, known: Sequence[Clues] = ROCKS, **clues: object) -> tuple[object, ...]:
    """The place and the evidence, without its margin, of the episode that a description is."""
    found = matches([Clues(terms_of(text), **clues)], known)[0]  # type: ignore[arg-type]
    return (found[0], *found[1][:-1]) if found else ()


def test_a_description_is_the_episode_whose_rare_words_it_has_and_no_other_description_is() -> None:
    cliff, tuff = (Clues(terms_of(f"basalt {word}")) for word in ("cliff", "tuff"))
    assert matches([cliff, tuff], ROCKS) == [
        (1, ("rare terms: basalt", "margin 0.60 over what else it could be")),
        None,
    ]
    assert matches([cliff], ROCKS) == [(1, ("rare terms: basalt", "margin 0.85 over what else it could be"))]
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
    ("text", "title", "subjects"),
    [("slate pumice tuff", (4, "rare terms: slate"), (4, "rare terms: slate")),
     ("slate pumice tuff agate", (), (4, "rare terms: slate")), ("pumice tuff", (), ())],
)  # fmt: skip
def test_title_and_subjects_prove_more_than_other_words(
    text: str, title: tuple[object, ...], subjects: tuple[object, ...]
) -> None:
    assert not matched(text)
    assert matched(text, [replace(rock, title=name) for rock, name in zip(ROCKS, NAMED, strict=True)]) == title
    assert matched(text, [replace(rock, subjects=name) for rock, name in zip(ROCKS, NAMED, strict=True)]) == subjects


def test_a_long_text_about_all_is_held_back() -> None:
    everything = Clues({**terms_of(" ".join(RARE)), **terms_of("pumice tuff agate opal")})
    assert matched("basalt cliff", [*ROCKS, everything]) == (1, "rare terms: basalt")


def test_forms_of_a_word_agree_by_their_beginning_and_code_by_its_name() -> None:
    assert terms_of("serialization x", 2.0) == {"word serialization": 2.0, "stem serial": 1.2}
    assert set(terms_of("aten::add_ of MyTensor")) >= {"code aten::add_", "code mytensor"}
    assert strongest([{"a": 0.5, "b": 2.0}, {"a": 1.0, "b": 1.0}, {}]) == {"a": 1.0, "b": 2.0}


HUM = Show("hum", "Hum", author="Ada")


def joined(*stated: Show) -> list[tuple[str, ...]]:
    """The titles of the shows that are one, for each of them."""
    groups: dict[Show, list[str]] = {}
    for show, one in joined_shows(stated).items():
        groups.setdefault(one, []).append(show.title)
    return sorted(tuple(sorted(group)) for group in groups.values())


@pytest.mark.parametrize(
    "other",
    [
        Show("hum", "HUM!", url="https://hum.invalid"),
        Show("the-hum", "The Hum", guid="A-1"),
        Show("the-hum", "The Hum", feed_url="http://hum.invalid/rss/"),
        Show("the-hum", "The Hum", feed_url="https://www.HUM.invalid/rss"),
    ],
)
def test_the_same_guid_feed_or_title_is_one_show_with_all_facts(other: Show) -> None:
    first = Show("hum", "Hum", guid="a-1", feed_url="https://hum.invalid/rss")
    one = joined_shows([first, other])
    assert one[first] == one[other]
    assert (one[other].id, one[other].title, one[other].guid, one[other].url) == ("hum", "Hum", "a-1", other.url)


def test_three_sources_are_one_where_each_knows_the_next_in_any_order() -> None:
    sources = Show("a", "A", guid="1"), Show("b", "B", guid="1", feed_url="https://b.invalid"), Show("c", "C",
        feed_url="https://b.invalid")  # fmt: skip
    for order in permutations(sources):
        assert joined(*order) == [("A", "B", "C")]


def test_one_title_with_two_guids_is_two_shows_with_ids_of_their_own() -> None:
    one, two = Show("hum", "Hum", guid="1"), Show("hum", "Hum", guid="2")
    found = joined_shows([one, two, Show("hum", "Hum")])
    assert found[one].id == "hum" != found[two].id and found[two].id.startswith("hum-")
    assert found[Show("hum", "Hum")] == found[one]
    assert joined_shows([one, two]) == joined_shows([one, two])


def test_titles_without_a_letter_are_compared_as_they_are() -> None:
    assert joined(Show("a", "\N{GRAPES}"), Show("b", "\N{MELON}"), Show("c", "\N{MELON}")) == [
        ("\N{GRAPES}",),
        ("\N{MELON}", "\N{MELON}"),
    ]


def test_a_masked_address_joins_nothing() -> None:
    """Two private feeds may differ in their tokens alone."""
    private = [Show(id_, id_, feed_url="https://host.invalid/rss?token=***") for id_ in "ab"]
    assert joined(*private) == [("a",), ("b",)]


def test_an_episode_in_two_feeds_is_in_both_shows_and_the_edges_say_under_which_name() -> None:
    network = Show("network", "The Network")
    one, two = (Episode(f"hum/{n}", n, show="HUM", guid=n) for n in "12")
    told = [Extraction(one, "", show=HUM), Extraction(one, "", show=network), Extraction(two, "")]
    assert merge_sources(Catalogue(), [*told, told[0]]).in_show == (
        InShow("hum/1", "hum", quote="Hum"),
        InShow("hum/1", "network", quote="The Network"),
        InShow("hum/2", "hum", quote="HUM"),
    )


def test_catalogue_feeds_and_pages_of_one_show_are_one_node() -> None:
    catalogue = Catalogue((Episode("hum/one", "One", show="Hum"),), shows=(replace(HUM, url="https://hum.invalid"),))
    fed = Extraction(
        Episode("hum/two", "Two", show="Hum"), "", show=Show("hum", "hum", feed_url="https://hum.invalid/rss")
    )
    page = Extraction(Episode("hum/three", "Three", show="Hum"), "")
    nameless = Extraction(Episode("x/four", "Four", show=""), "")
    graph = join_graph(Vocabulary(()), catalogue, [fed, page, nameless]).graph
    assert graph.shows == (
        Show("hum", "Hum", author="Ada", url="https://hum.invalid", feed_url="https://hum.invalid/rss"),
    )
    assert [(e.source, e.quote) for e in graph.in_show] == [
        ("hum/one", "Hum"),
        ("hum/three", "Hum"),
        ("hum/two", "hum"),
    ]


def test_shows_with_one_title_keep_their_own_episodes() -> None:
    """Each of the two begins with an episode called so, as many shows do."""

    first = Episode("news/introduction", "Introduction", show="News")
    entries = [
        Extraction(replace(first, guid=f"{guid}/1"), "", show=Show("news", "News", guid=guid)) for guid in ("G1", "G2")
    ]
    graph = join_graph(Vocabulary(()), Catalogue(), entries).graph
    assert [e.guid for e in graph.episodes] == ["G1/1", "G2/1"]
    assert [(e.source, graph.show[e.target].guid) for e in graph.in_show] == [
        ("news/introduction", "G1"),
        ("news/introduction-2", "G2"),
    ]


def test_a_show_without_episodes_is_not_in_the_graph() -> None:
    assert join_graph(Vocabulary(()), Catalogue(shows=(HUM,)), []).graph.shows == ()


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
