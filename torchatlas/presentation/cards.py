"""The facts about one concept or one episode, as values."""

from dataclasses import KW_ONLY, dataclass, replace

from torchatlas.graph.answers import Named
from torchatlas.graph.formatting import BASES, DEPTHS, NEEDS, REFERENCES, RELATIONS, clock, day, length
from torchatlas.graph.markdown import Shown
from torchatlas.graph.model import ConceptRelation, Depth, Episode, Link, Need, Show, Snapshot
from torchatlas.graph.names import telling_words, without_s
from torchatlas.graph.views import ReadingLinks
from torchatlas.presentation.listings import concept_names, episode_names

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

    Example: concept_card(atlas.graph, "functionalization").needs
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

    Example: episode_card(atlas.graph, "pytorch-developer-podcast/vmap").teaches
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
