"""A short soak: two programs and a page over a graph that is replaced all the time."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.chromium import find
from tests.soak import swaps

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_every_answer_is_from_one_whole_graph(tmp_path: Path) -> None:
    chromium = find()
    if chromium is None:
        assert os.environ.get("CI") != "true"
        pytest.skip("no Chromium: python tests/chromium.py gets one")
    with ThreadPoolExecutor(1) as apart:  # a loop of Playwright's may run in this thread
        found = apart.submit(asyncio.run, swaps(tmp_path, 10, chromium)).result()
    assert not found.wrong
    assert found.changes > 1 and all(len(found.expected[asked]) == 2 for asked in ("export", "query", "/"))
    assert all(found.seconds[kind] for kind in ("commands", "pages"))
