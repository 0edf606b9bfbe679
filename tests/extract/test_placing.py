"""Pages beside catalogue and feed: every episode once, the fullest text, and nothing by a guess."""

from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from tests.extract.cases import catalogue, vocabulary
from tests.graph.builds import build_graph
from tests.pages import DESCALE, LOOPS, SHOW, SPOUTS, VALVES, best_of, blog, directory, listing
from torchatlas.extract.feeds import Entry
from torchatlas.extract.pages import read_page
from torchatlas.extract.pipeline import Extractor
from torchatlas.extract.placing import Placement, place
from torchatlas.graph.findings import Catalogue, Vocabulary
from torchatlas.graph.identity import Clues, matches, terms_of
from torchatlas.graph.model import Episode
from torchatlas.graph.names import episode_id

OWN_WORDS = Path(__file__).parent / "descriptions.txt"
"""Descriptions of the catalogue's episodes in other words than its own, by number; those behind a "-" have none."""

TITLES = ("How loops are wired", "Valves", "Spouts", "Chalk")
TEXTS = (LOOPS, VALVES, SPOUTS, DESCALE)
DAYS = ("05/11/21", "05/18/21", "05/25/21", "06/01/21")
BEST = tuple(zip(TITLES, DAYS, ("14 min", "9 min", "20 min", "7 min"), TEXTS, strict=True))
PAGES = (directory(), best_of(BEST), listing(zip(TITLES, TEXTS, strict=True)))


def known(title: str, notes: str, **facts: object) -> Entry:
    return Entry(Episode(episode_id(SHOW, title), title, show=SHOW, guid=f"guid of {title}", **facts), notes)  # type: ignore[arg-type]


def placed(*pages: str, feeds: tuple[Entry, ...] = ()) -> Placement:
    read = [read_page(text.encode(), f"page{n}.txt") for n, text in enumerate(pages)]
    return place(Catalogue(), Vocabulary(()), feeds, read, lambda text: ())


def episodes(placement: Placement) -> dict[str, Episode]:
    extractions = Extractor(()).extract(placement.entries)
    return {e.title: e for e in build_graph(Vocabulary(()), Catalogue(), extractions).episodes}


@pytest.mark.slow
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_every_episode_once_over_all_shapes_and_the_feed(order: tuple[int, ...]) -> None:
    feed = (known("How loops are wired", f"<p>{LOOPS[:100]}</p>"), known("Valves", VALVES, minutes=9))
    placement = placed(*(PAGES[n] for n in order), feeds=feed)
    found = episodes(placement)
    assert sorted(found) == sorted(TITLES)
    assert {row.outcome for row in placement.placed} == {"new", "merged"}
    assert [(found[t].published, found[t].minutes) for t in TITLES] == [
        ("2021-05-11", 14), ("2021-05-18", 9), ("2021-05-25", 20), ("2021-06-01", 7),
    ]  # fmt: skip
    notes = [entry.notes for entry in placement.entries]
    assert len(notes) == 4 and sum("rant" in n for n in notes) == 1  # the whole text wins, and stands once


def test_the_feeds_guid_and_slug_stay() -> None:
    feed = (known("Valves", VALVES, url="https://example.org/valves"),)
    found = episodes(placed(PAGES[1], feeds=feed))["Valves"]
    assert (found.guid, found.url) == ("guid of Valves", "https://example.org/valves")
    assert found.id == episode_id(SHOW, "Valves")


def test_an_untitled_text_that_nobody_knows_is_not_placed_and_no_episode() -> None:
    placement = placed(directory([(None, None, VALVES), (None, None, DESCALE)]), feeds=(known("Valves", VALVES),))
    outcomes = [(row.outcome, row.episode and row.episode.title) for row in placement.placed]
    assert outcomes == [("new", "How loops are wired"), ("merged", "Valves"), ("not placed", None)]
    assert placement.placed[1].evidence == (f"same text as in the feed of {SHOW}",)
    assert sorted(episodes(placement)) == ["How loops are wired", "Valves"]


def test_a_text_that_two_episodes_have_tells_nothing() -> None:
    feed = (known("Valves", VALVES), known("Valves again", VALVES))
    placement = placed(directory([(None, None, VALVES), (None, None, DESCALE)]), feeds=feed)
    assert [row.outcome for row in placement.placed] == ["new", "not placed", "not placed"]


@pytest.mark.slow
def test_a_longer_text_does_not_cost_the_feeds_links() -> None:
    feed = (known("Spouts", f"{SPOUTS[:70]} <a href='https://example.org/feed'>jugs</a>"),)
    placement = placed(best_of([("Spouts", "05/11/21", "14 min", f"{SPOUTS} https://example.org/page")]), feeds=feed)
    links = {link.url for x in Extractor(()).extract(placement.entries) for link in x.links}
    assert links == {"https://example.org/feed", "https://example.org/page"}


def test_titles_that_look_alike_stay_apart_and_those_that_are_one_meet() -> None:
    feed = (known("Inductor - Define-by-run IR", ""), known("Kettle's loops", ""), known("Generators", "", minutes=9))
    best = [
        ("Inductor - Post-grad FX passes", "05/11/21", "14 min", VALVES),
        ("Episode 7: Kettle’s Loops", "05/11/21", "14 min", LOOPS),
        ("Genrators", "05/11/21", "10 min", SPOUTS),
        ("Generations", "05/11/21", "40 min", DESCALE),
    ]
    rows = placed(best_of(best), feeds=feed).placed
    assert [(row.outcome, row.episode and row.episode.title) for row in rows] == [
        ("new", "Inductor - Post-grad FX passes"),
        ("merged", "Kettle's loops"),
        ("merged", "Generators"),
        ("new", "Generations"),
    ]


def test_one_title_in_two_seasons_is_two_episodes() -> None:
    page = listing(((f"S2E{n}: {title}", text) for n, (title, text) in enumerate(zip(TITLES, TEXTS, strict=True), 1)))
    placement = placed(page, feeds=(known("S1E1: How loops are wired", ""), known("S2E2: Valves", "")))
    assert [row.outcome for row in placement.placed] == ["new", "merged", "new", "new"]


def test_one_title_years_apart_is_two_episodes_and_a_day_apart_is_one() -> None:
    feed = (known("Questions", "", published="2021-05-11"),)
    best = [("Questions", "05/12/21", "14 min", VALVES), ("Questions", "05/12/23", "14 min", LOOPS)]
    placement = placed(best_of(best), feeds=feed)
    assert [row.outcome for row in placement.placed] == ["merged", "new"]
    extractions = Extractor(()).extract(placement.entries)
    assert len(build_graph(Vocabulary(()), Catalogue(), extractions).episodes) == 2


def test_a_show_by_another_name_is_known_by_its_titles() -> None:
    feed = tuple(known(title, text) for title, text in zip(TITLES, TEXTS, strict=True))
    renamed = listing(zip(TITLES, TEXTS, strict=True), show="Kettle Hour (podcast)")
    assert [row.outcome for row in placed(renamed, feeds=feed).placed] == ["merged"] * 4
    other = listing([("Valves", "Something else altogether."), ("Tea", "And more.")], show="Tea Time")
    assert [row.outcome for row in placed(other, feeds=feed).placed] == ["new", "new"]


def test_posts_are_posts_and_every_link_is_kept() -> None:
    placement = placed(blog([("Valves", (VALVES,))], name=SHOW), PAGES[1])
    kinds = sorted((e.episode.title, e.episode.kind) for e in placement.entries if e.episode.title == "Valves")
    assert kinds == [("Valves", "episode"), ("Valves", "post")]
    linked = placed(
        best_of([("Spouts", "05/11/21", "14 min", f"{SPOUTS} One https://example.org/1")]),
        listing([("Spouts", "Two https://example.org/2"), ("Chalk", DESCALE)]),
    )
    assert all(f"https://example.org/{n}" in linked.entries[0].notes for n in (1, 2))


def test_marks_in_a_text_are_text() -> None:
    (entry,) = placed(best_of([("Spouts", "05/11/21", "14 min", "A <b>vector</b>&lt;int> & more of <p>it.")])).entries
    (extraction,) = Extractor(()).extract([entry])
    assert extraction.text == "A <b>vector</b>&lt;int> & more of <p>it."


@cache
def shipped() -> tuple[Vocabulary, Catalogue, Extractor]:
    return vocabulary(), catalogue(), Extractor(vocabulary().concepts)


@pytest.mark.slow
@pytest.mark.parametrize("longest", [10_000, 180])
def test_descriptions_in_other_words_find_their_episodes_and_none_a_wrong_one(longest: int) -> None:
    known_names, told, extractor = shipped()
    show = told.episodes[0].show
    lines = [line.split(" ", 1) for line in OWN_WORDS.read_text("utf-8").splitlines()]
    texts = [text if len(text) < longest else f"{text[:longest].rsplit(' ', 1)[0]} ..." for _, text in lines]
    text = directory([(None, None, t) for t in texts], focus=(told.episodes[0].title, LOOPS), show=show)
    page = read_page(text.encode(), "page.txt")
    rows = place(told, known_names, (), [page], extractor.mentions).placed[1:]
    assert len(rows) == len(lines)
    found = [(n, row.episode, row.evidence) for (n, _), row in zip(lines, rows, strict=True) if row.episode]
    assert not [row for row in found if str(row[1].number) != row[0]]
    assert len(found) >= 0.9 * sum(n != "-" for n, _ in lines)
    assert all(row.evidence and "margin" in row.evidence[-1] for row in rows if row.episode)


@pytest.mark.slow
def test_an_episode_with_a_text_from_another_page_may_still_be_an_untitled_entry() -> None:
    known_names, told, extractor = shipped()
    number, text = OWN_WORDS.read_text("utf-8").splitlines()[3].split(" ", 1)
    episode = next(e for e in told.episodes if str(e.number) == number)
    titled = listing([(episode.title, "Cut short."), ("Tea", DESCALE)], show=episode.show)
    bare = directory([(None, None, text), (None, None, VALVES)], focus=("Tea", DESCALE), show=episode.show)
    pages = [read_page(page.encode(), "page.txt") for page in (titled, bare)]
    rows = place(told, known_names, (), pages, extractor.mentions).placed
    assert [row.episode and row.episode.title for row in rows if row.entry.text == text] == [episode.title]


def test_words_that_most_episodes_share_prove_nothing() -> None:
    subject = terms_of("kettle steam water")
    known_clues = [Clues(subject | terms_of(f"own{chr(97 + n)}")) for n in range(9)]
    assert matches([Clues(subject)], known_clues) == [None]
    assert matches([Clues(subject | terms_of("ownc"))], known_clues)[0] is not None
