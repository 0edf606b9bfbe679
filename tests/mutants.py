"""Change the code in small ways and see whether its tests notice: python -m tests.mutants [MODULE ...]

Each mutant has one change inside a function. A seeded sample of them is taken. Each runs in a copy of the tree with the
tests of its room, which stop at the first failure. The working tree is never touched. A survivor is printed: it needs
an example, or its rule can go, or the change means nothing. Not on Windows: `ulimit` ends what loops.
"""

import argparse
import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, count
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis")
SECONDS = 60  # of the processor, for the tests of a mutant; those of the slowest room take 20 on the code as it is
TESTS = {  # room -> its tests, the quickest first
    "graph/planning/demands": "graph/test_teachers graph/test_plan graph/test_plan_laws",
    "graph/planning/quiz": "graph/test_quiz",
    "graph/planning/reasons": "graph/test_teachers graph/test_plan",
    "graph/planning": "graph/test_choice graph/test_plan graph/test_plan_laws",
    "graph/cypher": "graph/test_guard graph/test_questions",
    "graph/questions": "graph/test_resolution",
    "extract/feeds": "extract/test_feed",
    "extract/fetch": "extract/test_fetch extract/test_secrets",
    "ui/web/state": "ui/web/test_explore_page ui/web/test_path_page",
    "torchatlas/profile": "application/test_profile",
}
_NAMED_AFTER = "graph/build graph/inference graph/corrections graph/identity graph/search graph/names graph/model"
_NAMED_AFTER += " graph/related extract/transcripts extract/links extract/references"
TESTS |= {module: module.replace("/", "/test_") for module in _NAMED_AFTER.split()}
_PAIRS = "Lt LtE, Gt GtE, Eq NotEq, In NotIn, Is IsNot, And Or, Add Sub, Mult Div, BitOr BitAnd"
_BOTH = [tuple(getattr(ast, name) for name in pair.split()) for pair in _PAIRS.split(", ")]
OPERATORS = {a: b for pair in _BOTH for a, b in (pair, pair[::-1])}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "sorted": "list"}
UNCHANGED = {"annotation", "returns", "decorator_list"}


def changes(node: ast.AST) -> Iterator[tuple[ast.expr, object]]:
    """What may stand in the place of this node, or of one in it."""
    match node:
        case ast.Compare(left, [op], [right]) if type(op) in OPERATORS:
            yield node, ast.Compare(left, [OPERATORS[type(op)]()], [right])
        case ast.BoolOp(op, values):
            yield node, ast.BoolOp(OPERATORS[type(op)](), values)
        case ast.BinOp(left, op, right) if type(op) in OPERATORS:
            yield node, ast.BinOp(left, OPERATORS[type(op)](), right)
        case ast.UnaryOp(ast.Not(), operand):
            yield node, operand
        case ast.Constant(bool(value)):
            yield node, not value
        case ast.Constant(int(value) | float(value)):
            yield node, value + 1
        case ast.Constant(str(value)):
            yield node, repr(f"XX{value}")
        case ast.Name(id) if id in NAMES:
            yield node, NAMES[id]
        case ast.If(test) | ast.While(test) | ast.IfExp(test):
            yield test, ast.UnaryOp(ast.Not(), test)
        case ast.comprehension(ifs=tests):
            yield from ((test, True) for test in tests)
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value) | ast.Return(value=ast.expr() as value):
            yield value, None
        case ast.Call(_, args, keywords):
            yield from ((given, None) for given in (*args, *(k.value for k in keywords)))


def within(node: ast.AST) -> Iterator[ast.AST]:
    """A node and all below it that can be changed: no annotations, no docstrings, and not what f-strings hold."""
    yield node
    for field, value in ast.iter_fields(node):
        for child in [] if field in UNCHANGED else value if isinstance(value, list) else [value]:
            is_doc = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
            if isinstance(child, ast.AST) and not is_doc and not isinstance(child, ast.JoinedStr):
                yield from within(child)


class Mutant(NamedTuple):
    """A module (a path from the root), what stands in it from one byte to another, and what shall stand there."""

    module: str
    line: int
    begin: int
    end: int
    new: str

    def text(self) -> str:
        before = (ROOT / self.module).read_bytes()
        return (before[: self.begin] + self.new.encode() + before[self.end :]).decode()

    def __str__(self) -> str:
        old = (ROOT / self.module).read_bytes()[self.begin : self.end].decode()
        return f"{self.module}:{self.line}\n- {old}\n+ {self.new}\n"

    @property
    def room(self) -> str:
        return next(room for room in TESTS if self.module.startswith(room))


def mutants(module: str) -> Iterator[Mutant]:
    text = (ROOT / module).read_bytes()
    starts = [0, *accumulate(map(len, text.splitlines(keepends=True)))]
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    nested = {inner for node in functions for inner in ast.walk(node) if inner is not node}
    for node in (node for function in functions if function not in nested for node in within(function)):
        for place, new in changes(node):
            ends = ((place.lineno, place.col_offset), (place.end_lineno or 0, place.end_col_offset or 0))
            begin, end = (starts[line - 1] + column for line, column in ends)
            yield Mutant(module, place.lineno, begin, end, f"({ast.unparse(new) if isinstance(new, ast.AST) else new})")


def sample(named: list[str], size: int, seed: int) -> list[Mutant]:
    """Some mutants of the modules whose path begins with one of the names, or of all; the same for the same seed."""
    found = (p for room in TESTS for p in (*ROOT.glob(f"{room}.py"), *ROOT.glob(f"{room}/*.py")))
    modules = sorted({p.relative_to(ROOT).as_posix() for p in found})
    every = [m for module in modules if not named or module.startswith(tuple(named)) for m in mutants(module)]
    return random.Random(seed).sample(every, min(size, len(every)))


def outcome(copy: Path, module: str, text: str, room: str, moment: int) -> str:
    """ "caught", "survived" or "timeout": how the tests of a room end in a copy where a module has another text."""
    path = copy / module
    path.write_text(text, "utf-8")
    os.utime(path, (moment, moment))  # else what was compiled within the same second would pass for it
    files = [f"tests/{name}.py" for name in TESTS[room].split()]
    options = ["-x", "-q", "--hypothesis-profile=mutants", "-p", "no:xdist", "-p", "no:cacheprovider", *files]
    limited = ["bash", "-c", f'ulimit -t {SECONDS}; exec "$@"', "bash", sys.executable, "-m", "pytest", *options]
    environment = os.environ | {"PYTHONPATH": str(copy), "TORCHATLAS_HOME": str(copy.parent / "home")}
    ended = subprocess.run(limited, cwd=copy, env=environment, capture_output=True, check=False).returncode
    shutil.copyfile(ROOT / module, path)
    return "survived" if ended == 0 else "timeout" if ended in (-signal.SIGXCPU, -signal.SIGKILL) else "caught"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("module", nargs="*", help="how the paths of modules begin, e.g. graph/planning")
    parser.add_argument("--sample", type=int, default=300, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    asked = parser.parse_args()
    chosen, moments, free = sample(asked.module, asked.sample, asked.seed), count(1), SimpleQueue[Path]()

    def run(module: str, text: str, room: str) -> str:
        copy = free.get()
        try:
            return outcome(copy, module, text, room, next(moments))
        finally:
            free.put(copy)

    with ThreadPoolExecutor(asked.jobs) as pool, tempfile.TemporaryDirectory(prefix="torchatlas-mutants-") as folder:
        for job in range(asked.jobs):
            free.put(Path(shutil.copytree(ROOT, Path(folder, f"{job}"), symlinks=True, ignore=NOT_COPIED)))
        for room, module in {m.room: m.module for m in chosen}.items():
            if run(module, (ROOT / module).read_text("utf-8"), room) != "survived":
                sys.exit(f"the tests of {room} fail on the code as it is: {TESTS[room]}")
        counts = Counter[tuple[str, str]]()
        for mutant, result in zip(chosen, pool.map(lambda m: run(m.module, m.text(), m.room), chosen), strict=True):
            counts.update([(mutant.room, result), ("all", result)])
            print(f"{counts.total() // 2}/{len(chosen)} {result}", file=sys.stderr, flush=True)
            if result == "survived":
                print(mutant, flush=True)
    for room in (*TESTS, "all"):
        told = {result: counts[room, result] for result in ("caught", "timeout", "survived")}
        if number := sum(told.values()):
            print(f"{room:32} {1 - told['survived'] / number:4.0%} of {number:3}: {told}")


if __name__ == "__main__":
    main()
