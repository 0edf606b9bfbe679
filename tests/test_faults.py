"""Faults sown by hand into a copy of the tree: the tests that are named must see each of them."""

import sys
from collections.abc import Iterator

import pytest

from tests.mutants import ROOT, copied_tree, outcome

FAULTS = [
    ("graph/planning/choice.py", "for wish in wishes:", "for wish in reversed(wishes):", "graph/test_choice"),
    ("graph/planning/routes.py", "if episodes not in seen and", "if episodes and", "graph/test_routes"),
    (
        "graph/build/declared_edges.py",
        "frozenset((relation.source, relation.target))",
        "relation.source",
        "graph/test_join",
    ),
    (
        "graph/answers/nearness.py",
        "in (*snapshot.teaches, *snapshot.assumes)",
        "in snapshot.teaches",
        "graph/test_related",
    ),
    ("graph/cypher/guard.py", "if dialect.escapes and", "if not dialect.escapes and", "graph/test_guard"),
]


@pytest.fixture(scope="module")
def main_stays() -> Iterator[None]:
    """See, after all of a test is taken back, that a new process loads what it loaded before."""
    before = sys.modules["__main__"]
    yield
    assert sys.modules["__main__"] is before


def test_a_page_under_test_is_not_run_by_processes_that_begin_after_it(main_stays: None) -> None:
    from streamlit.testing.v1 import AppTest

    AppTest.from_string("import streamlit; streamlit.write('x')", default_timeout=60).run()


@pytest.mark.slow
def test_each_fault_is_seen_and_the_code_as_it_is_passes() -> None:
    texts = {module: (ROOT / module).read_text("utf-8") for module, *_ in FAULTS}
    with copied_tree() as copy:
        every = " ".join(tests for *_, tests in FAULTS)
        assert outcome(copy, FAULTS[0][0], texts[FAULTS[0][0]], every) == "survived"
        for module, right, wrong, tests in FAULTS:
            assert texts[module].count(right) == 1, f"{module} has changed: sow the fault elsewhere"
            assert outcome(copy, module, texts[module].replace(right, wrong), tests) == "caught", right
