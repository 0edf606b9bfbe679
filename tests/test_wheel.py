"""What a user installs: the wheel alone, run from an empty folder."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import version
from itertools import chain
from pathlib import Path

import pytest
from mcp import StdioServerParameters

from tests.screen import served
from tests.ui.assistant.conftest import connected

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
ROOMS = ("data", "extract", "graph", "ui")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


def wheel_of(source: Path, folder: Path) -> Path:
    """The wheel that pip makes of a checkout or of an unpacked source distribution."""
    subprocess.run([*PIP, "wheel", str(source), "--no-deps", "--no-build-isolation", "-w", str(folder)], check=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def files_of(wheel: Path) -> dict[str, int]:
    """What a wheel holds beside its own records: path -> checksum."""
    return {f.filename: f.CRC for f in zipfile.ZipFile(wheel).infolist() if ".dist-info/" not in f.filename}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_of(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("target")
    subprocess.run([*PIP, "install", "--no-deps", "--target", str(target), str(wheel)], check=True)
    return target


def test_the_wheel_holds_every_file_under_one_name(wheel: Path) -> None:
    home = ROOT / "torchatlas"
    rooms = {f"torchatlas/{p.relative_to(ROOT)}" for room in ROOMS for p in (ROOT / room).rglob("*") if p.is_file()}
    own = (folder.rglob("*.py") for folder in home.iterdir() if folder.is_dir() and not folder.is_symlink())
    shipped = rooms | {str(p.relative_to(ROOT)) for p in (*home.glob("*.*"), *chain.from_iterable(own))}
    assert files_of(wheel).keys() == {name for name in shipped if not name.endswith(".pyc")}


def test_the_source_distribution_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    build = "import sys; from hatchling.build import build_sdist; print(build_sdist(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=ROOT, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    again = wheel_of(tmp_path / archive.name.removesuffix(".tar.gz"), tmp_path)
    assert files_of(again) == files_of(wheel)


def shown(folder: Path, *command: str | Path, **variables: str) -> str:
    """What a program prints in a folder."""
    environment = {**os.environ, "TORCHATLAS_HOME": f"{folder}.home", **variables}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_a_notebook_beside_modules_of_the_rooms_names_works(installed: Path, tmp_path: Path) -> None:
    for name in ROOMS:
        (tmp_path / f"{name}.py").write_text(f"mine = '{name} of the notebook'\n", "utf-8")
    code = (
        "import torchatlas.graph.model, data, extract, graph, ui; "
        "assert torchatlas.open().questions() and torchatlas.open().plan('vmap').steps; "
        "print(data.mine, extract.mine, graph.mine, ui.mine, torchatlas.graph.model.__file__, sep='; ')"
    )
    own = "; ".join(f"{name} of the notebook" for name in ROOMS)
    printed = shown(tmp_path, sys.executable, "-c", code, PYTHONPATH=str(installed))
    assert printed == f"{own}; {installed}/torchatlas/graph/model.py\n"


def test_spacy_finds_the_component_by_its_name_alone_and_loads_what_it_saved(installed: Path, tmp_path: Path) -> None:
    code = (
        "import spacy; nlp = spacy.blank('en'); nlp.add_pipe('torchatlas_concepts').add([{'id': 'me', 'name': 'q'}]); "
        "nlp.to_disk('s'); nlp = spacy.load('s', config={'components.torchatlas_concepts.annotate_ents': True}); "
        "print([span.kb_id_ for span in nlp('vmap and q').ents])"
    )
    assert shown(tmp_path, sys.executable, "-c", code, PYTHONPATH=str(installed)) == "['vmap', 'me']\n"


INSTALLED = {  # versions -> how uv installs them; only what a requirement file names is direct
    "tested": (sys.executable, "--constraint", "constraints.txt", "{0}[mcp]"),
    "newest": (sys.executable, "{0}[mcp]"),
    "lowest": ("3.11", "--resolution", "lowest-direct", "-r", "pyproject.toml", "--extra", "mcp", "{0}"),
}


@pytest.fixture(scope="module", params=INSTALLED)
def scripts(request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment with the wheel and what it needs, from an index."""
    venv, probed = tmp_path_factory.mktemp(request.param), tmp_path_factory.mktemp("probed")
    uv = shutil.which("uv", path=os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"])))
    probe = [uv or "uv", "pip", "install", "--quiet", "--refresh", "--target", probed, "six"]
    if not uv or subprocess.run(probe).returncode:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("no index of packages, or no uv")
    python, *what = INSTALLED[request.param]
    subprocess.run([uv, "venv", "--quiet", "--python", python, venv], check=True)
    subprocess.run([uv, "pip", "install", "--python", venv, *(w.format(wheel) for w in what)], cwd=ROOT, check=True)
    return venv / "bin"


@pytest.mark.index
def test_all_of_it_runs_in_an_environment_of_its_own(scripts: Path, tmp_path: Path) -> None:
    program, variables = str(scripts / "torchatlas"), {"TORCHATLAS_HOME": f"{tmp_path}.home"}
    assert json.loads(shown(tmp_path, program, "plan", "AOTAutograd", "--format", "json"))["steps"]
    assert json.loads(shown(tmp_path, program, "query", "RETURN 1 AS n", "--format", "json"))["rows"] == [[1]]
    assert shown(tmp_path, program, "build", "--offline").split()[1] == "episodes,"
    assert shown(tmp_path, program, "share", "map.html", "AOTAutograd") == ""
    assert "AOTAutograd" in (tmp_path / "map.html").read_text("utf-8")
    with served(variables, program=[program, "--no-browser"]):
        """The page is healthy."""
    with connected(StdioServerParameters(command=program, args=["mcp"], env=os.environ | variables)) as assistant:
        assert assistant.ask("plan", goals=["vmap"])["steps"]
    code = f"import torchatlas\nassert torchatlas.open() and torchatlas.__version__ == {version('torchatlas')!r}\n"
    (tmp_path / "typed.py").write_text(code)
    shown(tmp_path, sys.executable, "-m", "mypy", "--strict", "--python-executable", scripts / "python", "typed.py")
    shown(tmp_path, scripts / "python", "typed.py")
