"""Programs and pages that ask one folder, and a judge of their answers; `tests.soak` puts them to work.

Every answer is compared, byte by byte, with the answers that each of the two whole graphs gives: one that mixes them is
none of these. What the programs say besides must be among the lines that are ALLOWED, the server must not grow, and
nothing may be left in the folder. Seeded: the questions come in the same order each time.
"""

import asyncio
import os
import random
import re
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page, async_playwright

from tests.chromium import FLAGS
from tests.screen import DRAWN, IDLE, ROOT, served

COUNTS = (
    "MATCH (c:Concept) WITH count(c) AS concepts MATCH (a)-[r:REQUIRES]->(b) RETURN concepts, count(r), min(a.name)"
)
QUESTIONS = (
    ("export", "-", "--format", "json"),
    ("query", COUNTS, "--format", "csv"),
    ("plan", "aotautograd", "--format", "json"),
    ("search", "autograd", "--format", "json"),
    ("concepts", "--format", "json"),
)
PAGES = ("/", "/path?goal=aotautograd", "/?node=autograd", "/?find=autograd")
ALLOWED = re.compile(
    r"(Reading episodes|Drawing the map|Writing the graph) \.\.\."
    r"|another torchatlas is building (\S+|the map); waiting for it"
    r"|Open http://127\.0\.0\.1:\d+ \(Ctrl-C ends it\)"
)
LEFT = re.compile(
    r"(atlas\.lbug(\.checksum|\.copy|\.lock)?|corrections\.toml|first-map\.json|extractions\.sqlite3"
    r"|(profile|sources|build)\.lock|served\.log)"
)
"""The files that may be in the folder when everything has ended."""
PATIENCE = 300_000
"""Milliseconds for a page: a build in its own process, on a machine that does much else."""
MEMORY, HANDLES = 100_000_000, 20
"""By how many bytes, and handles for each page, a server may be larger at the end than after its first third."""


@dataclass(slots=True)
class Found:
    """What was seen. `expected`: each question's answers from whole graphs; `wrong`: what must not have happened."""

    expected: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    said: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    handles: list[int] = field(default_factory=list)
    changes: int = 0

    def report(self) -> None:
        """Print the figures."""
        for kind, taken in sorted(self.seconds.items()):
            median, slowest = statistics.median(taken), max(taken)
            print(f"{kind}: {len(taken)} answers, median {median:.2f} s, slowest {slowest:.2f} s")
        print(f"the graph changed {self.changes} times; said: {dict(self.said)}")
        if self.memory:
            first = len(self.memory) // 3
            print(
                f"server: {self.memory[first] / 1e6:.0f} MB after a third, {self.memory[-1] / 1e6:.0f} MB at the end, "
                f"{max(self.memory) / 1e6:.0f} MB at most; handles {self.handles[first]}, {self.handles[-1]}"
            )
        for line in self.wrong:
            print(f"WRONG: {line}", file=sys.stderr)


async def command(environment: dict[str, str], *words: str) -> tuple[int, str, str]:
    """Run a command of the program; its exit code and what it wrote."""
    asked = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "torchatlas", *words, cwd=ROOT, env=os.environ | environment,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await asked.communicate()
    return asked.returncode or 0, out.decode(), err.decode()


async def shown(page: Page, address: str, accepted: set[str]) -> str:
    """The text of a page when it is drawn; where it is none of those that are accepted, what stands after 5 seconds."""
    await page.goto(address, timeout=PATIENCE)
    for mark in (DRAWN, IDLE):
        await page.wait_for_selector(mark, timeout=PATIENCE)
    text, end = "", time.monotonic() + 5
    while time.monotonic() < end:
        before, text = text, await page.inner_text("[data-testid=stMain]")
        if text in accepted or (not accepted and text == before):
            break
        await page.wait_for_timeout(300)
    return text


class Load:
    """Programs and pages that ask one folder, and what they saw."""

    def __init__(self, environment: dict[str, str], address: str, pages: Sequence[Page]) -> None:
        self.environment, self.address, self.pages = environment, address, pages
        self.found = Found()

    async def learn(self) -> None:
        """Note what the graph that is stored now answers."""
        for question in QUESTIONS:
            self.found.expected[question[0]].add((await self._asked(question))[1])
        await asyncio.sleep(2.5)  # the page looks at the store every two seconds
        for path in PAGES:
            self.found.expected[path].add(await shown(self.pages[0], self.address + path, set()))

    async def _asked(self, question: Sequence[str]) -> tuple[int, str]:
        code, out, err = await command(self.environment, *question)
        for line in err.splitlines():
            self.found.said[ALLOWED.sub("allowed", line)] += 1
            if not ALLOWED.fullmatch(line):
                self.found.wrong.append(f"{question[0]} said: {line}")
        if code:
            self.found.wrong.append(f"{question[0]} ended with {code}")
        return code, out

    def _note(self, kind: str, asked: str, answer: str, begun: float) -> None:
        self.found.seconds[kind].append(time.monotonic() - begun)
        if answer not in self.found.expected[asked]:
            self.found.wrong.append(f"{asked} answered from no whole graph: {answer[:2000]}")

    async def reader(self, until: float, seed: int) -> None:
        """Be a person at a terminal."""
        rng = random.Random(seed)
        while (begun := time.monotonic()) < until:
            question = rng.choice(QUESTIONS)
            code, out = await self._asked(question)
            if code == 0:
                self._note("commands", question[0], out, begun)

    async def visitor(self, page: Page, until: float, seed: int) -> None:
        """Be a person before the page."""
        rng = random.Random(seed)
        while (begun := time.monotonic()) < until:
            path = rng.choice(PAGES)
            try:
                text = await shown(page, self.address + path, self.found.expected[path])
            except PlaywrightError as e:
                self.found.wrong.append(f"{path}: {e.message.splitlines()[0]}: {await page.inner_text('body')}")
            else:
                self._note("pages", path, text, begun)

    async def watch(self, until: float) -> None:
        """Note what the server takes."""
        port = str(urlsplit(self.address).port)
        (server,) = (p for p in psutil.Process().children() if port in p.cmdline())
        while time.monotonic() < until:
            self.found.memory.append(server.memory_info().rss)
            self.found.handles.append(server.num_fds())
            await asyncio.sleep(1)

    async def run(self, seconds: float, readers: int, change: Callable[[], Awaitable[None]] | None) -> None:
        """Let all of them work for so long, while the graph changes."""
        until = time.monotonic() + seconds

        async def changes() -> None:
            while change and time.monotonic() < until:
                await change()
                self.found.changes += 1

        await asyncio.gather(
            changes(),
            self.watch(until),
            *(self.reader(until, seed) for seed in range(readers)),
            *(self.visitor(page, until, seed) for seed, page in enumerate(self.pages)),
        )

    def judge(self, home: Path) -> Found:
        """Look at what is left in the folder, at the server's own words, and whether it grew."""
        found, third = self.found, len(self.found.memory) // 3
        found.wrong += [f"left: {p.name}" for p in sorted(home.iterdir()) if not LEFT.fullmatch(p.name)]
        words = (home / "served.log").read_text("utf-8", "replace").splitlines()
        found.wrong += [f"the server said: {line}" for line in words if not ALLOWED.fullmatch(line)]
        if found.memory[-1] - found.memory[third] > MEMORY or found.handles[-1] - found.handles[third] > HANDLES * (
            1 + len(self.pages)
        ):
            found.wrong.append("the server grew")
        return found


@asynccontextmanager
async def load(environment: dict[str, str], chromium: str | None, pages: int = 1) -> AsyncIterator[Load]:
    """The program with its page, and a browser with so many pages of it."""
    async with AsyncExitStack() as stack:
        address = stack.enter_context(served(environment))
        playwright = await stack.enter_async_context(async_playwright())
        browser = await playwright.chromium.launch(executable_path=chromium, args=list(FLAGS))
        stack.push_async_callback(browser.close)
        yield Load(environment, address, [await (await browser.new_context()).new_page() for _ in range(pages)])
