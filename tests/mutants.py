"""Change the code in small ways and see whether its tests notice: python -m tests.mutants [MODULE ...]

Mutants come from mutmut: one change each, inside a function. A seeded sample of them is taken. Each runs in a copy of
the tree with the tests of its module, which stop at the first failure. The working tree is never touched. A survivor is
printed with its diff: it needs an example, or its rule can go, or the change means nothing (`zip(strict=None)`).
"""

import argparse
import compileall
import difflib
import multiprocessing
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
NOT_COPIED = shutil.ignore_patterns(".git", ".venv", ".*_cache", ".hypothesis", "__pycache__")
SECONDS = 60  # of the processor, for the tests of a mutant; those of the slowest room take 20 on the code as it is
PRELOADED = ["pytest", "hypothesis", "networkx", "neo4j", "highspy", "spacy"]  # once for all mutants
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(PRELOADED)

TESTS = {  # module -> its tests, the quickest first
    "graph/planning/quiz.py": "graph/test_quiz",
    "graph/planning/reasons.py": "graph/test_plan graph/test_teachers",
    "graph/cypher.py": "graph/test_guard graph/test_questions",
    "graph/questions.py": "graph/test_resolution",
    "extract/feeds.py": "extract/test_feed",
    "extract/text.py": "extract/test_text extract/test_feed",
    "torchatlas/profile.py": "application/test_own_files",
}
_PLANNED = "graph/test_teachers graph/test_choice graph/test_plan graph/test_plan_laws"
TESTS |= {f"graph/planning/{stage}.py": _PLANNED for stage in ("choice", "demands", "order", "plan", "sessions")}
_NAMED_AFTER = "graph/build graph/inference graph/corrections graph/identity graph/search graph/names graph/model"
_NAMED_AFTER += " graph/related extract/fetch extract/transcripts extract/references"
TESTS |= {f"{module}.py": module.replace("/", "/test_") for module in _NAMED_AFTER.split()}


class Mutant(NamedTuple):
    """A module (a path from the root) and its changed text."""

    module: str
    text: str

    @property
    def diff(self) -> list[str]:
        """A line that names the place, and the lines that differ."""
        before, after = (ROOT / self.module).read_text("utf-8").splitlines(), self.text.splitlines()
        _, _, place, *lines = difflib.unified_diff(before, after, n=0, lineterm="")
        return [f"{self.module}:{re.findall('[0-9]+', place)[0]}", *(line for line in lines if line[0] in "+-")]


def sample(named: Sequence[str], size: int, seed: int) -> list[Mutant]:
    """Some of the mutants that mutmut makes of the functions in the modules whose path begins with one of the names.

    All modules under test where nothing is named; the same ones for the same seed.
    """
    from mutmut.mutation.file_mutation import create_mutations

    every = []
    for module in (m for m in sorted(TESTS) if not named or m.startswith(tuple(named))):
        tree, mutations, *_ = create_mutations(module, text := (ROOT / module).read_text("utf-8"))
        every += [(module, text, tree, m) for m in mutations if m.contained_by_top_level_function is not None]
    random.Random(seed).shuffle(every)
    print(f"{min(size, len(every))} of {len(every)} mutants", file=sys.stderr)
    made = ((name, old, tree.deep_replace(m.original_node, m.mutated_node).code) for name, old, tree, m in every)
    return list(islice((Mutant(name, new) for name, old, new in made if new != old and _is_python(new)), size))


def _is_python(text: str) -> bool:
    with suppress(SyntaxError):
        return bool(compile(text, "mutant", "exec"))
    return False


@contextmanager
def copied_tree() -> Iterator[Path]:
    """A copy of the tree, links and all, which goes afterwards; its modules are compiled."""
    with tempfile.TemporaryDirectory(prefix="torchatlas-mutants-") as folder:
        copy = shutil.copytree(ROOT, Path(folder) / "tree", symlinks=True, ignore=NOT_COPIED)
        for room in ("graph", "extract", "torchatlas", "tests", "ui"):
            compileall.compile_dir(copy / room, quiet=2)
        yield copy


def outcome(copy: Path, mutant: Mutant) -> str:
    """ "caught", "survived" or "timeout": how the tests of a copy end while one of its modules has another text."""
    path = copy / mutant.module
    before = path.read_text("utf-8")
    for compiled in path.parent.glob(f"__pycache__/{path.stem}.*"):
        compiled.unlink()  # a text of the same length within the same second would pass for it
    path.write_text(mutant.text, "utf-8")
    process = PROCESSES.Process(target=_run, args=(copy, [f"tests/{name}.py" for name in TESTS[mutant.module].split()]))
    process.start()
    process.join()
    path.write_text(before, "utf-8")
    ends = {0: "survived", -signal.SIGXCPU: "timeout", -signal.SIGKILL: "timeout"}
    return ends.get(process.exitcode, "caught")


def _run(copy: Path, files: list[str]) -> None:
    import pytest

    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    os.chdir(copy)
    os.environ.update(PYTHONPATH=str(copy), TORCHATLAS_HOME=str(copy.parent / "home"), PYTHONDONTWRITEBYTECODE="1")
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(copy))
    for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "torchatlas")]:
        del sys.modules[name]  # the working tree's: a new process loads __main__, which may be a page under test
    for stream in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
    options = ["-x", "-q", "--hypothesis-profile=mutants", "-p", "no:xdist", "-p", "no:cacheprovider"]
    sys.exit(pytest.main([*options, *files]))


def measure(chosen: Sequence[Mutant], jobs: int) -> list[tuple[Mutant, str]]:
    """How each of the mutants ends. AssertionError where the tests of a room fail on the code as it is."""
    with ThreadPoolExecutor(jobs) as pool, ExitStack() as stack:
        free: SimpleQueue[Path] = SimpleQueue()
        for _ in range(jobs):
            free.put(stack.enter_context(copied_tree()))

        def run(mutant: Mutant) -> str:
            copy = free.get()
            try:
                return outcome(copy, mutant)
            finally:
                free.put(copy)

        as_it_is = {m.module: m._replace(text=(ROOT / m.module).read_text("utf-8")) for m in chosen}
        ends = zip(as_it_is, pool.map(run, as_it_is.values()), strict=True)
        failed = [module for module, end in ends if end != "survived"]
        assert not failed, f"tests fail on the code as it is, of {failed}"
        ended = []
        for mutant, result in zip(chosen, pool.map(run, chosen), strict=True):
            ended.append((mutant, result))
            print(f"{len(ended)}/{len(chosen)} {result:8} {mutant.diff[0]}", file=sys.stderr, flush=True)
        return ended


def report(ended: Sequence[tuple[Mutant, str]]) -> Iterator[str]:
    """The survivors with their diffs, then a line for each module and one for all."""
    yield from ("\n".join([*mutant.diff, ""]) for mutant, result in ended if result == "survived")
    for module in (*TESTS, "all"):
        found = Counter(result for mutant, result in ended if module in (mutant.module, "all"))
        if number := found.total():
            counts = ", ".join(f"{found[result]} {result}" for result in ("caught", "timeout", "survived"))
            yield f"{module:32} {1 - found['survived'] / number:4.0%} of {number:3}: {counts}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("module", nargs="*", help="how the paths of modules begin, e.g. graph/planning")
    parser.add_argument("--sample", type=int, default=300, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--jobs", type=int, default=2, help="how many at a time")
    asked = parser.parse_args()
    print(*report(measure(sample(asked.module, asked.sample, asked.seed), asked.jobs)), sep="\n")
