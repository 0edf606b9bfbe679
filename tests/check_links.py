"""Ask for the page of each shipped resource, one a second of each host: python -m tests.check_links [FILE...]"""

import sys
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, groupby
from pathlib import Path
from urllib.parse import urlsplit

import requests

TIMES, LONGEST, UNREACHED = 3, 60, "no way there"  # a busy host is asked so often, and left alone at most so long


def main(files: Sequence[Path], pause: float = 1.0, patience: float = 20.0) -> int:
    """Print what is not as it was; return 1 where a page is gone."""
    listed = [(file, r) for file in files for r in tomllib.loads(file.read_text("utf-8"))["resources"]]
    pages = sorted((urlsplit(r["url"]).netloc, r["url"], f"{file}: {r['title']}") for file, r in listed)
    hosts = [[url for _, url, _ in of] for _, of in groupby(pages, key=lambda page: page[0])]
    with ThreadPoolExecutor(len(hosts) or 1) as pool:
        found = [*chain.from_iterable(pool.map(lambda urls: outcomes(urls, pause, patience), hosts))]
    counts = Counter(outcome.partition(" (")[0] for outcome in found)
    if found and counts[UNREACHED] == len(found):
        print(f"No network: none of {len(found)} pages was asked for")
        return 0
    for (_, url, place), outcome in zip(pages, found, strict=True):
        print(f"{place}: {url}: {outcome}\n" * (outcome != "there"), end="")
    print(f"{len(found)} pages: {', '.join(f'{count} {outcome}' for outcome, count in counts.most_common())}")
    return min(1, counts["gone"])


def outcomes(urls: Sequence[str], pause: float, patience: float) -> list[str]:
    """Return in words what becomes of the pages of a host; one that cannot be reached is not asked again."""
    found = list[str]()
    with requests.Session() as session:
        for url in urls:
            found.append(UNREACHED if UNREACHED in found else ask(session, url, pause, patience, TIMES))
    return found


def ask(session: requests.Session, url: str, pause: float, patience: float, times: int) -> str:
    time.sleep(pause)
    try:
        answer = session.get(url, timeout=patience, stream=True)
    except requests.RequestException as e:
        return "silent" if isinstance(e, requests.Timeout) else UNREACHED
    if answer.status_code == 429 and times > 1:
        wait = answer.headers.get("Retry-After", "")
        return ask(session, url, min(LONGEST, int(wait)) if wait.isdecimal() else LONGEST, patience, times - 1)
    if not answer.ok:
        return (
            f"{ {404: 'gone', 410: 'gone', 429: 'busy'}.get(answer.status_code, 'not known') } ({answer.status_code})"
        )
    moved = any(r.status_code in (301, 308) for r in answer.history)
    return f"moved (to {answer.url})" if moved else "there"


if __name__ == "__main__":
    sys.exit(main([Path(name) for name in sys.argv[1:]] or sorted(Path("data/resources").glob("*.toml"))))
