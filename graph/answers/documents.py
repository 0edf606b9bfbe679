"""Documents: all texts about each concept and each episode of a graph, by field. They are numbered, concepts first."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import cached_property
from itertools import chain
from typing import Literal

from torchatlas.graph.answers.word_counts import Columns
from torchatlas.graph.values.model import Concept, Episode, Snapshot
from torchatlas.graph.values.names import words, words_of_each

_MAIN, _TAUGHT = 1.2, 1.1  # a concept that episodes are about, or explain, is more likely meant than any other
Kind = Literal["concept", "episode"]


@dataclass(frozen=True, slots=True)
class Document:
    """All texts about a concept or an episode, by field; `prior`: how likely it is meant before any word is read."""

    id: str
    name: str
    _: KW_ONLY
    kind: Kind
    fields: Mapping[str, tuple[str, ...]]
    prior: float = 1.0


class Documents:
    """The documents of a graph; each is made when it is asked for.

    >>> graph = Snapshot((Concept("vmap", "vmap", area="Transforms"),), (Episode("a/one", "One", show="A"),))
    >>> [Documents(graph)[n].name for n in range(2)]
    ['vmap', 'One']
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot

    @cached_property
    def ids(self) -> Sequence[str]:
        """The id of each document."""
        return [*(c.id for c in self._snapshot.concepts), *(e.id for e in self._snapshot.episodes)]

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, n: int) -> Document:
        if self.kind(n) == "concept":
            c = self._snapshot.concepts[n]
            return Document(c.id, c.name, kind="concept", fields=self._concept(c), prior=self.prior(n))
        e = self._snapshot.episodes[n - len(self._snapshot.concepts)]
        return Document(e.id, e.title, kind="episode", fields=self._episode(e))

    def kind(self, n: int) -> Kind:
        """Return what the document with a number is about."""
        return "concept" if n < len(self._snapshot.concepts) else "episode"

    def prior(self, n: int) -> float:
        """Return how likely the document with a number is meant before any word is read."""
        depths = {t.depth for t in self._snapshot.teachers.get(self.ids[n], ())} if self.kind(n) == "concept" else ()
        return _MAIN if "main" in depths else _TAUGHT if depths else 1.0

    @cached_property
    def parts(self) -> Sequence[Columns]:
        """The words of the concepts, and those of the episodes."""
        concepts = [self._concept(c) for c in self._snapshot.concepts]
        episodes = self._snapshot.episodes
        named = {c.id: words(c.name) for c in self._snapshot.concepts}
        taught = self._snapshot.taught_by
        of_episodes = {
            "title": words_of_each([e.title for e in episodes]),
            "questions": words_of_each(["\n".join(e.questions) for e in episodes]),  # no word goes beyond a line
            "keywords": words_of_each(["\n".join(e.keywords) for e in episodes]),
            "summary": words_of_each([e.summary for e in episodes]),
            "subjects": [list(chain.from_iterable(named[t.target] for t in taught.get(e.id, ()))) for e in episodes],
            "guests": words_of_each(["\n".join(e.guests) for e in episodes]),
        }
        fields = concepts[0] if concepts else ()
        return {name: words_of_each(["\n".join(of[name]) for of in concepts]) for name in fields}, of_episodes

    @cached_property
    def _asked(self) -> Mapping[str, tuple[str, ...]]:
        """Concept -> the titles and the questions of the episodes that are about it."""
        about = {e: ts[0].target for e, ts in self._snapshot.taught_by.items() if ts[0].depth == "main"}
        asked: defaultdict[str, list[str]] = defaultdict(list)
        for e in self._snapshot.episodes:
            if e.id in about:
                asked[about[e.id]] += (e.title, *e.questions)
        return {id_: tuple(texts) for id_, texts in asked.items()}

    def _concept(self, c: Concept) -> dict[str, tuple[str, ...]]:
        return {
            "name": (c.name,), "other names": (*c.aliases, *c.in_texts, *c.phrases), "definition": (c.definition,),
            "source": c.source_paths, "asked of it": self._asked.get(c.id, ()),
        }  # fmt: skip

    def _episode(self, e: Episode) -> dict[str, tuple[str, ...]]:
        subjects = tuple(self._snapshot.concept[t.target].name for t in self._snapshot.taught_by.get(e.id, ()))
        return {
            "title": (e.title,), "questions": e.questions, "keywords": e.keywords, "summary": (e.summary,),
            "subjects": subjects, "guests": e.guests,
        }  # fmt: skip
