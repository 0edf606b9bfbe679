"""A build that remembers makes the same graph as one that reads everything, and loads no spaCy for it."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from torchatlas.extract.feeds.document import copy_name
from torchatlas.inputs import Inputs, read_inputs
from torchatlas.pipeline import assemble
from torchatlas.settings import load_settings

pytestmark = pytest.mark.slow

ADDRESS = "https://e.org/hum.vtt"
FEED = f"""<?xml version="1.0"?><rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel>
<title>Invented</title><item><title>A hum</title><guid>a</guid><description>Vmap uses functorch.</description>
<podcast:transcript url="{ADDRESS}" type="text/vtt"/></item></channel></rss>""".encode()
SAID = b"WEBVTT\n\n00:00.000 --> 00:09.000\nToday we explain vmap. What is vmap? So vmap is a transform.\n"


def given(home: Path) -> Inputs:
    found = read_inputs(load_settings(environment=os.environ | {"TORCHATLAS_HOME": str(home)}))
    return replace(found, episodes=(), feeds=(("a.xml", FEED),), named=((copy_name(ADDRESS), SAID),))


def test_the_second_build_makes_the_same_graph_without_spacy(tmp_path: Path) -> None:
    plain = assemble(replace(given(tmp_path), cache=None))
    assert assemble(given(tmp_path)) == plain
    assert assemble(given(tmp_path)) == plain and plain.graph.mentions and plain.graph.teaches
    code = (
        "import sys; from pathlib import Path; from tests.ui.test_recall import *; "
        "assemble(given(Path(sys.argv[1]))); print('spacy' in sys.modules)"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "False\n"
