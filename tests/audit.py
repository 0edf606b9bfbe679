"""Look up known vulnerabilities of the tested versions of all packages: python -m tests.audit

pip-audit (https://github.com/pypa/pip-audit) asks the advisories of PyPI, and OSV (https://osv.dev) where those do not
answer. Where no package can be looked up, it still ends with "No known vulnerabilities found", so this program reads
its list. The exit code is 0 where every package was looked up and none is vulnerable, 1 where one is, and 2 where the
databases cannot be asked from here.
"""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

CONSTRAINTS = Path(__file__).parent.parent / "constraints.txt"
SERVICES = ("pypi", "osv")


def verdict(packages: Sequence[Mapping[str, Any]]) -> tuple[int, list[str]]:
    """The exit code, and lines that say what was found, from pip-audit's list of packages.

    >>> verdict([{"name": "a", "version": "1", "vulns": []}])
    (0, ['1 packages were looked up: no known vulnerability'])
    """
    looked_up = [p for p in packages if "skip_reason" not in p]
    bad = [p for p in looked_up if p["vulns"]]
    lines = [
        f"{p['name']} {p['version']}: {v['id']}, mended in {', '.join(v['fix_versions']) or 'no version yet'}"
        for p in bad
        for v in p["vulns"]
    ]
    if missing := len(packages) - len(looked_up):
        lines.append(f"{missing} of {len(packages)} packages could not be looked up: ask where the database answers")
    if packages and not lines:
        lines.append(f"{len(looked_up)} packages were looked up: no known vulnerability")
    return (1 if bad else 2 if missing or not packages else 0), lines


def asked(service: str) -> list[dict[str, Any]]:
    """What a service knows of each package, [] where it does not answer."""
    options = [
        "--no-deps",
        "--disable-pip",
        "--progress-spinner=off",
        "--format=json",
        f"--vulnerability-service={service}",
    ]
    run = [sys.executable, "-m", "pip_audit", f"--requirement={CONSTRAINTS}", *options]
    done = subprocess.run(run, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        return list(json.loads(done.stdout)["dependencies"])
    except ValueError:
        return []


def main() -> int:
    """Ask the services in turn until one knows every package; print what is known, and return the exit code."""
    for service in SERVICES:
        code, lines = verdict(asked(service))
        if code != 2:
            break
    print("\n".join(lines) or "no database of vulnerabilities answers from here: nothing was looked up")
    return code


if __name__ == "__main__":
    sys.exit(main())
