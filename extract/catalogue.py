"""Files that people write. A DataError begins with file and line."""

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import MISSING, fields, replace
from functools import lru_cache
from pathlib import PurePosixPath
from reprlib import repr as short
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args, get_type_hints

import pydantic
from pydantic import BaseModel, ConfigDict, Field, GetPydanticSchema, ValidationError, create_model, model_validator
from pydantic_core import PydanticCustomError
from pydantic_core.core_schema import custom_error_schema

from torchatlas.extract.toml_text import load_toml
from torchatlas.graph import model
from torchatlas.graph.corrections import Correction, Dated, DroppedEdge, Merge, NewEdge, Realias, Rename, Split, Topic
from torchatlas.graph.errors import DataError
from torchatlas.graph.findings import Catalogue, Journey, Vocabulary
from torchatlas.graph.model import Value, each_once
from torchatlas.graph.names import did_you_mean, episode_id, spelling

Files = Iterable[tuple[str, str]]  # name and text
KeyPath = tuple[str | int, ...]  # ("teaches", 2, "at")
Item = TypeVar("Item")
NEEDS: tuple[model.Need, ...] = get_args(model.Need)
KINDS: Mapping[str, model.ConceptRelationKind] = {kind.lower(): kind for kind in get_args(model.ConceptRelationKind)}
_EPISODE = {field.name for field in fields(model.Episode)}
_SAID = {  # from pydantic's kinds of errors to our words
    "missing": "is missing",
    "model_type": "must be a table",
    "dict_type": "must be a table: {name}.some-id = ...",
    "tuple_type": "must be a list",
    "too_short": "must have an item",
}
_LINE = "line-of-this-table"
_KEY = r"""(?:[\w-]++|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+')[ \t]*+"""
_DOTTED = rf"{_KEY}(?:\.[ \t]*+{_KEY})*+"
_TOKEN = re.compile(  # `[1]` may end an array, too
    rf"""(?P<kept>\#[^\n]*+|{_DOTTED}=)
    |(?P<header>^[ \t]*+\[(?:\[[ \t]*+{_DOTTED}\]|[ \t]*+{_DOTTED})\])(?!(?:\s|\#[^\n]*+)*+[],])
    |\"{{3}}(?:\\.|[^\\])*?\"{{3}}(?!")|'{{3}}.*?'{{3}}(?!')|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+'
    |\{{[ \t]*+\}}|[\[{{]|[^][{{}},=\s"'\#][^][{{}},\#\n]*+""",
    re.S | re.M | re.X | re.A,
)


def _rule(words: str) -> GetPydanticSchema:
    """Return an annotation with the message for a value that breaks a rule."""
    return GetPydanticSchema(lambda of, handler: custom_error_schema(handler(of), "rule", custom_error_message=words))


_WRITTEN = Field(pattern=r"\S")
_HYPHENED = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
_COMMIT, _ADDRESS = Field(pattern="^[0-9a-f]{40}$"), Field(pattern=r"^https?://[^\s/]+/")
_DAY = Field(pattern=r"^\d{4}-\d\d-\d\d$")
Text = Annotated[str, _WRITTEN, _rule("must be a text that is not empty")]
Remark = Annotated[str, _rule("must be a text")]
Flag = Annotated[bool, _rule("must be true or false")]
Whole = Annotated[int, _rule("must be a whole number")]
Second = Annotated[int, _rule("must be whole seconds")]
Date = Annotated[str, _DAY, _rule('must be a date such as "2021-05-04"')]
Reason = Annotated[str, _WRITTEN, _rule("has no reason")]
Id = Annotated[str, _HYPHENED, _rule("is no id: lower-case letters, digits and single hyphens")]
ListOf = Annotated[tuple[Item, ...], Field(strict=False)]  # strict wants a tuple
TextList = ListOf[Text]


class _Table(BaseModel):
    """A table of a file. `besides`: more allowed keys; None: any."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    besides: ClassVar[Collection[str] | None] = ()

    @model_validator(mode="before")
    @classmethod
    def _refuse_unknown_keys(cls, given: Any) -> Any:
        if cls.besides is not None and isinstance(given, dict):
            known = [*(field.alias or name for name, field in cls.__pydantic_fields__.items()), *cls.besides]
            for key in given:
                if key not in known:
                    raise PydanticCustomError("unknown", "is unknown", {"key": key, "known": known})
        return given


class ConceptForm(_Table):
    """A section on a concept: its fields, and its edges with their reasons.

    A `hear` need is essential, a `worth` need helps, a `bridge` takes a sentence.
    """

    model_config = ConfigDict(extra="allow")
    besides = (*NEEDS, *KINDS)
    __pydantic_extra__: dict[str, dict[str, Reason]]
    name: Text
    definition: Remark = ""
    aliases: TextList = ()
    in_texts: TextList = ()
    source: TextList = ()

    def concept(self, id_: str, area: str) -> model.Concept:
        facts = self.model_dump(include={"name", "definition", "aliases", "in_texts", "phrases", "asked"})
        return model.Concept(id_, area=area, source_paths=self.source, **facts)

    def edges(self) -> Iterator[tuple[str, str, str]]:
        """Yield key, other concept's id and reason of each edge, needs first."""
        for key in self.besides:
            for target, reason in self.__pydantic_extra__.get(key, {}).items():
                yield key, target, reason


class _VocabularyConcept(ConceptForm):
    definition: Text
    phrases: TextList = ()
    asked: TextList = ()
    draft: Flag = False


class _Area(_Table):
    model_config = ConfigDict(extra="allow")
    besides = None
    __pydantic_extra__: dict[Id, _VocabularyConcept]
    area: Text


class _Judged(_Table):
    concept: Text
    at: Second | None = None
    why: Remark = ""


class _Teaches(_Judged):
    depth: model.Depth


class _Assumes(_Judged):
    how: model.AssumptionOrigin


class _RefersTo(_Table):
    title: Text
    relation: model.Reference
    at: Second | None = None
    episode: Whole | None = None


class _Relation(_Table):
    subject: Text
    relation: model.ConceptRelationKind
    object: Text
    at: Second | None = None
    why: Remark = ""


class _Episode(_Table):
    title: Text
    basis: model.Basis
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
    teaches: ListOf[_Teaches] = ()
    assumes: ListOf[_Assumes] = ()
    refers_to: ListOf[_RefersTo] = ()
    relations: ListOf[_Relation] = ()


class _Explains(_Teaches):
    section: Text


class _Resource(_Table):
    title: Text
    kind: Literal["video", "post", "paper", "docs", "code"]
    url: Annotated[Text, _ADDRESS, _rule("must be an address: https://...")]
    path: Text
    commit: Annotated[str, _COMMIT, _rule("must be the 40 hex digits of a commit")]
    published: Date | None = None
    authors: TextList = ()
    minutes: Whole | None = None
    basis: Literal["text", "abstract", "description", "title"]
    summary: Text
    teaches: ListOf[_Explains]
    assumes: ListOf[_Judged] = ()
    dated: TextList = ()
    proposal: Flag = False


class _Source(_Table):
    show: Text
    url: Text
    repository: Text
    resources: ListOf[_Resource]


class _Journey(_Table):
    title: Text
    about: Text
    goals: Annotated[ListOf[Text], Field(min_length=1)]


class _Topic(ConceptForm):
    area: Text = "Yours"


_KINDS: tuple[type[Correction], ...] = (Realias, Rename, Merge, Split, NewEdge, DroppedEdge, Dated)
_CORRECTIONS = dict(zip(("alias", "rename", "merge", "split", "edge", "drop", "dated"), _KINDS, strict=True))
_KEYS = {"source": "from", "target": "to", "kind": "type"}


def _form(kind: type[Correction]) -> Any:
    """Return the form of the corrections of a kind."""
    hints, strict = get_type_hints(kind), {str: Text, tuple[str, ...]: TextList, int | None: Second | None}
    entries: dict[str, Any] = {}
    for f in (f for f in fields(kind) if f.name != "place"):
        default = Field(... if f.default is MISSING else f.default, alias=_KEYS.get(f.name))
        entries[f.name] = (strict.get(hints[f.name], hints[f.name]), default)
    return create_model(kind.__name__, __base__=_Table, **entries)


_FORMS: dict[str, Any] = {key: (ListOf[_form(kind)], ()) for key, kind in _CORRECTIONS.items()}  # type: ignore[misc]
_Corrections = create_model("_Corrections", __base__=_Table, topic=(dict[Id, _Topic], {}), **_FORMS)


class _TomlFile(Value):
    name: str
    text: str
    content: Any

    @classmethod
    def parse(cls, name: str, text: str, form: type[BaseModel]) -> "_TomlFile":
        """Read a text. Raises DataError for one that is not TOML or breaks its form."""
        try:
            return cls(name, text, form.model_validate(load_toml(text)))
        except tomllib.TOMLDecodeError as e:
            said = re.search(r"at line (\d+)", str(e))
            raise DataError(f"{name}:{said[1] if said else text.count(chr(10)) + 1}: not valid TOML: {e}") from e
        except ValidationError as e:
            errors = [(line_of(text, _path(error)), error) for error in e.errors(include_url=False)]
            line, first = min(errors, key=lambda found: found[0])
            more = f" ({len(errors) - 1} more in this file)" if errors[1:] else ""
            raise DataError(f"{name}:{line}: {_said_of(first)}{more}") from None

    def place(self, *path: str | int) -> str:
        return f"{self.name}:{line_of(self.text, path)}"

    def mistake(self, what: str, *path: str | int) -> DataError:
        return DataError(f"{self.place(*path)}: {what}")


def _path(error: Mapping[str, Any]) -> KeyPath:
    unknown = (error["ctx"]["key"],) if error["type"] == "unknown" else ()
    return (*(part for part in error["loc"] if part != "[key]"), *unknown)


def _said_of(error: Mapping[str, Any]) -> str:
    """Return the sentence for one of pydantic's errors."""
    path = _path(error)
    kind, given, key = error["type"], error["input"], str(path[-1])
    name = ".".join(part for part in path if isinstance(part, str))
    if kind == "unknown":
        return f"unknown entry {key!r}{did_you_mean(key, error['ctx']['known'])}"
    if kind == "literal_error":
        choices = re.findall(r"'([^']*)'", error["ctx"]["expected"])
        return f"{name} must be one of {', '.join(choices)}, not {given!r}{did_you_mean(str(given), choices)}"
    words = error["msg"] if kind == "rule" else _SAID[kind].format(name=key)
    if kind == "tuple_type" and isinstance(given, dict):
        words += f": begin each entry with [[{key}]]"
    elif words.startswith("must"):
        words += f", not {short(given)}"
    return f"{'an item of ' if isinstance(path[-1], int) else ''}{name} {words}"


def load_vocabulary(files: Files, unplaced: tuple[str, str] = ("unplaced.toml", "")) -> Vocabulary:
    """Read the vocabulary. `unplaced`: wordings of no concept. Raises DataError.

    >>> text = 'area = "A"\\ndynamo = { name = "Dynamo", definition = "Traces." }'
    >>> load_vocabulary([("area.toml", text)]).concepts[0].name
    'Dynamo'
    """
    areas = [_TomlFile.parse(name, text, _Area) for name, text in files]
    entries = [(file, id_, entry) for file in areas for id_, entry in file.content.__pydantic_extra__.items()]
    nothing = _TomlFile.parse(*unplaced, pydantic.RootModel[dict[str, Reason]])
    ids: dict[str, _TomlFile] = {}
    for file, id_, _ in entries:
        if (first := ids.setdefault(id_, file)) is not file:
            raise file.mistake(f"{id_} is defined in {first.place(id_)} too; keep one", id_)
    owners: dict[str, str] = {}

    def claim(file: _TomlFile, wording: str, owner: str, *path: str | int) -> None:
        if (first := owners.setdefault(spelling(wording), owner)) != owner:
            raise file.mistake(f"{wording!r} is claimed by {first} too; keep one", owner, *path)

    for file, id_, entry in entries:
        claim(file, entry.name, id_, "name")
        for key in ("aliases", "in_texts", "phrases"):
            for place, wording in enumerate(getattr(entry, key)):
                claim(file, wording, id_, key, place)
        claim(file, id_, id_)
    for phrase in nothing.content.root:
        claim(nothing, phrase, phrase)
    edges = [edge for file, id_, entry in entries for edge in _edges(file, id_, entry, ids)]
    return Vocabulary(
        tuple(entry.concept(id_, file.content.area) for file, id_, entry in entries),
        tuple(e for e in edges if isinstance(e, model.Requires)),
        relations=tuple(e for e in edges if isinstance(e, model.ConceptRelation)),
        unplaced=nothing.content.root,
        drafts=frozenset(id_ for _, id_, entry in entries if entry.draft),
    )


def _edges(
    file: _TomlFile, id_: str, entry: _VocabularyConcept, ids: Collection[str]
) -> Iterator[model.Requires | model.ConceptRelation]:
    origin: model.Origin = "drafted" if entry.draft else "curated"
    needs: dict[str, str] = {}
    for key, target, reason in entry.edges():
        if target not in ids or target == id_:
            problem = "itself" if target == id_ else f"the unknown concept {target!r}{did_you_mean(target, ids)}"
            raise file.mistake(f"{key} of {id_} names {problem}", id_, key, target)
        if key not in NEEDS:
            yield model.ConceptRelation(id_, target, kind=KINDS[key], reason=reason, origin=origin)
        elif (first := needs.setdefault(target, key)) != key:
            raise file.mistake(f"{target} is both {first} and {key} of {id_}; keep one", id_, key, target)
        else:
            yield model.Requires(id_, target, need=key, reason=reason, origin=origin)


def load_catalogue(files: Files, vocabulary: Vocabulary, show: model.Show) -> Catalogue:
    """Return the catalogue in these files, one per episode. Raises DataError.

    A relation without `at`, in seconds, is left out. Wordings must be known.
    Example: load_catalogue(bundled("episodes", ".toml"), vocabulary, SHOW).
    """
    parsed = [_TomlFile.parse(name, text, _Episode) for name, text in files]
    own = ((episode_id(show.title, file.content.title), file.content.model_dump(include=_EPISODE)) for file in parsed)
    episodes = [model.Episode(id_, show=show.title, **facts) for id_, facts in own]
    wordings: dict[str, str | None] = {spelling(wording): None for wording in vocabulary.unplaced}
    for c in vocabulary.concepts:
        wordings |= {spelling(wording): c.id for wording in (c.id, c.name, *c.aliases, *c.in_texts, *c.phrases)}
    numbers = {e.number: e.id for e in episodes}
    titles = {spelling(e.title): e.id for e in episodes}
    read = [_Judgements(f, e.id, wordings, numbers, titles) for f, e in zip(parsed, episodes, strict=True)]
    kinds = ("teaches", "assumes", "listen_after", "refers_to", "relations")
    edges: dict[str, Any] = {kind: tuple(edge for r in read for edge in getattr(r, kind)()) for kind in kinds}
    return Catalogue(tuple(episodes), urls={r.id: r.file.content.links for r in read}, shows=(show,), **edges)


class _Judgements(Value):
    """An episode's file as edges. The mappings lead to ids; None: no concept."""

    file: _TomlFile
    id: str
    wordings: Mapping[str, str | None]
    numbers: Mapping[int | None, str]
    titles: Mapping[str, str]

    def teaches(self) -> Iterable[model.Teaches]:
        found: dict[str, model.Teaches] = {}
        for place, row in enumerate(self.file.content.teaches):
            if (concept := self.concept(row.concept, "teaches", place, "concept")) is None:
                continue
            weight = _weight(row.depth, place)
            facts = {"depth": row.depth, "at": row.at, "why": row.why, "evidence": row.concept}
            edge = model.Teaches(self.id, concept, weight=weight, **facts)
            best, other = sorted((found.get(concept, edge), edge), key=lambda t: -t.weight)
            if best is not other:  # the words of both
                edge = replace(best, evidence=f"{best.evidence}; {other.evidence}", why=best.why or other.why)
            found[concept] = edge
        return found.values()

    def assumes(self) -> Iterable[model.Assumes]:
        taught = {edge.target for edge in self.teaches()}
        rows = enumerate(self.file.content.assumes)
        named = ((self.concept(row.concept, "assumes", place, "concept"), row) for place, row in rows)
        fit = ((concept, row) for concept, row in named if concept is not None and concept not in taught)
        return each_once(model.Assumes(self.id, id_, how=row.how, at=row.at, why=row.why) for id_, row in fit)

    def references(self) -> Iterable[tuple[str, _RefersTo]]:
        """Yield the rows that name another episode by its number, with its id."""
        for place, row in enumerate(self.file.content.refers_to):
            if row.episode is None:
                continue
            if row.episode not in self.numbers:
                raise self.file.mistake(f"there is no episode {row.episode}", "refers_to", place, "episode")
            yield self.numbers[row.episode], row

    def refers_to(self) -> Iterable[model.RefersTo]:
        ranked = sorted(self.references(), key=lambda reference: get_args(model.Reference).index(reference[1].relation))
        return each_once(
            model.RefersTo(self.id, id_, relation=row.relation, at=row.at, quote=row.title) for id_, row in ranked
        )

    def listen_after(self) -> Iterable[model.ListenAfter]:
        said = [(id_, row) for id_, row in self.references() if row.relation == "listen_first"]
        edges = [model.ListenAfter(self.id, id_, origin="declared", quote=row.title, at=row.at) for id_, row in said]
        for place, title in enumerate(self.file.content.listen_first):
            edges.append(model.ListenAfter(self.id, self.titled(title, "listen_first", place), quote=title))
        for place, title in enumerate(self.file.content.hear_next):
            edges.append(model.ListenAfter(self.titled(title, "hear_next", place), self.id, quote=title))
        return each_once(edges)

    def relations(self) -> Iterable[model.ConceptRelation]:
        for place, row in enumerate(self.file.content.relations):
            subject = self.concept(row.subject, "relations", place, "subject")
            object_ = self.concept(row.object, "relations", place, "object")
            if subject and subject == object_:
                problem = f"{row.subject!r} and {row.object!r} are both {subject}; move one wording, or drop this"
                raise self.file.mistake(problem, "relations", place)
            if subject and object_ and row.at is not None:
                reason = row.why or f"{row.subject} {row.relation.lower().replace('_', ' ')} {row.object}"
                facts: dict[str, Any] = {"origin": "declared", "reason": reason, "episode": self.id, "at": row.at}
                yield model.ConceptRelation(subject, object_, kind=row.relation, **facts)

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


def load_resources(files: Files, vocabulary: Vocabulary, catalogue: Catalogue) -> Catalogue:
    """Return the catalogue with the resources in these files, one per source. Raises DataError.

    A resource teaches 2 to 12 concepts, and assumes none of them.
    Example: load_resources(bundled("resources", ".toml"), vocabulary, catalogue).
    """
    concepts, places, resources = {c.id for c in vocabulary.concepts}, dict[str, str](), list[model.Episode]()
    teaches, assumes = [*catalogue.teaches], [*catalogue.assumes]
    sources = [_TomlFile.parse(name, text, _Source) for name, text in files]
    for file, n, r in ((source, n, r) for source in sources for n, r in enumerate(source.content.resources)):
        id_ = episode_id(file.content.show, r.title)
        for key, value in (("title", id_), ("url", r.url.rstrip("/"))):
            here = file.place("resources", n, key)
            if (first := places.setdefault(value, here)) != here:
                raise file.mistake(f"this {key} is that of {first}; each resource has its own", "resources", n, key)
        if not 2 <= len(r.teaches) <= 12:
            raise file.mistake(f"{r.title!r} teaches {len(r.teaches)}, not 2 to 12 concepts", "resources", n, "teaches")
        named = [row.concept for row in (*r.teaches, *r.assumes)]
        for concept in named:
            if concept not in concepts:
                unknown = f"{r.title!r} names no concept: {concept!r}{did_you_mean(concept, concepts)}"
                raise file.mistake(unknown, "resources", n)
            if named.count(concept) > 1:
                raise file.mistake(f"{r.title!r} names {concept} twice; keep one", "resources", n)
        said = ("It is a proposal, which is not merged.", *r.dated) if r.proposal else r.dated
        facts = r.model_dump(include=_EPISODE) | {"guests": r.authors, "dated": said}
        resources.append(model.Episode(id_, show=file.content.show, **facts))
        for place, t in enumerate(r.teaches):
            weight = _weight(t.depth, place)
            teaches.append(model.Teaches(id_, t.concept, depth=t.depth, weight=weight, why=t.section))
        assumes += (model.Assumes(id_, a.concept, how="curated", why=a.why) for a in r.assumes)
    return replace(catalogue, resources=tuple(resources), teaches=tuple(teaches), assumes=tuple(assumes))


def _weight(depth: model.Depth, place: int) -> float:
    return round((1.0 if depth == "main" else 0.5) * 0.95**place, 4)


def load_journeys(files: Files) -> tuple[Journey, ...]:
    """Return the journey in each file, named after it. Raises DataError.

    >>> text = 'title = "Compile"\\nabout = "One call."\\ngoals = ["dynamo"]'
    >>> load_journeys([("data/journeys/compile.toml", text)])[0].name
    'compile'
    """
    parsed = ((PurePosixPath(name).stem, _TomlFile.parse(name, text, _Journey).content) for name, text in files)
    return tuple(Journey(name, j.title, about=" ".join(j.about.split()), goals=j.goals) for name, j in parsed)


def parse_corrections(name: str, text: str) -> tuple[Correction, ...]:
    """Return the corrections in a user's file, kind by kind. Raises DataError.

    >>> parse_corrections("corrections.toml", '[[merge]]\\nconcept = "a"\\ninto = "b"')
    (Merge(place='corrections.toml:1', concept='a', into='b'),)
    """
    file = _TomlFile.parse(name, text, _Corrections)
    found: list[Any] = []
    for id_, topic in file.content.topic.items():
        found.append(Topic(file.place("topic", id_), topic.concept(id_, topic.area)))
        for key, target, reason in topic.edges():
            facts: dict[str, Any] = {"need": key} if key in NEEDS else {}
            facts |= {"source": id_, "target": target, "reason": reason}
            found.append(NewEdge(file.place("topic", id_, key, target), KINDS.get(key, "REQUIRES"), **facts))
    for key, kind in _CORRECTIONS.items():
        found += (kind(file.place(key, i), **dict(entry)) for i, entry in enumerate(getattr(file.content, key)))
    return tuple(found)


def line_of(text: str, path: KeyPath) -> int:
    r"""Return a TOML value's line: `line_of("[a]\nb = 1", ("a", "b")) == 2`."""
    whole = found = None
    with suppress(LookupError, TypeError, ValueError, RecursionError):  # no value: its table
        whole = found = _lines(text)
        for part in path:
            found = found[part + 1 if isinstance(part, int) and isinstance(found[0], int) else part]
    lines, left = list[int](), list[Any]([1 if found is whole else found])
    while left:  # without recursion, for a text may nest deeper than Python calls
        one = left.pop()
        if isinstance(one, int):
            lines.append(one)
        else:
            left += one.values() if isinstance(one, dict) else one
    return min(lines)


@lru_cache(maxsize=4)
def _lines(text: str) -> Any:
    """Return lines in place of values: of a table under `_LINE`, of an array first."""
    line, place = 1, 0

    def marked(token: re.Match[str]) -> str:
        nonlocal line, place
        line, place = line + text.count("\n", place, token.start()), token.start()
        if token["kept"]:
            return token[0]
        if token["header"]:
            return f"{token[0]}\n{_LINE} = {line}"
        opened = {"[": f"[{line}, ", "{": f"{{{_LINE} = {line}, "}
        return opened.get(token[0]) or (f"{{{_LINE} = {line}}}" if token[0][0] == "{" else str(line))

    return tomllib.loads(_TOKEN.sub(marked, text))
