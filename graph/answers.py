"""Answers as values: plans, readings, sessions, gaps, differences and more."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import KW_ONLY, field
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar, Literal, get_args

from torchatlas.graph.errors import AtlasError, shortened
from torchatlas.graph.formatting import ORIGINS, VERBS, clock, counted, doubt, length, listed, worded
from torchatlas.graph.messages import kept
from torchatlas.graph.model import Kind, MarkdownMixin, Need, OrderKind, Origin, PlanDepth, RouteName, Value

if TYPE_CHECKING:
    import pandas as pd
How = Literal["name", "number", "alias", "identifier", "area", "corrected", "message", "question", "guess", "journey"]
"""What made a reading; "name" stands for ids and whole titles too, "guess" for some words of a question."""
FREE: tuple[How, ...] = ("question", "guess")
"""How words are read that are no name."""
ReadingKind = Literal["concept", "episode", "resource", "area", "several"]
Role = Literal["before", "goal", "deepens"]
ChangeKind = Literal["added", "removed", "changed"]
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)
OFFERED = 3  # other readings
QUESTIONS = 8  # of a quiz, at the most
OTHER_READINGS = " Other readings: "
_AROUND = " \t\n\"'`“”‘’«»"


class Named(Value):
    """A concept or an episode that an answer names."""

    id: str
    name: str


def bare(text: str) -> str:
    """Return typed text without quotes or "?" around it: `bare(" `vmap`")`."""
    return text.strip(_AROUND).rstrip("?!").strip(_AROUND)


class Reading(Value):
    """What words may mean. `matched`: the text they met; `sure`: ask no more."""

    ids: tuple[str, ...]
    name: str
    kind: ReadingKind
    how: How
    matched: str
    score: float = 1.0
    sure: bool = True

    @property
    def described(self) -> str:
        return {"episode": f'the episode "{self.name}"', "area": f"the area {self.name}"}.get(self.kind, self.name)


class Understood(Value):
    """The meaning of a text. `sentence`: what to show, "" for an exact name.

    `sure`: False for a best guess; `other`: what else it may mean; `message`: the known
    error message that the text holds.
    """

    text: str
    ids: tuple[str, ...]
    how: How
    taken_as: str = ""
    sure: bool = True
    other: tuple[Reading, ...] = ()
    message: str = ""
    sentence: str = ""


def understood(text: str, best: Reading, others: tuple[Reading, ...] = (), meaning: str = "") -> Understood:
    """Return the best reading as what was understood, with a sentence on it.

    `meaning`: of a known error message. Nothing else of a pasted text is kept.

    >>> vmap = Reading(("vmap",), "vmap", kind="concept", how="corrected", matched="vmap")
    >>> understood("vmapp", vmap).sentence
    'I took "vmapp" for a typing slip of vmap.'
    """
    text = text if best.how in ("name", "number", "alias") else kept(text, best.name)
    typed, offered, said = bare(" ".join(text.split())), others[:OFFERED], ""
    if best.how == "alias":
        said = f'"{typed}" is another name of {best.name}.'
    elif best.how not in ("name", "number"):
        said = {
            "corrected": f'I took "{typed}" for a typing slip of {best.described}.',
            "identifier": f'I took "{typed}" to mean {best.name} ({best.matched}).',
            "area": f'I took "{typed}" to mean {best.described}: the main subjects of its episodes.',
            "guess": f'My best guess for "{typed}" is {best.described}.',
            "message": f'The message "{typed}" is about {best.name}: {meaning}',
        }.get(best.how, f'I took "{typed}" to mean {best.described}.')
        said += f"{OTHER_READINGS}{'; '.join(r.described for r in offered)}." if offered else ""
    return Understood(
        text,
        best.ids,
        how=best.how,
        taken_as=best.name,
        sure=best.how != "guess",
        other=offered,
        message=text if best.how == "message" else "",
        sentence=said,
    )


class Stretch(Named):
    """Seconds of an episode. `resumes`: it began before; `pauses`: it goes on."""

    start: int
    end: int
    resumes: bool = False
    pauses: bool = False

    def __str__(self) -> str:
        first = f" from {clock(self.start)}" if self.resumes else ""
        return self.name + first + (f" up to {clock(self.end)}" if self.pauses else "")


class Session(Value):
    """Stretches heard in one go; `minutes`: at the plan's speed, rounded up."""

    minutes: int
    stretches: tuple[Stretch, ...]


class Split(Value):
    """A wish for sessions: at most `count` of them, each of so many minutes."""

    count: int
    minutes: int

    @classmethod
    def parse(cls, text: str) -> "Split":
        """Read sessions such as "2x1h" or "5 x 45m". Raises AtlasError."""
        count, _, each = text.strip().lower().partition("x")
        minutes = minutes_of(each)
        if not re.fullmatch(r"[1-9]\d?", count.strip(), re.ASCII) or not minutes:
            raise AtlasError(f"{shortened(text)!r} is no split into sessions; write 3x30m: up to 99 of one length")
        return cls(int(count), minutes)


def minutes_of(text: str) -> int | None:
    """Return the minutes of a length, else None: `minutes_of("1h30m")` is 90."""
    found = re.fullmatch(r"(?:([0-9]{1,6})\s*h)?\s*(?:([0-9]{1,6})\s*(?:m|min)?)?", text.strip().lower())
    return int(found[1] or 0) * 60 + int(found[2] or 0) if found and text.strip() else None


class Taught(Named, kw_only=True):
    """A concept that a step teaches; `at`: from which second, None: unknown."""

    at: int | None = None


class Needed(Named, kw_only=True):
    """A concept that a step needs; `source`: an earlier episode, or "known"."""

    source: str


class Step(Value):
    """An episode of a plan; `nearest`: none explains the goal; `origin`: of the least sure edge."""

    episode_id: str
    number: int | None
    _: KW_ONLY
    season: int | None = None
    title: str
    minutes: int | None
    estimated: bool
    kind: Kind = "episode"
    role: Role
    teaches: tuple[Taught, ...]
    needs: tuple[Needed, ...]
    why: str
    caveats: tuple[str, ...] = ()
    url: str | None = None
    audio_url: str | None = None
    nearest: bool = False
    origin: Origin | None = None

    @property
    def lasts(self) -> str:
        """How long it takes, with what one does but hear: "18 min", "read, 12 min"."""
        return length(self.minutes, estimated=self.estimated, kind=self.kind)

    @property
    def badge(self) -> str:
        return "nearest" if self.nearest else self.role

    @property
    def doubt(self) -> str:
        return doubt(self.origin)

    @property
    def moments(self) -> tuple[str, ...]:
        return tuple(f"{t.name} {clock(t.at)}" for t in self.teaches if t.at is not None)


def _amount(steps: Sequence[Step]) -> str:
    """Return how many episodes, videos and texts there are, and how long they take together."""
    nouns = Counter({"episode": 0}) + Counter(worded("episode", step.kind) for step in steps) or {"episode": 0}
    return f"{listed([counted(count, name) for name, count in nouns.items()])}, {_time(steps)}"


def _time(steps: Sequence[Step]) -> str:
    known = [step.minutes for step in steps if step.minutes is not None]
    total = length(sum(known) if known or not steps else None, estimated=any(step.estimated for step in steps))
    return total + (f", {len(steps) - len(known)} of unknown length" if 0 < len(known) < len(steps) else "")


class Primer(Named, kw_only=True):
    """A concept for which a sentence is enough; `origin`: of the surest edge that needs it."""

    definition: str
    link: str | None = None
    origin: Origin | None = None

    @property
    def told(self) -> str:
        return f"{self.definition} ({unsure})" if (unsure := doubt(self.origin)) else self.definition


class Nearby(Named, kw_only=True):
    """What to hear or read near a `goal` (its name) that no episode explains."""

    goal: str
    kind: Literal["hear", "read"]
    why: str
    link: str | None = None


class Unmet(Value):
    """A goal left out; `extra_minutes`: the fewest, None if not found in time.

    `minutes`: of the shortest way to it, where no goal fits.
    """

    goal: str
    extra_minutes: int | None
    estimated: bool = False
    minutes: int | None = None

    def __str__(self) -> str:
        if self.extra_minutes is None:
            return f"Left out: {self.goal}; the time ran out before it was known how much more that needs."
        if self.minutes is not None:
            have = length(self.minutes - self.extra_minutes)
            return f"{self.goal} takes {length(self.minutes, estimated=self.estimated)}, you have {have}."
        return f"Left out: {self.goal}, which needs {length(self.extra_minutes, estimated=self.estimated)} more."


class More(Value):
    """The fewest extra minutes for a better plan; `whole_minutes`: of all."""

    extra_minutes: int
    whole_minutes: int
    adds: tuple[Named, ...]
    drops: tuple[Named, ...] = ()
    estimated: bool = False

    def __str__(self) -> str:
        instead = f" in place of {listed([e.name for e in self.drops])}" if self.drops else ""
        extra, whole = (length(m, estimated=self.estimated) for m in (self.extra_minutes, self.whole_minutes))
        better = f"With {extra} more you could hear {listed([e.name for e in self.adds])}{instead}"
        return f"{better}. The full plan takes {whole}."


class Route(Value):
    """Another way to the goals, by other episodes; `how`: what differs."""

    name: RouteName
    how: str
    steps: tuple[Step, ...]

    @property
    def heading(self) -> str:
        return f"{self.name.capitalize()}: {_amount(self.steps)}"


class Successor(Named, kw_only=True):
    """A concept that took the place of a `goal` (its name)."""

    goal: str
    reason: str = ""

    def __str__(self) -> str:
        why = f": {self.reason.rstrip('.')}" if self.reason else ""
        return f"{self.goal} {VERBS['SUPERSEDED_BY']} {self.name}{why}."


class Plan(Value, MarkdownMixin):
    """A listening order for `goals`; minutes are at `speed`, moments seconds of the audio."""

    goals: tuple[str, ...]
    known: tuple[str, ...]
    minutes: int
    steps: tuple[Step, ...]
    primer: tuple[Primer, ...] = ()
    gaps: tuple[Primer, ...] = ()
    nearest: tuple[Nearby, ...] = ()
    unmet: tuple[Unmet, ...] = ()
    more: More | None = None
    routes: tuple[Route, ...] = ()
    successors: tuple[Successor, ...] = ()
    notes: tuple[str, ...] = ()
    depth: PlanDepth = "usual"
    sessions: tuple[Session, ...] = ()
    speed: float = 1.0
    origin: Origin | None = None
    understood: tuple[Understood, ...] = field(default=(), compare=False)

    @property
    def readings(self) -> tuple[str, ...]:
        return tuple(meant.sentence for meant in self.understood if meant.sentence)

    @property
    def amount(self) -> str:
        return _amount(self.steps) + (f" at {self.speed:g}x" if self.speed != 1 else "")

    @property
    def heading(self) -> str:
        goals = ", ".join(self.goals)
        if self.steps:
            return f"To understand {goals}: {self.amount}"
        if self.unmet and all(goal.minutes for goal in self.unmet):
            return " ".join(map(str, self.unmet))
        if self.more or any(goal.extra_minutes for goal in self.unmet):
            return f"The budget is too short for any episode that is left to hear on {goals}."
        return " ".join(self.notes) or f"Nothing {'fits' if self.unmet else 'is left to hear'} for {goals}."

    @property
    def schedule(self) -> tuple[str, ...]:
        said = ((s.minutes, "; ".join(map(str, s.stretches))) for s in self.sessions)
        return tuple(f"Session {n}, {minutes} min: {heard}" for n, (minutes, heard) in enumerate(said, 1))

    @property
    def primers(self) -> dict[str, tuple[Primer, ...]]:
        unexplained = "No episode to hear on these" if self.steps else "In a sentence"
        found = {"A sentence is enough": self.primer, unexplained: self.gaps}
        return {heading: rows for heading, rows in found.items() if rows}

    @property
    def remarks(self) -> tuple[str, ...]:
        told = [*map(str, self.unmet), *([str(self.more)] if self.more else []), *self.notes]
        if self.origin and doubt(self.origin):
            told.append(f"How sure: {self.origin}; a part of it {ORIGINS[self.origin][1]}.")
        return tuple(told) if told or self.steps else ("Nothing is left to hear for this.",)

    @property
    def near(self) -> dict[str, tuple[Nearby, ...]]:
        goals = dict.fromkeys(n.goal for n in self.nearest)
        return {f"Nearest to {goal}": tuple(n for n in self.nearest if n.goal == goal) for goal in goals}

    @property
    def alternatives(self) -> tuple[str, ...]:
        return tuple(f"{route.heading}; {route.how}" for route in self.routes)


class Related(Value):
    """A near episode; `score` in (0, 1), higher is nearer; best reason first."""

    episode_id: str
    title: str
    score: float
    reasons: tuple[str, ...]

    @property
    def why(self) -> str:
        return "; ".join(self.reasons) or "near only through what both touch on"


class Hit(Value):
    """A search result; `matched`: the name, alias or question that matched."""

    kind: Literal["concept", "episode", "resource"]
    id: str
    name: str
    matched: str
    score: float


class Table(Value, MarkdownMixin):
    """Rows of plain values, nodes and paths as dicts; `truncated`: more exist."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    truncated: bool = False

    @property
    def caption(self) -> str:
        return counted(len(self.rows), "row") + (", more were left out" if self.truncated else "")

    def to_df(self) -> "pd.DataFrame":
        """Return a pandas DataFrame: `table.to_df()["area"].value_counts()`."""
        import pandas as pd

        return pd.DataFrame(list(self.rows), columns=list(self.columns))


class Check(Named, kw_only=True):
    """A question that an episode answers: whoever can answer it may skip the episode."""

    question: str
    minutes: int
    estimated: bool = False


class Quiz(Value, MarkdownMixin):
    """A quiz: the next question (None: none is left), the plan, time saved."""

    check: Check | None
    plan: Plan
    skipped: tuple[Named, ...] = ()
    saved: int = 0
    estimated: bool = False


class Ready(Named, kw_only=True):
    """A ready episode. `opens`: made ready by it; `leads_to`: how many need it."""

    minutes: int | None
    opens: tuple[Named, ...] = ()
    leads_to: int = 0


class Refresh(Named, kw_only=True):
    """A heard episode no other builds on; `used_by`: how many ready ones do."""

    used_by: int


class WhatNext(Value, MarkdownMixin):
    """What is `ready` to hear and what to `refresh`, the best first."""

    ready: tuple[Ready, ...]
    refresh: tuple[Refresh, ...]


class Checklist(Value, MarkdownMixin):
    """The steps of a plan, with those `heard` (ids) kept in their places."""

    steps: tuple[Step, ...]
    heard: tuple[str, ...] = ()

    @property
    def progress(self) -> tuple[float, str]:
        """The share of the minutes that was heard, and how much that is in words."""
        done = [step for step in self.steps if step.episode_id in self.heard]
        heard, whole = (sum(step.minutes or 0 for step in some) for some in (done, self.steps))
        times = " of ".join(_time(some) for some in (done, self.steps))
        return heard / whole if whole else 0.0, f"{len(done)} of {len(self.steps)} heard, {times}"


class Gap(Named, kw_only=True):
    """A node that lacks something; `count`: how much depends on it."""

    cells: ClassVar[str] = "name why=words link"
    count: int
    words: str
    link: str | None = None


class Gaps(Value, MarkdownMixin):
    """The gaps of a map by kind; each kind begins with the gap on which most depends."""

    headings: ClassVar[dict[str, str]] = {
        "Assumed by episodes, and no episode teaches it": "untaught",
        "Superseded, and still a main subject": "superseded",
        "Thin evidence": "thin",
        "Concepts that nothing is joined to": "orphans",
    }
    untaught: tuple[Gap, ...]
    thin: tuple[Gap, ...]
    orphans: tuple[Gap, ...]
    superseded: tuple[Gap, ...]


class ChainEdge(Value):
    """An edge that orders two nodes; `at`: the second of the audio saying so."""

    source: str
    source_name: str
    kind: OrderKind
    target: str
    target_name: str
    words: str
    origin: Origin
    confidence: float = 1.0
    need: Need | None = None
    at: int | None = None

    @property
    def verb(self) -> str:
        return VERBS[self.kind]

    @property
    def evidence(self) -> str:
        at = "" if self.at is None else f" at {clock(self.at)}"
        return ORIGINS[self.origin][0] + at + (f", confidence {self.confidence:.2f}" if self.confidence < 1 else "")


class Explanation(Value, MarkdownMixin):
    """Why `earlier` (id, name) precedes `later`; `reverse`: the opposite edges."""

    earlier: tuple[str, str]
    later: tuple[str, str]
    _: KW_ONLY
    chain: tuple[ChainEdge, ...]
    reverse: tuple[ChainEdge, ...]

    @property
    def verdict(self) -> str:
        earlier, later = self.earlier[1], self.later[1]
        if self.earlier[0] == self.later[0]:
            return f"Both are {earlier}, so neither comes first."
        if self.chain:
            return f"{earlier} comes before {later}:"
        if self.reverse:
            return f"It is the other way round: {later} comes before {earlier}:"
        return f"Nothing says that {earlier} comes before {later}, or {later} before {earlier}."


class Change(Value):
    """A node or an edge that differs: its table, ids and changed properties."""

    how: ChangeKind
    table: str
    ids: tuple[str, ...]
    name: str
    properties: tuple[str, ...] = ()

    def __str__(self) -> str:
        facts = f" ({listed(self.properties)})" if self.properties else ""
        return f"{self.how}: {self.name}{facts}"


class PlanChange(Named, kw_only=True):
    """A goal whose plan differs; without episodes in or out, only in order."""

    comes_in: tuple[Named, ...] = ()
    goes_out: tuple[Named, ...] = ()

    def __str__(self) -> str:
        moves = [f"+ {e.name}" for e in self.comes_in] + [f"- {e.name}" for e in self.goes_out]
        more = f" and {len(moves) - 8} more" if moves[8:] else ""
        return f"{self.name}: {', '.join(moves[:8]) or 'in another order'}{more}"


class Differences(Value, MarkdownMixin):
    """Changes, most telling first; `plans`: those that differ of `compared`."""

    plans: tuple[PlanChange, ...]
    changes: tuple[Change, ...]
    compared: int

    @property
    def groups(self) -> dict[str, Sequence[Change | PlanChange]]:
        found: dict[str, Sequence[Change | PlanChange]] = {}
        if self.plans:
            found[f"Plans: {len(self.plans)} of {self.compared} differ"] = self.plans
        for table, of in groupby(self.changes, key=attrgetter("table")):
            group = list(of)
            hows = Counter(change.how for change in group)
            found[f"{table}: {', '.join(f'{hows[how]} {how}' for how in CHANGE_KINDS if how in hows)}"] = group
        return found
