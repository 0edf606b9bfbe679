"""What a person reads off the pages in a real browser: sizes, what is faded, columns of times, and large answers."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.screen import opened, soon

pytestmark = pytest.mark.browser

Colour = tuple[float, float, float]

FADED = """host => import("/atlas/map.js").then(({ strength }) => {
    const s = host._atlas, faded = s.picture.nodes.find(n => !s.lit.has(n.id));
    return [s.theme, strength(s, faded)];
})"""

ENDS = """texts => texts.map(text => {  // where words end, whatever is the width of what they stand in
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getBoundingClientRect().right;
})"""


def test_the_legend_says_what_the_size_of_a_dot_means(page: Page, address: str) -> None:
    opened(page, f"{address}/?node=view")
    sizes = page.locator(".atlas-sizes")
    expect(sizes).to_have_text("few ties10 or more")
    expect(sizes).to_have_attribute("title", re.compile("The more ties a concept has.*All episodes are of one size"))
    small, large = (sizes.locator(f".concept.{size}") for size in ("small", "large"))
    assert large.evaluate("e => e.clientWidth") > small.evaluate("e => e.clientWidth") > 0
    opened(page, f"{address}/?show=episodes")
    expect(sizes).to_have_text("short40 min or longer")
    expect(sizes.locator(".episode")).to_have_count(2)
    opened(page, f"{address}/?path=view")
    expect(page.locator(".atlas-legend").get_by_role("button", name="route")).to_be_visible()
    expect(sizes).to_have_count(0)


def test_the_legend_has_one_row_and_leaves_room_for_the_buttons(page: Page, address: str) -> None:
    legend, tools = page.locator(".atlas-legend"), page.locator(".atlas-tools")
    for width in (1024, 1400):
        page.set_viewport_size({"width": width, "height": 768})
        opened(page, f"{address}/?node=view")
        expect(legend.get_by_role("button")).to_have_count(5)
        assert soon(page, lambda: (legend.bounding_box() or {"height": 99})["height"] < 40)
        one, other = legend.bounding_box(), tools.bounding_box()
        assert one and other
        assert one["x"] + one["width"] < other["x"] or other["y"] + other["height"] < one["y"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_is_faded_is_still_seen_and_told_from_what_is_lit(page: Page, address: str, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    opened(page, f"{address}/?node=view")
    theme, alpha = page.locator(".atlas-canvas").evaluate(FADED)
    for kind in ("concept", "episode"):
        ground, full = (rgb(theme[name]) for name in ("ground", kind))
        faded = tuple(alpha * a + (1 - alpha) * b for a, b in zip(full, ground, strict=True))
        assert contrast(faded, ground) > 1.6 and contrast(full, ground) > 2 * contrast(faded, ground)


def rgb(colour: str) -> Colour:
    red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5))
    return red, green, blue


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of two colours by WCAG 2.2."""

    def light(colour: Colour) -> float:
        red, green, blue = (
            v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in colour)
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05

    a, b = light(one), light(other)
    return max(a, b) / min(a, b)


def test_an_answer_too_large_for_its_frame_begins_readable(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, f"{address}/cypher?text=MATCH (c:Concept) RETURN c.id AS id&picture=relations")
    canvas, hint = page.locator(".atlas-canvas"), page.locator(".atlas-hint")
    assert canvas.evaluate("host => host._atlas.net.getScale()") >= 0.85
    expect(hint).to_contain_text("larger than its frame")
    page.get_by_role("button", name="Show everything").click()
    assert soon(page, lambda: canvas.evaluate("host => host._atlas.net.getScale()") < 0.5)
    opened(page, f"{address}/path?goal=aotautograd&picture=layers")
    place = "host => host._atlas.net.canvasToDOM(host._atlas.node.get(host.dataset.selected)).y / host.clientHeight"
    assert soon(page, lambda: 0 < canvas.evaluate(place) < 0.4)  # a plan begins with its first step
    opened(page, f"{address}/cypher?question=before&v.concept=view")
    expect(canvas).to_have_attribute("data-selected", "view")  # what was asked about has a thicker rim
    expect(hint).to_be_empty()


def test_the_questions_of_the_cypher_page_follow_its_box_at_once(page: Page, address: str) -> None:
    for width, height in ((1400, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        opened(page, f"{address}/cypher", drawn=False)
        first, run = page.get_by_role("link", name="What does this rest on?"), page.get_by_role("button", name="Run")
        expect(first).to_be_visible()
        assert soon(page, lambda first=first, run=run: 0 < first.bounding_box()["y"] - run.bounding_box()["y"] < 220)
    pattern = page.get_by_role("button", name="(:Episode)-[:TEACHES]->(:Concept)")
    expect(pattern).to_be_hidden()
    page.get_by_text("Schema: 4 kinds of nodes").click()
    pattern.click()
    expect(page.get_by_role("textbox", name="Cypher")).to_have_value(re.compile("TEACHES"))


def test_times_stand_in_a_column(page: Page, address: str) -> None:
    opened(page, f"{address}/episode", drawn=False)
    times = page.locator("[class*=st-key-episode_row_] em:first-child")
    expect(times).to_have_count(12)
    assert soon(page, lambda: in_a_column(times))
    opened(page, f"{address}/episode?episode=show-tensor", drawn=False)
    lessons = page.locator("[class*=st-key-lesson_] :is(a, button) p").filter(has_text=re.compile(r"^\d+:\d\d$"))
    assert soon(page, lambda: in_a_column(lessons))
    page.set_viewport_size({"width": 390, "height": 844})
    row = page.locator("[class*=st-key-lesson_]").first
    expect(row).to_be_visible()
    assert soon(page, lambda: (row.bounding_box() or {"height": 99})["height"] < 40)  # a name and its time on one line


def in_a_column(texts: Locator) -> bool:
    """Whether texts end at one place; what is not drawn counts for nothing."""
    ends = [end for end in texts.evaluate_all(ENDS) if end]
    return len(ends) > 1 and max(ends) - min(ends) <= 1
