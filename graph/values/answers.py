"""What the program answers, as values; `ui` turns them into tables, JSON, Markdown and pages."""

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from torchatlas.graph.values.model import Need, Origin

Role = Literal["before", "goal", "deepens"]


@dataclass(frozen=True, slots=True)
class Taught:
    """A concept that a step teaches, and the second at which it is explained (None: unknown)."""

    id: str
    name: str
    _: KW_ONLY
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Needed:
    """A concept that a step leans on and where it comes from: an earlier step's episode id, or "known"."""

    id: str
    name: str
    _: KW_ONLY
    source: str


@dataclass(frozen=True, slots=True)
class Step:
    """One episode to hear. `teaches` begins with what the plan is about; `why` is a sentence.

    `caveats` are dated facts, or how little is known of it.
    """

    episode_id: str
    number: int | None
    _: KW_ONLY
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


@dataclass(frozen=True, slots=True)
class Primer:
    """A concept worth a sentence, not an episode: its definition and a link to read (None: none known)."""

    id: str
    name: str
    _: KW_ONLY
    definition: str
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Unmet:
    """A goal that the budget leaves out, and the fewest extra minutes that would bring it in."""

    goal: str
    extra_minutes: int


@dataclass(frozen=True, slots=True)
class Plan:
    """A listening order for `goals` (names). `minutes` is the sum over `steps`; `routes` are other orders as good."""

    goals: tuple[str, ...]
    known: tuple[str, ...]
    _: KW_ONLY
    minutes: int
    steps: tuple[Step, ...]
    primer: tuple[Primer, ...] = ()
    gaps: tuple[Primer, ...] = ()
    unmet: tuple[Unmet, ...] = ()
    routes: tuple[tuple[Step, ...], ...] = ()
    notes: tuple[str, ...] = ()

    def _repr_markdown_(self) -> str:
        from torchatlas.graph.values.markdown import plan_markdown

        return plan_markdown(self)


@dataclass(frozen=True, slots=True)
class Related:
    """An episode near another one, best first; `reasons` in words, the strongest first."""

    episode_id: str
    title: str
    _: KW_ONLY
    score: float
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found by a search; `matched` is what matched: a name, an alias, an identifier, a question."""

    kind: Literal["concept", "episode"]
    id: str
    _: KW_ONLY
    name: str
    matched: str
    score: float


@dataclass(frozen=True, slots=True)
class Because:
    """An edge of a chain that says why one thing comes before another: its two ends, its words, and who says so.

    `at`: the second of the audio at which it is said or explained; `need` of a REQUIRES edge.
    """

    source: str
    source_name: str
    _: KW_ONLY
    kind: str
    target: str
    target_name: str
    words: str
    origin: Origin
    confidence: float
    need: Need | None = None
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one thing comes before another, from `later` down; both are (id, name).

    `chain`: the edges that say so, empty where nothing does; `reverse`: those that say the opposite.
    """

    earlier: tuple[str, str]
    later: tuple[str, str]
    _: KW_ONLY
    chain: tuple[Because, ...]
    reverse: tuple[Because, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that the map lacks: `count` is how much depends on it, `words` say what is wrong, `link` helps."""

    id: str
    name: str
    _: KW_ONLY
    count: int
    words: str
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Gaps:
    """What the map lacks, by kind; each begins with what most depends on."""

    untaught: tuple[Gap, ...]
    thin: tuple[Gap, ...]
    _: KW_ONLY
    orphans: tuple[Gap, ...]
    superseded: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a Cypher query as plain values, nodes and paths as dicts. `truncated`: the row cap cut it."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    _: KW_ONLY
    truncated: bool = False

    def _repr_markdown_(self) -> str:
        from torchatlas.graph.values.markdown import table

        return table(self.columns, self.rows)
