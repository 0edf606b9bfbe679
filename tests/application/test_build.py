"""From a feed, pages and corrections to a graph: what a build reads again, what it writes, and what it tells."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from html import escape
from itertools import count
from modulefinder import ModuleFinder
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import event, example, given, settings
from hypothesis import strategies as st

from tests.doc_sessions import ROOT
from tests.pages import best_of, listing
from tests.strategies import times
from torchatlas.atlas import Atlas
from torchatlas.build import Corpus, Inputs, build, code_fingerprint, import_report, read_inputs
from torchatlas.extract import pages as readers
from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.extract.extraction_cache import ExtractionCache
from torchatlas.extract.fetch import copy_name
from torchatlas.extract.pages import transcript_name
from torchatlas.extract.transcripts import timed
from torchatlas.graph.errors import DataError
from torchatlas.graph.export import csv_files
from torchatlas.graph.findings import Extraction
from torchatlas.graph.model import Snapshot
from torchatlas.graph.stores.memory import MemoryStore
from torchatlas.settings import load_settings
from torchatlas.shipped import bundled, bundled_file

RSS = '<?xml version="1.0"?><rss version="2.0"><channel><title>{}</title>{}</channel></rss>'
ADDRESS = "https://e.org/hum.vtt"
SPACE = "https://podcastindex.org/namespace/1.0"
FEED = RSS.format(
    "Invented",
    "<item><title>A hum</title><guid>a</guid><description>Vmap uses functorch.</description>"
    f'<transcript xmlns="{SPACE}" url="{ADDRESS}" type="text/vtt"/></item>',
).encode()
SAID = b"WEBVTT\n\n00:00.000 --> 00:09.000\nToday we explain vmap. What is vmap? So vmap is a transform.\n"


def shipped(home: Path, feed: bytes, **others: object) -> Inputs:
    """What ships, without its episodes, and a feed."""
    found = read_inputs(load_settings(environment=os.environ | {"TORCHATLAS_HOME": str(home)}))
    return replace(found, episodes=(), feeds=(("a.xml", feed),), **others)


def transcribed(home: Path, feed: bytes = FEED) -> Inputs:
    return shipped(home, feed, named=((copy_name(ADDRESS), SAID),))


@pytest.mark.slow
def test_the_second_build_makes_the_same_graph_without_spacy(tmp_path: Path) -> None:
    plain = build(replace(transcribed(tmp_path), cache=None))
    assert build(transcribed(tmp_path)) == plain
    assert build(transcribed(tmp_path)) == plain and plain[0].mentions and plain[0].teaches
    code = (
        "import sys; from pathlib import Path; from tests.application.test_build import *; "
        "build(transcribed(Path(sys.argv[1]))); print('spacy' in sys.modules)"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "False\n"


@pytest.mark.slow
def test_for_a_changed_text_no_curated_file_is_read_anew(tmp_path: Path, monkeypatch) -> None:
    changed = transcribed(tmp_path, FEED.replace(b"Vmap uses", b"Today, vmap uses"))
    plain, kept = MemoryStore(), MemoryStore()
    build(replace(changed, cache=None), plain)
    build(transcribed(tmp_path), kept)
    before = kept.snapshot()
    monkeypatch.setattr("torchatlas.extract.catalogue.load_vocabulary", None)
    build(changed, kept)
    assert before != kept.snapshot() == plain.snapshot()


TOPICS = """
[topic.night-shift-scheduler]
name = "Night Shift scheduler"
definition = "It sits behind Inductor and waits until the GPU is idle. Nobody has run it on XLA."

[topic.lantern-pass]
name = "Lantern pass"
definition = "An imaginary pass that leaves the lights on."

[topic.owl-cache]
name = "Owl cache"
definition = "A cache that sleeps by day."
bridge.dispatcher = "it is asked whenever an operator is called"
"""
TOPICS_FEED = RSS.format(
    "Invented Internals",
    "<item><title>Lights on</title><guid>lights</guid><description>Tea first. The Lantern pass is built on AOTAutograd."
    " Vmap was on the radio. The Lantern pass and TorchScript were in one room.</description></item>"
    "<item><title>Owls</title><guid>owls</guid><description>The Owl cache uses Dynamo.</description></item>",
).encode()


@pytest.mark.slow
def test_prerequisites_of_topics_come_from_definitions_and_notes_unless_the_person_said_some(tmp_path: Path) -> None:
    graph = build(shipped(tmp_path, TOPICS_FEED, corrections=TOPICS))[0]
    own: dict[str, set[tuple[str, str, str, str | None]]] = {}
    for r in graph.requires:
        own.setdefault(r.source, set()).add((r.target, r.origin, r.quote, r.episode))
    said = ("It sits behind Inductor and waits until the GPU is idle.", "The Lantern pass is built on AOTAutograd.")
    assert ("inductor", "inferred", said[0]) in {row[:3] for row in own["night-shift-scheduler"]}
    assert {(row[1], row[0] == "pytorch-xla") for row in own["night-shift-scheduler"]} == {("inferred", False)}
    assert own["lantern-pass"] == {("aotautograd", "inferred", said[1], "invented-internals/lights-on")}
    assert {row[:2] for row in own["owl-cache"]} == {("dispatcher", "curated")}
    curated = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml")).requires
    topics = {"night-shift-scheduler", "lantern-pass", "owl-cache"}
    assert {r for r in graph.requires if r.source not in topics} == set(curated)


@pytest.mark.slow
def test_corrections_reach_the_episodes_of_feeds(tmp_path: Path) -> None:
    drop = '[[drop]]\nfrom = "Lights on"\ntype = "MENTIONS"\nto = "AOTAutograd"\n'
    edge = '[[edge]]\nfrom = "owls"\ntype = "LISTEN_AFTER"\nto = "Lights on"\nreason = "light comes first"\n'
    wrong = '[[drop]]\nfrom = "Nights"\ntype = "MENTIONS"\nto = "vmap"\n'
    dated = '[[dated]]\nconcept = "vmap"\nnote = "2.9: gone"\nepisodes = ["Lights on", "CUDA semantics"]\n'
    graph, problems, _ = build(shipped(tmp_path, TOPICS_FEED, corrections=drop + edge + wrong + dated))
    lights, owls = "invented-internals/lights-on", "invented-internals/owls"
    mentioned = {m.target for m in graph.mentions if m.source == lights}
    assert "vmap" in mentioned and "aotautograd" not in mentioned
    assert [(e.source, e.target) for e in graph.listen_after] == [(owls, lights)]
    assert [problem[:29] for problem in problems.values()] == ["no episode is called 'Nights'"]
    assert {e.title for e in graph.episode.values() if "2.9: gone" in e.dated} == {"Lights on", "CUDA semantics"}


TITLES = ("The lantern", "A night at sea", "Owls")
NOTES = (
    "The owl cache uses the lantern pass. Listen to Owls first.",
    "The lantern pass is built on the tide table. Listen to The lantern first.",
    'The foghorn is new, and so is <a href="https://e.org/owl">the owl cache</a>. Listen to A night at sea first.',
    "What is a tide table? A tide table is a list.",
)
SUBJECTS = {
    "owl-cache": 'name = "owl cache"\ndefinition = "A cache that needs the lantern pass."\n',
    "lantern-pass": 'name = "lantern pass"\ndefinition = "A pass that leaves the lights on."\n',
    "tide-table": 'name = "tide table"\ndefinition = "A list of tides."\n',
    "foghorn": 'name = "foghorn"\ndefinition = "Is heard before the owl cache."\n',
}
CORRECTIONS = (
    "",
    '[topic.buoy]\nname = "buoy"\ndefinition = "It relies on the tide table."\n',
    '[topic.buoy]\nname = "lighthouse"\naliases = ["foghorns"]\ndefinition = "It relies on the lantern pass."\n',
)


@dataclass(frozen=True)
class Wanted:
    """What the files say: the number of an entry -> its title and notes, the topics, and the corrections."""

    entries: tuple[tuple[int, str, str], ...] = ()
    topics: tuple[str, ...] = tuple(SUBJECTS)
    corrections: str = ""

    def inputs(self, cache: Path | None) -> Inputs:
        items = "".join(
            f"<item><guid>owl-{number}</guid><title>{title}</title><description>{escape(notes)}</description></item>"
            for number, title, notes in self.entries
        )
        vocabulary = "area = 'Harbour'\n" + "".join(f"[{id_}]\n{SUBJECTS[id_]}" for id_ in self.topics)
        feeds, concepts = ("harbour.xml", RSS.format("Harbour", items).encode()), ("harbour.toml", vocabulary)
        return replace(INPUTS, concepts=(concepts,), corrections=self.corrections, feeds=(feeds,), cache=cache)


INPUTS = Inputs(code="", concepts=(), unplaced=("unplaced.toml", ""), episodes=(), corrections="")


@st.composite
def histories(draw: st.DrawFn) -> list[Wanted]:
    """Some entries and, one after another, additions, edits and deletions of entries, and changes of the two files."""
    entries = st.tuples(st.sampled_from(TITLES), st.sampled_from(NOTES))
    numbers = count()
    now = Wanted(tuple((next(numbers), *entry) for entry in draw(st.lists(entries, min_size=1, max_size=4))))
    seen = [now]
    for _ in range(draw(st.integers(1, 4))):
        change = draw(st.sampled_from(("add", "edit", "delete", "topics", "corrections")))
        rows, at = list(now.entries), draw(st.integers(0, max(0, len(now.entries) - 1)))
        if change == "topics":
            now = replace(now, topics=tuple(draw(st.lists(st.sampled_from(list(SUBJECTS)), min_size=2, unique=True))))
        elif change == "corrections":
            now = replace(now, corrections=draw(st.sampled_from(CORRECTIONS)))
        else:
            if change == "edit" and rows:
                rows[at] = (rows[at][0], *draw(entries))
            elif change == "delete" and rows:
                del rows[at]
            else:
                rows.insert(at, (next(numbers), *draw(entries)))
            now = replace(now, entries=tuple(rows))
        event(change)
        seen.append(now)
    return seen


ALONE = Wanted(((0, "A night at sea", NOTES[1]),), corrections=CORRECTIONS[1])


@pytest.mark.slow
@settings(max_examples=times(6))
@given(histories())
@example([ALONE, replace(ALONE, entries=(*ALONE.entries, (1, "The lantern", NOTES[3])))])  # an episode is named later
@example([replace(ALONE, topics=("lantern-pass",)), ALONE])  # a topic is explained later
def test_step_by_step_and_from_nothing_the_graph_is_the_same_byte_for_byte(tmp_path_factory, history) -> None:
    cache, store, anew = tmp_path_factory.mktemp("steps") / "cache.sqlite3", MemoryStore(), MemoryStore()
    with pytest.MonkeyPatch.context() as patch:  # the texts name none of these, and to learn them takes long
        patch.setattr("torchatlas.extract.concepts.general_terms", lambda *_: iter(()))
        for wanted in history:
            build(wanted.inputs(cache), store)
        build(history[-1].inputs(None), anew)
    assert csv_files(store.snapshot()) == csv_files(anew.snapshot())


@pytest.mark.slow
def test_a_changed_byte_in_any_file_that_a_build_reads_changes_the_fingerprint(tmp_path: Path) -> None:
    copy = tmp_path / "torchatlas"
    shutil.copytree(ROOT / "torchatlas", copy, ignore=shutil.ignore_patterns("__pycache__", "ui"))
    finder = ModuleFinder([str(tmp_path)], excludes=["torchatlas.ui", "torchatlas.atlas"])
    finder.import_hook("torchatlas.build")
    found = {Path(module.__file__) for module in finder.modules.values() if module.__file__} - {copy / "__init__.py"}
    assert {copy / "build.py", copy / "graph" / "build.py"} < found
    before = code_fingerprint(copy)
    for path in [*found, *(copy / "data" / name for name in ("terms.txt", "glossary.txt", "words.txt"))]:
        text = path.read_bytes()
        path.write_bytes(text + b"# zz top\n")
        code_fingerprint.cache_clear()
        assert code_fingerprint(copy) != before, path
        path.write_bytes(text)
    code_fingerprint.cache_clear()
    assert code_fingerprint(copy) == before


def test_every_field_but_the_places_of_files_changes_the_fingerprint() -> None:
    other = {"code": "d", "reader": "r", "cache": Path("x"), "unplaced": ("u", "z"), "corrections": "s"}
    for field in fields(Inputs):
        changed = replace(INPUTS, **{field.name: other.get(field.name, (("n", b"1"),))})
        assert (changed.fingerprint == INPUTS.fingerprint) == (field.name in {"cache", "corrections_file"}), field.name


KETTLES, SPOUTS, LIDS = ("Kettles", "On kettles, which whistle."), ("Spouts", "On spouts."), ("Lids", "On lids.")


def outcomes(pages: dict[str, str], new: dict[str, str]) -> list[tuple[str | None, str, tuple[str, ...]]]:
    """The rows of the report of an import: title, outcome and evidence."""
    inputs = replace(INPUTS, pages=tuple((name, text.encode()) for name, text in pages.items()))
    rows = import_report(inputs, [(name, text.encode()) for name, text in new.items()])
    return [(row.entry.title, row.outcome, row.evidence) for row in rows]


def test_what_another_page_or_an_earlier_import_brought_is_not_new(monkeypatch: pytest.MonkeyPatch) -> None:
    former = {"a/list.txt": listing([KETTLES, LIDS]), "broken.txt": "no page"}
    for name, evidence in ("b/list.txt", "same title"), ("a/list.txt", "imported before"):
        kettles, spouts = outcomes(former, {name: listing([KETTLES, SPOUTS])})
        assert kettles[:2] == ("Kettles", "merged") and evidence in kettles[2]
        assert spouts == ("Spouts", "new", ())
    changed = best_of([("Kettles", "05/11/21", "15 min", "On kettles.")])
    former = {"best.txt": changed.replace("15 min", "14 min")}
    assert outcomes(former, {"best.txt": changed}) == [("Kettles", "merged", ("imported before",))]
    read: list[str] = []
    real = readers.read_page
    monkeypatch.setattr(readers, "read_page", lambda document, name: (read.append(name), real(document, name))[1])
    assert len(outcomes({"a.txt": listing([KETTLES, LIDS])}, {"b.txt": listing([KETTLES, SPOUTS])})) == 2
    assert read.count("a.txt") == 1, "the pages of before are read once where none is imported again"


OWLS = 'area = "Owls"\n\n[owl-cache]\nname = "owl cache"\ndefinition = "A cache that sleeps by day."\n'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A map of one concept, with a correction that does not apply."""
    home = Atlas.new(tmp_path / "owls").parent
    (home / "owls.toml").write_text(OWLS, "utf-8")
    (home / "sources.toml").write_text(f"shipped = false\nvocabularies = ['{home / 'owls.toml'}']\n", "utf-8")
    drop = '[[drop]]\nfrom = "owl-cache"\ntype = "USES"\nto = "lantern-pass"\n'
    (home / "corrections.toml").write_text(drop, "utf-8")
    return home


def of(home: Path) -> Atlas:
    return Atlas(load_settings(environment={"TORCHATLAS_HOME": str(home)}))


def built(home: Path, caplog: pytest.LogCaptureFixture) -> tuple[Snapshot, str, list[str]]:
    """The graph after a build, the stamp of its store, and what was told."""
    caplog.clear()
    with of(home) as atlas:
        graph = atlas.build(offline=True).graph
        assert atlas.graph == graph == atlas.store.snapshot()
        return graph, atlas.store.stamp(), caplog.messages


@pytest.mark.parametrize("lost", ["atlas.lbug", "extractions.sqlite3"])
def test_a_build_is_written_again_only_where_a_text_changed_or_a_file_is_damaged(home: Path, caplog, lost) -> None:
    graph, stamp, told = first = built(home, caplog)
    assert "does not apply" in "".join(told) and built(home, caplog) == first
    (home / lost).write_bytes((home / lost).read_bytes()[:-1000] + b"?" * 1000)
    again, anew, notes = built(home, caplog)
    assert again == graph and anew != stamp
    assert [line for line in notes if "kept as" not in line] == told
    (home / "owls.toml").write_text(OWLS.replace("sleeps", "wakes"), "utf-8")
    changed, last, _ = built(home, caplog)
    assert changed != graph and last != anew


def test_a_build_waits_for_another(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("torchatlas.atlas._PATIENCE", 0)
    says = pytest.raises(DataError, match="another torchatlas is building the map")
    with of(home) as atlas, FileLock(home / "build.lock"), says:
        atlas.build(offline=True)


def test_what_changes_while_a_program_waits_is_built(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def waiting(*_: object) -> Iterator[None]:
        (home / "owls.toml").write_text(OWLS.replace("sleeps", "wakes"), "utf-8")
        yield

    monkeypatch.setattr("torchatlas.atlas.alone", waiting)
    with of(home) as atlas:
        assert "wakes" in atlas.graph.concept["owl-cache"].definition


SPOKEN = {
    "vmap [dQw4w9WgXcQ].en.vtt": "WEBVTT\n\n00:30.000 --> 00:50.000\nvmap maps a function, and vmap batches it",
    "vmap.srt": "1\n00:00:30,000 --> 00:00:50,000\nvmap maps a function, and vmap batches it",
    "vmap.json": '{"segments": [{"start": 30, "end": 50, "text": "vmap maps a function, and vmap batches it"}]}',
    "x.info.json": '{"title": "vmap", "channel": "PyTorch Developer Podcast", '
    '"chapters": [{"start_time": 30.5, "title": "vmap"}]}',
}


def test_captions_and_videos_are_placed_by_their_title(tmp_path: Path) -> None:
    inputs = read_inputs(load_settings(environment=os.environ | {"TORCHATLAS_HOME": str(tmp_path)}))
    pages = tuple((name, said.encode()) for name, said in SPOKEN.items())
    corpus = Corpus(replace(inputs, pages=pages), ExtractionCache(None))
    assert [entry.episode.title for entry in corpus.entries] == ["vmap"]
    assert {row.episode.id for row in corpus.placed if row.episode} == {"pytorch-developer-podcast/vmap"}
    assert [row.outcome for row in corpus.placed] == ["merged"] * len(SPOKEN)
    entry = corpus.entries[0]
    assert len(entry.transcripts) == 3 and [(c.at, c.title) for c in entry.chapters] == [(30, "vmap")]
    spoken = {copy_name(transcript_name(said)): said for _, said in pages}
    read = timed(corpus.extractor, spoken)(entry, Extraction(entry.episode, ""))
    assert [(e.concept_id, e.at) for e in read.explained] == [("vmap", 30)]
