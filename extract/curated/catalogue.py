"""The catalogue of known episodes: one TOML file each, checked as it is read.

    number = 61
    title = "AOTAutograd"
    summary = "..."
    teaches = [{ concept = "AOTAutograd", at = 26, depth = "main" }]
    assumes = [{ concept = "autograd", at = 430, how = "silent", why = "..." }]
    refers_to = [{ title = "...", episode = 26, at = 764, relation = "announces" }]
    relations = [{ subject = "AOTAutograd", relation = "USES", object = "torch.fx", at = 776 }]

Its concepts are wordings; the vocabulary says which concept each one means. What is not known is left out.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, cast, get_args

from torchatlas.extract.curated.toml import TomlFile
from torchatlas.graph.values.curated import Catalogue, Vocabulary
from torchatlas.graph.values.ids import episode_id
from torchatlas.graph.values.model import (
    Assumes,
    Basis,
    ConceptRelation,
    ConceptRelationKind,
    Depth,
    Episode,
    How,
    ListenAfter,
    Reference,
    RefersTo,
    Teaches,
)
from torchatlas.graph.values.names import did_you_mean, spelling

_TEXTS = ("questions", "dated", "guests", "keywords", "links", "listen_first", "hear_next")
_ROWS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {  # name -> (must have, may have)
    "teaches": (("concept", "depth"), ("at", "why")),
    "assumes": (("concept", "how"), ("at", "why")),
    "refers_to": (("title", "relation"), ("at", "episode")),
    "relations": (("subject", "relation", "object"), ("at",)),
}
_CHOICES: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("teaches", "depth"): get_args(Depth),
    ("assumes", "how"): get_args(How),
    ("refers_to", "relation"): get_args(Reference),
    ("relations", "relation"): get_args(ConceptRelationKind),
}
_FACTS = ("number", "title", "published", "minutes", "seconds", "url", "basis", "summary")


def load_catalogue(files: Iterable[tuple[str, str]], vocabulary: Vocabulary, show: str) -> Catalogue:
    """The catalogue in these (name, text) pairs, its wordings resolved to the concepts of `vocabulary`.

    Raises DataError with `file:line` for an unknown entry, wording, title or number, and a value out of its choices.
    """
    parsed = [TomlFile.parse(name, text) for name, text in files]
    wordings = _Wordings(vocabulary)
    episodes = [(file, _episode(file, show)) for file in parsed]
    numbers = {e.number: e.id for _, e in episodes}
    titles = {spelling(e.title): e.id for _, e in episodes}
    read = [_Reading(file, episode, wordings=wordings, numbers=numbers, titles=titles) for file, episode in episodes]
    return Catalogue(
        tuple(e for _, e in episodes),
        tuple(edge for r in read for edge in r.teaches()),
        assumes=tuple(edge for r in read for edge in r.assumes()),
        listen_after=tuple(edge for r in read for edge in r.listen_after()),
        refers_to=tuple(edge for r in read for edge in r.refers_to()),
        relations=tuple(edge for r in read for edge in r.relations()),
        urls={e.id: file.list_of(file.content, "links") for file, e in episodes},
    )


class _Wordings:
    """From a catalogue's wording to a concept id; None where it is deliberately no concept."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.unplaced = vocabulary.unplaced
        self.known = {spelling(n): c.id for c in vocabulary.concepts for n in (c.id, c.name, *c.aliases)}
        self.known |= {spelling(phrase): id_ for phrase, id_ in vocabulary.phrases.items()}

    def resolve(self, file: TomlFile, wording: str) -> str | None:
        if wording in self.unplaced:
            return None
        if found := self.known.get(spelling(wording)):
            return found
        hint = did_you_mean(spelling(wording), self.known)
        raise file.mistake(f"no concept is worded {wording!r}{hint}; add it to a concept's phrases", words=wording)


@dataclass(frozen=True, slots=True)
class _Reading:
    """One episode's file, row by row as edges."""

    file: TomlFile
    episode: Episode
    _: KW_ONLY
    wordings: _Wordings
    numbers: Mapping[int | None, str]
    titles: Mapping[str, str]

    def rows(self, name: str) -> list[Mapping[str, Any]]:
        must, may = _ROWS[name]
        rows = self.file.content.get(name, [])
        for row in rows:
            words = str(row.get(must[0], name))
            self.file.check_keys(row, (*must, *may))
            for key in must:
                self.file.text_of(row, key)
                choices = _CHOICES.get((name, key))
                if choices and row[key] not in choices:
                    raise self.file.mistake(f"{key} must be one of {', '.join(choices)}, not {row[key]!r}", words=words)
            if not isinstance(row.get("at", 0), int):
                raise self.file.mistake("at must be whole seconds", words=words)
        return list(rows)

    def teaches(self) -> Iterable[Teaches]:
        found: dict[str, Teaches] = {}
        for place, row in enumerate(self.rows("teaches")):
            concept = self.wordings.resolve(self.file, row["concept"])
            if concept is None:
                continue
            weight = round((1.0 if row["depth"] == "main" else 0.5) * 0.95**place, 4)
            why = row.get("why", "")
            edge = Teaches(
                self.episode.id,
                concept,
                depth=row["depth"],
                weight=weight,
                at=row.get("at"),
                evidence=row["concept"],
                why=why,
            )
            found[concept] = _stronger(found[concept], edge) if concept in found else edge
        return found.values()

    def assumes(self) -> Iterable[Assumes]:
        taught = {edge.target for edge in self.teaches()}
        found: dict[str, Assumes] = {}
        for row in self.rows("assumes"):
            concept = self.wordings.resolve(self.file, row["concept"])
            if concept is not None and concept not in taught:
                edge = Assumes(self.episode.id, concept, how=row["how"], at=row.get("at"), why=row.get("why", ""))
                found.setdefault(concept, edge)
        return found.values()

    def refers_to(self) -> Iterable[RefersTo]:
        found: dict[str, RefersTo] = {}
        for row in sorted(self.rows("refers_to"), key=lambda row: get_args(Reference).index(row["relation"])):
            target = self._numbered(row)
            if target is not None and target != self.episode.id:
                edge = RefersTo(self.episode.id, target, relation=row["relation"], at=row.get("at"), quote=row["title"])
                found.setdefault(target, edge)
        return found.values()

    def listen_after(self) -> Iterable[ListenAfter]:
        found: dict[tuple[str, str], ListenAfter] = {}
        for row in self.rows("refers_to"):
            earlier = self._numbered(row) if row["relation"] == "listen_first" else None
            if earlier is not None:
                edge = ListenAfter(self.episode.id, earlier, origin="declared", quote=row["title"], at=row.get("at"))
                found[edge.source, edge.target] = edge
        for title in self.file.list_of(self.file.content, "listen_first"):
            earlier = self._titled(title)
            found.setdefault((self.episode.id, earlier), ListenAfter(self.episode.id, earlier, quote=title))
        for title in self.file.list_of(self.file.content, "hear_next"):
            later = self._titled(title)
            found.setdefault((later, self.episode.id), ListenAfter(later, self.episode.id, quote=title))
        return found.values()

    def relations(self) -> Iterable[ConceptRelation]:
        for row in self.rows("relations"):
            subject = self.wordings.resolve(self.file, row["subject"])
            object_ = self.wordings.resolve(self.file, row["object"])
            if subject and object_ and subject != object_ and "at" in row:
                words = f"{row['subject']} {row['relation'].lower().replace('_', ' ')} {row['object']}"
                yield ConceptRelation(
                    subject,
                    object_,
                    kind=row["relation"],
                    origin="declared",
                    reason=words,
                    episode=self.episode.id,
                    at=row["at"],
                )

    def _numbered(self, row: Mapping[str, Any]) -> str | None:
        number = row.get("episode")
        if number is not None and number not in self.numbers:
            raise self.file.mistake(f"there is no episode {number!r}", words=row["title"])
        return self.numbers[number] if number is not None else None

    def _titled(self, title: str) -> str:
        if found := self.titles.get(spelling(title)):
            return found
        raise self.file.mistake(
            f"no episode is titled {title!r}{did_you_mean(spelling(title), self.titles)}", words=title
        )


def _stronger(a: Teaches, b: Teaches) -> Teaches:
    """Of two edges to one concept: the main one, else the heavier; the words of both."""
    best, other = sorted((a, b), key=lambda t: -t.weight)
    return replace(best, evidence=f"{best.evidence}; {other.evidence}", why=best.why or other.why)


def _episode(file: TomlFile, show: str) -> Episode:
    entry = file.content
    file.check_keys(entry, (*_FACTS, *_TEXTS, *_ROWS))
    title, basis = file.text_of(entry, "title"), file.text_of(entry, "basis")
    if basis not in get_args(Basis):
        raise file.mistake(f"basis must be one of {', '.join(get_args(Basis))}", words="basis")
    for key in ("number", "minutes", "seconds"):
        if not isinstance(entry.get(key, 0), int):
            raise file.mistake(f"{key} must be a whole number", words=key)
    published = entry.get("published")
    if published is not None and not re.fullmatch(r"\d{4}-\d\d-\d\d", str(published)):
        raise file.mistake("published must be a date such as 2021-05-04", words="published")
    return Episode(
        episode_id(show, title),
        title,
        show=show,
        number=entry.get("number"),
        published=published,
        minutes=entry.get("minutes"),
        url=entry.get("url"),
        summary=file.text_of(entry, "summary", default=""),
        basis=cast(Basis, basis),
        questions=file.list_of(entry, "questions"),
        dated=file.list_of(entry, "dated"),
        guests=file.list_of(entry, "guests"),
        keywords=file.list_of(entry, "keywords"),
    )
