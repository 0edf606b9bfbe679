'''The catalogue of known episodes: TOML files, one an episode. `EpisodeForm` is their form.

>>> text = """
... number = 61
... title = "AOTAutograd"
... basis = "transcript"                                          # what the judgements below were read from
... published = "2022-01-15"
... minutes = 19
... summary = "How forward and backward are traced ahead of time."
... teaches = [{ concept = "AOTAutograd", at = 26, depth = "main" }]
... assumes = [{ concept = "autograd", at = 430, how = "silent", why = "it differentiates" }]
... refers_to = [{ title = "AOTAutograd, part two", at = 764, relation = "announces" }]
... relations = [{ subject = "AOTAutograd", relation = "USES", object = "autograd", at = 776 }]
... """
>>> from torchatlas.graph.model import Concept, Show
>>> concepts = [Concept(id_, id_, area="Autograd") for id_ in ("aotautograd", "autograd")]
>>> catalogue = load_catalogue([("61.toml", text)], Vocabulary(tuple(concepts)), Show("show", "Show"))
>>> catalogue.episodes[0].id, catalogue.teaches[0].target, catalogue.assumes[0].target
('show/aotautograd', 'aotautograd', 'autograd')

Concepts stand here in the words of the episode; the vocabulary says which concept is meant. `at` is a second of the
audio. A fact that is not known is left out; a relation without `at` is not used.
'''

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import get_args

from torchatlas.extract.curated.forms import Date, ListOf, Remark, Second, Text, TextList, TomlTable, Whole
from torchatlas.extract.curated.toml_file import TomlFile
from torchatlas.graph.findings import Catalogue, Vocabulary
from torchatlas.graph.model import (
    Assumes,
    AssumptionOrigin,
    Basis,
    ConceptRelation,
    ConceptRelationKind,
    Depth,
    Episode,
    ListenAfter,
    Reference,
    RefersTo,
    Show,
    Teaches,
)
from torchatlas.graph.names import did_you_mean, episode_id, spelling

_REFERENCES: tuple[Reference, ...] = get_args(Reference)
_FACTS = {field.name for field in fields(Episode)}
"""The keys of a file that become an episode's properties of the same name."""

_REMEDY = "move one wording to the phrases of another concept, or drop the relation"
"""What to do about a relation that joins a concept to itself."""

_PART = 0.5
"""The weight of a part of an episode, where its main subject has 1."""


class _Judged(TomlTable):
    concept: Text
    at: Second | None = None
    why: Remark = ""


class TeachesForm(_Judged):
    """A concept that the episode explains."""

    depth: Depth


class AssumesForm(_Judged):
    """A concept that the episode uses without an explanation."""

    how: AssumptionOrigin


class RefersToForm(TomlTable):
    """Another episode that is spoken of, by its title as it was said, and by its number where it is known."""

    title: Text
    relation: Reference
    at: Second | None = None
    episode: Whole | None = None


class RelationForm(TomlTable):
    """A relation between two concepts that is stated in the episode."""

    subject: Text
    relation: ConceptRelationKind
    object: Text
    at: Second | None = None


class EpisodeForm(TomlTable):
    """A file of the catalogue."""

    title: Text
    basis: Basis
    number: Whole | None = None
    published: Date | None = None
    minutes: Whole | None = None
    seconds: Whole | None = None
    url: Text | None = None
    summary: Remark = ""
    questions: TextList = ()
    dated: TextList = ()
    guests: TextList = ()
    keywords: TextList = ()
    links: TextList = ()
    listen_first: TextList = ()
    hear_next: TextList = ()
    teaches: ListOf[TeachesForm] = ()
    assumes: ListOf[AssumesForm] = ()
    refers_to: ListOf[RefersToForm] = ()
    relations: ListOf[RelationForm] = ()


def load_catalogue(files: Iterable[tuple[str, str]], vocabulary: Vocabulary, show: Show) -> Catalogue:
    """Return the catalogue in these (name, text) pairs, its wordings resolved to the concepts of `vocabulary`.

    Raises DataError with `file:line` for a text that breaks its form, for an unknown wording, title or number, and for
    a relation that joins a concept to itself.
    Example: load_catalogue(bundled("episodes", ".toml"), vocabulary, SHOW).
    """
    parsed = [TomlFile.parse(name, text, EpisodeForm) for name, text in files]
    episodes = [
        Episode(
            episode_id(show.title, file.content.title),
            show=show.title,
            **{k: v for k, v in file.content if k in _FACTS},
        )
        for file in parsed
    ]
    wordings: dict[str, str | None] = {spelling(wording): None for wording in vocabulary.unplaced}
    wordings |= {
        spelling(n): c.id for c in vocabulary.concepts for n in (c.id, c.name, *c.aliases, *c.in_texts, *c.phrases)
    }
    numbers = {e.number: e.id for e in episodes}
    titles = {spelling(e.title): e.id for e in episodes}
    read = [
        _Judgements(file, episode.id, wordings=wordings, numbers=numbers, titles=titles)
        for file, episode in zip(parsed, episodes, strict=True)
    ]
    return Catalogue(
        tuple(episodes),
        tuple(edge for r in read for edge in r.teaches()),
        assumes=tuple(edge for r in read for edge in r.assumes()),
        listen_after=tuple(edge for r in read for edge in r.listen_after()),
        refers_to=tuple(edge for r in read for edge in r.refers_to()),
        relations=tuple(edge for r in read for edge in r.relations()),
        urls={r.id: r.file.content.links for r in read},
        shows=(show,),
    )


@dataclass(frozen=True, slots=True)
class _Judgements:
    """An episode's file as edges. `wordings`, `numbers` and `titles` lead to ids; None: deliberately no concept."""

    file: TomlFile[EpisodeForm]
    id: str
    _: KW_ONLY
    wordings: Mapping[str, str | None]
    numbers: Mapping[int | None, str]
    titles: Mapping[str, str]

    def teaches(self) -> Iterable[Teaches]:
        found: dict[str, Teaches] = {}
        for place, row in enumerate(self.file.content.teaches):
            if (concept := self.concept(row.concept, "teaches", place, "concept")) is None:
                continue
            weight = round((1.0 if row.depth == "main" else _PART) * 0.95**place, 4)
            edge = Teaches(
                self.id, concept, depth=row.depth, weight=weight, at=row.at, evidence=row.concept, why=row.why
            )
            found[concept] = _stronger(found[concept], edge) if concept in found else edge
        return found.values()

    def assumes(self) -> Iterable[Assumes]:
        taught = {edge.target for edge in self.teaches()}
        found: dict[str, Assumes] = {}
        for place, row in enumerate(self.file.content.assumes):
            concept = self.concept(row.concept, "assumes", place, "concept")
            if concept is not None and concept not in taught:
                found.setdefault(concept, Assumes(self.id, concept, how=row.how, at=row.at, why=row.why))
        return found.values()

    def references(self) -> Iterable[tuple[str, RefersToForm]]:
        """Yield the rows that name another episode by its number, with its id."""
        for place, row in enumerate(self.file.content.refers_to):
            if row.episode is None:
                continue
            if row.episode not in self.numbers:
                raise self.file.mistake(f"there is no episode {row.episode}", "refers_to", place, "episode")
            yield self.numbers[row.episode], row

    def refers_to(self) -> Iterable[RefersTo]:
        found: dict[str, RefersTo] = {}
        for target, row in sorted(self.references(), key=lambda reference: _REFERENCES.index(reference[1].relation)):
            if target != self.id:
                found.setdefault(target, RefersTo(self.id, target, relation=row.relation, at=row.at, quote=row.title))
        return found.values()

    def listen_after(self) -> Iterable[ListenAfter]:
        found: dict[tuple[str, str], ListenAfter] = {}
        for earlier, row in self.references():
            if row.relation == "listen_first":
                found[self.id, earlier] = ListenAfter(self.id, earlier, origin="declared", quote=row.title, at=row.at)
        for place, title in enumerate(self.file.content.listen_first):
            earlier = self.titled(title, "listen_first", place)
            found.setdefault((self.id, earlier), ListenAfter(self.id, earlier, quote=title))
        for place, title in enumerate(self.file.content.hear_next):
            later = self.titled(title, "hear_next", place)
            found.setdefault((later, self.id), ListenAfter(later, self.id, quote=title))
        return found.values()

    def relations(self) -> Iterable[ConceptRelation]:
        for place, row in enumerate(self.file.content.relations):
            subject = self.concept(row.subject, "relations", place, "subject")
            object_ = self.concept(row.object, "relations", place, "object")
            if subject and subject == object_:
                problem = f"{row.subject!r} and {row.object!r} are both {subject}, which has no relation to itself"
                raise self.file.mistake(f"{problem}; {_REMEDY}", "relations", place)
            if subject and object_ and row.at is not None:
                yield ConceptRelation(
                    subject,
                    object_,
                    kind=row.relation,
                    origin="declared",
                    reason=f"{row.subject} {row.relation.lower().replace('_', ' ')} {row.object}",
                    episode=self.id,
                    at=row.at,
                )

    def concept(self, wording: str, *path: str | int) -> str | None:
        key = spelling(wording)
        if key in self.wordings:
            return self.wordings[key]
        problem = f"no concept is worded {wording!r}{did_you_mean(key, self.wordings)}; add it to a concept's phrases"
        raise self.file.mistake(problem, *path)

    def titled(self, title: str, *path: str | int) -> str:
        if found := self.titles.get(spelling(title)):
            return found
        raise self.file.mistake(f"no episode is titled {title!r}{did_you_mean(spelling(title), self.titles)}", *path)


def _stronger(a: Teaches, b: Teaches) -> Teaches:
    """Return the heavier of two edges to one concept, with the words of both."""
    best, other = sorted((a, b), key=lambda t: -t.weight)
    return replace(best, evidence=f"{best.evidence}; {other.evidence}", why=best.why or other.why)
