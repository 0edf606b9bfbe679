"""A person's own files: where they lie, what is kept in them, whole or not at all, and one line for a damaged one."""

import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from filelock import FileLock

from tests.extract.cases import rows
from tests.graph.builds import graph
from tests.kills import kill_profiles, kill_whole_builds
from torchatlas import files
from torchatlas.atlas import Atlas
from torchatlas.extract.fetch import Unreachable, copy_name, fetch
from torchatlas.files import changing
from torchatlas.graph import whole_files
from torchatlas.graph.errors import AtlasError, DataError, StoreError
from torchatlas.graph.stores import neo4j_server
from torchatlas.graph.stores.base import open_store
from torchatlas.graph.whole_files import write_whole
from torchatlas.profile import Profile, ProfileChange, change_profile, load_profile
from torchatlas.settings import Settings, load_settings
from torchatlas.sources import Sources, change_sources, copy_path, load_sources

ADDRESS = "http://127.0.0.1:18650/show.xml"
FILES = {
    "profile.toml": '# what I learned at work\nknown = ["dispatcher", "vmap"]\n',
    "sources.toml": f'sources = ["{ADDRESS}"]\nrefused = ["great question"]\n',
    "corrections.toml": '[[alias]]\nconcept = "dispatcher"\nadd = ["the routing table"]\n',
}
know_vmap = partial(change_profile, to=lambda profile: profile.having("known", ["vmap"]))


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(None, {"TORCHATLAS_HOME": str(tmp_path / "home")})


@pytest.fixture
def full(settings: Settings) -> Settings:
    """A home with the three files in it."""
    settings.home.mkdir()
    for name, text in FILES.items():
        (settings.home / name).write_text(text, "utf-8")
    return settings


def own_files(settings: Settings) -> Mapping[str, bytes]:
    return {path.name: path.read_bytes() for path in settings.home.glob("*.toml")}


def test_the_store_by_precedence_and_all_in_one_place(tmp_path: Path) -> None:
    given = {"NEO4J_URI": "bolt://n", "TORCHATLAS_STORE": "memory:"}
    home = {"TORCHATLAS_HOME": str(tmp_path)}
    assert load_settings("ladybug:x", given | home).store == "ladybug:x"
    assert load_settings(None, given | home).store == "memory:"
    assert load_settings(None, {"NEO4J_URI": "bolt://n"} | home).store == "bolt://n"
    settings = load_settings(None, home)
    assert settings.store == f"ladybug:{tmp_path / 'atlas.lbug'}"
    assert {settings.home, settings.profile.parent, settings.cache.parent} == {tmp_path}


@pytest.mark.parametrize("store", ["neo4j+local:", "bolt://h"])
def test_the_server_of_ones_own_lies_in_the_home_that_is_given(store: str, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("TORCHATLAS_HOME", str(tmp_path / "other"))
    monkeypatch.setattr("torchatlas.graph.stores.neo4j_server._NEEDS", ())
    place = tmp_path / "neo4j"
    place.write_text("not a folder", "utf-8")
    atlas = Atlas(Settings(store, tmp_path, profile=tmp_path / "profile.toml"))
    calls = (neo4j_server.status, neo4j_server.stop, neo4j_server.start)
    asked: list[Callable[[], object]] = [partial(call, atlas.settings.server) for call in calls]
    if store == "neo4j+local:":
        asked += [lambda: atlas.store, lambda: atlas.diff(store)]
    for ask in asked:
        with pytest.raises(StoreError, match=f"{place} is no folder for the Neo4j server"):
            ask()


def test_a_server_address_may_name_its_folder(tmp_path: Path) -> None:
    named = Settings(f"neo4j+local:{tmp_path / 'own'}", tmp_path, profile=tmp_path / "profile.toml")
    assert named.server == tmp_path / "own" and named.address(named.store) == named.store
    with pytest.raises(StoreError, match="names no folder"):
        open_store("neo4j+local:")


def test_what_is_saved_comes_back_and_comments_stay(settings: Settings) -> None:
    assert load_profile(settings) == Profile() and load_sources(settings) == Sources()
    change_profile(settings, lambda p: p.having("known", ["vmap", "autograd", "vmap"]).having("heard", ["show/one"]))
    settings.profile.write_text(settings.profile.read_text("utf-8") + "# mine\n", "utf-8")
    change_profile(settings, lambda p: p.lacking("known", ["vmap"]))
    assert load_profile(settings) == Profile(("autograd",), ("show/one",))
    assert "# mine" in settings.profile.read_text("utf-8")


@pytest.mark.slow
def test_changes_of_two_processes_at_once_are_both_kept(settings: Settings) -> None:
    code = "import sys; from torchatlas.settings import load_settings; "
    code += "from torchatlas.profile import change_profile; "
    code += "settings = load_settings(None, {'TORCHATLAS_HOME': sys.argv[1]}); "
    code += "[change_profile(settings, lambda p: p.having('known', [f'{sys.argv[2]}{n}'])) for n in range(20)]"
    both = [subprocess.Popen([sys.executable, "-c", code, str(settings.home), name]) for name in "ab"]
    assert [process.wait() for process in both] == [0, 0]
    assert set(load_profile(settings).known) == {f"{name}{n}" for name in "ab" for n in range(20)}


GRAPH = graph("a b c", "p q")


def test_facts_about_other_graphs_are_kept_apart() -> None:
    mixed = Profile(("gone", "a"), ("p", "lost"), ("a", "gone", "p"))
    assert mixed.within(GRAPH) == Profile(("a",), ("p",), ("a", "p"))


TOLD = """=> => =>
    a => => You know A. => No longer known: A.
    a b c => => You know 3 concepts. => No longer known: 3 concepts.
    gone => => You know 1 concept. => No longer known: 1 concept.
    => p q => Marked as heard: P and Q. => Marked as not heard: P and Q.
    => p gone => Marked as heard: 2 episodes. => Marked as not heard: 2 episodes.
    a => p => You know A. Marked as heard: P. => No longer known: A. Marked as not heard: P."""


@pytest.mark.parametrize(("known", "heard", "added", "removed"), rows(TOLD))
def test_a_change_names_what_it_is_about_or_counts_it(known: str, heard: str, added: str, removed: str) -> None:
    new, goals = Profile(tuple(known.split()), tuple(heard.split())), Profile(goals=("a",))
    assert ProfileChange(goals, new).told(GRAPH) == added
    assert ProfileChange(new, goals).told(GRAPH) == removed
    kept = Profile((*new.known, "k"), (*new.heard, "h"))
    assert ProfileChange(Profile(("k",), ("h",)), kept).told(GRAPH) == added


def test_one_step_may_add_and_take_away() -> None:
    change = ProfileChange(Profile(("a",), ("p",)), Profile(("b",), ("q",)))
    assert change.told(GRAPH) == "You know B. No longer known: A. Marked as heard: Q. Marked as not heard: P."
    since = Profile(("b", "c"), ("q", "r"), ("c",))
    assert change.undone(since) == Profile(("c", "a"), ("r", "p"), ("c",))
    assert change.undone(change.after) == change.before
    assert ProfileChange(since, since).undone(change.after) == change.after


def test_sources_are_a_file_of_their_own_beside_which_files_are_named_by_where_they_lie(settings: Settings) -> None:
    folder = settings.sources_list.parent
    folder.mkdir()
    settings.sources_list.write_text('sources = ["feed.xml", "https://e.org/f"]\nvocabularies = ["own/terms.toml"]')
    listed = load_sources(settings)
    assert listed.sources == (str(folder / "feed.xml"), "https://e.org/f")
    assert listed.vocabularies == (str(folder / "own/terms.toml"),)
    changed = change_sources(settings, lambda s: s.adding(pages="/p.txt", sources=str(folder / "feed.xml")))
    assert changed.pages == ("/p.txt",) and changed.sources == listed.sources
    text = settings.sources_list.read_text("utf-8")
    assert '"feed.xml", "https://e.org/f"' in text and '"own/terms.toml"' in text
    named = change_sources(settings, lambda s: s.renamed(lambda name: "" if name.endswith("feed.xml") else name))
    assert named.sources == ("https://e.org/f",) and not settings.profile.exists()


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("sources.toml", "title = 5", 'title must be a text in quotes, such as title = ""'),
        ("sources.toml", "title = []", 'title must be a text in quotes, such as title = ""'),
        ("sources.toml", 'shipped = "no"', "shipped must be true or false"),
        ("sources.toml", 'model = "en"  # mine\n', "unknown entry 'model'; it may hold sources, pages, refused"),
        ("profile.toml", "konwn = []", "unknown entry 'konwn'; it may hold known, heard, goals"),
        ("profile.toml", FILES["sources.toml"], "unknown entry 'sources'; it may hold known, heard, goals"),
        ("profile.toml", "known = 'vmap'", ""),
        ("profile.toml", "known = [1]", ""),
        *((name, text + "[genres]\nambient = ['vmap']\n", "genres") for name, text in FILES.items()),
        *((name, text + "[lis", "") for name, text in FILES.items()),
        *((name, "\0" * 100, "") for name in FILES),
        *((name, "\udcff\udcfe", "") for name in FILES),
    ],
)
def test_a_damaged_file_of_the_persons_is_one_line_and_stays(full: Settings, name: str, text: str, says: str) -> None:
    path = full.home / name
    path.write_text(text, "utf-8", errors="surrogateescape")
    before = own_files(full)
    atlas = Atlas(full)
    read, write = {
        "profile.toml": (lambda: atlas.profile, lambda: know_vmap(full)),
        "sources.toml": (atlas.sources, lambda: change_sources(full, lambda s: s.adding(refused="lamp"))),
        "corrections.toml": (atlas.corrections, lambda: atlas.accept("lamp")),
    }[name]
    for use in (read, write):
        with pytest.raises(AtlasError) as raised:
            use()
        assert str(raised.value).startswith(f"{path}") and says in (line := str(raised.value)) and "\n" not in line
    assert own_files(full) == before


@pytest.mark.parametrize(
    "content", [b"", b"[" * 100_000, b"\xff\xfe", b'{"entries": "many", "mood": 1}', b'{"sha256": 3}\nx', b"3\n"]
)
def test_a_damaged_note_about_a_feed_or_answer_of_a_server_costs_only_that(full: Settings, content: bytes) -> None:
    for copy in copy_path(full, ADDRESS, "json"), full.cache / copy_name(ADDRESS):
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(content)
    assert [s.address for s in Atlas(full).sources()] == [ADDRESS]
    with pytest.raises(Unreachable):
        fetch(ADDRESS, full.cache)


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """Let no file grow beyond so many bytes: the system refuses the rest, as a full disk does."""
    resource = pytest.importorskip("resource", reason="the limit of a file's size is one of Unix")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("size", [10, 5_000, 100_000])
def test_a_full_disk_leaves_the_old_file_and_no_other(tmp_path: Path, size: int) -> None:
    path = tmp_path / "profile.toml"
    write_whole(path, b"old")
    with pytest.raises(OSError), full_disk(5):
        write_whole(path, b"x" * size)
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_mark_of_byte_order_is_read_and_what_has_no_end_is_not(full: Settings) -> None:
    (full.home / "dots.toml").write_bytes(b"\xef\xbb\xbf" + full.profile.read_bytes())
    os.mkfifo(full.home / "pipe")
    for target, known in {"dots.toml": "dispatcher vmap gil", "none.toml": "gil", "pipe": "", os.devnull: ""}.items():
        full.profile.unlink()
        full.profile.symlink_to(target)
        with nullcontext() if known else pytest.raises(DataError, match="it is a pipe or a device"):
            assert change_profile(full, lambda p: p.having("known", ["gil"])).known == tuple(known.split())
            assert full.profile.is_symlink() and "gil" in (full.home / target).read_text("utf-8")


def test_an_empty_graph_at_the_programs_own_place_is_built_anew_and_no_other(full: Settings, caplog) -> None:
    for place, told in (full.home / "atlas.lbug", 1), (full.home / "mine.lbug", 0):
        place.write_bytes(b"\0")
        assert Atlas(replace(full, store=f"ladybug:{place}")).store
        assert place.exists() is not bool(told) and caplog.text.count("is built anew") == 1


def test_an_interrupt_or_a_folder_of_the_name_leaves_what_was_there(tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        write_whole(tmp_path / "folder", b"x")
    kept = tmp_path / "answer"
    write_whole(kept, b"old")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    for module, name in (os, "fsync"), (Path, "replace"):  # what replaces a file is on the disk before
        with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
            broken.setattr(module, name, interrupted)
            write_whole(kept, b"old", forced=name == "replace")  # a cache need not be
            write_whole(kept, b"new")
    assert sorted(tmp_path.iterdir()) == [kept, tmp_path / "folder"] and kept.read_bytes() == b"old"


def test_the_mode_of_a_file_is_that_of_others_and_the_process_keeps_its_own(tmp_path: Path, monkeypatch) -> None:
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patched:
            patched.delattr(os, "umask")  # threads share it
            write_whole(tmp_path / "shared", b"x", private=False)
            write_whole(tmp_path / "own", b"x")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"shared": 0o640, "own": 0o600}


@pytest.mark.slow
def test_a_program_that_is_killed_leaves_the_old_or_the_new_profile_and_no_litter_that_grows(tmp_path: Path) -> None:
    assert {outcome for *_, outcome in kill_profiles(tmp_path, times=1)} == {"old", "new"}


@pytest.mark.slow
def test_a_build_that_is_killed_leaves_the_old_or_the_new_graph_and_what_the_person_wrote(tmp_path: Path) -> None:
    assert kill_whole_builds(tmp_path, times=20, seed=0).total() == 20


def test_files_of_other_programs_that_lie_beside_stay(tmp_path: Path) -> None:
    names = (".profile.toml.swp", ".profile.toml.new", ".profile.toml.a_b.new", ".profile.toml.short.new")
    for name in names:
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    write_whole(tmp_path / "profile.toml", b"x")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted((*names, "profile.toml"))


def test_who_waits_for_another_program_says_so(tmp_path: Path, monkeypatch, caplog) -> None:
    monkeypatch.setattr(whole_files, "_TOLD_AFTER", 0.05)
    monkeypatch.setattr(files, "_PATIENCE", 0.05)
    path = tmp_path / "profile.toml"
    says = pytest.raises(DataError, match=r"has not ended in 0\.05 seconds; end that")
    with FileLock(path.with_suffix(".lock")), says, changing(path):
        pass
    assert [record.message for record in caplog.records] == [f"another torchatlas is changing {path}; waiting for it"]
    with changing(path):
        pass
