"""Faults sown by hand into a copy of the tree: the tests that are named must see each of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mutants import ROOT, copied_tree, outcome

FAULTS = [
    ("graph/planning/choice.py", "for wish in wishes:", "for wish in reversed(wishes):", "graph/test_choice"),
    ("graph/planning/plan.py", "_AS_LONG = 1.1", "_AS_LONG = 9", "graph/test_plan"),
    ("graph/build/join.py", "frozenset((relation.source, relation.target))", "relation.source", "graph/test_build"),
    ("graph/answers/nearness.py", "holders[a.target].add(a.source)", "pass", "graph/test_related"),
    ("graph/cypher/guard.py", "if dialect.escapes and", "if not dialect.escapes and", "graph/test_cypher"),
]


@pytest.fixture(scope="module")
def copy() -> Iterator[Path]:
    module, *_ = FAULTS[0]
    with copied_tree() as tree:
        every = " ".join(tests for *_, tests in FAULTS)
        assert outcome(tree, module, (ROOT / module).read_text("utf-8"), every) == "survived"
        yield tree


@pytest.mark.slow
@pytest.mark.parametrize(("module", "right", "wrong", "tests"), FAULTS)
def test_a_fault_is_seen(copy: Path, module: str, right: str, wrong: str, tests: str) -> None:
    text = (ROOT / module).read_text("utf-8")
    assert text.count(right) == 1, "the code has changed: sow the fault elsewhere"
    assert outcome(copy, module, text.replace(right, wrong), tests) == "caught"
