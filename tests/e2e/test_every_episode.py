"""The law of names over the shipped map: whichever episode one chooses, it and all related ones are named."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.screen import opened, served
from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings
from torchatlas.ui.web.view import lit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CHOSEN = """async (host, [id, lit]) => {  // what the program would send for this choice
    const { mount } = await import("/atlas/map/mount.js"), data = { ...host._atlas.data, selected: id, lit, route: [] };
    const drawn = new Promise((done) => host._atlas.net.once("afterDrawing", () => setTimeout(done)));
    mount({ parentElement: host.getRootNode(), data, setTriggerValue() {} });
    await drawn;
    return host.dataset.labels;
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
