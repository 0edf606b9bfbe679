"""The laws of the map in a real browser: the route, what is named, and what a choice costs."""

import re
import struct
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.screen import CHOOSE, IDLE, opened, soon

pytestmark = pytest.mark.browser

DISCS = "host => host._atlas.discs.map(({id, n, x, y}) => ({id, n, x, y}))"

EMPTY = """host => {  // pixels of the frame before and after the map, sideways and downwards
    const s = host._atlas, scale = s.net.getScale(), view = s.net.getViewPosition();
    return [["x", host.clientWidth], ["y", host.clientHeight]].map(([axis, size]) => {
        const ends = s.picture.nodes.map(n => (n[axis] - view[axis]) * scale + size / 2);
        return [Math.min(...ends), size - Math.max(...ends)];
    });
}"""

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


def words(page: Page, attribute: str) -> list[str]:
    return (page.locator(".atlas-canvas").get_attribute(attribute) or "").split()


def test_the_route_is_drawn_in_the_order_of_the_plan_and_all_of_it_is_named(page: Page, address: str) -> None:
    opened(page, f"{address}/?path=view")
    expect(page.locator(".atlas-canvas")).to_have_attribute("data-route", "show-tensor show-strides show-view")
    expect(page.get_by_text("3 episodes, 36 min.")).to_be_visible()
    discs = page.locator(".atlas-canvas").evaluate(DISCS)
    assert [disc["n"] for disc in discs] == [1, 2, 3]
    for above, below in page.locator(".atlas-canvas").evaluate(EMPTY):
        assert abs(above - below) <= 40, "a map smaller than the frame stands in its middle"
    assert set(words(page, "data-route")) <= set(words(page, "data-labels"))
    rows = page.locator('[class*="st-key-step_"]')
    for place, title in enumerate(("On tensor", "On strides", "On view")):
        expect(rows.nth(place)).to_contain_text(title)


def test_no_two_stops_touch_however_far_one_looks(page: Page, address: str) -> None:
    opened(page, f"{address}/?path=aotautograd")
    canvas = page.locator(".atlas-canvas")
    for scale in (0.02, 0.1, 1):
        canvas.evaluate("(host, scale) => { host._atlas.net.moveTo({scale}); host._atlas.net.redraw(); }", scale)
        page.wait_for_timeout(100)
        discs = canvas.evaluate(DISCS)
        assert len(discs) == 8
        for i, one in enumerate(discs):
            for other in discs[:i]:
                assert (one["x"] - other["x"]) ** 2 + (one["y"] - other["y"]) ** 2 >= 22**2


def test_a_step_and_its_stop_point_at_each_other(page: Page, address: str) -> None:
    opened(page, f"{address}/?path=view")
    canvas = page.locator(".atlas-canvas")
    page.locator(".st-key-step_2").hover()
    expect(canvas).to_have_attribute("data-pulsed", "2")
    stop = """host => { const s = host._atlas, view = s.net.getViewPosition(), scale = s.net.getScale(), d = s.discs[2];
        return [d.x - view.x * scale + host.clientWidth / 2, d.y - view.y * scale + host.clientHeight / 2]; }"""
    x, y = canvas.evaluate(stop)
    canvas.hover(position={"x": x, "y": y})
    expect(page.locator(".st-key-step_3.atlas-pointed")).to_be_visible()
    expect(canvas).to_have_attribute("data-pulsed", "3")


def test_a_choice_is_lit_at_once_and_sends_less_than_30_kb(page: Page, address: str) -> None:
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    pictures: list[str] = []
    page.on("request", lambda request: pictures.append(request.url) if "/atlas/pictures/" in request.url else None)
    opened(page, address)
    canvas = page.locator(".atlas-canvas")
    for node, name in (("autograd", "autograd idea"), ("show-view", "On view")):
        received.clear()
        lit = canvas.evaluate(CHOOSE, node)["lit"]
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
        page.wait_for_selector(IDLE)
        told = set(words(page, "data-lit"))  # the program has the last word: it knows more related episodes than lines
        assert {node} < set(lit.split()) <= told and (node != "autograd" or set(lit.split()) == told)
        assert 0 < sum(received) < 30_000
    assert len(pictures) == 1


def test_the_legend_names_what_is_in_view_and_hides_and_shows_it(page: Page, address: str) -> None:
    opened(page, f"{address}/?node=view")
    legend = page.locator(".atlas-legend")
    expect(legend.get_by_role("button")).to_have_text(
        ["●concept", "■episode", "needs first", "leads to", "explained in"]
    )
    legend.get_by_role("button", name="episode").click()
    expect(legend.get_by_role("button", name="episode")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".atlas-canvas")).not_to_have_attribute("data-labels", re.compile("show-"))
    legend.get_by_role("button", name="episode").click()
    expect(page.locator(".atlas-canvas")).to_have_attribute("data-labels", re.compile("show-view"))


def test_arrows_go_to_the_nearest_in_that_direction_and_the_map_follows(page: Page, address: str) -> None:
    opened(page, f"{address}/?node=strides")
    canvas = page.locator(".atlas-canvas")
    canvas.focus()
    page.keyboard.press("+")
    canvas.evaluate("host => host._atlas.net.moveTo({scale: 3})")
    for key, ahead in (("ArrowRight", "b.x > a.x"), ("ArrowUp", "b.y < a.y"), ("ArrowLeft", "b.x < a.x")):
        before = canvas.evaluate("host => host._atlas.cursor || host._atlas.selected")
        page.keyboard.press(key)
        after = canvas.evaluate("host => host._atlas.cursor || host._atlas.selected")
        nodes = "const a = host._atlas.node.get(from), b = host._atlas.node.get(to);"
        assert canvas.evaluate(f"(host, [from, to]) => {{ {nodes} return from === to || {ahead}; }}", [before, after])
        place = canvas.evaluate("(host, id) => host._atlas.net.canvasToDOM(host._atlas.node.get(id))", after)
        size = canvas.evaluate("host => [host.clientWidth, host.clientHeight]")
        assert 0 <= place["x"] <= size[0] and 0 <= place["y"] <= size[1]


def test_a_tooltip_goes_with_a_click_and_with_the_pointer(page: Page, address: str) -> None:
    opened(page, address)
    canvas, tip = page.locator(".atlas-canvas"), page.locator(".atlas-tip")
    x, y = canvas.evaluate("(host, id) => Object.values(host._atlas.net.canvasToDOM(host._atlas.node.get(id)))", "view")
    canvas.hover(position={"x": x, "y": y})
    expect(tip).to_contain_text("__torch_function__")
    page.mouse.move(5, 5)
    expect(tip).to_be_hidden()
    canvas.hover(position={"x": x, "y": y})
    expect(tip).to_be_visible()
    canvas.click(position={"x": x, "y": y})
    expect(tip).to_be_hidden()


def test_the_picture_is_saved_at_twice_the_size(page: Page, address: str, tmp_path: Path) -> None:
    opened(page, f"{address}/?path=view")
    canvas = page.locator(".atlas-canvas")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a picture").click()
    download.value.save_as(tmp_path / "map.png")
    head = (tmp_path / "map.png").read_bytes()[:24]
    wide, high = struct.unpack(">II", head[16:24])
    width, height = canvas.evaluate("host => [host.clientWidth, host.clientHeight]")
    assert head[:8] == b"\x89PNG\r\n\x1a\n" and wide == 2 * width and high > 2 * height


def test_a_saved_picture_has_the_whole_legend(page: Page, address: str) -> None:
    opened(page, f"{address}/?node=view")
    written = page.locator(".atlas-canvas").evaluate(WRITTEN)
    for words in ("needs first", "leads to", "few ties", "10 or more"):
        assert words in written


def test_the_dots_in_the_frame_are_drawn_in_one_pass(page: Page, address: str) -> None:
    opened(page, f"{address}/?show=all")
    canvas = page.locator(".atlas-canvas")
    drawn, kept, there = canvas.evaluate(DOTS, 0.02)
    assert drawn == there > kept
    drawn, _, there = canvas.evaluate(DOTS, 4)
    assert 0 < drawn < there


def test_the_map_stands_as_a_list_too(page: Page, address: str) -> None:
    opened(page, address)
    page.get_by_text("As a list").click()
    page.locator(".atlas-list").get_by_role("button", name="autograd idea", exact=True).click()
    expect(page.locator(".atlas-canvas")).to_have_attribute("data-selected", "autograd")


def test_a_neighbourhood_names_all_and_needs_lie_below(page: Page, address: str) -> None:
    opened(page, f"{address}/?node=view&radius=1")
    ids = page.locator(".atlas-canvas").evaluate("host => host._atlas.picture.nodes.map(n => n.id)")
    assert set(words(page, "data-labels")) == set(ids) >= {"view", "strides", "autograd", "show-view"}


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
    canvas = page.locator(".atlas-canvas")
    assert canvas.locator("canvas").evaluate("part => getComputedStyle(part).touchAction") == "pan-x pan-y"
    before = canvas.evaluate("host => host._atlas.net.getViewPosition()")
    box = canvas.bounding_box()
    assert box
    x, y = box["x"] + 150, box["y"] + 200
    drag(page, [[(x, y - 10 * step)] for step in range(12)])
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollTop") > 60
    assert canvas.evaluate("host => host._atlas.net.getViewPosition()") == before
    scale, top = canvas.evaluate("host => host._atlas.net.getScale()"), canvas.bounding_box()
    drag(page, [[(x - 30 - 5 * step, 300), (x + 30 + 5 * step, 300)] for step in range(12)])
    assert canvas.evaluate("host => host._atlas.net.getScale()") > 1.5 * scale and canvas.bounding_box() == top
    near = (
        "host => { const s = host._atlas; s.net.moveTo({scale: 1.5, position: s.node.get('autograd')});"
        " const p = s.net.canvasToDOM(s.node.get('autograd')); return [p.x, p.y]; }"
    )
    x, y = canvas.evaluate(near)
    canvas.tap(position={"x": x + 15, "y": y + 12})
    expect(canvas).to_have_attribute("data-selected", "autograd")
    expect(page.get_by_role("heading", name="autograd idea")).to_be_in_viewport()
    context.close()


ABOVE = """() => {
    const late = document.createElement("div");
    late.style.height = "60px";
    document.querySelector(".st-key-explore").before(late);
}"""


def test_the_map_takes_the_room_that_is_left_until_somebody_turns_to_it(page: Page, address: str) -> None:
    opened(page, address)
    canvas = page.locator(".atlas-canvas")
    look = "host => [host.clientHeight, host._atlas.net.getScale(), host._atlas.net.getViewPosition()]"
    before = canvas.evaluate(look)
    page.evaluate(ABOVE)  # a part of the page that was loaded late
    assert soon(page, lambda: 60 <= before[0] - canvas.evaluate(look)[0] < 90)  # and the gap around it
    canvas.click(position={"x": 3, "y": 3})
    turned_to = canvas.evaluate(look)
    page.evaluate(ABOVE)
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert canvas.evaluate(look) == turned_to
    page.set_viewport_size({"width": 1400, "height": 1000})
    assert soon(page, lambda: canvas.evaluate(look)[0] > turned_to[0])
