"""The screen in a real browser: drawing, clicking, the URL, Back, themes, keys, and names that try to be code."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.screen import CHOOSE, DRAWN, IDLE, opened, soon

pytestmark = pytest.mark.browser

PLACE = """(host, id) => {
    const net = host._atlas.net, at = net.canvasToDOM(host._atlas.node.get(id));
    return [at.x, at.y];
}"""

PLACES = """([members, nodes]) => import("/atlas/map.js").then(({ areaPlaces }) => {
    const own = new Set(members.map(n => `${n.x} ${n.y}`));  // what is passed is copied; the two lists share their dots
    const all = nodes.map(n => ({...n}));
    return areaPlaces(all.filter(n => own.has(`${n.x} ${n.y}`)), all);
})"""


BRIDGES = """members => import("/atlas/map.js").then(({ bridgesOf }) =>
    bridgesOf(members).map(p => p.map(n => n.x)))"""


def click_node(page: Page, node: str) -> None:
    canvas = page.locator(".atlas-canvas")
    x, y = canvas.evaluate(PLACE, node)
    canvas.click(position={"x": x, "y": y})


def selected(page: Page, node: str) -> None:
    expect(page.locator(".atlas-canvas")).to_have_attribute("data-selected", node, timeout=15_000)


def test_a_click_on_the_canvas_selects_moves_nothing_and_back_undoes_it(page: Page, address: str) -> None:
    opened(page, address)
    canvas = page.locator(".atlas-canvas")
    before = canvas.evaluate(PLACE, "dispatcher"), canvas.evaluate("host => host._atlas.net.getScale()")
    click_node(page, "autograd")
    selected(page, "autograd")
    expect(page).to_have_url(re.compile(r"\?node=autograd$"))
    expect(page.get_by_role("heading", name="autograd idea")).to_be_visible()
    expect(page.get_by_text("main subject, explained at 4:26")).to_be_visible()
    assert (canvas.evaluate(PLACE, "dispatcher"), canvas.evaluate("host => host._atlas.net.getScale()")) == before
    click_node(page, "show-view")
    selected(page, "show-view")
    expect(page.get_by_text("Related episodes")).to_be_visible()
    page.go_back()
    selected(page, "autograd")
    page.go_back()
    selected(page, "")
    expect(page.get_by_text("Where to begin")).to_be_visible()


def test_a_click_on_a_name_chooses_it_and_the_wheel_zooms_the_map_that_has_the_focus(page: Page, address: str) -> None:
    opened(page, address)
    canvas = page.locator(".atlas-canvas")
    scale = "host => host._atlas.net.getScale()"
    label = """host => {
        const s = host._atlas, [middle, scale] = [s.net.getViewPosition(), s.net.getScale()];
        const b = s.labels.find(({ id }) => id === "autograd").box;
        return [(b[0] + b[2]) / 2 - middle.x * scale + host.clientWidth / 2,
                (b[1] + b[3]) / 2 - middle.y * scale + host.clientHeight / 2];
    }"""
    canvas.hover(position={"x": 5, "y": 5})
    before = canvas.evaluate(scale)
    page.mouse.wheel(0, -300)  # scrolls the page: the map has not been turned to
    x, y = canvas.evaluate(label)
    canvas.click(position={"x": x, "y": y})
    selected(page, "autograd")
    assert canvas.evaluate(scale) == before
    page.mouse.wheel(0, -300)
    assert soon(page, lambda: canvas.evaluate(scale) > before)


def test_choosing_an_episode_dims_what_is_not_related(page: Page, address: str) -> None:
    opened(page, f"{address}/?node=show-view")
    selected(page, "show-view")
    lit = (page.locator(".atlas-canvas").get_attribute("data-lit") or "").split()
    assert "show-strides" in lit and "tracing" not in lit


def test_the_map_can_be_walked_with_keys(page: Page, address: str) -> None:
    opened(page, f"{address}/?node=strides")
    selected(page, "strides")
    canvas = page.locator(".atlas-canvas")
    canvas.focus()
    page.keyboard.press("]")
    expect(page.locator(".atlas-status")).to_contain_text("__torch_function__")
    page.keyboard.press("Enter")
    selected(page, "view")
    page.keyboard.press("Home")
    page.keyboard.press("Escape")
    selected(page, "")


def test_a_choice_is_let_go_before_the_page_has_answered(page: Page, address: str) -> None:
    opened(page, address)
    canvas = page.locator(".atlas-canvas")
    assert canvas.evaluate(CHOOSE, "view")["selected"] == "view"
    canvas.focus()
    page.keyboard.press("Escape")
    selected(page, "")
    expect(page).not_to_have_url(re.compile("node="))


def test_what_is_typed_into_find_is_searched_for(page: Page, address: str) -> None:
    opened(page, address)
    page.get_by_label("Find").fill("What is autograd?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Found for")).to_be_visible()
    page.get_by_role("button", name="▶ #4 On autograd").click()
    selected(page, "show-autograd")


def test_what_was_searched_for_stays_in_find_and_the_next_words_take_its_place(page: Page, address: str) -> None:
    opened(page, f"{address}/?find=What+is+autograd%3F")
    box = page.get_by_label("Find")
    expect(box).to_have_value("What is autograd?")
    chosen = "box => box.value.slice(box.selectionStart, box.selectionEnd)"
    box.click()
    assert box.evaluate(chosen) == "What is autograd?"
    box.blur()
    page.keyboard.press("/")
    assert box.evaluate(chosen) == "What is autograd?"
    page.keyboard.type("how memory lies", delay=20)
    page.keyboard.press("Enter")
    expect(page.get_by_text("Found for “how memory lies”")).to_be_visible()
    expect(box).to_have_value("how memory lies")


def test_a_plan_is_an_ordered_list_and_a_picture(page: Page, address: str) -> None:
    opened(page, f"{address}/path?goal=view&picture=layers")
    expect(page.get_by_text("3 episodes, 36 min")).to_be_visible()
    steps = page.locator('[class*="st-key-step_"]')
    expect(steps).to_have_count(3)
    for place, title in enumerate(("On tensor", "On strides", "On view")):
        expect(steps.nth(place)).to_contain_text(title)
    heights = [page.locator(".atlas-canvas").evaluate(PLACE, f"show-{i}")[1] for i in ("tensor", "strides", "view")]
    assert heights == sorted(heights)


def test_heard_is_remembered_in_the_profile(page: Page, address: str, home: Path) -> None:
    opened(page, f"{address}/path?goal=view")
    page.get_by_role("button", name="Mark as heard").first.click()
    expect(page.get_by_text("2 episodes, 25 min")).to_be_visible()
    assert "show-tensor" in (home / "profile.toml").read_text("utf-8")
    opened(page, f"{address}/episode?episode=show-tensor", drawn=False)
    page.get_by_role("button", name="Heard", exact=True).click()
    expect(page.get_by_role("button", name="Mark as heard")).to_be_visible()
    assert "show-tensor" not in (home / "profile.toml").read_text("utf-8")


def test_another_theme_and_a_reload_keep_zoom_and_place(page: Page, address: str) -> None:
    opened(page, address)
    canvas = page.locator(".atlas-canvas")
    canvas.evaluate(
        "host => { host._atlas.mark = 1; host._atlas.net.moveTo({ scale: 0.5, position: { x: 10, y: 20 } }); }"
    )
    page.emulate_media(color_scheme="dark")
    expect(canvas).to_have_attribute("data-theme", "dark")
    assert canvas.evaluate(
        "host => [host._atlas.mark, host._atlas.net.getScale(), host._atlas.net.getViewPosition().x]"
    ) == [1, 0.5, 10]
    page.reload()
    page.wait_for_selector(DRAWN)
    view = "host => [host._atlas.net.getScale(), host._atlas.net.getViewPosition().x]"
    assert canvas.evaluate(view) == [0.5, 10]
    opened(page, f"{address}/?node=view")  # another choice is looked for anew
    assert canvas.evaluate(view) != [0.5, 10]


def test_names_that_try_to_be_code_are_shown_and_run_nothing(page: Page, address: str) -> None:
    for path in ("/?node=hostile", "/?node=show-hostile", "/episode?episode=show-hostile", "/path?goal=hostile"):
        opened(page, address + path, drawn=path.startswith("/?"))
        assert page.locator("img[src=x]").count() == 0
        assert page.locator('a[href^="javascript:"]').count() == 0
        expect(page.get_by_text("__init__ $a_b$ [x](javascript:window.hacked=1) </script>").first).to_be_attached()
    opened(page, f"{address}/?node=hostile")
    x, y = page.locator(".atlas-canvas").evaluate(PLACE, "hostile")
    page.locator(".atlas-canvas").hover(position={"x": x, "y": y})
    expect(page.locator(".atlas-tip")).to_contain_text("<img src=x")


def test_parameters_that_name_nothing_are_ignored(page: Page, address: str) -> None:
    opened(page, f"{address}/?node=%3Cscript%3Ewindow.hacked%3D1%3C/script%3E&area=x&show=y&radius=z")
    selected(page, "")
    opened(page, f"{address}/path?goal=nothing&budget=-1", drawn=False)
    expect(page.get_by_text("Choose what you want to understand")).to_be_visible()


def test_the_pages_work_on_a_phone(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, address)
    click_node(page, "autograd")
    selected(page, "autograd")
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")
    page.wait_for_selector(IDLE)


ROWS = """above => {  // how many rows of something to press or to type in stand above a part of the page
    const end = document.querySelector(above).getBoundingClientRect().top;
    const controls = [...document.querySelectorAll("[data-testid=stMain] :is(a, input, button)")];
    const boxes = controls.map(e => e.getBoundingClientRect()).filter(b => b.width && b.height && b.bottom <= end);
    const middles = boxes.map(b => (b.top + b.bottom) / 2).sort((a, b) => a - b);
    return middles.filter((y, i) => !i || y - middles[i - 1] > 20).length;
}"""


def test_on_a_phone_few_controls_stand_above_the_map_and_the_plan(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, f"{address}/?show=episodes")
    assert page.evaluate(ROWS, ".st-key-explore") <= 2
    expect(page.get_by_label("Area")).to_be_hidden()
    page.get_by_text("Filters (1)").click()
    expect(page.get_by_label("Area")).to_be_visible()
    page.get_by_text("All", exact=True).click()
    expect(page.get_by_text("Filters (1)")).to_be_visible()
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth <= main.clientWidth")
    opened(page, f"{address}/path?goal=view", drawn=False)
    expect(page.locator(".st-key-summary")).to_be_visible()
    assert page.evaluate(ROWS, ".st-key-summary") <= 4
    expect(page.get_by_role("button", name="I know already")).to_be_hidden()
    page.get_by_text("Limits", exact=True).click()
    expect(page.get_by_text("No limit")).to_be_visible()
    expect(page.get_by_role("button", name="I know already")).to_be_visible()
    opened(page, f"{address}/episode", drawn=False)
    expect(page.get_by_label("Area")).to_be_hidden()
    page.set_viewport_size({"width": 1024, "height": 768})
    expect(page.get_by_label("Area")).to_be_visible()
    expect(page.get_by_text("Filters")).to_be_hidden()


def test_a_plan_in_layers_is_drawn_at_the_size_of_its_letters(page: Page, address: str) -> None:
    opened(page, f"{address}/path?goal=aotautograd&picture=layers")
    assert page.locator(".atlas-canvas").evaluate("host => host._atlas.net.getScale()") > 0.9


def test_the_labels_of_a_row_stand_on_one_line(page: Page, address: str) -> None:
    opened(page, f"{address}/path?goal=view", drawn=False)
    labels = [page.get_by_text(label, exact=True) for label in ("I want to understand", "How much", "Time I have")]
    for label in labels:
        expect(label).to_be_visible()
    assert soon(page, lambda: on_one_line(*labels))


def on_one_line(*parts: Locator) -> bool:
    """Whether the middles of parts stand at one height, within 2 pixels."""
    boxes = [part.bounding_box() for part in parts]
    middles = [box["y"] + box["height"] / 2 for box in boxes if box]
    return len(middles) == len(parts) and max(middles) - min(middles) <= 2


def test_an_area_is_named_at_its_own_densest_part(page: Page, address: str) -> None:
    opened(page, address)
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


def test_the_controls_above_the_map_stand_in_one_row(page: Page, address: str) -> None:
    opened(page, address)
    boxes = [page.get_by_test_id("stSelectbox").first, page.get_by_test_id("stButtonGroup").first]
    assert soon(page, lambda: on_one_line(*(box.get_by_test_id("stWidgetLabel") for box in boxes)))
    assert soon(page, lambda: on_one_line(boxes[0].locator("input"), boxes[1].locator("button").first))
