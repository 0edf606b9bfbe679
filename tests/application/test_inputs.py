"""The fingerprint of a build covers every module that a build imports, and every input field that is content."""

import ast
import re
import shutil
from dataclasses import fields, replace
from pathlib import Path

import pytest

from torchatlas.build import Inputs, code_fingerprint

ROOT = Path(__file__).parents[2]
INPUTS = Inputs(code="c", concepts=(("a.toml", "x"),), unplaced=("u", "y"), episodes=(("e", "z"),), corrections="t")


def imported(module: str, seen: set[str]) -> set[str]:
    """The modules of ours that a module imports, anywhere in it, and those that these import."""
    path = ROOT / module.replace(".", "/")
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if module in seen or not path.exists():
        return seen
    seen.add(module)
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and re.match(r"torchatlas(?!\.ui)", str(node.module)):
            for name in (str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)):
                imported(name, seen)
    return seen


def test_a_changed_byte_in_any_module_that_a_build_imports_changes_the_fingerprint(tmp_path: Path) -> None:
    copy = tmp_path / "torchatlas"
    shutil.copytree(ROOT / "torchatlas", copy, ignore=shutil.ignore_patterns("__pycache__", "ui"))
    modules = imported("torchatlas.build", set())
    assert {"torchatlas.build", "torchatlas.graph.build"} < modules
    before = code_fingerprint(copy)
    for module in sorted(modules - {"torchatlas"}):
        path = tmp_path / module.replace(".", "/")
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        text = path.read_bytes()
        path.write_bytes(text + b"#")
        code_fingerprint.cache_clear()
        assert code_fingerprint(copy) != before, module
        path.write_bytes(text)
    code_fingerprint.cache_clear()
    assert code_fingerprint(copy) == before


@pytest.mark.parametrize("terms", ["terms.txt", "glossary.txt", "words.txt"])
def test_a_term_more_changes_the_fingerprint(tmp_path: Path, terms: str) -> None:
    copy = tmp_path / "torchatlas"
    shutil.copytree(ROOT / "torchatlas", copy, ignore=shutil.ignore_patterns("__pycache__", "ui"))
    before = code_fingerprint(copy)
    with (copy / "data" / terms).open("a", encoding="utf-8") as file:
        file.write("zz top\n")
    code_fingerprint.cache_clear()
    assert code_fingerprint(copy) != before


def test_every_field_but_the_places_of_files_changes_the_fingerprint() -> None:
    other = {"code": "d", "reader": "r", "cache": Path("x"), "unplaced": ("u", "z"), "corrections": "s"}
    for field in fields(Inputs):
        changed = replace(INPUTS, **{field.name: other.get(field.name, (("n", b"1"),))})
        assert (changed.fingerprint == INPUTS.fingerprint) == (field.name in {"cache", "corrections_file"}), field.name
