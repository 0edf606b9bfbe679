"""The build of a graph, from texts to the store: `build` is all of it on one page."""

import hashlib
import marshal
import os
import platform
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields, replace
from functools import cache
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from torchatlas.extract.extraction_cache import ExtractionCache, key, spacy_version
from torchatlas.extract.fetch import ENTRIES, copy_name
from torchatlas.files import read_text
from torchatlas.graph.errors import AtlasError
from torchatlas.graph.findings import Catalogue, Extraction, Vocabulary
from torchatlas.graph.model import Progress, Snapshot, Value
from torchatlas.graph.stores.base import Store
from torchatlas.settings import Settings
from torchatlas.shipped import SHOW, bundled, bundled_file
from torchatlas.sources import Documents, kept_copies, load_sources, read_feeds, read_pages

if TYPE_CHECKING:  # spaCy and its like are imported when a build runs
    from torchatlas.extract.pipeline import Readers
    from torchatlas.extract.placing import Placed
    from torchatlas.graph.corrections import Corrected, Correction


class Inputs(Value, kw_only=True):
    """Everything that a graph depends on, and the `cache` of what was found before.

    `code`: hash of the modules; `concepts`, `episodes`, `unplaced`: curated files;
    `resources`: too; `histories`: earlier entries of feeds; `named`: transcripts, chapters;
    `feed_entries`: most per feed; `reader`: of spaCy.
    """

    code: str
    concepts: tuple[tuple[str, str], ...]
    unplaced: tuple[str, str]
    episodes: tuple[tuple[str, str], ...]
    resources: tuple[tuple[str, str], ...] = ()
    corrections: str
    feeds: Documents = ()
    histories: Documents = ()
    named: Documents = ()
    pages: Documents = ()
    feed_entries: int = ENTRIES
    reader: str = ""
    corrections_file: str = "corrections.toml"
    cache: Path | None = None

    @property
    def fingerprint(self) -> str:
        """The program's version and a hash of all inputs but the places of files."""
        counted = [getattr(self, f.name) for f in fields(self) if f.name not in ("corrections_file", "cache")]
        plain = marshal.dumps(counted, 0)  # version 0: equal values, equal bytes
        return f"{self.code[:8]}-{hashlib.sha256(plain).hexdigest()[:16]}"


def build(
    inputs: Inputs, store: Store | None = None, progress: Progress | None = None, *, readers: "Readers | None" = None
) -> tuple[Snapshot, dict[str, str], list[str]]:
    """Build the graph of all sources and store it. Raises AtlasError, storing nothing.

    Without a store, the graph has no related episodes and no places on the map.
    The problems of corrections by their places, and lines to log, come with it.
    Example: `graph, problems, lines = build(read_inputs(settings), store)`
    """
    from torchatlas.graph.build import complete_graph, join_graph
    from torchatlas.graph.corrections import with_episodes, with_notes, without
    from torchatlas.graph.identity import merge_sources

    if store:
        store.check()
    with ExtractionCache(inputs.cache) as cache:
        texts = Corpus(inputs, cache, readers)
        found = tuple(texts.extract(inputs.named, progress))
        facts = texts.curated
        if facts.waiting:  # corrections of edges: all episodes are known now
            facts = with_episodes(facts, (*merge_sources(facts.catalogue, found)[0], *facts.catalogue.resources))
        described = texts.curated.vocabulary.concepts if texts.curated.own else ()  # they matter to own topics only
        named = ((c.id, texts.extractor.mentions(c.definition, "definition")) for c in described)
        definitions = {id_: tuple(replace(m, concept_id=m.listed) for m in mentions) for id_, mentions in named}
        joined = join_graph(facts.vocabulary, facts.catalogue, found, facts.own, definitions, moved=facts.moved)
        graph, unused = without(with_notes(joined[0], facts.dated), facts.dropped)
        if store:
            if progress:
                progress("Drawing the map", 0, 1)
            graph = complete_graph(graph)
        problems = dict(sorted({**facts.problems, **unused}.items()))
        wrong = (f"{place}: this correction does not apply: {why}" for place, why in problems.items())
        lines = [*texts.unread, *wrong, *(f"set aside: {line}" for line in joined[1])]
        cache.put(key("log", inputs.fingerprint), lines)
        cache.keep_used()
    if store:
        store.replace(graph, inputs.fingerprint, progress)
    return graph, problems, lines


class Corpus:
    """What a build reads: `list(Corpus(inputs, cache).extract())`; `unread`: errors."""

    def __init__(self, inputs: Inputs, cache: ExtractionCache, readers: "Readers | None" = None) -> None:
        from torchatlas.extract.feeds import under_one_name
        from torchatlas.extract.pipeline import Extractor
        from torchatlas.extract.placing import place

        curated = self.curated = correct_curated(inputs, cache)
        self.pages = inputs.pages
        entries, unread_feeds = read_feeds(inputs.feeds, inputs.feed_entries, inputs.histories)
        pages, unread_pages = read_pages(inputs.pages)
        self.unread = (*unread_feeds, *unread_pages)
        entries = under_one_name(entries, curated.catalogue.shows)
        titles = [episode.title for episode in curated.catalogue.episodes]
        titles += [entry.episode.title for entry in entries]
        titles += [entry.title for page in pages for entry in page.entries if entry.title]
        concepts = curated.vocabulary.concepts
        self.extractor = Extractor(concepts, titles, code=inputs.code, cache=cache, readers=readers)
        found = place(curated.catalogue, curated.vocabulary, entries, pages, self.extractor.mentions)
        self.entries, self.placed = found

    def extract(self, named: Documents = (), progress: Progress | None = None) -> Iterator[Extraction]:
        """Yield what is in summaries, then in entries with `named` transcripts."""
        from torchatlas.extract.pages import transcript_name
        from torchatlas.extract.transcripts import timed

        extractor, entries, catalogue = self.extractor, self.entries, self.curated.catalogue
        spoken = ((copy_name(transcript_name(document)), document) for _, document in self.pages)
        explained = timed(extractor, dict((*named, *spoken)))
        summaries = (extractor.summarised(each, catalogue.urls.get(each.id, ())) for each in catalogue.episodes)
        notes = map(explained, entries, extractor.extract(entries))
        for done, extraction in enumerate(chain(summaries, notes), 1):
            if progress:
                progress("Reading episodes", done, len(catalogue.episodes) + len(entries))
            yield extraction


def correct_curated(inputs: Inputs, cache: ExtractionCache | None = None) -> "Corrected":
    """Return the corrected files: `correct_curated(inputs)`. Raises DataError."""
    from torchatlas.graph.corrections import correct

    def load(name: str, *arguments: object) -> Any:
        from torchatlas.extract import catalogue  # pydantic is slow to load

        return getattr(catalogue, name)(*arguments)

    cache = cache or ExtractionCache(None)
    files = ("curated", inputs.code, *chain.from_iterable(inputs.concepts), *inputs.unplaced)
    known = cache.kept(key(*files), lambda: load("load_vocabulary", inputs.concepts, inputs.unplaced), Vocabulary)
    episodes_key = key(*files, "episodes", *chain.from_iterable((*inputs.episodes, "", *inputs.resources)))

    def curated() -> Any:
        return load("load_resources", inputs.resources, known, load("load_catalogue", inputs.episodes, known, SHOW))

    return correct(known, cache.kept(episodes_key, curated, Catalogue), parsed_corrections(inputs))


def import_report(inputs: Inputs, documents: Documents) -> "list[Placed]":
    """Return what becomes of pages' entries: `import_report(inputs, documents)`."""

    def placed(*pages: tuple[str, bytes]) -> "tuple[Placed, ...]":
        return Corpus(replace(inputs, pages=pages), ExtractionCache(None)).placed

    others = tuple(page for page in inputs.pages if page[0] not in dict(documents))
    before = {r.episode.id for r in placed(*inputs.pages) if r.episode} if others != inputs.pages else set()
    rows = placed(*others, *documents)  # a row for each entry
    count = sum(len(page.entries) for page in read_pages(documents)[0])
    return [
        replace(row, outcome="merged", evidence=("imported before",))
        if row.outcome == "new" and row.episode and row.episode.id in before
        else row
        for row in rows[len(rows) - count :]
    ]


def read_inputs(settings: Settings) -> Inputs:
    """Return a build's inputs: `read_inputs(settings).code`. Raises DataError."""
    return replace(curated_inputs(settings), **kept_copies(settings))  # type: ignore[arg-type]


def curated_inputs(settings: Settings, more: Iterable[str] = ()) -> Inputs:
    """Return the inputs without feeds and pages: `curated_inputs(settings).concepts`."""
    sources = load_sources(settings)
    own = dict.fromkeys((*sources.vocabularies, *more))
    texts = ((name, read_text(Path(name).expanduser(), "fix it, or name another vocabulary")) for name in own)
    unplaced, wordings = bundled_file("unplaced.toml")
    return Inputs(
        code=code_fingerprint(),
        concepts=(*(bundled("concepts", ".toml") if sources.shipped else ()), *texts),
        unplaced=(unplaced, wordings if sources.shipped else ""),
        episodes=bundled("episodes", ".toml") if sources.shipped else (),
        resources=bundled("resources", ".toml") if sources.shipped else (),
        corrections=read_text(settings.corrections, "fix it, or move it away to start again", missing=""),
        corrections_file=str(settings.corrections),
        feed_entries=sources.feed_entries,
        reader=spacy_version(),
        cache=settings.home / "extractions.sqlite3",
    )


def parsed_corrections(inputs: Inputs) -> "tuple[Correction, ...]":
    """Return corrections: `parsed_corrections(inputs)[0].place`. Raises DataError."""
    if not inputs.corrections:
        return ()
    from torchatlas.extract.catalogue import parse_corrections

    return parse_corrections(inputs.corrections_file, inputs.corrections)


@cache
def code_fingerprint(package: Path | None = None) -> str:
    """Return a hash of terms and modules, not front ends: `code_fingerprint()[:8]`."""
    root = package or Path(str(files("torchatlas")))
    digest = hashlib.sha256()
    for terms in ("glossary.txt", "terms.txt", "words.txt"):
        digest.update((root / "data" / terms).read_bytes())
    for folder, folders, names in os.walk(root, followlinks=True):
        folders[:] = sorted({*folders} - {"ui", "data", "__pycache__"})
        for name in sorted(names):
            if name.endswith(".py"):
                digest.update(Path(folder, name).read_bytes())
    return digest.hexdigest()


def reading(jobs: int | None = None, on: str = "") -> "AbstractContextManager[Readers | None]":
    """Open readers (`jobs` or a cluster `on`) or None. Raises AtlasError for both.
    Example: `with reading(jobs=2) as readers: build(inputs, readers=readers)`
    """
    if on and jobs is not None:
        raise AtlasError("give jobs or on, not both")
    if on:
        from torchatlas.extract.cluster import Cluster

        return Cluster(on, program)
    if jobs is None:
        return nullcontext()
    from torchatlas.extract.pipeline import Readers

    return nullcontext(Readers(jobs))


def program() -> str:
    """Return the program, which a cluster's workers must share: `program()`."""
    from importlib.metadata import version

    python = ".".join(platform.python_version_tuple()[:2])
    return f"torchatlas {version('torchatlas')} ({code_fingerprint()[:8]}) on Python {python}"
