"""Entities: what it takes to find them."""

import sys
from types import FrameType
from typing import Any

import pytest

from torchatlas.extract.extractor import Extractor
from torchatlas.extract.feeds import Entry
from torchatlas.extract.statements import entities
from torchatlas.graph.values.model import Concept, Episode

EXTRACTOR = Extractor([Concept("vmap", "vmap", area="x")], ["Widgets"])


def steps(text: str) -> int:
    """Return how many instructions of the module run while a text is read."""
    count = 0

    def step(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "opcode"
        return step

    def trace(frame: FrameType, _: str, __: Any) -> Any:
        frame.f_trace_opcodes = frame.f_code.co_filename == entities.__file__
        return step if frame.f_trace_opcodes else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        list(EXTRACTOR.extract([Entry(Episode("s/w", "x", show="s"), text)]))
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("piece", ["episode 12, ", "Widgets, ", "vmap, Widgets, episode 12, "])
def test_to_find_entities_takes_steps_in_proportion_to_their_number(piece: str) -> None:
    one, two, four = (steps(f"Listen to {piece * count}first.") for count in (50, 100, 200))
    assert four - two <= 2.1 * (two - one)  # 2 is linear, 4 is the square
