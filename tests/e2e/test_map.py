"""The map in a real browser: drawing, choosing, the route, what is named, keys, fingers, and what a choice costs."""

import json
import re
import struct
from collections.abc import Iterator
from dataclasses import asdict
from math import dist
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.atlas import placed, stored
from tests.e2e.conftest import DESK, LAPTOP, PHONE, Map, See, blameless, box, on_one_line
from tests.screen import CHOOSE, DRAWN, IDLE, opened, served, soon
from tests.ui.web.test_server import contrast, rgb
from torchatlas.atlas import Atlas
from torchatlas.graph.model import Concept, Requires, Snapshot
from torchatlas.settings import load_settings
from torchatlas.shipped import first_goals
from torchatlas.ui.pictures import lit, route_state

pytestmark = pytest.mark.browser
EMPTY = """[["x", host.clientWidth], ["y", host.clientHeight]].map(([axis, size]) => {
    const ends = s.picture.nodes.map(n => (n[axis] - net.getViewPosition()[axis]) * net.getScale() + size / 2);
    return [Math.min(...ends), size - Math.max(...ends)];
})"""
"""Pixels of the frame before and after the map, sideways and downwards."""
WRITTEN = """async (host) => {  // the words of the picture that is saved
    const { paintedFile } = await import("/atlas/map.js"), paper = CanvasRenderingContext2D.prototype;
    const { fillText } = paper;
    const written = [];
    paper.fillText = function (text, ...at) { written.push(text); return fillText.call(this, text, ...at); };
    paintedFile(host._atlas);
    paper.fillText = fillText;
    return written;
}"""
DOTS = """(host, scale) => {  // dots drawn at a scale, how often the paper's state is kept, and all dots
    const { net, picture } = host._atlas, paper = CanvasRenderingContext2D.prototype, was = {}, calls = {};
    net.moveTo({ position: picture.nodes[0], scale, animation: false });
    for (const name of ["arc", "rect", "save"]) {
        was[name] = paper[name];
        calls[name] = 0;
        paper[name] = function (...at) { calls[name]++; return was[name].apply(this, at); };
    }
    net.redraw();
    Object.assign(paper, was);
    return [calls.arc + calls.rect, calls.save, picture.nodes.length];
}"""
PLACES = """([members, nodes]) => import("/atlas/map.js").then(({ areaPlaces }) => {
    const own = new Set(members.map(n => `${n.x} ${n.y}`));  // what is passed is copied; the two lists share their dots
    const all = nodes.map(n => ({...n}));
    return areaPlaces(all.filter(n => own.has(`${n.x} ${n.y}`)), all);
})"""
BRIDGES = """members => import("/atlas/map.js").then(({ bridgesOf }) =>
    bridgesOf(members).map(p => p.map(n => n.x)))"""
FADED = """host => import("/atlas/map.js").then(({ strength }) => {
    const s = host._atlas, faded = s.picture.nodes.find(n => !s.lit.has(n.id));
    return [s.theme, strength(s, faded)];
})"""


def test_a_click_on_the_canvas_selects_moves_nothing_and_back_undoes_it(see: See) -> None:
    seen = see()
    page, before = seen.page, (seen.at("dispatcher"), seen.scale())
    seen.click("autograd")
    seen.has(selected="autograd")
    expect(page).to_have_url(re.compile(r"\?node=autograd$"))
    expect(page.get_by_role("heading", name="autograd idea")).to_be_visible()
    expect(page.get_by_text("main subject, explained at 4:26")).to_be_visible()
    assert (seen.at("dispatcher"), seen.scale()) == before
    seen.click("show-view")
    seen.has(selected="show-view")
    expect(page.get_by_text("Related episodes")).to_be_visible()
    page.go_back()
    seen.has(selected="autograd")
    page.go_back()
    seen.has(selected="")
    expect(page.get_by_text("How to read the map")).to_be_visible()


def test_a_click_on_a_name_chooses_it_and_the_wheel_zooms_the_map_that_has_the_focus(see: See) -> None:
    seen = see()
    seen.hover((5, 5))
    before = seen.scale()
    seen.page.mouse.wheel(0, -300)  # scrolls the page: the map has not been turned to
    left, top, right, bottom = seen.js("s.labels.find(({ id }) => id === 'autograd').box")
    middle = {"x": (left + right) / 2 / before, "y": (top + bottom) / 2 / before}
    place = seen.js("net.canvasToDOM(given)", middle)
    seen.click((place["x"], place["y"]))
    seen.has(selected="autograd")
    assert seen.scale() == before
    seen.page.mouse.wheel(0, -300)
    assert soon(seen.page, lambda: seen.scale() > before)


def test_the_map_can_be_walked_with_keys_and_follows(see: See) -> None:
    seen = see("/?node=strides")
    seen.has(selected="strides")
    keys = seen.page.keyboard
    seen.canvas.focus()
    keys.press("]")
    expect(seen.page.locator(".atlas-status")).to_contain_text("__torch_function__")
    keys.press("Enter")
    seen.has(selected="view")
    keys.press("Home")
    keys.press("Escape")
    seen.has(selected="")
    assert seen.canvas.evaluate(CHOOSE, "strides")["selected"] == "strides"
    keys.press("+")
    seen.js("net.moveTo({scale: 3})")
    for key, ahead in (("ArrowRight", "b.x > a.x"), ("ArrowUp", "b.y < a.y"), ("ArrowLeft", "b.x < a.x")):
        before = seen.js("s.cursor || s.selected")
        keys.press(key)
        after = seen.js("s.cursor || s.selected")
        assert seen.js(f"(([a, b]) => a === b || {ahead})(given.map(id => s.node.get(id)))", [before, after])
        (x, y), (width, height) = seen.at(after), seen.js("[host.clientWidth, host.clientHeight]")
        assert 0 <= x <= width and 0 <= y <= height
    assert seen.canvas.evaluate(CHOOSE, "view")["selected"] == "view"
    keys.press("Escape")  # before the page has answered
    seen.has(selected="")
    expect(seen.page).not_to_have_url(re.compile("node="))


def test_another_theme_and_a_reload_keep_zoom_and_place(see: See) -> None:
    seen = see()
    seen.js("[s.mark = 1, net.moveTo({ scale: 0.5, position: { x: 10, y: 20 } })]")
    seen.page.emulate_media(color_scheme="dark")
    seen.has(theme="dark")
    view = "[net.getScale(), net.getViewPosition().x]"
    assert seen.js("s.mark") == 1 and seen.js(view) == [0.5, 10]
    seen.page.reload()
    seen.page.wait_for_selector(DRAWN)
    assert seen.js(view) == [0.5, 10]
    assert see("/?node=view").js(view) != [0.5, 10]  # another choice is looked for anew


def test_the_route_is_drawn_in_the_order_of_the_plan_and_a_step_and_its_stop_point_at_each_other(see: See) -> None:
    seen = see("/?path=view")
    page = seen.page
    seen.has(route="show-tensor show-strides show-view")
    expect(page.get_by_text("3 episodes, 36 min")).to_be_visible()
    assert seen.js("s.discs.map(({ n }) => n)") == [1, 2, 3] and set(seen.words("route")) <= set(seen.words("labels"))
    for above, below in seen.js(EMPTY):
        assert abs(above - below) <= 40, "a map smaller than the frame stands in its middle"
    rows = page.locator('[class*="st-key-step_"]')
    for place, title in enumerate(("On tensor", "On strides", "On view")):
        expect(rows.nth(place)).to_contain_text(title)
    page.locator(".st-key-step_2").hover()
    seen.has(pulsed="2")
    stop = seen.js("net.canvasToDOM({ x: s.discs[2].x / net.getScale(), y: s.discs[2].y / net.getScale() })")
    seen.hover((stop["x"], stop["y"]))
    expect(page.locator(".st-key-step_3.atlas-pointed")).to_be_visible()
    seen.has(pulsed="3")


def test_no_two_stops_touch_however_far_one_looks(see: See) -> None:
    seen = see("/?path=aotautograd")
    for scale in (0.02, 0.1, 1):
        seen.js("[net.moveTo({ scale: given }), net.redraw()]", scale)
        seen.page.wait_for_timeout(100)
        discs = seen.js("s.discs.map(({ x, y }) => [x, y])")
        assert len(discs) == 8
        pairs = [(one, other) for i, one in enumerate(discs) for other in discs[:i]]
        assert all((a - c) ** 2 + (b - d) ** 2 >= 22**2 for (a, b), (c, d) in pairs)


def test_a_choice_is_lit_at_once_and_sends_less_than_30_kb(page: Page, see: See) -> None:
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    pictures: list[str] = []
    page.on("request", lambda request: pictures.append(request.url) if "/atlas/pictures/" in request.url else None)
    seen = see()
    for node, name in (("autograd", "autograd idea"), ("show-view", "On view")):
        received.clear()
        lit = set(seen.canvas.evaluate(CHOOSE, node)["lit"].split())
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        page.wait_for_selector(IDLE)
        told = set(seen.words("lit"))  # the program has the last word: it knows more related episodes than lines
        assert {node} < lit <= told and (node != "autograd" or lit == told)
        assert 0 < sum(received) < 30_000
    assert len(pictures) == 1


def test_the_legend_names_what_is_in_view_hides_and_shows_it(see: See) -> None:
    seen = see("/?node=view")
    page = seen.page
    legend, tools = (page.locator(f".atlas-{part}") for part in ("legend", "tools"))
    named = ["●concept", "■episode", "needs first", "leads to", "explained in"]
    expect(legend.get_by_role("button")).to_have_text(named)
    legend.get_by_role("button", name="episode").click()
    expect(legend.get_by_role("button", name="episode")).to_have_attribute("aria-pressed", "false")
    expect(seen.canvas).not_to_have_attribute("data-labels", re.compile("show-"))
    legend.get_by_role("button", name="episode").click()
    expect(seen.canvas).to_have_attribute("data-labels", re.compile("show-view"))
    assert {"needs first", "leads to"} <= set(seen.canvas.evaluate(WRITTEN))
    for size in (DESK, LAPTOP):
        page.set_viewport_size(size)
        assert soon(page, lambda: box(legend)["height"] < 40)  # one row, which leaves room for the buttons
        one, other = box(legend), box(tools)
        assert one["x"] + one["width"] < other["x"] or other["y"] + other["height"] < one["y"]
    see("/?path=view")
    expect(legend.get_by_role("button", name="route")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_faded_is_still_seen_and_told_from_what_is_lit(page: Page, see: See, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    theme, alpha = see("/?node=view").canvas.evaluate(FADED)
    for kind in ("concept", "episode"):
        ground, full = (rgb(theme[name]) for name in ("ground", kind))
        red, green, blue = (alpha * a + (1 - alpha) * b for a, b in zip(full, ground, strict=True))
        faded = contrast((red, green, blue), ground)
        assert faded > 1.6 and contrast(full, ground) > 2 * faded


def test_a_tooltip_goes_with_a_click_and_with_the_pointer_and_the_map_stands_as_a_list_too(see: See) -> None:
    seen = see()
    tip = seen.page.locator(".atlas-tip")
    seen.hover("view")
    expect(tip).to_contain_text("__torch_function__")
    seen.page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    seen.hover("view")
    expect(tip).to_be_visible()
    seen.click("view")
    expect(tip).to_be_hidden()
    seen.page.get_by_text("As a list").click()
    seen.page.locator(".atlas-list").get_by_role("button", name="autograd idea", exact=True).click()
    seen.has(selected="autograd")


def test_the_picture_is_saved_at_twice_the_size(see: See, tmp_path: Path) -> None:
    seen = see("/?path=view")
    with seen.page.expect_download() as download:
        seen.page.get_by_role("button", name="Save as a picture").click()
    download.value.save_as(tmp_path / "map.png")
    head = (tmp_path / "map.png").read_bytes()[:24]
    wide, high = struct.unpack(">II", head[16:24])
    width, height = seen.js("[host.clientWidth, host.clientHeight]")
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and wide == 2 * width and high > 2 * height
    seen.page.get_by_role("button", name="Share").click()
    for label, begin in ("A page in one file", b"<!doctype html>"), ("A picture of the map", head):
        with seen.page.expect_download() as download:
            seen.page.get_by_role("button", name=label).click()
        assert download.value.path().read_bytes().startswith(begin)


def test_the_dots_in_the_frame_are_drawn_in_one_pass(see: See) -> None:
    canvas = see("/?show=all").canvas
    drawn, kept, there = canvas.evaluate(DOTS, 0.02)
    assert drawn == there > kept
    drawn, _, there = canvas.evaluate(DOTS, 4)
    assert 0 < drawn < there


def test_a_neighbourhood_names_all(see: See) -> None:
    seen = see("/?node=view&radius=1")
    ids = seen.js("s.picture.nodes.map(n => n.id)")
    assert set(seen.words("labels")) == set(ids) >= {"view", "strides", "autograd", "show-view"}


def test_an_area_is_named_at_its_own_densest_part(see: See) -> None:
    page = see().page
    row = [{"x": x, "y": 0} for x in range(0, 240, 60)]
    other = [{"x": x, "y": -900} for x in range(0, 180, 60)]
    stray = {"x": 60, "y": -960}  # another area's dots lie between it and its own
    places = page.evaluate(PLACES, [[*row, stray], [*row, *other, stray]])
    assert places and all(abs(place["y"]) < 60 and place["x"] == 90 for place in places)
    lonely = {"x": 90, "y": 1}
    assert page.evaluate(PLACES, [[lonely], [lonely, *row]]), "an area of one dot has a name too"
    bridges = page.evaluate(BRIDGES, [*row, {"x": 90, "y": 250}, {"x": 90, "y": 900}])
    found = sorted(tuple(sorted(pair)) for pair in bridges)
    assert found == [(0, 60), (60, 90), (60, 120), (90, 120), (120, 180)], "neighbours have one ground, and no others"


def drag(page: Page, moves: list[list[tuple[float, float]]]) -> None:
    """Put fingers on the screen, move them from place to place, and take them away."""
    session = page.context.new_cdp_session(page)
    for step, places in enumerate(moves):
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": "touchMove" if step else "touchStart", "touchPoints": points})
        page.wait_for_timeout(16)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_timeout(600)


def test_one_finger_scrolls_the_page_and_a_tap_takes_the_nearest(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 700}, has_touch=True, is_mobile=True)
    page = context.new_page()
    opened(page, address)
    seen = Map(page)
    assert seen.canvas.locator("canvas").evaluate("part => getComputedStyle(part).touchAction") == "pan-x pan-y"
    before = seen.js("net.getViewPosition()")
    x, y = box(seen.canvas)["x"] + 150, box(seen.canvas)["y"] + 200
    drag(page, [[(x, y - 10 * step)] for step in range(12)])
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") > 60
    assert seen.js("net.getViewPosition()") == before
    scale, top = seen.scale(), box(seen.canvas)
    drag(page, [[(x - 30 - 5 * step, 300), (x + 30 + 5 * step, 300)] for step in range(12)])
    assert seen.scale() > 1.5 * scale and box(seen.canvas) == top
    seen.js("net.moveTo({ scale: 1.5, position: s.node.get('autograd') })")
    x, y = seen.at("autograd")
    seen.canvas.tap(position={"x": x + 15, "y": y + 12})
    seen.has(selected="autograd")
    expect(page.get_by_role("heading", name="autograd idea")).to_be_in_viewport()
    context.close()


ABOVE = """() => {
    const late = document.createElement("div");
    late.style.height = "60px";
    document.querySelector(".st-key-explore").before(late);
}"""


def test_the_map_takes_the_room_that_is_left_until_somebody_turns_to_it(see: See) -> None:
    seen = see()
    page, look = seen.page, "[host.clientHeight, net.getScale(), net.getViewPosition()]"
    page.set_viewport_size({"width": 1400, "height": 1100})
    assert soon(page, lambda: seen.js(look)[0] > 600)
    boxes = [page.locator(".st-key-search_box"), page.get_by_test_id("stButtonGroup").first]
    assert on_one_line(*(part.get_by_test_id("stWidgetLabel") for part in boxes)), "the controls above stand in a row"
    assert on_one_line(boxes[0].locator("input"), boxes[1].locator("button").first)
    before = seen.js(look)
    page.evaluate(ABOVE)  # a part of the page that was loaded late
    assert soon(page, lambda: 60 <= before[0] - seen.js(look)[0] < 90)  # and the gap around it
    seen.click((3, 3))
    turned_to = seen.js(look)
    page.evaluate(ABOVE)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert seen.js(look) == turned_to
    page.set_viewport_size({"width": 1400, "height": 1300})
    assert soon(page, lambda: seen.js(look)[0] > turned_to[0])


@pytest.mark.slow
def test_a_group_of_a_large_map_opens_in_its_place_by_a_click_and_by_a_key(browser: Browser, tmp_path) -> None:
    concepts = tuple(Concept(f"c{i}", f"concept {i}", area=f"Area {i % 16}") for i in range(2400))
    needs = tuple(Requires(f"c{i}", f"c{i // 2}", need="hear", reason="made up") for i in range(1, 2400))
    graph = placed(Snapshot(concepts, requires=needs))
    with served(stored(tmp_path, graph)) as address, blameless(browser.new_page(), address) as page:
        opened(page, f"{address}/?show=all")
        seen = Map(page)
        (first, behind), (second, more), *_ = seen.js("s.order.filter(n => n.behind).map(n => [n.id, n.behind])")
        shown, grouped = "s.picture.nodes.length", "s.picture.nodes.filter(n => n.opened).length"
        hidden = 2400 - seen.js(shown)
        expect(page.get_by_text(f"{hidden:,} more are grouped")).to_be_visible()
        seen.js("net.moveTo({ scale: 4, position: s.node.get(given) })", first)
        seen.click(first)
        seen.has(selected=first)
        assert soon(page, lambda: seen.js(grouped) == 1 + behind)
        assert seen.js(shown) >= 2400 - hidden + behind, "the rest of the map is still there"
        assert soon(page, lambda: not seen.canvas.evaluate(OUT))
        seen.js("import('/atlas/map.js').then(({ go }) => { go(s, given); host.focus(); })", second)
        expect(page.locator(".atlas-status")).to_contain_text("Enter shows what is behind it")
        page.keyboard.press("Enter")
        seen.has(selected=second)
        assert soon(page, lambda: seen.js(grouped) == 1 + more)
        page.go_back()
        assert soon(page, lambda: seen.js(grouped) == 1 + behind)


OUT = """host => { const { net, lit, node, selected } = host._atlas;
    return [...lit, selected].map(id => net.canvasToDOM(node.get(id))).filter(({ x, y }) =>
        x < 0 || y < 0 || x > host.clientWidth || y > host.clientHeight); }"""
"""Where what is chosen or lit stands, if that is out of the frame."""
SHOWN = """async (host, state) => {  // what is drawn of a state, and each text with its place
    const { mount } = await import("/atlas/map.js"), data = { ...host._atlas.data, ...state };
    const paper = CanvasRenderingContext2D.prototype, { fillText } = paper, written = [];
    const drawn = () => new Promise((done) => host._atlas.net.once("afterDrawing", () => setTimeout(done)));
    const settled = drawn();
    mount({ parentElement: host.getRootNode(), data, setTriggerValue() {} });
    await settled;
    paper.fillText = function (text, x, y) {
        const at = this.getTransform().transformPoint({ x, y });
        written.push([text, at.x / devicePixelRatio, at.y / devicePixelRatio]);
        return fillText.call(this, text, x, y);
    };
    const again = drawn();
    host._atlas.net.redraw();
    await again;
    paper.fillText = fillText;
    return { ...host.dataset, written };
}"""
UNTIDY = """async (host) => {  // names but of stops on the route; lines to names that meet a line, a name or the route
    const { cross, through } = await import("/atlas/map.js"), s = host._atlas;
    const route = s.curve.slice(1).map((p, i) => [s.curve[i], p]);
    const meets = (line, other) => through(line, other.box) || (other.leader && cross(line, other.leader));
    const stops = new Set(s.stops.map(({ id }) => id));
    return s.labels.filter(({ id, box, leader }) => !stops.has(id) && route.some((part) => through(part, box)) ||
        leader && (route.some((part) => cross(leader, part)) ||
        s.labels.some((other) => other.id !== id && meets(leader, other)))).map(({ id, area }) => id || area);
}"""
CAPTIONS = """s.labels.filter(({ caption }) => caption).map(({ caption, box }) =>
    [caption, box[0] >= net.getViewPosition().x * net.getScale() - host.clientWidth / 2])"""
WHOLE = """s.picture.nodes.filter(({ id }) => {  // boxes that are seen whole
    const { left, top, right, bottom } = net.getBoundingBox(id);
    const inside = ({ x, y }) => x >= 0 && y >= 0 && x <= host.clientWidth && y <= host.clientHeight;
    return [{ x: left, y: top }, { x: right, y: bottom }].every((corner) => inside(net.canvasToDOM(corner)));
}).length"""
Choices = dict[str, tuple[list[str], set[str]]]
Shipped = tuple[str, Choices, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def shipped(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shipped]:
    """Where the shipped map is; episode -> what it lights, what must be named; the state of each goal's route."""
    home = tmp_path_factory.mktemp("shipped")
    environment = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": f"ladybug:{home}/atlas.lbug"}
    with Atlas(load_settings(environment=environment)) as atlas:
        near = {e.id: atlas.related(e.id, 6) for e in atlas.graph.episodes}
        lights = {id_: list(lit(atlas.episode(id_), found)) for id_, found in near.items()}
        goals = [*([goal] for goal in first_goals(atlas.graph)), *(journey.goals for journey in atlas.journeys())]
        plans, drawn = (atlas.plan(*each) for each in goals), {e.id for e in atlas.graph.episodes}
        routes = [asdict(route_state(p)) for p in plans if all(step.episode_id in drawn for step in p.steps)]
    choices = {id_: (lights[id_], {id_, *(r.episode_id for r in found)}) for id_, found in near.items()}
    with served(environment) as address:
        yield address, choices, routes


@pytest.mark.slow
@pytest.mark.parametrize("width", [1440, 1024])
def test_the_chosen_episode_and_related_ones_are_named(browser: Browser, shipped: Shipped, width: int) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900})
    opened(page, shipped[0])
    canvas = Map(page).canvas
    missing = {
        id_: wanted - set(canvas.evaluate(SHOWN, {"selected": id_, "lit": light, "route": []})["labels"].split())
        for id_, (light, wanted) in shipped[1].items()
    }
    page.close()
    assert len(missing) == 83 and not any(missing.values()), missing


@pytest.mark.slow
@pytest.mark.parametrize("width", [1440, 1024])
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_a_walk_through_related_episodes_stays_in_the_frame(browser, shipped: Shipped, width: int, motion) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, reduced_motion=motion)
    opened(page, f"{shipped[0]}/?node={next(reversed(shipped[1]))}")
    canvas, at = Map(page).canvas, next(reversed(shipped[1]))
    for hop in range(14):
        near = sorted(shipped[1][at][1] - {at})
        at = near[hop % len(near)]
        canvas.evaluate(SHOWN, {"selected": at, "lit": shipped[1][at][0]})
        assert soon(page, lambda: canvas.evaluate(OUT) == [], 0 if motion == "reduce" else 3), (hop, at)
    page.close()


@pytest.mark.slow
@pytest.mark.parametrize(("width", "least"), [(1440, 0.9), (1024, 0.8), (390, 0.6)])
def test_each_stop_has_its_number_and_a_name_is_nearest_to_its_own_stop(browser, shipped, width, least) -> None:
    page = browser.new_page(viewport={"width": width, "height": 844})
    opened(page, shipped[0])
    canvas, found, misread = Map(page).canvas, list[bool](), list[str]()
    for state in shipped[2]:
        shown = canvas.evaluate(SHOWN, state)
        stops = json.loads(shown["stops"])
        assert [stop["id"] for stop in stops] == [stop["id"] for stop in state["route"]] == shown["route"].split()
        for number, stop in enumerate(stops, 1):
            assert {text for text, *at in shown["written"] if dist(at, stop["disc"]) < 2} == {str(number)}
            found.append(bool(stop["label"]))
            if stop["label"]:
                assert [t for t, *at in shown["written"] if t.startswith(f"{number} ") and dist(at, stop["label"]) < 20]
                nearest = min(stops, key=lambda other: dist(other["disc"], stop["label"]))
                misread += [] if nearest is stop else [stop["id"]]
    page.close()
    assert len(found) > 100 and not misread and sum(found) >= least * len(found)


@pytest.mark.slow
def test_names_of_the_shipped_map_cross_nothing_and_stand_in_the_frame(browser: Browser, shipped: Shipped) -> None:
    page = browser.new_page(viewport=LAPTOP)
    seen = Map(page)
    for path in ("/?path=aotautograd", "/path?goal=aotautograd&picture=map", "/?path=inductor"):
        opened(page, shipped[0] + path)
        assert seen.canvas.evaluate(UNTIDY) == [], path
        assert len(seen.words("route")) > 2
    page.set_viewport_size(PHONE)
    opened(page, f"{shipped[0]}/?show=episodes&order=time")
    captions = seen.js(CAPTIONS)
    assert len(captions) > 10 and all(inside for _, inside in captions)
    opened(page, f"{shipped[0]}/?node=autograd")  # the map is within two screens of a phone, below long details
    assert box(seen.canvas)["y"] + box(seen.canvas)["height"] < 2 * 844
    needs = "MATCH (a:Concept)-[r:REQUIRES]->(b:Concept) RETURN a, r, b ORDER BY a.id, b.id LIMIT 300"
    for size, least in (PHONE, 15), ({"width": 1440, "height": 900}, 60):
        page.set_viewport_size(size)
        opened(page, f"{shipped[0]}/cypher?text={needs}")
        assert seen.scale() >= 0.85 and soon(page, lambda least=least: seen.js(WHOLE) >= least)
    page.close()
