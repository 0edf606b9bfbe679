"""Edges that texts state: nothing reverses a curated edge, and of two contradictory ones the first counts."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

from torchatlas.graph.build.linkage.sources import MergedSources
from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.findings import Extraction, Statement
from torchatlas.graph.values.model import (
    ConceptRelation,
    ConceptRelationKind,
    Episode,
    ListenAfter,
    RefersTo,
)
from torchatlas.graph.values.names import folded_title
from torchatlas.graph.values.numbering import EpisodeNumber, asked_number
from torchatlas.graph.values.precedence import Precedence

STATED = 0.5
"""The confidence of a relation between concepts that a text states."""


class DeclaredEdges:
    """The curated orders and relations, and behind them those that texts state.

    A statement about something that is no node is left out, and so is one about a title or a number that several
    episodes have. A statement that contradicts a curated edge or a statement that was read before
    becomes a line of `set_aside`, which says what it contradicts.

    `unlisted`: the names of concepts that no vocabulary has -> their ids; `in_titles`: ids of concepts -> the episodes
    whose titles name them. The one episode of the show that has the subject in its title is "the episode on" it.

    >>> from torchatlas.graph.build.linkage.sources import merge_sources
    >>> from torchatlas.graph.values.model import Concept, Episode
    >>> vocabulary = Vocabulary((Concept("view", "view", area="Tensors"), Concept("stride", "stride", area="Tensors")))
    >>> one = Episode("show/one", "One", show="Show")
    >>> uses = Statement("USES", "view", object="stride", quote="A view uses strides.")
    >>> edges = DeclaredEdges(vocabulary, Catalogue(), merge_sources(Catalogue((one,)), []))
    >>> edges.read(one.id, Extraction(one, uses.quote, statements=(uses,)))
    >>> [(edge.source, edge.target, edge.origin) for edge in edges.relations]
    [('view', 'stride', 'stated')]
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        catalogue: Catalogue,
        sources: MergedSources,
        unlisted: Mapping[str, str] = MappingProxyType({}),
        in_titles: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        self.listen_after = list(catalogue.listen_after)
        self.relations: list[ConceptRelation] = []
        self.refers_to: list[RefersTo] = []
        self.set_aside: list[str] = []
        self._concepts = {**unlisted, **{c.name: c.id for c in vocabulary.concepts}}
        self._in_titles = in_titles
        self._titled: defaultdict[str, list[str]] = defaultdict(list)
        self._numbered: defaultdict[int, list[Episode]] = defaultdict(list)
        for e in sources.episodes:
            self._titled[folded_title(e.title)].append(e.id)
            if e.number is not None:
                self._numbered[e.number].append(e)
        self._shows: defaultdict[str, set[str]] = defaultdict(set)  # of each episode
        for in_show in sources.in_show:
            self._shows[in_show.source].add(in_show.target)
        self._listening = Precedence((r.target, r.source) for r in self.listen_after)
        self._names = {id_: name for name, id_ in self._concepts.items()}
        self._first: dict[tuple[str, frozenset[str]], ConceptRelation] = {}  # of each kind between the same two ends
        for relation in (*vocabulary.relations, *catalogue.relations):
            self._add(relation)

    def read(self, episode: str, extraction: Extraction) -> None:
        """Add the edges that a text of an episode states, for example `edges.read("show/one", extraction)`."""
        for s in extraction.statements:
            if s.relation in ("LISTEN_BEFORE", "LISTEN_AFTER", "RELATED_EPISODE"):
                other = self._titled_in(s.object, episode)
                if other is None and (asked := asked_number(s.object)):
                    other = self._of_number(asked, episode)
                if other is None and s.relation != "RELATED_EPISODE":
                    other = self._about(self._concepts.get(s.object, ""), episode)
                if other and other != episode:
                    self._between_episodes(s, episode, other)
                continue
            a, b = self._concepts.get(s.subject), self._concepts.get(s.object)
            if a and b and a != b:
                self._relate(s, episode, cast(ConceptRelationKind, s.relation), a, b)

    def _titled_in(self, title: str, episode: str) -> str | None:
        """Return the episode that a text of an episode calls by its title: of the same show, else of any show."""
        anywhere = self._titled.get(folded_title(title), [])
        meant = [id_ for id_ in anywhere if self._shows[id_] & self._shows[episode]] or anywhere
        return meant[0] if len(meant) == 1 else None

    def _of_number(self, asked: EpisodeNumber, episode: str) -> str | None:
        """Return the one episode of the same show that has a number: in two seasons it may mean two episodes."""
        everyone = (e for e in self._numbered[asked.number] if asked.means(e.number, e.season))
        meant = [e.id for e in everyone if self._shows[e.id] & self._shows[episode]]
        return meant[0] if len(meant) == 1 else None

    def _about(self, concept: str, episode: str) -> str | None:
        """Return the one episode of the same show that has a concept in its title."""
        meant = [id_ for id_ in self._in_titles.get(concept, ()) if self._shows[id_] & self._shows[episode]]
        return meant[0] if len(meant) == 1 else None

    def _between_episodes(self, s: Statement, episode: str, other: str) -> None:
        if s.relation == "RELATED_EPISODE":
            edge = RefersTo(episode, other, relation="mentions", quote=s.quote, field=s.field, start=s.start)
            self.refers_to.append(edge)
            return
        later, earlier = (episode, other) if s.relation == "LISTEN_AFTER" else (other, episode)
        if self._listening.accept(earlier, later):
            self.listen_after.append(ListenAfter(later, earlier, quote=s.quote, field=s.field, start=s.start))
        else:
            self._set_aside(s, episode, f"{later} already comes before {earlier}")

    def _relate(self, s: Statement, episode: str, kind: ConceptRelationKind, a: str, b: str) -> None:
        relation = ConceptRelation(
            a, b, kind=kind, origin="stated", confidence=STATED, quote=s.quote, episode=episode, field=s.field,
            start=s.start,
        )  # fmt: skip
        first = self._add(relation)
        if first.source != a and kind != "ALTERNATIVE_TO":
            said = f"{first.episode} said {first.quote!r}" if first.quote else "it is curated"
            self._set_aside(s, episode, f"{said}: {self._names[b]} {kind} {self._names[a]}")

    def _add(self, relation: ConceptRelation) -> ConceptRelation:
        """Add a relation unless its ends have one of its kind, in either direction; return the one that they have."""
        ends = relation.kind, frozenset((relation.source, relation.target))
        if ends not in self._first:
            self.relations.append(relation)
        return self._first.setdefault(ends, relation)

    def _set_aside(self, s: Statement, episode: str, contrary: str) -> None:
        self.set_aside.append(f"{episode}: {s.quote!r} ({s.relation}) contradicts what came first: {contrary}")
