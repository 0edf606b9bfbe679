"""The build of a graph, from texts to the store. Start here to read the program."""

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
from typing import TYPE_CHECKING, Any

from torchatlas.extract.extraction_cache import ExtractionCache, key, spacy_version
from torchatlas.extract.fetch import ENTRIES
from torchatlas.files import changing, read_text
from torchatlas.graph.corrections import correct
from torchatlas.graph.errors import AtlasError, DataError
from torchatlas.graph.findings import Catalogue, Extraction, Mention, Vocabulary
from torchatlas.graph.model import Progress, Snapshot, columns_of
from torchatlas.graph.names import concept_id, one_line
from torchatlas.graph.stores.base import Store
from torchatlas.graph.whole_files import write_whole
from torchatlas.settings import Settings
from torchatlas.shipped import SHOW, bundled, bundled_file
from torchatlas.sources import Sources, kept_documents, kept_feeds, kept_pages, load_sources, read_feeds, read_pages

if TYPE_CHECKING:
    from torchatlas.extract.candidates.ranking import TermCandidate
    from torchatlas.extract.feeds import Entry
    from torchatlas.extract.pages import Page
    from torchatlas.extract.pipeline import Extractor, Readers
    from torchatlas.extract.placing import Placed, Placement
    from torchatlas.graph.corrections import Corrected, Correction
    from torchatlas.graph.layout import Places
    from torchatlas.graph.related import Ranked


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
        """The version of the program, and a hash of every field but the places of files.

        Equal for equal inputs, on every machine.
        """
        digest = hashlib.sha256()
        for each in fields(self):
            if each.metadata.get("fingerprint", True):
                for part in (each.name, *_leaves(getattr(self, each.name))):
                    content = part if isinstance(part, bytes) else part.encode("utf-8", "surrogatepass")
                    digest.update(b"%d:" % len(content) + content)
        return f"{self.code[:8]}-{digest.hexdigest()[:16]}"

    def is_of_another_version(self, fingerprint: str) -> bool:
        """Return whether another version of the program made the graph with this fingerprint.

        Example: inputs.is_of_another_version(store.fingerprint())
        """
        version, _, _ = fingerprint.partition("-")
        return version != self.code[:8]


def read_inputs(settings: Settings) -> Inputs:
    """Return what a build would read now. The network is not asked: feeds count by their last good copies.

    Raises DataError where a file of the user's cannot be read.

    Example: read_inputs(load_settings()).fingerprint
    """
    sources = load_sources(settings)
    return Inputs(
        code=code_fingerprint(),
        concepts=read_vocabularies(sources),
        unplaced=unplaced_wordings(sources),
        episodes=bundled("episodes", ".toml") if sources.shipped else (),
        corrections=read_corrections(settings),
        corrections_file=str(settings.corrections),
        feeds=kept_feeds(settings),
        named=kept_documents(settings),
        pages=kept_pages(settings),
        feed_entries=sources.feed_entries,
        reader=spacy_version(),
        cache=settings.home / "extractions.sqlite3",
    )


def read_corrections(settings: Settings) -> str:
    """Return the text of the user's corrections, "" where there are none. Raises DataError.

    Example: read_corrections(load_settings())
    """
    return read_text(settings.corrections, "fix it, or move it away to start again", missing="")


def read_vocabularies(sources: Sources, more: Iterable[str] = ()) -> NamedTexts:
    """Return the texts of the shipped vocabulary, where it is wanted, of the user's own ones and of `more` files.

    Raises DataError where one cannot be read.

    Example: read_vocabularies(Sources(vocabularies=("~/compilers.toml",)))
    """
    own = dict.fromkeys((*sources.vocabularies, *more))
    texts = ((name, read_text(Path(name).expanduser(), "fix it, or name another vocabulary")) for name in own)
    return (*(bundled("concepts", ".toml") if sources.shipped else ()), *texts)


def unplaced_wordings(sources: Sources) -> tuple[str, str]:
    """Return the file of wordings that are no concept of the shipped vocabulary, empty where that is not wanted.

    Example: unplaced_wordings(Sources())[0]
    """
    name, text = bundled_file("unplaced.toml")
    return name, text if sources.shipped else ""


@cache
def code_fingerprint(package: Traversable | None = None) -> str:
    """Return a hash of the modules that may decide what a graph looks like, and of the terms that texts are read with.

    These are all modules of the package but the front ends, so a change in any module that a build imports makes the
    next command build anew. `package`: the folder of another copy of the program.

    Example: code_fingerprint()[:8]
    """
    root = package or files("torchatlas")
    digest = hashlib.sha256()
    for terms in ("glossary.txt", "terms.txt"):
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


def uncorrected_vocabulary(settings: Settings, more: Iterable[str] = ()) -> Vocabulary:
    """Return the shipped vocabulary, where it is wanted, with the user's own files and `more` files. Raises DataError.

    Example: uncorrected_vocabulary(load_settings()).concepts
    """
    sources = load_sources(settings)
    from torchatlas.extract.curated.vocabulary import load_vocabulary

    return load_vocabulary(read_vocabularies(sources, more), unplaced_wordings(sources))


def corrected_vocabulary(settings: Settings, more: Iterable[str] = ()) -> Vocabulary:
    """Return the vocabulary with the user's own files and `more` files, as the user corrects it. Raises DataError.

    Example: corrected_vocabulary(load_settings(), ["own.toml"]).concepts
    """
    from torchatlas.extract.curated.corrections import parse_corrections

    corrections = parse_corrections(str(settings.corrections), read_corrections(settings))
    return correct(uncorrected_vocabulary(settings, more), Catalogue(), corrections).vocabulary


def add_topic(settings: Settings, term: str, *, name: str = "", definition: str = "", area: str = "") -> str:
    """Append a topic to the user's corrections and return its id. The rest of the file stays.

    `name`: the topic's name where the term is only an alias. Raises DataError where the term or the name is taken;
    nothing is written then.

    Example: add_topic(settings, "lantern pass", area="Compilation")
    """
    term, name, definition, area = (one_line(text) for text in (term, name, definition, area))
    id_ = concept_id(name or term)
    if not id_:
        raise DataError(f"{term!r} makes no id; add a name with a letter from a to z or a digit in it")
    aliases = [term] if name and name != term else []
    topic = _topic(id_, {"name": name or term, "area": area, "definition": definition, "aliases": aliases})
    with changing(settings.corrections):
        path, before = str(settings.corrections), read_corrections(settings)
        if any(line.startswith(f"[topic.{id_}]") for line in before.splitlines()):
            raise DataError(f"{path}: there is a topic {id_!r} already; change it there, or give another name")
        whole = f"{before.rstrip()}\n\n{topic}" if before.strip() else topic
        known = uncorrected_vocabulary(settings)
        had = _problems(known, path, before)
        for place, problem in _problems(known, path, whole).items():
            if place not in had:
                raise DataError(f"{term!r} is not added: {problem}")
        write_whole(settings.corrections, whole.encode())
    return id_


def _topic(id_: str, entries: Mapping[str, object]) -> str:
    import tomlkit

    topics = tomlkit.table(is_super_table=True)
    topics.add(id_, {key: value for key, value in entries.items() if value})
    return tomlkit.dumps({"topic": topics})


def _problems(vocabulary: Vocabulary, path: str, text: str) -> Mapping[str, str]:
    """Return place -> why the correction there does not apply to the vocabulary."""
    from torchatlas.extract.curated.corrections import parse_corrections

    return correct(vocabulary, Catalogue(), parse_corrections(path, text)).problems


def keep_notes(inputs: Inputs, lines: Sequence[str]) -> None:
    """Keep what a build of these inputs told. The next build of other inputs forgets the lines.

    Example: keep_notes(inputs, build(inputs, store).notes)
    """
    with ExtractionCache(inputs.cache) as cache:
        cache.put(_key(inputs), list(lines))


def notes_of(inputs: Inputs) -> tuple[str, ...] | None:
    """Return what the last build told, None where that was not of these inputs or is not kept.

    Example: notes_of(read_inputs(settings))
    """
    with ExtractionCache(inputs.cache) as cache:
        lines = cache.get(_key(inputs))
    return None if lines is None else tuple(lines)


def _key(inputs: Inputs) -> bytes:
    return key("notes", inputs.fingerprint)


@contextmanager
def reading(jobs: int | None = None, on: str = "") -> "Iterator[Readers]":
    """Give the readers of texts: so many processes (None: as many as pay), or the cluster `on` an address.

    Raises AtlasError where both are given, and where the cluster cannot be used.

    Example: `with reading(on="tcp://localhost:8786") as readers: build(inputs, store, readers=readers)`
    """
    if not on:
        from torchatlas.extract.pipeline import Processes

        yield Processes(jobs)
        return
    if jobs is not None:
        raise AtlasError("give jobs or on, not both: a cluster has as many processes as it has")
    from torchatlas.extract.cluster.readers import Cluster

    with Cluster(on, program) as cluster:
        yield cluster


def program() -> str:
    """Return which program runs here: equal texts find equal things. The workers of a cluster are asked for theirs.

    Example: program() == "torchatlas 0.1.0 (3f2a9c1b) on Python 3.13"
    """
    from importlib.metadata import version

    python = ".".join(platform.python_version_tuple()[:2])
    return f"torchatlas {version('torchatlas')} ({code_fingerprint()[:8]}) on Python {python}"


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
    """All that a build reads: the outcome of stages 2 to 4, and the extractor for stage 5.

    `unread`: a line for each copy of a feed or page that cannot be read.
    """

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
    """Build the graph of these inputs and store it. Raises AtlasError; if it fails, the stored graph is unchanged.

    Without a store the build ends after stage 8. `readers`: what reads the texts in stage 5, by default as many
    processes as pay.

    Example: build(read_inputs(settings), store).graph.episodes
    """
    from torchatlas.extract.extraction_cache import ExtractionCache
    from torchatlas.graph.build import complete_graph, join_graph
    from torchatlas.graph.corrections import without

    if store:
        store.check()
    with ExtractionCache(inputs.cache) as cache:
        texts = read_texts(inputs, cache, readers)
        extractions = tuple(extract_texts(texts, inputs.named, progress))
        definitions = extract_definitions(texts)
        facts = with_own_episodes(texts.curated, extractions)
        joined = join_graph(facts.vocabulary, facts.catalogue, extractions, facts.own, definitions, moved=facts.moved)
        graph, unused = without(joined.graph, facts.dropped)
        if store:
            if progress:
                progress("Drawing the map", 0, 1)
            graph = complete_graph(
                graph,
                lambda ground: kept_places(ground, inputs.code, cache),
                lambda graph, n: kept_ranked(graph, n, inputs.code, cache),
            )
        cache.keep_used()
    if store:
        store.replace(graph, inputs.fingerprint, progress)
    problems = dict(sorted({**facts.problems, **unused}.items()))
    return BuildResult(graph=graph, problems=problems, set_aside=joined.set_aside, unread=texts.unread)


def with_own_episodes(curated: "Corrected", extractions: tuple[Extraction, ...]) -> "Corrected":
    """Return curated facts with the edges of episodes that the user corrects: all episodes are known now.

    Example: with_own_episodes(texts.curated, tuple(extract_texts(texts))).waiting == ()
    """
    from torchatlas.graph.corrections import with_episodes
    from torchatlas.graph.identity import merge_sources

    if not curated.waiting:
        return curated
    return with_episodes(curated, merge_sources(curated.catalogue, extractions).episodes)


def find_candidates(inputs: Inputs, refused: Iterable[str] = ()) -> tuple["TermCandidate", ...]:
    """Return the terms in all that a build reads that the vocabulary does not know, the best first.

    Example: find_candidates(read_inputs(settings))[0].text
    """
    from torchatlas.extract.candidates.ranking import CandidateFinder
    from torchatlas.extract.extraction_cache import ExtractionCache

    with ExtractionCache(inputs.cache) as cache:
        texts = read_texts(inputs, cache)
        return CandidateFinder(texts.curated.vocabulary, refused).rank(extract_texts(texts))


def placed_entries(inputs: Inputs) -> tuple["Placed", ...]:
    """Return what a build makes of each entry of the pages. Nothing is kept in the cache.

    Example: [row.outcome for row in placed_entries(read_inputs(settings))]
    """
    from torchatlas.extract.extraction_cache import ExtractionCache

    return read_texts(inputs, ExtractionCache(None)).placement.placed


def read_texts(inputs: Inputs, cache: "ExtractionCache", readers: "Readers | None" = None) -> Corpus:
    """Return all that a build reads: stages 2 to 4.

    The extractor knows all concepts, and the title of every episode, since a text may name any of them.

    Example: read_texts(read_inputs(settings), ExtractionCache(None)).placement.entries
    """
    from torchatlas.extract.feeds import under_one_name
    from torchatlas.extract.pipeline import Extractor
    from torchatlas.extract.placing import place

    curated = correct_curated(inputs, cache)
    entries, pages, unread = read_documents(inputs)
    entries = under_one_name(entries, curated.catalogue.shows)
    titles = [episode.title for episode in curated.catalogue.episodes]
    titles += [entry.episode.title for entry in entries]
    titles += [entry.title for page in pages for entry in page.entries if entry.title]
    extractor = Extractor(curated.vocabulary.concepts, titles, code=inputs.code, cache=cache, readers=readers)
    placement = place(curated.catalogue, curated.vocabulary, entries, pages, extractor.mentions)
    return Corpus(curated=curated, placement=placement, extractor=extractor, unread=unread)


def correct_curated(inputs: Inputs, cache: "ExtractionCache | None" = None) -> "Corrected":
    """Return vocabulary and catalogue as the user corrects them: stage 2. Raises DataError with the file and line.

    `cache`: keeps the files as they were read.

    Example: correct_curated(read_inputs(settings)).vocabulary
    """
    from torchatlas.extract.curated.curated_json import catalogue_of, to_json, vocabulary_of
    from torchatlas.extract.extraction_cache import ExtractionCache, key
    from torchatlas.graph.corrections import correct

    def read() -> list[dict[str, Any]]:
        from torchatlas.extract.curated.catalogue import load_catalogue
        from torchatlas.extract.curated.vocabulary import load_vocabulary

        vocabulary = load_vocabulary(inputs.concepts, inputs.unplaced)
        return [to_json(vocabulary), to_json(load_catalogue(inputs.episodes, vocabulary, SHOW))]

    files = chain(inputs.concepts, [inputs.unplaced], [("", "")], inputs.episodes)
    where = key("curated", inputs.code, *chain.from_iterable(files))
    vocabulary, catalogue = (cache or ExtractionCache(None)).kept(where, read)
    return correct(vocabulary_of(vocabulary), catalogue_of(catalogue), _corrections(inputs))


def _corrections(inputs: Inputs) -> "tuple[Correction, ...]":
    if not inputs.corrections:
        return ()
    from torchatlas.extract.curated.corrections import parse_corrections

    return parse_corrections(inputs.corrections_file, inputs.corrections)


def kept_places(ground: Snapshot, code: str, cache: "ExtractionCache") -> "Places":
    """Return the places of nodes on the map, as the last build kept them where these depend on nothing new.

    `ground`: all that the places depend on; `code`: a hash of the program.

    Example: complete_graph(graph, lambda ground: kept_places(ground, inputs.code, cache))
    """
    from torchatlas.extract.extraction_cache import key

    def find() -> "Places":
        from torchatlas.graph.layout import overview

        return overview(ground)

    places: Places = cache.kept(key("places", code, json.dumps(columns_of(ground))), find)
    return places


def kept_ranked(graph: Snapshot, n: int, code: str, cache: "ExtractionCache") -> "Mapping[str, Ranked]":
    """Return the `n` nearest episodes of each, as the last build kept them where no tie between episodes has changed.

    Example: complete_graph(graph, rank=lambda graph, n: kept_ranked(graph, n, inputs.code, cache))
    """
    from torchatlas.extract.extraction_cache import key_of
    from torchatlas.graph.related import walked

    def find() -> "Mapping[str, Ranked]":
        from torchatlas.graph.related import ranked

        return ranked(graph, n)

    best: Mapping[str, Ranked] = cache.kept(key_of(chain(("ranked", code, str(n)), walked(graph))), find)
    return best


def read_documents(inputs: Inputs) -> "tuple[tuple[Entry, ...], tuple[Page, ...], tuple[str, ...]]":
    """Return the entries of the feeds, the pages, and a line for each copy that cannot be read: stage 3."""
    entries, unread_feeds = read_feeds(inputs.feeds, inputs.feed_entries)
    pages, unread_pages = read_pages(inputs.pages)
    return entries, pages, (*unread_feeds, *unread_pages)


def extract_texts(
    texts: Corpus, named: Iterable[tuple[str, bytes]] = (), progress: Progress | None = None
) -> Iterator[Extraction]:
    """Yield the findings of the catalogue's summaries, then of the entries with what is explained when: stage 5.

    `named`: the transcripts and chapters that entries name.
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


def extract_definitions(texts: Corpus) -> dict[str, tuple[Mention, ...]]:
    """Return what each definition mentions, by concept id: stage 5. {} where the user has no topics of their own.

    Prerequisites are inferred for such topics only, but from the definitions of all concepts.
    """
    described = texts.curated.vocabulary.concepts if texts.curated.own else ()
    return {
        c.id: tuple(replace(m, concept_id=m.listed) for m in texts.extractor.mentions(c.definition, "definition"))
        for c in described
    }


def report(inputs: Inputs, documents: Sequence[tuple[str, bytes]]) -> "list[Placed]":
    """Return what becomes of the entries of these pages, (name, document) each. Writes nothing.

    An episode that an earlier import brought is not new.

    Example: report(read_inputs(settings), [open_page("playerfm.html")])
    """
    names = {name for name, _ in documents}
    others = tuple(page for page in inputs.pages if page[0] not in names)
    again = len(others) < len(inputs.pages)  # what other pages brought is not new in any case
    before = {row.episode.id for row in placed_entries(inputs) if row.episode} if again else set()
    rows = placed_entries(replace(inputs, pages=(*others, *documents)))  # a row for each entry, in this order
    count = sum(len(page.entries) for page in read_pages(documents)[0])
    return [
        replace(row, outcome="merged", evidence=("imported before",))
        if row.outcome == "new" and row.episode and row.episode.id in before
        else row
        for row in rows[len(rows) - count :]
    ]
