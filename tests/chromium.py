"""Find a Chromium, or get one: the machine's own, else Playwright's download, else the system's package.

As a program it makes sure that there is one, or says in a line that there is none; tests then skip by name.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
)


def find() -> str | None:
    """The path of a Chromium on this machine, None where there is none."""
    if on_path := next(filter(None, map(shutil.which, NAMES)), None):
        return on_path
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    return own if Path(own).exists() else None


def get() -> str | None:
    """A Chromium, downloaded or installed where there was none."""
    if found := find():
        return found
    print("no Chromium on this machine: asking Playwright for its own", file=sys.stderr, flush=True)
    _try(sys.executable, "-m", "playwright", "install", "chromium", seconds=300)
    if found := find():
        return found
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        print("that failed: asking the system's packages", file=sys.stderr, flush=True)
        _try("apt-get", "update", "-qq", seconds=300)
        _try("apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium", seconds=600)
    return find()


def _try(*command: str, seconds: int) -> None:
    """Run a command that may fail; its complaints go to stderr."""
    try:
        subprocess.run(command, check=False, timeout=seconds, stdout=sys.stderr)
    except (OSError, subprocess.TimeoutExpired) as e:
        print(f"{command[0]}: {e}", file=sys.stderr)


if __name__ == "__main__":
    path = get()
    print(
        f"Chromium: {path}" if path else "Chromium: none could be had; browser tests will be skipped", file=sys.stderr
    )
    sys.exit(path is None and os.environ.get("CI") == "true")
