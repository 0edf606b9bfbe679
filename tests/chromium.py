"""Find a Chromium, or get one: the machine's own, else Playwright's download, else the system's package.

As a program it makes sure that there is one, or says in a line that there is none; tests then skip by name.
"""

import os
import shlex
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
    """A Chromium, downloaded or installed where there was none; complaints go to stderr."""
    attempts = [f"{sys.executable} -m playwright install chromium"]
    if os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get"):
        attempts += ["apt-get update -qq", "apt-get install -y -qq --no-install-recommends chromium"]
    while not (found := find()) and attempts:
        print(f"no Chromium on this machine: {attempts[0]}", file=sys.stderr, flush=True)
        try:
            subprocess.run(shlex.split(attempts.pop(0)), check=False, timeout=600, stdout=sys.stderr)
        except (OSError, subprocess.TimeoutExpired) as e:
            print(e, file=sys.stderr)
    return found


if __name__ == "__main__":
    path = get()
    print(f"Chromium: {path or 'none could be had; browser tests will be skipped'}", file=sys.stderr)
    sys.exit(path is None and os.environ.get("CI") == "true")
