"""What a user installs: the wheel alone, run from an empty folder."""

import os
import subprocess
import sys
import tarfile
import zipfile
from itertools import chain
from pathlib import Path

import pytest

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
    rooms = {f"torchatlas/{p.relative_to(ROOT)}" for room in ROOMS for p in (ROOT / room).rglob("*.*")}
    own = (folder.rglob("*.py") for folder in home.iterdir() if folder.is_dir() and not folder.is_symlink())
    shipped = rooms | {str(p.relative_to(ROOT)) for p in (*home.glob("*.py"), *chain.from_iterable(own))}
    assert files_of(wheel).keys() == {name for name in shipped if not name.endswith(".pyc")}


def test_the_source_distribution_makes_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    build = "import sys; from hatchling.build import build_sdist; print(build_sdist(sys.argv[1]))"
    subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=ROOT, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    again = wheel_of(tmp_path / archive.name.removesuffix(".tar.gz"), tmp_path)
    assert files_of(again) == files_of(wheel)


def run(installed: Path, folder: Path, *command: str) -> str:
    """What Python prints in a folder where all that is installed is the wheel."""
    environment = {**os.environ, "PYTHONPATH": str(installed), "TORCHATLAS_HOME": f"{folder}.home"}
    shown = subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True)
    assert shown.returncode == 0, shown.stderr
    return shown.stdout


def test_a_notebook_beside_modules_of_the_rooms_names_works(installed: Path, tmp_path: Path) -> None:
    for name in ROOMS:
        (tmp_path / f"{name}.py").write_text(f"mine = '{name} of the notebook'\n", "utf-8")
    code = (
        "import torchatlas, data, extract, graph, ui; from torchatlas.graph.model import Concept; "
        "from torchatlas.shipped import load_questions; assert load_questions(); "
        "print(data.mine, extract.mine, graph.mine, ui.mine, Concept.__module__, sep='; ')"
    )
    own = "; ".join(f"{name} of the notebook" for name in ROOMS)
    assert run(installed, tmp_path, "-c", code) == f"{own}; torchatlas.graph.model\n"


def test_the_wheel_plans_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    where = run(installed, tmp_path, "-c", "import torchatlas; print(torchatlas.__file__)")
    assert where.startswith(str(installed))
    assert "AOTAutograd" in run(installed, tmp_path, str(installed / "bin" / "torchatlas"), "plan", "AOTAutograd")
    assert not list(tmp_path.iterdir())


def test_spacy_finds_the_component_by_its_name_alone(installed: Path, tmp_path: Path) -> None:
    code = (
        "import spacy; nlp = spacy.blank('en'); "
        "nlp.add_pipe('torchatlas_concepts', config={'concepts': [{'id': 'vmap', 'name': 'vmap'}]}); "
        "doc = nlp('How vmap works'); print([(s.text, s.label_) for s in doc.spans['concepts']])"
    )
    assert run(installed, tmp_path, "-c", code) == "[('vmap', 'vmap')]\n"
