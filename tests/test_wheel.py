"""What a user installs: the wheel alone, run from an empty folder."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
ROOMS = ("data", "extract", "graph", "ui")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    dist, target = tmp_path_factory.mktemp("dist"), tmp_path_factory.mktemp("target")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", str(ROOT), "--no-deps", "--no-build-isolation", "-w", str(dist)], check=True)
    (wheel,) = dist.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    rooms = {f"torchatlas/{p.relative_to(ROOT)}" for room in ROOMS for p in (ROOT / room).rglob("*.*")}
    shipped = rooms | {str(p.relative_to(ROOT)) for p in (ROOT / "torchatlas").glob("*.py")}
    shipped = {name for name in shipped if not name.endswith(".pyc")}
    assert {name for name in names if ".dist-info/" not in name} == shipped
    subprocess.run([*pip, "install", "--no-deps", "--target", str(target), str(wheel)], check=True)
    return target


def test_the_wheel_plans_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    empty, home = tmp_path / "empty", tmp_path / "home"
    empty.mkdir()
    environment = {**os.environ, "PYTHONPATH": str(installed), "TORCHATLAS_HOME": str(home)}
    program = [sys.executable, str(installed / "bin" / "torchatlas")]
    where = subprocess.run(
        [sys.executable, "-c", "import torchatlas; print(torchatlas.__file__)"],
        cwd=empty,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert where.stdout.startswith(str(installed))
    plan = subprocess.run(
        [*program, "plan", "AOTAutograd"], cwd=empty, env=environment, capture_output=True, text=True, check=False
    )
    assert plan.returncode == 0, plan.stderr
    assert "AOTAutograd" in plan.stdout
    assert not list(empty.iterdir())


def test_spacy_finds_the_component_by_its_name_alone(installed: Path, tmp_path: Path) -> None:
    code = (
        "import spacy; nlp = spacy.blank('en'); "
        "nlp.add_pipe('torchatlas_concepts', config={'concepts': [{'id': 'vmap', 'name': 'vmap'}]}); "
        "doc = nlp('How vmap works'); print([(s.text, s.label_) for s in doc.spans['concepts']])"
    )
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    shown = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert shown.stdout == "[('vmap', 'vmap')]\n", shown.stderr
