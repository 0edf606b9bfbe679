"""The laws of the map in a real browser: the route, what is named, and what a choice costs."""

import pytest
from playwright.sync_api import Page, expect

from tests.screen import opened

pytestmark = pytest.mark.browser

DISCS = "host => host._atlas.discs.map(({id, n, x, y}) => ({id, n, x, y}))"


def words(page: Page, attribute: str) -> list[str]:
    return (page.locator(".atlas-canvas").get_attribute(attribute) or "").split()


def test_the_route_is_drawn_in_the_order_of_the_plan_and_all_of_it_is_named(page: Page, address: str) -> None:
    opened(page, f"{address}/?path=view")
    expect(page.locator(".atlas-canvas")).to_have_attribute("data-route", "show-tensor show-strides show-view")
    expect(page.get_by_text("3 episodes, 36 min to __torch_function__")).to_be_visible()
    discs = page.locator(".atlas-canvas").evaluate(DISCS)
    assert [disc["n"] for disc in discs] == [1, 2, 3]
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
