"""The build of a graph, from texts to the store. Start here to read the program: `build` is all of it on one page."""

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.extract.extraction_cache import ExtractionCache, key, spacy_version
from torchatlas.extract.fetch import ENTRIES
from torchatlas.files import changing, read_text
from torchatlas.graph.errors import AtlasError, DataError
from torchatlas.graph.findings import Catalogue, Extraction, Mention, Vocabulary
from torchatlas.graph.model import Progress, Snapshot, columns_of
from torchatlas.graph.names import concept_id, one_line
from torchatlas.graph.stores.base import Store
from torchatlas.graph.whole_files import write_whole
from torchatlas.settings import Settings
from torchatlas.shipped import SHOW, bundled, bundled_file
from torchatlas.sources import kept_documents, kept_feeds, kept_pages, load_sources, read_feeds, read_pages

if TYPE_CHECKING:  # spaCy and its like are imported when a build runs
    from torchatlas.extract.candidates import TermCandidate
    from torchatlas.extract.pipeline import Extractor, Readers
    from torchatlas.extract.placing import Placed, Placement
    from torchatlas.graph.corrections import Corrected, Correction

NamedTexts = tuple[tuple[str, str], ...]
"""(name, text) pairs."""
Documents = tuple[tuple[str, bytes], ...]
"""(address or name, content) pairs."""
_UNCOUNTED = {"fingerprint": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Everything that a graph depends on, and the cache that makes reading it again cheap.

    `code`: a hash of the program's modules; `concepts`, `episodes`, `unplaced`: the curated files; `corrections`: the
    text of the user's file, and `corrections_file` its path, for messages; `feeds`, `pages`: documents by address;
    `named`: the transcripts and chapters that feeds name; `feed_entries`: how many entries of a feed count;
    `reader`: the version of spaCy; `cache`: the file of what was found before, or None.
    """

    code: str
    concepts: NamedTexts
    unplaced: tuple[str, str]
    episodes: NamedTexts
    corrections: str
    feeds: Documents = ()
    named: Documents = ()
    pages: Documents = ()
    feed_entries: int = ENTRIES
    reader: str = ""
    corrections_file: str = field(default="corrections.toml", metadata=_UNCOUNTED)
    cache: Path | None = field(default=None, metadata=_UNCOUNTED)

    @property
    def fingerprint(self) -> str:
        """The version of the program, and a hash of every field but the places of files: equal for equal inputs."""
        digest = hashlib.sha256()
        for each in fields(self):
            if each.metadata.get("fingerprint", True):
                for part in (each.name, *_leaves(getattr(self, each.name))):
                    content = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
                    digest.update(b"%d:" % len(content) + content)
        return f"{self.code[:8]}-{digest.hexdigest()[:16]}"

    def is_of_another_version(self, fingerprint: str) -> bool:
        """Return whether another program made a graph. Example: `inputs.is_of_another_version(store.fingerprint())`"""
        return fingerprint.partition("-")[0] != self.code[:8]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildResult:
    """A graph, and what the person should be told about it.

    `problems`: place -> why the correction that stands there does not apply; `set_aside`: a line for each thing that
    texts say against what counts; `unread`: a line for each copy that cannot be read.
    """

    graph: Snapshot
    problems: Mapping[str, str]
    set_aside: tuple[str, ...]
    unread: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """The lines that the person should be told."""
        wrong = (f"{place}: this correction does not apply: {why}" for place, why in self.problems.items())
        return (*self.unread, *wrong, *(f"set aside: {line}" for line in self.set_aside))


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """All that a build reads, and the extractor for it. `unread`: a line for each copy that cannot be read."""

    curated: "Corrected"
    placement: "Placement"
    extractor: "Extractor"
    unread: tuple[str, ...]


def build(
    inputs: Inputs,
    store: Store | None = None,
    progress: Progress | None = None,
    *,
    readers: "Readers | None" = None,
) -> BuildResult:
    """Read all sources, join them to one graph and store it. Raises AtlasError; the stored graph is unchanged then.

    Without a store, the graph has no related episodes and no places on the map. `readers`: what reads the texts, by
    default as many processes as pay.
    Example: `build(read_inputs(settings), store).graph.episodes`
    """
    from torchatlas.graph.build import complete_graph, join_graph
    from torchatlas.graph.corrections import with_episodes, without
    from torchatlas.graph.identity import merge_sources
    from torchatlas.graph.layout import ground, overview
    from torchatlas.graph.related import NEAREST, ranked, walked

    if store:
        store.check()
    with ExtractionCache(inputs.cache) as cache:
        texts = read_texts(inputs, cache, readers)
        found = tuple(extract_texts(texts, inputs.named, progress))
        facts = texts.curated
        if facts.waiting:  # edges of episodes that the user corrects: all episodes are known now
            facts = with_episodes(facts, merge_sources(facts.catalogue, found).episodes)
        definitions = _definitions(texts)
        joined = join_graph(facts.vocabulary, facts.catalogue, found, facts.own, definitions, moved=facts.moved)
        graph, unused = without(joined.graph, facts.dropped)
        if store:
            if progress:
                progress("Drawing the map", 0, 1)
            places_key = key("places", inputs.code, json.dumps(columns_of(ground(graph))))
            ranked_key = key("ranked", inputs.code, str(NEAREST), *walked(graph))
            graph = complete_graph(  # from the cache, where what it depends on has not changed
                graph,
                cache.kept(places_key, lambda: overview(graph)),
                cache.kept(ranked_key, lambda: ranked(graph, NEAREST)),
            )
        problems = dict(sorted({**facts.problems, **unused}.items()))
        result = BuildResult(graph=graph, problems=problems, set_aside=joined.set_aside, unread=texts.unread)
        cache.put(key("notes", inputs.fingerprint), list(result.notes))
        cache.keep_used()
    if store:
        store.replace(graph, inputs.fingerprint, progress)
    return result


def read_texts(inputs: Inputs, cache: ExtractionCache, readers: "Readers | None" = None) -> Corpus:
    """Return the curated facts, the entries of feeds and pages at their episodes, and what finds concepts in them.

    The extractor knows all concepts, and the title of every episode, since a text may name any of them.
    Example: `read_texts(read_inputs(settings), ExtractionCache(None)).placement.entries`
    """
    from torchatlas.extract.feeds import under_one_name
    from torchatlas.extract.pipeline import Extractor
    from torchatlas.extract.placing import place

    curated = correct_curated(inputs, cache)
    entries, unread_feeds = read_feeds(inputs.feeds, inputs.feed_entries)
    pages, unread_pages = read_pages(inputs.pages)
    entries = under_one_name(entries, curated.catalogue.shows)
    titles = [episode.title for episode in curated.catalogue.episodes]
    titles += [entry.episode.title for entry in entries]
    titles += [entry.title for page in pages for entry in page.entries if entry.title]
    extractor = Extractor(curated.vocabulary.concepts, titles, code=inputs.code, cache=cache, readers=readers)
    placement = place(curated.catalogue, curated.vocabulary, entries, pages, extractor.mentions)
    return Corpus(curated=curated, placement=placement, extractor=extractor, unread=(*unread_feeds, *unread_pages))


def correct_curated(inputs: Inputs, cache: ExtractionCache | None = None) -> "Corrected":
    """Return vocabulary and catalogue as the user corrects them. Raises DataError with the file and line.

    `cache`: keeps the files as they were read.
    Example: `correct_curated(read_inputs(settings)).vocabulary`
    """
    from torchatlas.graph.corrections import correct

    cache = cache or ExtractionCache(None)
    files = ("curated", inputs.code, *chain.from_iterable(inputs.concepts), *inputs.unplaced)
    vocabulary = cache.kept(key(*files), lambda: _vocabulary(inputs), Vocabulary)
    episodes = chain.from_iterable(inputs.episodes)
    catalogue = cache.kept(key(*files, "episodes", *episodes), lambda: _catalogue(inputs, vocabulary), Catalogue)
    return correct(vocabulary, catalogue, parsed_corrections(inputs))


def extract_texts(
    texts: Corpus, named: Iterable[tuple[str, bytes]] = (), progress: Progress | None = None
) -> Iterator[Extraction]:
    """Yield the findings of the catalogue's summaries, then of the entries with what is explained when.

    `named`: the transcripts and chapters that entries name.
    Example: `[len(found.mentions) for found in extract_texts(texts)]`
    """
    from torchatlas.extract.transcripts import TimedDocuments

    extractor, entries = texts.extractor, texts.placement.entries
    episodes, urls = texts.curated.catalogue.episodes, texts.curated.catalogue.urls
    timed = TimedDocuments(extractor, texts.curated.vocabulary.concepts, dict(named))
    summaries = (extractor.summarised(episode, urls.get(episode.id, ())) for episode in episodes)
    read = zip(entries, extractor.extract(entries), strict=True)
    notes = (replace(extraction, explained=timed.explained(entry)) for entry, extraction in read)
    for done, extraction in enumerate(chain(summaries, notes), 1):
        if progress:
            progress("Reading episodes", done, len(episodes) + len(entries))
        yield extraction


def _definitions(texts: Corpus) -> dict[str, tuple[Mention, ...]]:
    """Return what each definition mentions, by concept id; {} where the user has no topics of their own.

    Prerequisites are inferred for such topics only, but from the definitions of all concepts.
    """
    found = texts.extractor.mentions
    described = texts.curated.vocabulary.concepts if texts.curated.own else ()
    return {c.id: tuple(replace(m, concept_id=m.listed) for m in found(c.definition, "definition")) for c in described}


def notes_of(inputs: Inputs) -> tuple[str, ...] | None:
    """Return what the last build told, None where it is not known for these inputs. Example: `notes_of(inputs)`"""
    with ExtractionCache(inputs.cache) as cache:
        lines = cache.get(key("notes", inputs.fingerprint))
    return None if lines is None else tuple(lines)


def find_candidates(inputs: Inputs, refused: Iterable[str] = ()) -> tuple["TermCandidate", ...]:
    """Return the unknown terms in all that a build reads, best first. Example: `find_candidates(inputs)[0].text`"""
    from torchatlas.extract.candidates import CandidateFinder

    with ExtractionCache(inputs.cache) as cache:
        texts = read_texts(inputs, cache)
        return CandidateFinder(texts.curated.vocabulary, refused).rank(extract_texts(texts))


def import_report(inputs: Inputs, documents: Sequence[tuple[str, bytes]]) -> "list[Placed]":
    """Return what becomes of the entries of these pages, (name, document) each. Writes nothing.

    An episode that an earlier import brought is not new.
    Example: `import_report(read_inputs(settings), [open_page("playerfm.html")])`
    """

    def placed(*pages: tuple[str, bytes]) -> "tuple[Placed, ...]":
        return read_texts(replace(inputs, pages=pages), ExtractionCache(None)).placement.placed

    names = {name for name, _ in documents}
    others = tuple(page for page in inputs.pages if page[0] not in names)
    again = len(others) < len(inputs.pages)  # what other pages brought is not new in any case
    before = {row.episode.id for row in placed(*inputs.pages) if row.episode} if again else set()
    rows = placed(*others, *documents)  # a row for each entry, in this order
    count = sum(len(page.entries) for page in read_pages(documents)[0])
    return [
        replace(row, outcome="merged", evidence=("imported before",))
        if row.outcome == "new" and row.episode and row.episode.id in before
        else row
        for row in rows[len(rows) - count :]
    ]


def add_topic(settings: Settings, term: str, *, name: str = "", definition: str = "", area: str = "") -> str:
    """Append a topic to the user's corrections and return its id. The rest of the file stays.

    `name`: the topic's name where the term is only an alias. Raises DataError where the term or the name is taken;
    nothing is written then.
    Example: `add_topic(settings, "lantern pass", area="Compilation")`
    """
    import tomlkit

    from torchatlas.graph.corrections import correct

    term, name, definition, area = (one_line(text) for text in (term, name, definition, area))
    id_ = concept_id(name or term)
    if not id_:
        raise DataError(f"{term!r} makes no id; add a name with a letter from a to z or a digit in it")
    aliases = [term] if name and name != term else []
    entries = {"name": name or term, "area": area, "definition": definition, "aliases": aliases}
    topics = tomlkit.table(is_super_table=True)
    topics.add(id_, {key: value for key, value in entries.items() if value})
    topic = tomlkit.dumps({"topic": topics})
    with changing(settings.corrections):
        inputs = curated_inputs(settings)
        before = inputs.corrections
        if any(line.startswith(f"[topic.{id_}]") for line in before.splitlines()):
            path = settings.corrections
            raise DataError(f"{path}: there is a topic {id_!r} already; change it there, or give another name")
        whole = f"{before.rstrip()}\n\n{topic}" if before.strip() else topic
        known = _vocabulary(inputs)
        had, has = (
            correct(known, Catalogue(), parsed_corrections(replace(inputs, corrections=text))).problems
            for text in (before, whole)
        )
        for place, problem in has.items():
            if place not in had:
                raise DataError(f"{term!r} is not added: {problem}")
        write_whole(settings.corrections, whole.encode())
    return id_


def read_inputs(settings: Settings) -> Inputs:
    """Return what a build would read now. The network is not asked: feeds count by their last good copies.

    Raises DataError where a file of the user's cannot be read.
    Example: `read_inputs(load_settings()).fingerprint`
    """
    curated = curated_inputs(settings)
    return replace(curated, feeds=kept_feeds(settings), named=kept_documents(settings), pages=kept_pages(settings))


def curated_inputs(settings: Settings, more: Iterable[str] = ()) -> Inputs:
    """Return the inputs without feeds and pages, with `more` concepts. Example: `curated_inputs(settings).concepts`"""
    sources = load_sources(settings)
    own = dict.fromkeys((*sources.vocabularies, *more))
    texts = ((name, read_text(Path(name).expanduser(), "fix it, or name another vocabulary")) for name in own)
    unplaced, wordings = bundled_file("unplaced.toml")
    return Inputs(
        code=code_fingerprint(),
        concepts=(*(bundled("concepts", ".toml") if sources.shipped else ()), *texts),
        unplaced=(unplaced, wordings if sources.shipped else ""),
        episodes=bundled("episodes", ".toml") if sources.shipped else (),
        corrections=read_text(settings.corrections, "fix it, or move it away to start again", missing=""),
        corrections_file=str(settings.corrections),
        feed_entries=sources.feed_entries,
        reader=spacy_version(),
        cache=settings.home / "extractions.sqlite3",
    )


def parsed_corrections(inputs: Inputs) -> "tuple[Correction, ...]":
    """Return the user's corrections. Raises DataError with the place. Example: `parsed_corrections(inputs)[0].place`"""
    if not inputs.corrections:
        return ()
    from torchatlas.extract.catalogue import parse_corrections

    return parse_corrections(inputs.corrections_file, inputs.corrections)


def _vocabulary(inputs: Inputs) -> Vocabulary:
    from torchatlas.extract.catalogue import load_vocabulary

    return load_vocabulary(inputs.concepts, inputs.unplaced)


def _catalogue(inputs: Inputs, vocabulary: Vocabulary) -> Catalogue:
    from torchatlas.extract.catalogue import load_catalogue

    return load_catalogue(inputs.episodes, vocabulary, SHOW)


@cache
def code_fingerprint(package: Traversable | None = None) -> str:
    """Return a hash of the modules that may decide what a graph looks like, and of the terms that texts are read with.

    These are all modules of the package but the front ends, so a change in any module that a build imports makes the
    next command build anew. `package`: the folder of another copy of the program.
    Example: `code_fingerprint()[:8]`
    """
    root = package or files("torchatlas")
    digest = hashlib.sha256()
    for terms in ("glossary.txt", "terms.txt", "words.txt"):
        digest.update((root / "data" / terms).read_bytes())
    for module in _modules(root):
        digest.update(module.read_bytes())
    return digest.hexdigest()


def _modules(folder: Traversable) -> Iterator[Traversable]:
    for entry in sorted(folder.iterdir(), key=lambda f: f.name):
        if entry.name.endswith(".py"):
            yield entry
        elif entry.is_dir() and entry.name not in {"ui", "data", "__pycache__"}:
            yield from _modules(entry)


def _leaves(value: object) -> Iterator[str | bytes]:
    """Yield the texts, numbers and documents in a field, with the length of each tuple: no two values read alike."""
    if isinstance(value, tuple):
        yield str(len(value))
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, str | bytes):
        yield value
    elif isinstance(value, int):
        yield str(value)


@contextmanager
def reading(jobs: int | None = None, on: str = "") -> "Iterator[Readers | None]":
    """Yield what reads texts: `jobs` processes, the cluster `on` an address, or None for as many processes as pay.

    Raises AtlasError where both are given, and where the cluster cannot be used.
    Example: `with reading(on="tcp://localhost:8786") as readers: build(inputs, store, readers=readers)`
    """
    if not on and jobs is None:
        yield None
        return
    if not on:
        from torchatlas.extract.pipeline import Readers

        yield Readers(jobs)
        return
    if jobs is not None:
        raise AtlasError("give jobs or on, not both: a cluster has as many processes as it has")
    from torchatlas.extract.cluster import Cluster

    with Cluster(on, program) as cluster:
        yield cluster


def program() -> str:
    """Return which program runs here; the workers of a cluster must run the same. Example: `program()`"""
    from importlib.metadata import version

    python = ".".join(platform.python_version_tuple()[:2])
    return f"torchatlas {version('torchatlas')} ({code_fingerprint()[:8]}) on Python {python}"
