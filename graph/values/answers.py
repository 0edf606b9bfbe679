"""Answers as values: plans, related episodes and hits."""

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Literal

from torchatlas.graph.values.formatting import clock, counted, length, listed
from torchatlas.graph.values.markdown import Shown, plan_markdown
from torchatlas.graph.values.model import Origin
from torchatlas.graph.values.readings import Understood
from torchatlas.graph.values.sessions import Session
from torchatlas.graph.values.wording import RELATIONS, PlanDepth, RouteName, certainty, doubt

Role = Literal["before", "goal", "deepens"]


@dataclass(frozen=True, slots=True)
class Named:
    """A concept or an episode that an answer names."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Taught(Named):
    """A concept that a step teaches, and the second at which it is explained (None: unknown)."""

    at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed(Named):
    """A concept that a step leans on and where it comes from: an earlier step's episode id, or "known"."""

    source: str


@dataclass(frozen=True, slots=True)
class Step:
    """An episode of a plan. `teaches` begins with the concepts that the plan is about; `why` is a sentence.

    `caveats` are facts that have changed since, or a note that little is known of the episode; `nearest`: it is there
    for a goal that no episode explains. `origin`: where the least sure edge comes from that brings the step in; None
    for an episode that was asked for.
    """

    episode_id: str
    number: int | None
    _: KW_ONLY
    season: int | None = None
    title: str
    minutes: int
    estimated: bool
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
    def badge(self) -> str:
        """The role in words."""
        return "nearest" if self.nearest else self.role

    @property
    def doubt(self) -> str:
        """The origin, where a person did not judge it: "declared", "drafted", "stated" or "inferred"."""
        return doubt(self.origin)

    @property
    def moments(self) -> tuple[str, ...]:
        """The concepts that the step teaches at a known moment, each with that moment: "vmap 0:25"."""
        return tuple(f"{t.name} {clock(t.at)}" for t in self.teaches if t.at is not None)


def amount(steps: Sequence[Step]) -> str:
    """Return how many episodes there are and how long they take together.

    >>> amount(())
    '0 episodes, 0 min'
    """
    total = length(sum(step.minutes for step in steps), estimated=any(step.estimated for step in steps))
    return f"{counted(len(steps), 'episode')}, {total}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Primer(Named):
    """A concept for which a sentence is enough: its definition and the address of a page to read, if one is known.

    `origin`: where the surest edge comes from that says that the plan needs it; None where no edge does.
    """

    definition: str
    link: str | None = None
    origin: Origin | None = None

    @property
    def told(self) -> str:
        """The definition, and in brackets the origin of the need where a person did not judge it."""
        return f"{self.definition} ({unsure})" if (unsure := doubt(self.origin)) else self.definition


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearby(Named):
    """Something near a `goal` (its name) that no episode explains: an episode to hear, or a concept and a page to read.

    `why` says in a sentence how near; `link` is the address of the page.
    """

    goal: str
    kind: Literal["hear", "read"]
    why: str
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Unmet:
    """A goal that is left out, and the fewest minutes beyond the budget that bring it in; None: not found in time."""

    goal: str
    extra_minutes: int | None
    estimated: bool = False

    def __str__(self) -> str:
        if self.extra_minutes is None:
            return f"Left out: {self.goal}; the time ran out before it was known how much more that needs."
        return f"Left out: {self.goal}, which needs {length(self.extra_minutes, estimated=self.estimated)} more."


@dataclass(frozen=True, slots=True)
class More:
    """The fewest minutes beyond the budget that make a better plan, and what that plan `adds` and `drops` (episodes).

    `whole_minutes`: how long the plan without a budget takes; `estimated`: the length of an episode is unknown.
    """

    extra_minutes: int
    whole_minutes: int
    _: KW_ONLY
    adds: tuple[Named, ...]
    drops: tuple[Named, ...] = ()
    estimated: bool = False

    def __str__(self) -> str:
        verb = "adds" if self.extra_minutes == 1 else "add"
        instead = f" in place of {listed([e.name for e in self.drops])}" if self.drops else ""
        extra, whole = (length(m, estimated=self.estimated) for m in (self.extra_minutes, self.whole_minutes))
        better = f"{extra} more {verb} {listed([e.name for e in self.adds])}{instead}"
        return f"{better}. Without a limit the plan takes {whole}."


@dataclass(frozen=True, slots=True)
class Route:
    """Another way to the goals of a plan, with other episodes; `how` says in a sentence how it differs."""

    name: RouteName
    how: str
    _: KW_ONLY
    steps: tuple[Step, ...]

    @property
    def heading(self) -> str:
        """The name and the length: "Shortest: 1 episode, 19 min"."""
        return f"{self.name.capitalize()}: {amount(self.steps)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Successor(Named):
    """A concept that took the place of a `goal` (its name)."""

    goal: str
    reason: str = ""

    def __str__(self) -> str:
        why = f": {self.reason.rstrip('.')}" if self.reason else ""
        return f"{self.goal} {RELATIONS['SUPERSEDED_BY'].verb} {self.name}{why}."


@dataclass(frozen=True, slots=True)
class Plan(Shown):
    """A listening order for `goals` (names), as deep as `depth` says.

    `minutes` is the sum over `steps`; `more`: what the budget leaves out first; `routes` are other ways to the goals;
    `nearest` lists things near a goal that no episode explains; `successors` took the place of goals.
    `origin`: that of the least sure step; `understood`: what each of the words that the goals were asked in was taken
    to mean.
    All minutes are at `speed`; moments, and the ends of stretches in `sessions`, are seconds of the audio.
    """

    goals: tuple[str, ...]
    known: tuple[str, ...]
    _: KW_ONLY
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
        """How words that are no exact name were understood, in sentences."""
        return tuple(meant.sentence for meant in self.understood if meant.sentence)

    @property
    def amount(self) -> str:
        """How many episodes there are and how long they take, at the speed of the plan: "1 episode, 13 min at 1.5x"."""
        return amount(self.steps) + (f" at {self.speed:g}x" if self.speed != 1 else "")

    @property
    def heading(self) -> str:
        """How much there is to hear for the goals, or in sentences why there is nothing.

        >>> Plan(("vmap",), (), minutes=0, steps=(), notes=("No episode explains vmap.",)).heading
        'No episode explains vmap.'
        """
        goals = ", ".join(self.goals)
        if self.steps:
            return f"To understand {goals}: {self.amount}"
        if self.more or any(goal.extra_minutes for goal in self.unmet):
            return f"The budget is too short for any episode that is left to hear on {goals}."
        return " ".join(self.notes) or f"Nothing {'fits' if self.unmet else 'is left to hear'} for {goals}."

    @property
    def schedule(self) -> tuple[str, ...]:
        """The sessions, each on a line: "Session 1, 14 min: #7 Functionalization"."""
        return tuple(f"Session {n}, {session}" for n, session in enumerate(self.sessions, 1))

    @property
    def primers(self) -> dict[str, tuple[Primer, ...]]:
        """The concepts that are not worth an episode, or have none, under their headings, where there are any."""
        unexplained = "No episode to hear on these" if self.steps else "In a sentence"
        found = {"A sentence is enough": self.primer, unexplained: self.gaps}
        return {heading: rows for heading, rows in found.items() if rows}

    @property
    def remarks(self) -> tuple[str, ...]:
        """The goals that the budget leaves out, what more minutes add, the notes, and how sure it is, in sentences."""
        more = (str(self.more),) if self.more else ()
        told = (*map(str, self.unmet), *more, *self.notes, *filter(None, [certainty(self.origin)]))
        return told if told or self.steps else ("Nothing is left to hear for this.",)

    @property
    def near(self) -> dict[str, tuple[Nearby, ...]]:
        """Things near a goal that no episode explains, under headings, where there are any."""
        goals = dict.fromkeys(n.goal for n in self.nearest)
        return {f"Nearest to {goal}": tuple(n for n in self.nearest if n.goal == goal) for goal in goals}

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The other routes, each on a line that says how it differs."""
        return tuple(f"{route.heading}; {route.how}" for route in self.routes)

    def _repr_markdown_(self) -> str:
        return plan_markdown(self)


@dataclass(frozen=True, slots=True)
class Related:
    """An episode near another one: `score` in (0, 1), higher is nearer; `reasons` in words, the strongest first.

    Without a reason the two are near only through what both touch on.
    """

    episode_id: str
    title: str
    _: KW_ONLY
    score: float
    reasons: tuple[str, ...]

    @property
    def why(self) -> str:
        """The reasons in one line."""
        return "; ".join(self.reasons) or "near only through what both touch on"


@dataclass(frozen=True, slots=True)
class Hit:
    """A concept or an episode that a search found; `matched` is the text that matched: a name, an alias, a question."""

    kind: Literal["concept", "episode"]
    id: str
    _: KW_ONLY
    name: str
    matched: str
    score: float
