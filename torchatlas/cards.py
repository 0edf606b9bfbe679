"""The facts about one concept or one episode, as values."""

from collections import Counter
from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.answers.reading_links import ReadingLinks
from torchatlas.graph.values.answers import Named
from torchatlas.graph.values.formatting import clock, day, length
from torchatlas.graph.values.markdown import Shown
from torchatlas.graph.values.model import Depth, Episode, Need, Snapshot
from torchatlas.graph.values.wording import BASES, DEPTHS, NEEDS, REFERENCES, RELATIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson(Named):
    """The other end of a TEACHES edge, and the second at which the explanation begins."""

    main: bool
    at: int | None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour(Named):
    """A concept or an episode that is near, and in words why."""

    why: str


@dataclass(frozen=True, slots=True)
class Reading:
    """A link that an episode cites."""

    label: str
    url: str
    _: KW_ONLY
    type: str


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
    readings: tuple[Reading, ...]
    basis: str


def concept_card(snapshot: Snapshot, id_: str) -> ConceptCard:
    """The card of a concept that is in the snapshot."""
    concept, name = snapshot.concept[id_], {c.id: c.name for c in snapshot.concepts}
    title = called(snapshot)
    lessons = sorted(snapshot.teachers.get(id_, ()), key=lambda t: (t.depth != "main", -t.weight, t.source))
    needs = sorted(snapshot.required_by.get(id_, ()), key=lambda r: (r.need != "hear", -r.confidence, r.target))
    leads = sorted((r for r in snapshot.requires if r.target == id_), key=lambda r: (r.need != "hear", r.source))
    others = [
        Neighbour(c.target, name[c.target], why=_because(RELATIONS[c.kind].forward, c.reason))
        for c in snapshot.concept_relations
        if c.source == id_
    ] + [
        Neighbour(c.source, name[c.source], why=_because(RELATIONS[c.kind].backward, c.reason))
        for c in snapshot.concept_relations
        if c.target == id_
    ]
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
        others=tuple(others),
        assumed_in=tuple(Neighbour(a.source, title[a.source], why=a.why) for a in snapshot.assumes if a.target == id_),
        named_in=tuple(Neighbour(m.source, title[m.source], why="") for m in snapshot.mentions if m.target == id_),
        reading=ReadingLinks(snapshot).of(id_),
    )


def episode_card(snapshot: Snapshot, id_: str) -> EpisodeCard:
    """The card of an episode that is in the snapshot."""
    episode, name = snapshot.episode[id_], {c.id: c.name for c in snapshot.concepts}
    title = called(snapshot)
    link = {found.id: found for found in snapshot.links}
    return EpisodeCard(
        id_,
        episode.title,
        facts=_facts(episode),
        teaches=tuple(_lesson(t.target, name[t.target], t.depth, t.at) for t in snapshot.taught_by.get(id_, ())),
        assumes=tuple(
            Neighbour(
                a.target, name[a.target], why=_because(_moment("said", a.at) if a.how == "declared" else "", a.why)
            )
            for a in snapshot.assumed_by.get(id_, ())
        ),
        first=tuple(
            Neighbour(a.target, title[a.target], why=a.quote) for a in snapshot.listen_after if a.source == id_
        ),
        refers_to=tuple(
            Neighbour(r.target, title[r.target], why=_moment(REFERENCES[r.relation].label, r.at))
            for r in snapshot.refers_to
            if r.source == id_
        ),
        readings=tuple(
            Reading(c.label or link[c.target].label or link[c.target].url, link[c.target].url, type=link[c.target].type)
            for c in snapshot.cites
            if c.source == id_
        ),
        basis=_basis(episode),
    )


def called(snapshot: Snapshot) -> dict[str, str]:
    """Episode id -> how lists name it: "61. AOTAutograd", with its show where another has the same title."""
    shows = namesakes(snapshot)
    number = {e.id: "" if e.number is None else f"{e.number}. " for e in snapshot.episodes}
    return {e.id: number[e.id] + e.title + (f" ({shows[e.id]})" if e.id in shows else "") for e in snapshot.episodes}


def namesakes(snapshot: Snapshot) -> dict[str, str]:
    """Episode id -> its show, for the episodes whose title another one has as well."""
    bearers = Counter(e.title for e in snapshot.episodes)
    return {e.id: e.show for e in snapshot.episodes if bearers[e.title] > 1}


def _facts(episode: Episode) -> tuple[str, ...]:
    found = (
        episode.show,
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
    return f"{fact.capitalize()}: {caution}." if fact else ""


def _need(need: Need, reason: str) -> str:
    return reason if need == "hear" else _because(NEEDS[need], reason)


def _because(words: str, reason: str) -> str:
    return ": ".join(part for part in (words, reason) if part)
