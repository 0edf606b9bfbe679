"""A home whose feeds are made ones, and commands that run there as a person runs them: whole processes."""

import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from benchmarks.growth_feeds import Feeds
from torchatlas.settings import Settings
from torchatlas.user_files.sources import change_sources

_EVERY = 0.1  # seconds between two looks at the memory


def settings(home: Path) -> Settings:
    """Return the settings of a home, with the embedded store in it.

    >>> settings(Path("/tmp/home")).store
    'ladybug:/tmp/home/atlas.lbug'
    """
    return Settings(f"ladybug:{home / 'atlas.lbug'}", home, profile=home / "profile.toml")


def make_home(home: Path, feeds: Feeds) -> None:
    """Make a home anew: the feeds as files, and a list of sources that names them. What was there is deleted.

    Example: make_home(Path("/tmp/home"), feeds(830, vocabulary.concepts))
    """
    shutil.rmtree(home, ignore_errors=True)
    (home / "feeds").mkdir(parents=True, exist_ok=True)
    files = {home / "feeds" / f"{number}.xml": document for number, (_, document) in enumerate(feeds)}
    for file, document in files.items():
        file.write_bytes(document)
    change_sources(settings(home), lambda sources: replace(sources, sources=tuple(map(str, files))))


def run_command(home: Path, *command: str) -> int:
    """Run torchatlas in a home; return the most bytes of memory that it and its processes have held at once.

    What processes share counts for each of them. Raises CalledProcessError where the command fails.

    Example: run_command(Path("/tmp/home"), "build", "--jobs", "2")
    """
    import psutil  # type: ignore[import-untyped]

    environment = os.environ | {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": settings(home).store}
    called = [sys.executable, "-m", "torchatlas", *command]
    running = subprocess.Popen(called, env=environment, stdout=subprocess.DEVNULL)
    most = 0
    while running.poll() is None:
        with suppress(psutil.NoSuchProcess):  # one that has ended since it was listed
            root = psutil.Process(running.pid)
            most = max(most, sum(p.memory_info().rss for p in (root, *root.children(recursive=True))))
        time.sleep(_EVERY)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, called)
    return most
