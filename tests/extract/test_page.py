"""Saved pages: what is on them, in any language and encoding, and nothing of what stands around it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pages import (
    BEST,
    DESCALE,
    LANGUAGES,
    LISTED,
    LOOPS,
    SHOW,
    SPOUTS,
    VALVES,
    best_of,
    best_of_html,
    blog,
    directory,
    directory_html,
    listing,
)
from torchatlas.extract.pages import Page, read_page
from torchatlas.graph.errors import SourceError


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
def test_avatars_that_stand_above_their_entries(language: str) -> None:
    chrome = LANGUAGES[language]
    for listed in ([*LISTED], [*LISTED[1:], LISTED[0]], [*LISTED[1:]]):
        below = read(directory(listed, chrome)).entries
        assert [e.text for e in below][1:] == [text.removesuffix(" ...").strip() for *_, text in listed]
        assert read(directory(listed, chrome, above=True)).entries == below


def test_the_episodes_of_another_show_on_the_page_are_not_its_own() -> None:
    promoted = directory([("Buy my teapot", "45:03", "A promoted episode about teapots, which is not of this show.")])
    block = promoted.split("83 episodes")[1].split("Welcome")[0].replace(SHOW, "Teapots Today")
    page = directory().replace("83 episodes\n", f"83 episodes\n{block}")
    assert read(page).entries == read(directory()).entries


def test_a_page_saved_as_html_has_the_addresses_behind_its_links() -> None:
    first, *rest = read(directory_html()).entries
    assert (first.title, rest[0].title, rest[0].minutes) == ("How loops are wired", "How loops are wired", 14)
    assert rest[0].url == "https://player.example/e/0"
    assert "(a picture) ( https://example.org/loops )" in rest[0].text and "https://example.org/guide" in rest[0].text
    assert [(e.title, e.text) for e in rest[1:]] == [(None, VALVES), (None, SPOUTS[:70].strip())]


@pytest.mark.parametrize("markup", [best_of, best_of_html])
def test_a_best_of_page(markup: Callable[..., str]) -> None:
    page = read(markup(BEST))
    assert page.shape == "best-of page"
    loops, spouts = page.entries
    assert (loops.title, loops.show, loops.published, loops.minutes) == ("How loops are wired", SHOW, "2021-05-11", 14)
    assert loops.text == LOOPS
    assert (spouts.published, spouts.minutes) == ("2022-12-04", 65)
    assert "https://example.org/jugs" in spouts.text and "83" not in spouts.text and "FAQ" not in spouts.text


def test_an_avatar_that_touches_the_shows_name_still_ends_an_episode() -> None:
    markup = directory_html()
    avatar = f"<div>{SHOW[0]}</div><div><a href='/series'>{SHOW}</a></div>"
    assert avatar in markup
    joined = markup.replace(avatar, f"<div><span>{SHOW[0]}</span><a href='/series'>{SHOW}</a></div>")
    assert read(joined).entries == read(markup).entries


def test_an_address_that_several_episodes_have_is_the_shows() -> None:
    markup = best_of_html(BEST)
    own, shared = read(markup), read(markup.replace("best.example/1", "best.example/0"))
    assert [e.url for e in own.entries] == ["https://best.example/0", "https://best.example/1"]
    assert [e.url for e in shared.entries] == [None, None]


@pytest.mark.parametrize("first", ["On chalk", "What nobody told me about chalk in kettles, and why?"])
def test_a_blogs_index(first: str) -> None:
    posts = [
        (first, (DESCALE, "image", "More of it follows.")),
        ("Spouts", (SPOUTS,)),
        ("Why?", ("Because of valves.",)),
    ]
    page = read(blog(posts))
    assert page.shape == "blog index"
    assert [e.title for e in page.entries] == [first, "Spouts", "Why?"]
    assert {(e.kind, e.show) for e in page.entries} == {("post", "Limescale")}
    assert page.entries[0].text == f"{DESCALE}\nMore of it follows."


def test_a_blogs_index_as_html_has_the_posts_addresses() -> None:
    markup = (
        "<html><head><title>Kettles - Limescale</title></head><body><h1>Limescale</h1><h2>Kettles</h2>"
        f"<h3><a href='https://blog.example/chalk'>On chalk</a></h3><p>{DESCALE}</p>"
        "<a href='https://blog.example/chalk#more'>Read more…</a></body></html>"
    )
    (post,) = read(markup).entries
    assert (post.title, post.url) == ("On chalk", "https://blog.example/chalk")
    assert (post.show, post.text) == ("Limescale", DESCALE)


@pytest.mark.parametrize(
    ("language", "encoding"),
    [("Hebrew", "utf-8-sig"), ("Arabic", "utf-16"), ("Japanese", "shift_jis"), ("German", "cp1252")],
)
def test_any_encoding(language: str, encoding: str) -> None:
    page = read_page(directory(chrome=LANGUAGES[language]).encode(encoding), "page.txt")
    assert [e.title for e in page.entries][:2] == ["How loops are wired"] * 2 and page.entries[2].text == VALVES


def test_a_stray_byte_costs_one_letter() -> None:
    document = directory(chrome=LANGUAGES["Japanese"]).encode().replace(b"valves", b"valv\xe9s")
    assert read_page(document, "page.txt").entries[2].text == VALVES.replace("valves", "valvés")


def test_a_page_written_as_xml_is_no_feed() -> None:
    page = (
        f"<?xml version='1.0'?><!DOCTYPE html><html><p>{SHOW}</p><p>1) Spouts</p><p>a</p><p>2) Loops</p><p>b</p></html>"
    )
    assert [e.title for e in read(page).entries] == ["Spouts", "Loops"]
    with pytest.raises(SourceError, match="torchatlas add"):
        read("<?xml version='1.0'?> <!-- made by hand -->\n<rss version='2.0'><p>1) a</p></rss>")


def test_html_in_the_encoding_that_it_declares() -> None:
    markup = directory_html().replace("<head>", "<head><meta charset='iso-8859-2'>").replace("valves", "pompą")
    page = read_page(markup.encode("iso-8859-2"), "page.html")
    assert "pompą" in page.entries[2].text


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (b"", "expected a directory's episode page"),
        (b"T\nRead more...", "expected a directory's episode page"),
        (b"Just a letter to a friend.\nNothing else.\n", "a numbered listing, or a blog's index"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "is no text"),
        (b"<?xml version='1.0'?><rss><channel></channel></rss>", "use: torchatlas add page.txt"),
        (b"<html>" + b"<div>" * 6000, "nested deeper"),
    ],
)
def test_what_is_no_page_is_one_clear_line(document: bytes, said: str) -> None:
    with pytest.raises(SourceError) as error:
        read_page(document, "page.txt")
    assert said in str(error.value) and "page.txt" in str(error.value) and "\n" not in str(error.value)


@given(st.lists(st.sampled_from([*directory().split("\n"), *best_of(BEST).split("\n"), "<p>", "1) x", "Read more..."])))
def test_lines_in_any_order_are_read_or_refused(lines: list[str]) -> None:
    try:
        page = read("\n".join(lines))
    except SourceError:
        return
    assert page.entries and all(e.title or e.text for e in page.entries)


def test_a_text_that_holds_another_entrys_whole_text_is_cut() -> None:
    listed = [("Spouts", "9:30", f"{VALVES}\nOwn words."), ("Loops", "9:30", f"Own words.\n{DESCALE}")]
    page = read(directory([*listed, (None, None, VALVES), (None, None, DESCALE)]))
    assert [e.text for e in page.entries][1:] == ["Own words.", "Own words.", VALVES, DESCALE]
