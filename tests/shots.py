"""Screenshots of each page, light and dark, wide and narrow: python -m tests.shots FOLDER"""

import sys
import tempfile
from pathlib import Path

from tests.screen import IDLE, chromium, opened, served
from torchatlas.atlas import Atlas

PAGES = {
    "map": "/",
    "everything": "/?show=all",
    "route": "/?path=aotautograd",
    "concept": "/?node=autograd",
    "neighbourhood": "/?node=autograd&radius=1",
    "related": "/?node={episode}",
    "episode": "/episode?episode={episode}",
    "path": "/path?goal=aotautograd",
    "path-empty": "/path",
    "cypher": "/cypher",
}
SIZES = {"wide": (1400, 900), "phone": (390, 844)}


def main(folder: Path) -> None:
    """Build the bundled map in a folder of its own, and look at it."""
    from torchatlas.settings import load_settings

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home:
        environment = {"TORCHATLAS_HOME": home, "TORCHATLAS_STORE": f"ladybug:{home}/atlas.lbug"}
        with Atlas(load_settings(environment=environment)) as atlas:
            graph = atlas.graph
        episode = next(e.id for e in graph.episodes if e.title == "AOTAutograd")
        with served(environment) as address, chromium() as browser:
            for size, (width, height) in SIZES.items():
                for scheme in ("light", "dark"):
                    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
                    page = context.new_page()
                    for name, path in PAGES.items():
                        opened(page, address + path.format(episode=episode), drawn=path.startswith("/?") or path == "/")
                        page.wait_for_selector(IDLE)
                        page.wait_for_timeout(700)  # fonts and the last transition
                        page.screenshot(path=folder / f"{name}-{size}-{scheme}.png")
                    context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "shots"))
