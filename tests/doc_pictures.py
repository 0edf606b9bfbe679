"""The pictures of the docs, taken anew from the shipped map: python -m tests.doc_pictures NAME..."""

import io
import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from tests.screen import ROOT, chromium, served
from tests.shots import PAGES, shoot
from torchatlas.atlas import Atlas
from torchatlas.settings import load_settings

PICTURES = {"route": "route", "explore": "related", "path": "path"}
"""The name of each picture -> that of the state which it shows."""


def small(png: bytes) -> bytes:
    """Return a picture in its 256 most frequent colours, and each other one as the nearest of these."""
    seen = np.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(np.int32)
    found, place, counts = np.unique(seen.reshape(-1, 3), axis=0, return_inverse=True, return_counts=True)
    kept = found[np.argsort(-counts, kind="stable")[:256]]
    nearest = ((found[:, None] - kept) ** 2).sum(axis=2).argmin(axis=1)
    picture, written = Image.fromarray(nearest[place].reshape(seen.shape[:2]).astype(np.uint8), "P"), io.BytesIO()
    picture.putpalette(kept.astype(np.uint8).tobytes())
    picture.save(written, "PNG", optimize=True)
    return written.getvalue()


def main(*names: str) -> None:
    """Build the shipped map in a folder of its own, and write the pictures into docs/."""
    with tempfile.TemporaryDirectory() as home:
        environment = {"TORCHATLAS_HOME": home, "TORCHATLAS_STORE": f"ladybug:{home}/atlas.lbug"}
        with Atlas(load_settings(environment=environment)) as atlas:
            episode = next(e.id for e in atlas.graph.episodes if e.title == "AOTAutograd")
        with served(environment) as address, chromium() as browser:
            page = browser.new_page(viewport={"width": 1280, "height": 820}, device_scale_factor=1.5)
            for name in names or PICTURES:
                state = PICTURES[name]
                seen = shoot(page, state, address + PAGES[state].format(episode=episode))
                Path(ROOT / "docs" / f"{name}.png").write_bytes(small(seen))


if __name__ == "__main__":
    main(*sys.argv[1:])
