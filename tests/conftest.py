"""The Neo4j server of the tests, one for the whole run, and a small graph in a store of its own."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from torchatlas.graph.errors import StoreError
from torchatlas.graph.stores import neo4j_server as server

# No clock decides; CI draws the same examples every time, a person's run looks for new ones.
CI = os.environ.get("CI") == "true"
EVERYWHERE = settings(deadline=None, derandomize=CI)
PARTS = {"neo4j": "a real Neo4j server", "browser": "a real Chromium", "index": "an index of packages"}
settings.register_profile("everywhere", EVERYWHERE)
settings.register_profile("quick", EVERYWHERE, max_examples=10)  # `make check` names it
settings.load_profile("everywhere")
settings.register_profile(  # tests.mutants names it: a failure is enough, and a busy machine is none
    "mutants", deadline=None, derandomize=True, max_examples=20, suppress_health_check=list(HealthCheck),
    phases=set(Phase) - {Phase.shrink, Phase.explain},
)  # fmt: skip


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep what shares a server or a browser in one process (`--dist loadgroup`); tests of whole pages are slow."""
    for item in items:
        for marker in PARTS:
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.xdist_group(marker))
                item.user_properties.append((marker, True))  # a keyword of that name may come from a parameter
        if "visit" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)  # a whole page is made


@pytest.fixture(autouse=True)
def _same_main() -> Iterator[None]:
    """Take back what Streamlit's AppTest leaves: its script as `__main__`, which each new process would run."""
    main = sys.modules["__main__"]
    yield
    sys.modules["__main__"] = main


@pytest.fixture(scope="session")
def neo4j_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An empty server's address, user and password in it: ours, or the one that TORCHATLAS_TEST_NEO4J names.

    NEO4J_URI is never used: it may be somebody's own graph.
    """
    if given := os.environ.get("TORCHATLAS_TEST_NEO4J"):
        yield given
        return
    version = os.environ.get("TORCHATLAS_TEST_NEO4J_VERSION", server.VERSION)
    yield from served(tmp_path_factory.mktemp("neo4j"), version=version)


@pytest.fixture(scope="session")
def apoc_address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an empty server with APOC core."""
    yield from served(tmp_path_factory.mktemp("apoc"), apoc=True)


def served(home: Path, **options: Any) -> Iterator[str]:
    try:  # tests of other servers may take longer than an idle one lives
        started = server.start(home, stay=True, **options)
    except StoreError as e:
        if CI:
            raise
        pytest.skip(f"no Neo4j server: {e}")
    yield f"bolt://{server.USER}:{started.password}@127.0.0.1:{started.port}"
    server.stop(home)


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables under which a command or a page finds a small graph."""
    from tests.atlas import stored

    return stored(tmp_path_factory.mktemp("atlas"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end which real parts took part, and which were left out and why."""
    for marker, part in PARTS.items():
        ran, skipped = (
            [report for report in terminalreporter.stats.get(outcome, []) if marker in dict(report.user_properties)]
            for outcome in ("passed", "skipped")
        )
        if ran:
            terminalreporter.write_line(f"{part} took part in {len(ran)} tests")
        for reason in sorted({str(report.longrepr[2]) for report in skipped if isinstance(report.longrepr, tuple)}):
            terminalreporter.write_line(f"{part} was left out of tests: {reason}", yellow=True)
