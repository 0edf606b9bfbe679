"""Cards and lists, as every screen shows them: the facts about a concept, an episode or a show."""

from collections import Counter
from dataclasses import KW_ONLY, asdict, dataclass, replace
from typing import SupportsIndex, TypeVar, overload

from torchatlas.graph.answers import Named, Plan
from torchatlas.graph.drawing import areas_of, concepts_in_episodes
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.formatting import BASES, DEPTHS, NEEDS, REFERENCES, RELATIONS, clock, counted, day, length
from torchatlas.graph.model import ConceptRelation, Depth, Episode, Link, Need, Show, Shown, Snapshot
from torchatlas.graph.names import fold, folded_title, suggest, telling_words, without_s, words
from torchatlas.graph.views import ReadingLinks


def concept_names(graph: Snapshot) -> dict[str, str]:
    """Return id -> name of all concepts, by name.

    >>> from torchatlas.graph.model import Concept
    >>> concept_names(Snapshot((Concept("b", "Autograd", area="A"), Concept("a", "vmap", area="A"))))
    {'b': 'Autograd', 'a': 'vmap'}
    """
    return {c.id: c.name for c in sorted(graph.concepts, key=lambda c: c.name.casefold())}


def episode_names(graph: Snapshot) -> dict[str, str]:
    """Return id -> number and title of all episodes, by show, season, number and day.

    Where two have one title, the show stands behind it.

    >>> from torchatlas.graph.model import Episode
    >>> episode_names(Snapshot(episodes=(Episode("show/why", "Why autograd", show="Show", number=7),)))
    {'show/why': '#7 Why autograd'}
    """
    title_counts = Counter(e.title for e in graph.episodes)
    return {
        e.id: e.label + (f" ({e.show})" if title_counts[e.title] > 1 else "")
        for e in sorted(graph.episodes, key=lambda e: (e.show, e.position, e.published or "", e.title))
    }


def other_names(graph: Snapshot) -> dict[str, str]:
    """Return other name -> name and other name of concepts, by name; none that means several things.

    >>> from torchatlas.graph.model import Concept
    >>> other_names(Snapshot((Concept("pt2", "PyTorch 2", area="A", aliases=("torch.compile", "pt2")),)))
    {'torch.compile': 'PyTorch 2 · torch.compile'}
    """
    exact = [*graph.concept, *(c.name for c in graph.concepts), *(e.title for e in graph.episodes), *graph.areas]
    owners = Counter({fold(name): 2 for name in exact})
    owners.update(folded for c in graph.concepts for folded in {fold(alias) for alias in c.aliases})
    named = sorted(graph.concepts, key=lambda c: c.name.casefold())
    return {a: f"{c.name} · {a}" for c in named for a in c.aliases if owners[fold(a)] == 1}


TEACHES = "Teaches"
"""The heading of the concepts that an episode teaches."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson(Named):
    """The other end of a TEACHES edge, and the second at which the explanation begins."""

    main: bool
    at: int | None
    note: str

    @property
    def why(self) -> str:
        """The note, as of any other row of a card."""
        return self.note

    @property
    def cells(self) -> dict[str, object]:
        """The columns of a list of lessons in a notebook."""
        return {"name": self.name, "why": self.why}


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour(Named):
    """A concept or an episode that is near, and in words why."""

    why: str

    @property
    def cells(self) -> dict[str, object]:
        """The columns of a list of neighbours in a notebook."""
        return {"name": self.name, "why": self.why}


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptCard(Shown, Named):
    """A concept and all that touches it; what is firm stands before what is inferred."""

    area: str
    definition: str
    aliases: tuple[str, ...]
    source_paths: tuple[str, ...]
    taught_in: tuple[Lesson, ...]
    needs: tuple[Neighbour, ...]
    leads_to: tuple[Neighbour, ...]
    others: tuple[Neighbour, ...]
    assumed_in: tuple[Neighbour, ...]
    named_in: tuple[Neighbour, ...]
    reading: str | None

    @property
    def sections(self) -> dict[str, tuple[Lesson | Neighbour, ...]]:
        """The rows of the card under their headings, without the empty ones."""
        found: dict[str, tuple[Lesson | Neighbour, ...]] = {
            "Explained in": self.taught_in,
            "Needs first": self.needs,
            "Leads to": self.leads_to,
            "Besides": self.others,
            "Taken for granted in": self.assumed_in,
            "Named in": self.named_in,
        }
        return {heading: rows for heading, rows in found.items() if rows}


@dataclass(frozen=True, slots=True)
class EpisodeCard(Shown):
    """An episode and all that touches it. `facts` are short words for one line."""

    id: str
    title: str
    _: KW_ONLY
    facts: tuple[str, ...]
    teaches: tuple[Lesson, ...]
    assumes: tuple[Neighbour, ...]
    first: tuple[Neighbour, ...]
    refers_to: tuple[Neighbour, ...]
    readings: tuple[Link, ...]
    basis: str
    shows: tuple[Show, ...]

    @property
    def sections(self) -> dict[str, tuple[Lesson | Neighbour, ...]]:
        """The concepts and episodes of the card under their headings, without the empty ones."""
        found: dict[str, tuple[Lesson | Neighbour, ...]] = {
            TEACHES: self.teaches,
            "Hear first": self.first,
            "Assumes": self.assumes,
            "Speaks of": self.refers_to,
        }
        return {heading: rows for heading, rows in found.items() if rows}


def concept_card(snapshot: Snapshot, id_: str) -> ConceptCard:
    """Return the card of a concept that is in the snapshot.
    Example: `concept_card(atlas.graph, "functionalization").needs`
    """
    concept, name, title = snapshot.concept[id_], concept_names(snapshot), episode_names(snapshot)
    lessons = sorted(snapshot.teachers.get(id_, ()), key=lambda t: (t.depth != "main", -t.weight, t.source))
    strength = list(NEEDS)
    needs = sorted(snapshot.required_by.get(id_, ()), key=lambda r: (strength.index(r.need), -r.confidence, r.target))
    leads = sorted((r for r in snapshot.requires if r.target == id_), key=lambda r: (strength.index(r.need), r.source))
    relations = snapshot.concept_relations
    others = [(c.target, RELATIONS[c.kind].forward, c) for c in relations if c.source == id_]
    others += [(c.source, RELATIONS[c.kind].backward, c) for c in relations if c.target == id_]
    return ConceptCard(
        id_,
        concept.name,
        area=concept.area,
        definition=concept.definition,
        aliases=concept.aliases,
        source_paths=concept.source_paths,
        taught_in=tuple(_lesson(t.source, title[t.source], t.depth, t.at) for t in lessons),
        needs=tuple(Neighbour(r.target, name[r.target], why=_need(r.need, r.reason)) for r in needs),
        leads_to=tuple(Neighbour(r.source, name[r.source], why=r.reason) for r in leads),
        others=tuple(Neighbour(other, name[other], why=_tie(snapshot, words, c)) for other, words, c in others),
        assumed_in=tuple(Neighbour(a.source, title[a.source], why=a.why) for a in snapshot.assumes if a.target == id_),
        named_in=tuple(Neighbour(m.source, title[m.source], why="") for m in snapshot.mentions if m.target == id_),
        reading=ReadingLinks(snapshot).of(id_),
    )


def episode_card(snapshot: Snapshot, id_: str) -> EpisodeCard:
    """Return the card of an episode that is in the snapshot.
    Example: `episode_card(atlas.graph, "pytorch-developer-podcast/vmap").teaches`
    """
    episode, name, title = snapshot.episode[id_], concept_names(snapshot), episode_names(snapshot)
    assumed = [(a, _moment("said", a.at) if a.how == "declared" else "") for a in snapshot.assumed_by.get(id_, ())]
    references = [(r, _moment(REFERENCES[r.relation].label, r.at)) for r in snapshot.refers_to if r.source == id_]
    links = {link.id: link for link in snapshot.links}
    cited = [(c, links[c.target]) for c in snapshot.cites if c.source == id_]
    after = [a for a in snapshot.listen_after if a.source == id_]
    return EpisodeCard(
        id_,
        episode.title,
        facts=_facts(episode),
        teaches=tuple(_lesson(t.target, name[t.target], t.depth, t.at) for t in snapshot.taught_by.get(id_, ())),
        assumes=tuple(Neighbour(a.target, name[a.target], why=_because(said, a.why)) for a, said in assumed),
        first=tuple(Neighbour(a.target, title[a.target], why=a.quote) for a in after),
        refers_to=tuple(Neighbour(r.target, title[r.target], why=words) for r, words in references),
        readings=tuple(replace(link, label=c.label or link.label or link.url) for c, link in cited),
        basis=_basis(episode),
        shows=tuple(snapshot.show[edge.target] for edge in snapshot.shows_of.get(id_, ())),
    )


def _facts(episode: Episode) -> tuple[str, ...]:
    found = (
        episode.show,
        *([] if episode.season is None else [f"season {episode.season}"]),
        f"{episode.kind} {episode.number}" if episode.number is not None else episode.kind,
        day(episode.published),
        length(episode.minutes) if episode.minutes is not None else "length unknown",
        f"with {', '.join(episode.guests)}" if episode.guests else "",
    )
    return tuple(fact for fact in found if fact)


def _lesson(id_: str, name: str, depth: Depth, at: int | None) -> Lesson:
    note = _moment(DEPTHS[depth], at, "explained ")
    return Lesson(id_, name, main=depth == "main", at=at, note=note)


def _moment(words: str, at: int | None, verb: str = "") -> str:
    return words if at is None else f"{words}, {verb}at {clock(at)}"


def _basis(episode: Episode) -> str:
    fact, caution = BASES[episode.basis]
    return f"{fact[:1].upper()}{fact[1:]}: {caution}." if fact else ""


def _need(need: Need, reason: str) -> str:
    if need == "hear" or not reason:
        return reason or NEEDS[need]
    return f"{reason} ({NEEDS[need]})"


def _tie(snapshot: Snapshot, words: str, relation: ConceptRelation) -> str:
    """Return a relation in words, with its reason where that tells more than the names of both ends."""
    told = {without_s(w) for w in telling_words(relation.reason)}
    ends = f"{snapshot.name_of(relation.source)} {snapshot.name_of(relation.target)} {RELATIONS[relation.kind].verb}"
    return f"{words}; {relation.reason}" if told - {without_s(w) for w in telling_words(ends)} else words


def _because(words: str, reason: str) -> str:
    return ": ".join(part for part in (words, reason) if part)


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """An episode in a list: its number and title, its area, how long it is, and when it came out ("" where unknown)."""

    id: str
    name: str
    _: KW_ONLY
    area: str
    length: str
    day: str


def episode_rows(graph: Snapshot, text: str = "") -> tuple[EpisodeRow, ...]:
    """Return the episodes that hold all words of a text in title, summary, questions or subjects, by number and day.

    >>> graph = Snapshot(episodes=(Episode("show/why", "Why autograd", show="Show", number=7, minutes=16),))
    >>> [row.length for row in episode_rows(graph, "WHY")]
    ['16 min']
    """
    area, wanted = areas_of(graph), words(text)
    return tuple(
        _row(graph.episode[id_], name, area[id_])
        for id_, name in episode_names(graph).items()
        if not wanted or all(word in _texts(graph, id_) for word in wanted)
    )


def _row(episode: Episode, name: str, area: str) -> EpisodeRow:
    lasts = "" if episode.minutes is None else length(episode.minutes)
    return EpisodeRow(episode.id, name, area=area, length=lasts, day=day(episode.published))


def _texts(graph: Snapshot, id_: str) -> str:
    """Return all that an episode says of itself, and the names of what it teaches."""
    episode = graph.episode[id_]
    taught = [graph.concept[t.target].name for t in graph.taught_by.get(id_, ())]
    return folded_title(" ".join((episode.label, episode.summary, *episode.questions, *episode.guests, *taught)))


@dataclass(frozen=True, slots=True)
class ShowRow(Show):
    """A show with its facts, and how many episodes of it are on the map."""

    _: KW_ONLY
    episodes: int

    @property
    def holds(self) -> str:
        """The number of episodes, in words."""
        return counted(self.episodes, "episode")


def show_rows(graph: Snapshot) -> tuple[ShowRow, ...]:
    """Return the shows of a graph by title.

    >>> [row.holds for row in show_rows(Snapshot(shows=(Show("hum", "Hum"),)))]
    ['0 episodes']
    """
    episodes = Counter(edge.target for edge in graph.in_show)
    rows = (ShowRow(**asdict(show), episodes=episodes[show.id]) for show in graph.shows)
    return tuple(sorted(rows, key=lambda row: (row.title.casefold(), row.id)))


def show_named(graph: Snapshot, name: str) -> str:
    """Return the id of the show with this id or title, or of the only one whose title holds the name.

    Raises UnknownName with the nearest titles.

    >>> show_named(Snapshot(shows=(Show("the-hum", "The Hum"),)), "hum")
    'the-hum'
    """
    if name in graph.show:
        return name
    wanted = folded_title(name)
    titles = {show.id: folded_title(show.title) for show in graph.shows}
    for found in (
        [id_ for id_, title in titles.items() if title == wanted],
        [id_ for id_, title in titles.items() if wanted and wanted in title],
    ):
        if len(found) == 1:
            return found[0]
    known = [show.title for show in graph.shows]
    raise UnknownName("show", name, suggest(name, known) or sorted(known)[:3])


@dataclass(frozen=True, slots=True)
class SharedMap:
    """A graph and `nodes`, the ids on the map, with a card each.

    `subject`: what the map is of, in words; `plan`: None where no goal is named.
    """

    graph: Snapshot
    nodes: frozenset[str]
    _: KW_ONLY
    subject: str
    cards: tuple[ConceptCard | EpisodeCard, ...]
    plan: Plan | None = None

    @property
    def title(self) -> str:
        """The plan's goals, or the subject of the whole map."""
        return f"The way to {', '.join(self.plan.goals)}" if self.plan else f"Map of {self.subject}"


def shared_map(graph: Snapshot, subject: str, plan: Plan | None = None) -> SharedMap:
    """Return what episodes touch, and the goals of the plan where they touch none of them.
    Example: `shared_map(atlas.graph, atlas.subject, atlas.plan("AOTAutograd")).title`
    """
    goals = {id_ for meant in plan.understood for id_ in meant.ids} if plan else set()
    met = concepts_in_episodes(graph) | goals & set(graph.concept)
    concepts = (concept_card(graph, id_) for id_ in sorted(met))
    episodes = (episode_card(graph, id_) for id_ in graph.episode)
    nodes = met | frozenset(graph.episode)
    return SharedMap(graph, nodes, subject=subject, cards=(*concepts, *episodes), plan=plan)


T = TypeVar("T")


class Rows(Shown, tuple[T, ...]):
    """A tuple of values of one dataclass.

    >>> from torchatlas.graph.answers import Unmet
    >>> print(Rows([Unmet("vmap", 22)])._repr_markdown_())
    | goal | extra\\_minutes | estimated |
    | --- | --- | --- |
    | vmap | 22 | False |
    """

    __slots__ = ()

    @overload
    def __getitem__(self, place: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> "Rows[T]": ...
    def __getitem__(self, place: SupportsIndex | slice) -> "T | Rows[T]":
        return Rows(super().__getitem__(place)) if isinstance(place, slice) else super().__getitem__(place)
