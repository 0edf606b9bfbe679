"""What texts state, as edges that nothing reverses: of two that contradict each other the first one counts."""

from collections.abc import Iterable
from typing import cast

from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.findings import Extraction, Statement
from torchatlas.graph.values.model import ConceptRelation, ConceptRelationKind, Episode, ListenAfter, RefersTo, Requires
from torchatlas.graph.values.names import folded_title
from torchatlas.graph.values.prerequisites import would_close_a_cycle

_CERTAIN = 0.9


class Stated:
    """Statements of texts as edges. What cannot be tied to one node at each end is left out; what contradicts the
    curated edges, or a statement that was read before, is told in `set_aside`.
    """

    def __init__(self, vocabulary: Vocabulary, catalogue: Catalogue, episodes: Iterable[Episode]) -> None:
        self.concepts = {c.name: c.id for c in vocabulary.concepts}
        self.titles = {folded_title(e.title): e.id for e in episodes}
        self.requires = list(vocabulary.requires)
        self.listen_after = list(catalogue.listen_after)
        self.relations = [*vocabulary.relations, *catalogue.relations]
        self.refers_to: list[RefersTo] = []
        self.set_aside: list[str] = []

    def read(self, episode: str, extraction: Extraction) -> None:
        for s in extraction.statements:
            if s.relation in ("LISTEN_BEFORE", "LISTEN_AFTER", "RELATED_EPISODE"):
                other = self.titles.get(folded_title(s.object), episode)
                if other != episode:
                    self._between_episodes(s, episode, other)
                continue
            a, b = self.concepts.get(s.subject), self.concepts.get(s.object)
            if not a or not b or a == b:
                continue
            if s.relation == "REQUIRES_KNOWING":
                self._require(s, episode, a, b)
            elif s.relation == "RUNS_AFTER":
                self._relate(s, episode, "RUNS_BEFORE", b, a)
            else:
                self._relate(s, episode, cast(ConceptRelationKind, s.relation), a, b)

    def _between_episodes(self, s: Statement, episode: str, other: str) -> None:
        if s.relation == "RELATED_EPISODE":
            self.refers_to.append(
                RefersTo(episode, other, relation="mentions", at=None, quote=s.quote, field=s.field, start=s.start)
            )
            return
        later, earlier = (episode, other) if s.relation == "LISTEN_AFTER" else (other, episode)
        if would_close_a_cycle(self.listen_after, later, earlier):
            self._contradicts(s, episode)
        else:
            self.listen_after.append(
                ListenAfter(later, earlier, origin="declared", quote=s.quote, at=None, field=s.field, start=s.start)
            )

    def _require(self, s: Statement, episode: str, concept: str, needed: str) -> None:
        if would_close_a_cycle(self.requires, concept, needed):
            self._contradicts(s, episode)
        elif all((r.source, r.target) != (concept, needed) for r in self.requires):
            self.requires.append(
                Requires(
                    concept, needed, need="bridge", reason=s.quote, origin="declared", confidence=_CERTAIN,
                    quote=s.quote, episode=episode, field=s.field, start=s.start,
                )
            )  # fmt: skip

    def _relate(self, s: Statement, episode: str, kind: ConceptRelationKind, a: str, b: str) -> None:
        there = [(r.source, r.target) for r in self.relations if r.kind == kind and {r.source, r.target} == {a, b}]
        if not there:
            self.relations.append(
                ConceptRelation(
                    a, b, kind=kind, origin="declared", quote=s.quote, episode=episode, field=s.field, start=s.start
                )
            )
        elif (a, b) not in there and kind != "ALTERNATIVE_TO":
            self._contradicts(s, episode)

    def _contradicts(self, s: Statement, episode: str) -> None:
        self.set_aside.append(f"{episode}: {s.quote!r} ({s.relation}) contradicts what is known or was said before")
