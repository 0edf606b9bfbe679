"""Screenshots of each page and state, light and dark, in three widths, into shots/: python -m tests.shots

With "docs" behind it, the pictures of the docs are taken instead. "continue" comes last: for it a path is begun, which
the start page then shows.
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page

from tests.screen import DRAWN, IDLE, ROOT, chromium, opened, served
from torchatlas.atlas import Atlas
from torchatlas.files import write_file
from torchatlas.settings import load_settings
from torchatlas.ui.web.share import share_page

GOAL = "aotautograd"
SHARED = "share"
PAGES = """map / | everything /?show=all | episodes /?show=episodes | by-time /?show=episodes&order=time
area /?area=Compilation | route /?path=aotautograd | concept /?node=autograd | found /?find=why+does+my+model+recompile
neighbourhood /?node=autograd&radius=1 | neighbourhood-episode /?node={episode}&radius=1 | related /?node={episode}
episode /episode?episode={episode} | episode-list /episode | path-empty /path
path /path?goal=aotautograd | path-map /path?goal=aotautograd&picture=map
path-budget /path?goal=aotautograd&budget=45 | quiz /path?goal=aotautograd&quiz=on
cypher /cypher | cypher-answer /cypher?question=before&v.concept=aotautograd
cypher-rows /cypher?text=MATCH+(c:Concept)+RETURN+c.name,+c.definition+LIMIT+20 | continue /"""
PICTURED = {"path-map", "cypher-answer", SHARED}
"""The states beside the map's that have a picture, which is waited for."""
IN_DOCS = {"route": "route", "explore": "related", "path": "path"}
"""The name of each picture of the docs -> that of the state which it shows."""
SKELETON = "[data-testid=stSkeleton]"
SIZES = ((1440, 900), (1024, 768), (390, 844))


def shoot(page: Page, name: str, address: str) -> bytes:
    """Open a state and return what is seen; below it lies what scrolling shows, on a phone."""
    if name == SHARED:
        page.goto(address)
        page.wait_for_selector(DRAWN)
    else:
        opened(page, address, drawn="/?" in address or address.endswith("/") or name in PICTURED)
        page.wait_for_selector(IDLE)
        page.wait_for_selector(SKELETON, state="detached", timeout=30_000)
    page.wait_for_timeout(700)  # fonts and the last transition
    return page.screenshot(full_page=name == SHARED)


def main(docs: bool) -> None:
    with tempfile.TemporaryDirectory() as home, chromium() as browser:
        environment = {"TORCHATLAS_HOME": home, "TORCHATLAS_STORE": f"ladybug:{home}/atlas.lbug"}
        with Atlas(load_settings(environment=environment)) as atlas, served(environment) as address:
            page = share_page(atlas.graph, atlas.subject, atlas.plan(GOAL))
            shared = write_file(Path(home) / "share.html", page.encode()).as_uri()
            episode = next(e.id for e in atlas.graph.episodes if e.title == "AOTAutograd")
            pairs = (page.split() for page in PAGES.format(episode=episode).replace("\n", " | ").split(" | "))
            places = {SHARED: shared} | {name: address + place for name, place in pairs}
            if docs:
                page = browser.new_page(viewport={"width": 1280, "height": 820}, device_scale_factor=1.5)
                for name, state in IN_DOCS.items():
                    seen = Image.open(io.BytesIO(shoot(page, state, places[state]))).convert("RGB")
                    small = seen.quantize(256, dither=Image.Dither.NONE)
                    small.save(ROOT / "docs" / f"{name}.png", optimize=True)
                return
            (ROOT / "shots").mkdir(exist_ok=True)
            pages = {
                f"{width}-{scheme}": browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
                for width, height in SIZES
                for scheme in ("light", "dark")
            }
            for name, place in places.items():
                if name == "continue":
                    atlas.begin(GOAL)
                for look, page in pages.items():
                    (ROOT / "shots" / f"{name}-{look}.png").write_bytes(shoot(page, name, place))


if __name__ == "__main__":
    main("docs" in sys.argv[1:])
