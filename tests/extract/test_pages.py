"""Saved pages: what is on them, in any language and encoding, and which episodes beside catalogue and feed it is of."""

from itertools import permutations
from pathlib import Path

import pytest

from tests import pages
from tests.extract.cases import catalogue, vocabulary
from tests.graph.builds import build_graph
from tests.pages import BEST, DESCALE, LANGUAGES, LOOPS, SHOW, SPOUTS, VALVES, best_of, blog, directory, listing
from torchatlas.extract.feeds import Entry
from torchatlas.extract.pages import Page, read_page
from torchatlas.extract.pipeline import Extractor
from torchatlas.extract.placing import Placed, place
from torchatlas.graph.errors import SourceError
from torchatlas.graph.findings import Catalogue, Vocabulary
from torchatlas.graph.model import Episode
from torchatlas.graph.names import episode_id


def read(text: str) -> Page:
    return read_page(text.encode(), "page.txt")


FOCUS = ("How loops are wired", None, LOOPS)
DIRECTORY = [FOCUS, ("How loops are wired", 14, LOOPS), (None, None, VALVES), (None, None, SPOUTS[:70].strip())]
UNTITLED = [(None, None, VALVES), (None, None, DESCALE)]
TEXTLESS = directory([("Spouts", "9:30", ""), *UNTITLED])
NUMBERED = listing([("How loops are wired", LOOPS), ("Valves", VALVES), ("Why?", "2) is no title here.")])
CUT = [("How loops are wired", None, LOOPS[:80].strip()), ("Valves", None, VALVES[:80].strip())]
PAGES = {
    **{language: (directory(chrome=chrome), "episode page", DIRECTORY) for language, chrome in LANGUAGES.items()},
    "no focus": (f"Skip this\n{directory(UNTITLED).split('83 episodes')[1]}", "episode page", UNTITLED),
    "no description": (TEXTLESS, "episode page", [FOCUS, ("Spouts", 10, ""), *UNTITLED]),
    "numbers": (NUMBERED, "numbered listing", [*CUT, ("Why?", None, "2) is no title here.")]),
}


@pytest.mark.parametrize("of", PAGES)
def test_a_page_of_any_shape_and_language_is_cut_into_its_entries(of: str) -> None:
    document, shape, entries = PAGES[of]
    page = read(document)
    assert page.shape == shape and {e.show for e in page.entries} == {SHOW}
    assert [(e.title, e.minutes, e.text) for e in page.entries] == entries


@pytest.mark.parametrize("language", LANGUAGES)
def test_avatars_may_stand_above_their_entries_or_touch_the_shows_name(language: str) -> None:
    chrome = LANGUAGES[language]
    for listed in ([*pages.LISTED], [*pages.LISTED[1:], pages.LISTED[0]], [*pages.LISTED[1:]]):
        below = read(directory(listed, chrome)).entries
        assert [e.text for e in below][1:] == [text.removesuffix(" ...").strip() for *_, text in listed]
        assert read(directory(listed, chrome, above=True)).entries == below
    avatar = f"<div>{SHOW[0]}</div><div><a href='/series'>{SHOW}</a></div>"
    joined = pages.directory_html().replace(avatar, f"<div><span>{SHOW[0]}</span><a href='/series'>{SHOW}</a></div>")
    assert joined != pages.directory_html() and read(joined).entries == read(pages.directory_html()).entries


def test_what_another_show_or_entry_has_on_the_page_is_not_its_own() -> None:
    promoted = directory([("Buy my teapot", "45:03", "A promoted episode about teapots, which is not of this show.")])
    block = promoted.split("83 episodes")[1].split("Welcome")[0].replace(SHOW, "Teapots Today")
    assert read(directory().replace("83 episodes\n", f"83 episodes\n{block}")).entries == read(directory()).entries
    listed = [("Spouts", "9:30", f"{VALVES}\nOwn words."), ("Loops", "9:30", f"Own words.\n{DESCALE}")]
    page = read(directory([*listed, (None, None, VALVES), (None, None, DESCALE)]))
    assert [e.text for e in page.entries][1:] == ["Own words.", "Own words.", VALVES, DESCALE]


def test_a_page_saved_as_html_has_the_addresses_behind_its_links_in_the_encoding_that_it_declares() -> None:
    first, *rest = read(pages.directory_html()).entries
    assert (first.title, rest[0].title, rest[0].minutes) == ("How loops are wired", "How loops are wired", 14)
    assert rest[0].url == "https://player.example/e/0"
    assert "(a picture) ( https://example.org/loops )" in rest[0].text and "https://example.org/guide" in rest[0].text
    assert [(e.title, e.text) for e in rest[1:]] == [(None, VALVES), (None, SPOUTS[:70].strip())]
    markup = pages.directory_html().replace("<head>", "<head><meta charset='iso-8859-2'>").replace("valves", "pompą")
    assert "pompą" in read_page(markup.encode("iso-8859-2"), "page.html").entries[2].text


ENCODINGS = {"English": "utf-8-sig", "Arabic": "utf-16", "Japanese": "shift_jis", "German": "cp1252"}


@pytest.mark.parametrize("language", ENCODINGS)
def test_any_encoding_and_a_stray_byte_costs_one_letter(language: str) -> None:
    document = directory(chrome=LANGUAGES[language])
    page = read_page(document.encode(ENCODINGS[language]), "page.txt")
    assert [e.title for e in page.entries][:2] == ["How loops are wired"] * 2 and page.entries[2].text == VALVES
    stray = read_page(document.encode().replace(b"valves", b"valv\xe9s"), "page.txt")
    assert stray.entries[2].text == VALVES.replace("valves", "valvés")


def test_a_best_of_page_and_an_address_that_several_episodes_have_is_the_shows() -> None:
    for markup in (best_of(BEST), pages.best_of_html(BEST)):
        page = read(markup)
        loops, spouts = page.entries
        facts = (page.shape, loops.title, loops.show, loops.published, loops.minutes, loops.text)
        assert facts == ("best-of page", "How loops are wired", SHOW, "2021-05-11", 14, LOOPS)
        assert (spouts.published, spouts.minutes) == ("2022-12-04", 65)
        assert "https://example.org/jugs" in spouts.text and "83" not in spouts.text and "FAQ" not in spouts.text
    assert [e.url for e in page.entries] == ["https://best.example/0", "https://best.example/1"]
    assert [e.url for e in read(markup.replace("best.example/1", "best.example/0")).entries] == [None, None]


@pytest.mark.parametrize("first", ["On chalk", "What nobody told me about chalk in kettles, and why?"])
def test_a_blogs_index_also_as_html(first: str) -> None:
    posts = [(first, (DESCALE, "image", "More of it follows.")), ("Spouts", (SPOUTS,))]
    page = read(blog([*posts, ("Why?", ("Because of valves.",))]))
    assert page.shape == "blog index" and [e.title for e in page.entries] == [first, "Spouts", "Why?"]
    assert {(e.kind, e.show) for e in page.entries} == {("post", "Limescale")}
    assert page.entries[0].text == f"{DESCALE}\nMore of it follows."
    markup = (
        "<html><head><title>Kettles - Limescale</title></head><body><h1>Limescale</h1><h2>Kettles</h2>"
        f"<h3><a href='https://blog.example/chalk'>{first}</a></h3><p>{DESCALE}</p>"
        "<a href='https://blog.example/chalk#more'>Read more…</a></body></html>"
    )
    (post,) = read(markup).entries
    assert (post.title, post.url, post.show, post.text) == (first, "https://blog.example/chalk", "Limescale", DESCALE)


def test_a_page_written_as_xml_is_no_feed() -> None:
    entries = "<p>1) Spouts</p><p>a</p><p>2) Loops</p><p>b</p>"
    page = read(f"<?xml version='1.0'?><!DOCTYPE html><html><p>{SHOW}</p>{entries}</html>")
    assert [e.title for e in page.entries] == ["Spouts", "Loops"]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (b"", "expected a directory's episode page"),
        (b"T\nRead more...", "expected a directory's episode page"),
        (b"Just a letter to a friend.\nNothing else.\n", "a numbered listing, a blog's index, or captions"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is no text"),
        (b"<?xml version='1.0'?> <!-- by hand -->\n<rss><p>1) a</p></rss>", "use: torchatlas add page"),
        (b"<html>" + b"<div>" * 6000, "nested deeper"),
    ],
)
def test_what_is_no_page_is_one_clear_line(document: bytes, said: str) -> None:
    with pytest.raises(SourceError) as error:
        read_page(document, "page.txt")
    assert said in str(error.value) and "page.txt" in str(error.value) and "\n" not in str(error.value)


OWN_WORDS = Path(__file__).parent / "descriptions.txt"
"""Descriptions of the catalogue's episodes in other words than its own, by number; those behind a "-" have none."""
TITLES = ("How loops are wired", "Valves", "Spouts", "Chalk")
TEXTS = (LOOPS, VALVES, SPOUTS, DESCALE)
DAYS = ("05/11/21", "05/18/21", "05/25/21", "06/01/21")
WELL = tuple(zip(TITLES, DAYS, ("14 min", "9 min", "20 min", "7 min"), TEXTS, strict=True))
OF_ONE = (directory(), best_of(WELL), listing(zip(TITLES, TEXTS, strict=True)))


def known(title: str, notes: str, **facts: object) -> Entry:
    return Entry(Episode(episode_id(SHOW, title), title, show=SHOW, guid=f"guid of {title}", **facts), notes)  # type: ignore[arg-type]


def outcomes(*pages: str, feeds: tuple[Entry, ...] = ()) -> list[tuple[str, str | None]]:
    return [(row.outcome, row.episode and row.episode.title) for row in placed(*pages, feeds=feeds)[1]]


def placed(*pages: str, feeds: tuple[Entry, ...] = ()) -> tuple[tuple[Entry, ...], tuple[Placed, ...]]:
    read = [read_page(text.encode(), f"page{n}.txt") for n, text in enumerate(pages)]
    return place(Catalogue(), Vocabulary(()), feeds, read, lambda text: ())


def episodes(entries: tuple[Entry, ...]) -> dict[str, Episode]:
    extractions = Extractor(()).extract(entries)
    return {e.title: e for e in build_graph(Vocabulary(()), Catalogue(), extractions).episodes}


@pytest.mark.slow
@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_every_episode_once_over_all_shapes_and_the_feed(order: tuple[int, ...]) -> None:
    feed = (known("How loops are wired", f"<p>{LOOPS[:100]}</p>"), known("Valves", VALVES, minutes=9, url="https://v"))
    entries, rows = placed(*(OF_ONE[n] for n in order), feeds=feed)
    found = episodes(entries)
    assert sorted(found) == sorted(TITLES)
    assert {row.outcome for row in rows} == {"new", "merged"}
    facts = {title: (e.published, e.minutes) for title, e in found.items()}
    days = ("2021-05-11", "2021-05-18", "2021-05-25", "2021-06-01")
    assert facts == {t: (day, m) for t, day, m in zip(TITLES, days, (14, 9, 20, 7), strict=True)}
    notes = [entry.notes for entry in entries]
    assert len(notes) == 4 and sum("rant" in n for n in notes) == 1  # the whole text wins, and stands once
    valves = found["Valves"]
    assert (valves.guid, valves.url, valves.id) == ("guid of Valves", "https://v", episode_id(SHOW, "Valves"))


def test_an_untitled_text_that_none_or_two_episodes_have_is_not_placed_and_no_episode() -> None:
    page = directory([(None, None, VALVES), (None, None, DESCALE)])
    (entries, rows), loops = placed(page, feeds=(known("Valves", VALVES),)), ("new", "How loops are wired")
    outcome = [(row.outcome, row.episode and row.episode.title) for row in rows]
    assert outcome == [loops, ("merged", "Valves"), ("not placed", None)]
    assert rows[1].evidence == (f"same text as in the feed of {SHOW}",)
    assert sorted(episodes(entries)) == ["How loops are wired", "Valves"]
    twice = outcomes(page, feeds=(known("Valves", VALVES), known("Valves again", VALVES)))
    assert twice == [loops, ("not placed", None), ("not placed", None)]


@pytest.mark.slow
def test_a_text_costs_no_links_of_feed_or_page_and_its_marks_are_text() -> None:
    feed = (known("Spouts", f"{SPOUTS[:70]} <a href='https://example.org/feed'>jugs</a>"),)
    page = best_of([("Spouts", "05/11/21", "14 min", f"{SPOUTS} https://example.org/page")])
    cut = listing([("Spouts", "Two https://example.org/2"), ("Chalk", DESCALE)])
    found = [*Extractor(()).extract(placed(page, cut, feeds=feed)[0])]
    assert {link.url[20:] for x in found for link in x.links} == {"feed", "page", "2"}
    said = "A <b>vector</b>&lt;int> & more of <p>it."
    (extraction,) = Extractor(()).extract(placed(best_of([("Spouts", "05/11/21", "14 min", said)]))[0])
    assert extraction.text == said


def test_the_length_of_a_page_proves_a_slip_and_its_day_another_episode() -> None:
    feed = (known("Generators", "", minutes=9), known("Questions", "", published="2021-05-11"))
    page = best_of([("Genrators", "05/11/21", "10 min", SPOUTS), ("Questions", "05/12/23", "14 min", VALVES)])
    assert outcomes(page, feeds=feed) == [("merged", "Generators"), ("new", "Questions")]


def test_a_show_by_another_name_is_known_by_its_titles_and_posts_are_posts() -> None:
    feed = tuple(known(title, text) for title, text in zip(TITLES, TEXTS, strict=True))
    renamed = listing(zip(TITLES, TEXTS, strict=True), show="Kettle Hour (podcast)")
    assert [outcome for outcome, _ in outcomes(renamed, feeds=feed)] == ["merged"] * 4
    entries = placed(blog([("Valves", (VALVES,))], name=SHOW), OF_ONE[1])[0]
    assert sorted(e.episode.kind for e in entries if e.episode.title == "Valves") == ["episode", "post"]


@pytest.mark.slow
@pytest.mark.parametrize("longest", [10_000, 180])
def test_descriptions_in_other_words_find_their_episodes_and_none_a_wrong_one(longest: int) -> None:
    told, mentions = catalogue(), Extractor(vocabulary().concepts).mentions
    show = told.episodes[0].show
    lines = [line.split(" ", 1) for line in OWN_WORDS.read_text("utf-8").splitlines()]
    texts = [text if len(text) < longest else f"{text[:longest].rsplit(' ', 1)[0]} ..." for _, text in lines]
    text = directory([(None, None, t) for t in texts], focus=(told.episodes[0].title, LOOPS), show=show)
    page = read_page(text.encode(), "page.txt")
    rows = place(told, vocabulary(), (), [page], mentions)[1][1:]
    assert len(rows) == len(lines)
    found = [(n, row.episode, row.evidence) for (n, _), row in zip(lines, rows, strict=True) if row.episode]
    assert not [row for row in found if str(row[1].number) != row[0]]
    assert len(found) >= 0.9 * sum(n != "-" for n, _ in lines)
    assert all(row.evidence and "margin" in row.evidence[-1] for row in rows if row.episode)


@pytest.mark.slow
def test_an_episode_with_a_text_from_another_page_may_still_be_an_untitled_entry() -> None:
    told, mentions = catalogue(), Extractor(vocabulary().concepts).mentions
    number, text = OWN_WORDS.read_text("utf-8").splitlines()[3].split(" ", 1)
    episode = next(e for e in told.episodes if str(e.number) == number)
    titled = listing([(episode.title, "Cut short."), ("Tea", DESCALE)], show=episode.show)
    bare = directory([(None, None, text), (None, None, VALVES)], focus=("Tea", DESCALE), show=episode.show)
    pages = [read_page(page.encode(), "page.txt") for page in (titled, bare)]
    rows = place(told, vocabulary(), (), pages, mentions)[1]
    assert [row.episode and row.episode.title for row in rows if row.entry.text == text] == [episode.title]
