"""The law of names over the shipped map: whichever episode one chooses, it and all related ones are named."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.screen import opened, served, soon
from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings
from torchatlas.ui.pictures import lit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CHOSEN = """async (host, [id, lit]) => {  // what the program would send for this choice
    const { mount } = await import("/atlas/map.js"), data = { ...host._atlas.data, selected: id, lit, route: [] };
    const drawn = new Promise((done) => host._atlas.net.once("afterDrawing", () => setTimeout(done)));
    mount({ parentElement: host.getRootNode(), data, setTriggerValue() {} });
    await drawn;
    return host.dataset.labels;
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
CAPTIONS = """host => {
    const s = host._atlas, left = s.net.getViewPosition().x * s.net.getScale() - host.clientWidth / 2;
    return s.labels.filter((label) => label.caption).map(({ caption, box }) => [caption, box[0] >= left]);
}"""
WHOLE = """host => {  // how many boxes are seen whole
    const { net, picture } = host._atlas, { clientWidth: wide, clientHeight: high } = host;
    const inside = ({ x, y }) => x >= 0 && y >= 0 && x <= wide && y <= high;
    const corners = ({ left, top, right, bottom }) => [{ x: left, y: top }, { x: right, y: bottom }];
    const whole = ({ id }) => corners(net.getBoundingBox(id)).every((corner) => inside(net.canvasToDOM(corner)));
    return picture.nodes.filter(whole).length;
}"""
Choices = dict[str, tuple[list[str], set[str]]]


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, str], Choices]:
    """A store with the shipped map; and episode -> what it lights, and what must be named."""
    home = tmp_path_factory.mktemp("shipped")
    environment = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": f"ladybug:{home}/atlas.lbug"}
    with Atlas(load_settings(environment=environment)) as atlas:
        near = {e.id: atlas.related(e.id, 6) for e in atlas.graph.episodes}
        return environment, {
            id_: (list(lit(atlas.episode(id_), found)), {id_, *(r.episode_id for r in found)})
            for id_, found in near.items()
        }


@pytest.fixture(scope="module")
def shipped_address(browser: Browser, shipped: tuple[dict[str, str], Choices]) -> Iterator[str]:
    with served(shipped[0]) as address:
        yield address


@pytest.mark.parametrize("width", [1440, 1024])
def test_the_chosen_episode_and_all_related_ones_are_named(
    browser: Browser, shipped_address: str, shipped: tuple[dict[str, str], Choices], width: int
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = context.new_page()
    opened(page, shipped_address)
    canvas = page.locator(".atlas-canvas")
    missing = {}
    for id_, (light, wanted) in shipped[1].items():
        named = set(canvas.evaluate(CHOSEN, [id_, light]).split())
        if wanted - named:
            missing[id_] = wanted - named
    context.close()
    assert len(shipped[1]) == 83 and not missing


def test_the_names_of_a_route_and_their_lines_cross_nothing_and_captions_of_lanes_stand_in_the_frame(
    browser: Browser, shipped_address: str
) -> None:
    page = browser.new_page(viewport={"width": 1024, "height": 768})
    canvas = page.locator(".atlas-canvas")
    for path in ("/?path=aotautograd", "/path?goal=aotautograd", "/?path=inductor"):
        opened(page, shipped_address + path)
        assert canvas.evaluate(UNTIDY) == [], path
        route, named = ((canvas.get_attribute(f"data-{name}") or "").split() for name in ("route", "labels"))
        assert len(route) > 2 and set(route) <= set(named)
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, f"{shipped_address}/?show=episodes&order=time")
    captions = canvas.evaluate(CAPTIONS)
    assert len(captions) > 10 and all(inside for _, inside in captions)
    opened(page, f"{shipped_address}/?node=autograd")  # the map is within two screens of a phone, below long details
    box = canvas.bounding_box()
    assert box and box["y"] + box["height"] < 2 * 844
    page.close()


@pytest.mark.parametrize(("width", "height", "seen"), [(390, 844, 15), (1440, 900, 60)])
def test_an_answer_of_sixty_boxes_begins_where_most_of_them_stand(
    browser: Browser, shipped_address: str, width: int, height: int, seen: int
) -> None:
    page = browser.new_page(viewport={"width": width, "height": height})
    needs = "MATCH (a:Concept)-[r:REQUIRES]->(b:Concept) RETURN a, r, b ORDER BY a.id, b.id LIMIT 300"
    opened(page, f"{shipped_address}/cypher?text={needs}")
    canvas = page.locator(".atlas-canvas")
    assert canvas.evaluate("host => host._atlas.net.getScale()") >= 0.85
    assert soon(page, lambda: canvas.evaluate(WHOLE) >= seen)
    page.close()
