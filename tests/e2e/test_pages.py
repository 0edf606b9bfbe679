"""The pages in a real browser: search, states that outlive navigation, what is read off them, phones, and files."""

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import feedparser
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page, expect

from tests.e2e.conftest import DESK, LAPTOP, PHONE, See, box, on_one_line
from tests.screen import CHOOSE, DRAWN, IDLE, opened, soon
from torchatlas.ui.plans import FORMATS

pytestmark = pytest.mark.browser
LOOKED_AT = {
    "light": (
        "/?node=autograd", "/episode", "/episode?episode=show-view", "/path", "/path?goal=autograd", "/cypher",
        "/cypher?question=before&v.concept=view", "/path?goal=view&goal=tracing&budget=30&quiz=on&play=show-view",
        "/sources",
    ),
    "dark": (
        "/?path=view", "/?node=show-view&radius=1", "/episode?episode=show-view", "/path?goal=view&quiz=on", "/cypher",
        "/sources", "/cypher?question=before&v.concept=view&play=show-view",
    ),
}  # fmt: skip
TAKEN_ALONG = "/path?goal=view&picture=map"
NARROW = ("/?node=autograd", "/?show=episodes&order=time", TAKEN_ALONG)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_checker_of_accessibility_finds_nothing_serious(page: Page, see: See, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    found: list[tuple[str, str, str]] = []
    for path in (*LOOKED_AT[scheme], *NARROW):
        page.set_viewport_size(PHONE if path in NARROW else DESK)
        see(path, drawn=path.startswith("/?"))
        if path == TAKEN_ALONG:
            page.get_by_role("button", name="Export").click()
            expect(page.get_by_text("one a day")).to_be_visible()
            expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=30_000)
        for violation in Axe().run(page).response["violations"]:
            if violation["impact"] in ("serious", "critical"):
                found += [(path, violation["id"], node["html"]) for node in violation["nodes"]]
        levels = page.locator("h1, h2, h3, h4, h5, h6").evaluate_all("found => found.map(h => Number(h.tagName[1]))")
        assert levels.count(1) == 1 and all(b - a <= 1 for a, b in pairwise(levels)), (path, levels)
    assert not found


def test_the_search_is_a_key_away_and_knows_other_names(page: Page, see: See) -> None:
    see("/cypher", drawn=False)
    search = page.get_by_role("combobox", name="Search")
    expect(search).to_be_visible()
    page.wait_for_selector("[data-keys]", state="attached")
    page.locator("h1").click()
    page.keyboard.press("/")
    expect(search).to_be_focused()
    page.keyboard.type("taping")
    expect(page.get_by_role("option", name="autograd idea · taping")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/\?node=autograd$"))
    expect(page).to_have_title("autograd idea · torchatlas")


def test_what_is_new_in_feeds_is_listed_until_it_is_seen(see: See, home: Path) -> None:
    (home / "news.toml").write_text('since = "2026-11-27"\nepisodes = ["show-view", "gone"]\n')
    page = see().page
    page.get_by_text("1 new since 27 Nov 2026").click()
    expect(page.get_by_role("link", name="On view · episode")).to_be_visible()
    page.get_by_role("button", name="Seen").click()
    expect(page.get_by_text("new since")).to_have_count(0)


def test_what_is_typed_into_find_is_searched_for_and_stays_until_the_next_words_take_its_place(see: See) -> None:
    seen = see()
    page, find = seen.page, seen.page.get_by_label("Find")
    find.fill("What is autograd?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Found for")).to_be_visible()
    page.wait_for_selector(IDLE)
    expect(find).to_have_value("What is autograd?")
    chosen = "box => box.value.slice(box.selectionStart, box.selectionEnd)"
    find.blur()
    find.click()
    assert find.evaluate(chosen) == "What is autograd?"
    find.blur()
    page.keyboard.press("/")
    assert find.evaluate(chosen) == "What is autograd?"
    page.keyboard.type("how memory lies", delay=20)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Found for “how memory lies”")).to_be_visible()
    expect(find).to_have_value("how memory lies")
    see("/?find=What+is+autograd%3F")
    page.get_by_role("button", name="▶ #4 On autograd").click()
    seen.has(selected="show-autograd")


def test_a_question_draws_the_route_on_the_map_and_stays_out_of_the_address(see: See) -> None:
    seen = see()
    page, box = seen.page, seen.page.get_by_role("combobox", name="What do you want to understand?")
    page.wait_for_selector("[data-keys]", state="attached")
    page.keyboard.press("/")
    expect(box).to_be_focused()
    page.keyboard.type("why would functionalizations frobnicate")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="functionalization idea", exact=True).click()
    expect(page).to_have_url(re.compile(r"/\?path=functionalization$"))
    expect(seen.canvas).to_have_attribute("data-route", re.compile("show-functionalization$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("functionalization idea")
    page.get_by_role("button", name="Leave the route").click()
    expect(box).to_be_visible()
    see("/?node=view")
    page.get_by_role("button", name="Draw the route").click()  # runs the map's part of the page alone
    expect(page.get_by_role("heading", level=1)).to_have_text("__torch_function__")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_link_that_has_the_focus_is_framed(page: Page, see: See, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    see("/cypher", drawn=False)
    link = page.get_by_role("link", name="What does this rest on?")
    page.get_by_text("Schema: 5 kinds of nodes").focus()
    link.evaluate("link => link.focus({ focusVisible: true })")
    colour = {"light": "rgb(0, 114, 178)", "dark": "rgb(86, 180, 233)"}[scheme]
    expect(link).to_have_css("outline", f"{colour} solid 2px")


def test_the_links_above_lead_back_to_the_state_in_which_a_page_was_left(page: Page, see: See) -> None:
    see("/path?goal=autograd&depth=brief", drawn=False)
    expect(page).to_have_title("Path to autograd idea · torchatlas")
    page.get_by_role("link", name="Episodes", exact=True).click()
    expect(page.get_by_role("heading", name="Episodes", exact=True)).to_be_visible()
    path, explore = (page.get_by_role("link", name=name, exact=True) for name in ("Plan", "Map"))
    path.click()
    expect(page.get_by_role("heading", name="1 episode, 14 min")).to_be_visible()
    explore.click()
    page.locator(DRAWN).evaluate(CHOOSE, "view")
    expect(page).to_have_title("__torch_function__ · torchatlas")  # a choice runs a part of the page alone
    path.click()
    expect(explore).to_have_attribute("href", re.compile("node=view"))  # drawn for the other page
    explore.click()
    expect(page).to_have_url(re.compile(r"/\?node=view$"))
    expect(path).to_have_attribute("href", re.compile("goal=autograd"))
    path.click()
    expect(page).to_have_url(re.compile(r"/path\?goal=autograd&depth=brief$"))
    expect(page.get_by_role("heading", name="1 episode, 14 min")).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile(r"/\?node=view$"))


def test_a_link_within_a_page_writes_the_address(page: Page, see: See) -> None:
    see("/episode?episode=show-view", drawn=False)
    page.get_by_role("link", name="All episodes").click()
    expect(page).to_have_url(re.compile(r"/episode$"))
    page.get_by_role("link", name="#2 On strides").click()
    expect(page).to_have_url(re.compile(r"/episode\?episode=show-strides$"))
    expect(page.get_by_role("heading", name="On strides")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="On strides")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Episodes", exact=True)).to_be_visible()


def test_words_that_are_no_name_are_not_known(page: Page, see: See, home: Path) -> None:
    see("/path?goal=view", drawn=False)
    page.get_by_role("button", name="I know already").click()
    page.get_by_role("combobox", name="I know already").fill("zzz nothing of the kind")
    page.keyboard.press("Enter")
    expect(page.get_by_text("There is no “zzz nothing of the kind” in this graph")).to_be_visible()
    profile = home / "profile.toml"
    assert not profile.exists() or "zzz" not in profile.read_text("utf-8")


VIEW = "view size is not compatible with input tensor's size and stride"


def test_of_a_pasted_error_the_address_holds_the_known_message_alone(see: See) -> None:
    page = see("/path", drawn=False).page
    for pasted, told in (("KeyError: 'zzzz'", "no concept"), (f"E  {VIEW}\nat /home/zzzz", "strides idea")):
        page.wait_for_selector(IDLE)  # until then the box stands twice, below what was told and where it was
        page.get_by_label("I want to understand").fill(pasted)
        page.keyboard.press("Enter")
        expect(page.get_by_text(told).first).to_be_visible()
        assert "zzzz" not in page.url and ("goal=view+size" in page.url) == ("view" in pasted)


def test_a_row_opens_lights_and_becomes_a_plan(see: See) -> None:
    seen = see("/cypher?question=before&v.concept=view")
    page = seen.page
    expect(seen.canvas).to_have_count(1)
    seen.has(selected="view")  # what was asked about has a thicker rim
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    assert download.value.path().read_text("utf-8").startswith("id,name,steps,definition\n")
    expect(page.locator(".atlas-hint")).to_be_empty()
    page.get_by_test_id("stButtonGroup").get_by_text("Rows").click()
    page.get_by_test_id("stDataFrame").locator(".dvn-scroller").click(position={"x": 18, "y": 52})
    expect(page.get_by_role("link", name="Open strides idea")).to_be_visible()
    page.get_by_test_id("stButtonGroup").get_by_text("On the map").click()
    expect(page).to_have_url(re.compile("picture=map"))
    page.wait_for_selector(IDLE)  # a run says its address twice, and the next page would take it
    seen.has(lit="strides")
    page.get_by_role("link", name="Plan a path to it").click()
    expect(page).to_have_url(re.compile(r"/path\?goal=strides$"))
    page.go_back()
    expect(page.get_by_role("heading", name="2 rows")).to_be_visible()


def test_the_questions_of_the_cypher_page_follow_its_box_and_ctrl_enter_runs_the_text(page: Page, see: See) -> None:
    first, run = page.get_by_role("link", name="What does this rest on?"), page.get_by_role("button", name="Run")
    for size in (PHONE, DESK):
        page.set_viewport_size(size)
        see("/cypher", drawn=False)
        expect(first).to_be_visible()
        assert soon(page, lambda: 0 < box(first)["y"] - box(run)["y"] < 300)
    pattern = page.get_by_role("button", name="(:Episode|Resource)-[:TEACHES]->(:Concept)")
    expect(pattern).to_be_hidden()
    page.get_by_text("Schema: 5 kinds of nodes").click()
    pattern.click()
    written, plain = page.locator(".cm-content[aria-label=Cypher]"), page.get_by_role("textbox", name="Cypher")
    expect(written).to_contain_text("TEACHES")
    see("/cypher", drawn=False)
    written.fill("MATCH (c:Concept {id: 'view'}) RETURN c.id AS id, c.na")
    written.press("End")
    written.press("Control+ ")
    page.get_by_role("option", name="name", exact=False).first.click()
    written.press_sequentially(" AS a/b")  # "/" does not leave for the search
    written.press("Backspace")
    written.press("Backspace")
    written.press("Control+Enter")
    expect(page.get_by_role("heading", name="1 row")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/cypher\?text=MATCH"))
    see("/cypher", drawn=False)
    earlier = page.get_by_label("Earlier queries")
    assert box(earlier)["y"] + box(earlier)["height"] <= box(written.locator(".cm-line").first)["y"]
    earlier.select_option(index=1)
    expect(written).to_have_text("MATCH (c:Concept {id: 'view'}) RETURN c.id AS id, c.name AS a")
    page.go_back()
    page.route("**/codemirror.js", lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("heading", name="1 row")).to_be_visible()
    expect(plain).to_have_value(re.compile("c.name AS a$"))  # the plain box is left


def test_a_picture_too_large_for_its_frame_begins_readable(page: Page, see: See) -> None:
    page.set_viewport_size(PHONE)
    seen = see("/cypher?text=MATCH (c:Concept) RETURN c.id AS id&picture=relations")
    assert seen.scale() >= 0.85
    expect(page.locator(".atlas-hint")).to_contain_text("larger than its frame")
    page.get_by_role("button", name="Show everything").click()
    assert soon(page, lambda: seen.scale() < 0.5)


SHIFTS = """window.shifts = 0;
new PerformanceObserver(list => list.getEntries().forEach(e => window.shifts += e.hadRecentInput ? 0 : e.value))
    .observe({ type: "layout-shift", buffered: true });"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, LAPTOP, DESK], ids=["phone", "laptop", "desk"])
def test_what_stands_on_a_page_that_opens_does_not_move(browser: Browser, address: str, size: Any) -> None:
    for path in ("/", "/?path=autograd", "/?node=autograd", *LOOKED_AT["light"][1:7], TAKEN_ALONG):
        with browser.new_page(viewport=size) as page:  # with a memory of its own
            page.add_init_script(SHIFTS)
            opened(page, address + path, drawn=path.startswith("/?"))
            assert page.evaluate("window.shifts") < 0.1, path


def test_a_plan_is_taken_along_in_each_format(page: Page, see: See, tmp_path: Path) -> None:
    see("/path?goal=view", drawn=False)
    buttons = [page.get_by_role("button", name=name) for name in ("Quiz me", "Export")]
    goal = page.get_by_role("combobox", name="I want to understand")
    choices = [page.get_by_role("button", name=name) for name in ("Usual, no limit", "I know already")]
    assert on_one_line(*buttons) and on_one_line(goal, *choices)
    buttons[1].click()
    for part, typed in (("year", "2030"), ("month", "12"), ("day", "01")):
        page.get_by_role("spinbutton", name=f"{part}, The calendar begins on").click()
        page.keyboard.type(typed)
    page.keyboard.press("Enter")
    page.get_by_text("one a day").click()  # the calendar closes: it may lie on the buttons
    expect(page.get_by_text("3 sessions, one a day, until 2030-12-03.")).to_be_visible()
    page.wait_for_selector(IDLE)  # the buttons of the run before are without their files
    for name, kind in FORMATS.items():
        with page.expect_download() as download:
            page.get_by_role("button", name=kind.label, exact=True).click()
        assert download.value.suggested_filename == f"listening-path{kind.endings[0]}"
        download.value.save_as(tmp_path / name)
    feed = feedparser.parse((tmp_path / "rss").read_bytes())
    assert [e.enclosures[0].href for e in feed.entries] == [f"https://example.org/{n}.mp3" for n in (1, 2, 3)]
    days = re.findall(rb"DTSTART;VALUE=DATE:(\d+)\r\n", (tmp_path / "ics").read_bytes())
    assert days == [b"20301201", b"20301202", b"20301203"]


ENDS = """texts => texts.map(text => {  // where words end, whatever is the width of what they stand in
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getBoundingClientRect().right;
})"""


def test_times_stand_in_a_column(page: Page, see: See) -> None:
    see("/episode", drawn=False)
    times = page.locator("[class*=st-key-episode_row_] em:first-child")
    expect(times).to_have_count(12)
    assert soon(page, lambda: in_a_column(times))
    see("/episode?episode=show-tensor", drawn=False)
    lessons = page.locator("[class*=st-key-lesson_] :is(a, button) p").filter(has_text=re.compile(r"^\d+:\d\d$"))
    assert soon(page, lambda: in_a_column(lessons))
    page.set_viewport_size(PHONE)
    row = page.locator("[class*=st-key-lesson_]").first
    expect(row).to_be_visible()
    assert soon(page, lambda: box(row)["height"] < 40)  # a name and its time on one line


def in_a_column(texts: Locator) -> bool:
    """Whether texts end at one place; what is not drawn counts for nothing."""
    ends = [end for end in texts.evaluate_all(ENDS) if end]
    return len(ends) > 1 and max(ends) - min(ends) <= 1


ROWS = """above => {  // how many rows of something to press or to type in stand above a part of the page
    const end = document.querySelector(above).getBoundingClientRect().top;
    const controls = [...document.querySelectorAll("[data-testid=stMain] :is(a, input, button)")];
    const boxes = controls.map(e => e.getBoundingClientRect()).filter(b => b.width && b.height && b.bottom <= end);
    const middles = boxes.map(b => (b.top + b.bottom) / 2).sort((a, b) => a - b);
    return middles.filter((y, i) => !i || y - middles[i - 1] > 20).length;
}"""


def test_on_a_phone_few_controls_stand_above_the_map_and_the_plan_and_nothing_beside_them(page: Page, see: See) -> None:
    page.set_viewport_size(PHONE)
    fits = "main => main.scrollWidth <= main.clientWidth"
    see("/?show=episodes")
    assert page.evaluate(ROWS, ".st-key-explore") <= 2
    expect(page.get_by_label("Area")).to_be_hidden()
    page.get_by_text("Filters (1)").click()
    expect(page.get_by_label("Area")).to_be_visible()
    page.get_by_text("All", exact=True).click()
    expect(page.get_by_text("Filters (1)")).to_be_visible()
    assert page.get_by_test_id("stMain").evaluate(fits)
    see("/path?goal=view", drawn=False)
    expect(page.locator(".st-key-step_1")).to_be_visible()
    assert page.evaluate(ROWS, ".st-key-step_1") <= 5
    page.get_by_role("button", name="Usual, no limit").click()
    page.get_by_text("30 min", exact=True).click()
    expect(page.get_by_role("button", name="Usual, 30 min")).to_be_visible()
    see("/episode", drawn=False)
    expect(page.get_by_label("Area")).to_be_hidden()
    page.set_viewport_size(LAPTOP)
    expect(page.get_by_label("Area")).to_be_visible()
    expect(page.get_by_text("Filters")).to_be_hidden()
