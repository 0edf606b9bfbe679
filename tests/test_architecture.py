"""The shape of the project: rooms that know one another in one direction, and no import that is not declared."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from itertools import chain
from pathlib import Path

import networkx as nx
import pytest

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
ROOMS = ("data", "graph", "extract", "torchatlas", "ui")
MAY_IMPORT = {room: set(ROOMS[1 : place + 1]) for place, room in enumerate(ROOMS)}
"""A room knows those before it; `data` holds no code. `python -m torchatlas` is the one door that leads up."""
RENDERINGS = {"torchatlas/atlas.py": {"torchatlas.ui.plans", "torchatlas.ui.drawing"}}
RENDERINGS |= {"graph/model.py": {"torchatlas.ui.plans"}}
"""Plans and the values in notebooks are written by modules of `ui` that know neither a screen nor the library."""
MODULES = sorted(p for room in ROOMS for p in (ROOT / room).rglob("*.py") if p.name != "__main__.py")
STRANGERS = {
    "graph": {"spacy", "streamlit", "feedparser", "click", "pyvis", "requests", "selectolax"},
    "extract": {"streamlit", "click", "neo4j"},
}


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield str(node.module)


def room_or_package(module: str) -> str:
    """A room of ours by its name (`torchatlas.graph.values` is in graph), another package by its top level."""
    first, _, rest = module.partition(".")
    second = rest.partition(".")[0]
    return second if first == "torchatlas" and second in ROOMS else first


@pytest.mark.parametrize("room", ROOMS)
def test_imports_go_one_way(room: str) -> None:
    for path in (path for path in MODULES if path.is_relative_to(ROOT / room)):
        renders = RENDERINGS.get(str(path.relative_to(ROOT)), set())
        names = {room_or_package(name) for name in imported(path) if name not in renders}
        assert names & set(MAY_IMPORT) <= MAY_IMPORT[room], path
        assert not names & STRANGERS.get(room, set()), path


def test_no_modules_import_one_another_in_a_circle() -> None:
    names, graph = {path: dotted(path) for path in MODULES}, nx.DiGraph()
    for path, name in names.items():
        for node in (node for node in ast.parse(path.read_text("utf-8")).body if isinstance(node, ast.ImportFrom)):
            ends = {f"{node.module}.{alias.name}" for alias in node.names} & {*names.values()} or {str(node.module)}
            graph.add_edges_from((name, end) for end in ends)
    assert [circle for circle in nx.strongly_connected_components(graph) if len(circle) > 1] == []


def dotted(path: Path) -> str:
    """The name that a module is imported by: `torchatlas.graph.model`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(("torchatlas", *parts[parts[0] == "torchatlas" :])).removesuffix(".__init__")


STARTED = {"torchatlas.ui.web.server", "torchatlas.ui.web.share", "torchatlas.ui.mcp"}
"""What the command line starts: the pages, the page to send around, and the tools of an assistant."""


@pytest.mark.parametrize("front", ["web", "mcp.py", "cli", "pictures.py"])
def test_a_front_end_knows_no_other_but_the_command_line_starts_them(front: str) -> None:
    others = tuple(f"torchatlas.ui.{other}" for other in ("web", "mcp", "cli") if other != front.removesuffix(".py"))
    known = STARTED if front == "cli" else set()
    place = ROOT / "ui" / front
    for path in [place] if place.is_file() else place.rglob("*.py"):
        assert not [name for name in imported(path) if name.startswith(others) and name not in known], path
    assert "streamlit" not in imported(ROOT / "ui" / "pictures.py")


def test_every_import_is_declared() -> None:
    lines = [*PROJECT["dependencies"], *chain.from_iterable(PROJECT["optional-dependencies"].values())]
    declared = {re.split(r"[<>=!~\[; ]", line)[0].lower().replace("_", "-") for line in lines}
    home = packages_distributions()
    used = {room_or_package(name) for path in MODULES for name in imported(path)} - MAY_IMPORT.keys()
    names = {n: {d.lower().replace("_", "-") for d in home.get(n, [n])} for n in used - sys.stdlib_module_names}
    assert [name for name, packages in names.items() if not packages & declared] == []
    assert all(">=" in line and "<" in line for line in lines)


def test_what_runs_is_installed_by_hashes_of_the_tested_versions() -> None:
    tested = {*(ROOT / "constraints.txt").read_text("utf-8").lower().replace("_", "-").split()}
    hashed = (ROOT / "requirements.txt").read_text("utf-8").replace("\\\n", "")
    pins = {line.split()[0] for line in hashed.splitlines() if re.search(r"--hash=sha256:[0-9a-f]{64}\b", line)}
    assert len(pins) == len(hashed.splitlines())
    only_here = {
        "colorama",
        "editables",
        "pip",
        "setuptools",
        "tzdata",
    }  # for Windows, and to install this project itself
    assert {pin for pin in pins if pin.partition("==")[0] not in only_here} <= tested
    assert all(
        re.split(r"[<>=]", need)[0] in {pin.partition("==")[0] for pin in pins} for need in PROJECT["dependencies"]
    )


def test_a_release_names_pictures_and_pages_by_addresses(tmp_path: Path) -> None:
    for name in ("README.md", "pyproject.toml", ".ci/addresses"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    subprocess.run([tmp_path / ".ci/addresses", "owner/name", "v1.0.0"], check=True)
    links = re.findall(r"\]\(([^)]+)", (tmp_path / "README.md").read_text("utf-8"))
    assert [link for link in links if not link.startswith("https://")] == []
    assert "https://raw.githubusercontent.com/owner/name/v1.0.0/docs/route.png" in links
    assert "https://github.com/owner/name/blob/v1.0.0/docs/map.md" in links
    urls = tomllib.loads((tmp_path / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
    assert urls["Source"] == "https://github.com/owner/name"
