import subprocess
import sys
from pathlib import Path

import pytest

from torchatlas.graph.errors import DataError
from torchatlas.graph.model import Concept, Episode, Snapshot
from torchatlas.profile import Profile, ProfileChange, change_profile, load_profile
from torchatlas.settings import Settings, load_settings
from torchatlas.sources import Sources, change_sources, load_sources


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(None, {"TORCHATLAS_HOME": str(tmp_path / "deep")})


def test_what_is_saved_comes_back_and_comments_stay(settings: Settings) -> None:
    change_profile(settings, lambda p: p.having("known", ["vmap", "autograd", "vmap"]).having("heard", ["show/one"]))
    settings.profile.write_text(settings.profile.read_text("utf-8") + "# mine\n", "utf-8")
    change_profile(settings, lambda p: p.lacking("known", ["vmap"]))
    assert load_profile(settings) == Profile(("autograd",), ("show/one",))
    assert "# mine" in settings.profile.read_text("utf-8")


def test_facts_about_other_graphs_are_kept_apart() -> None:
    graph = Snapshot((Concept("vmap", "vmap", area="Transforms"),), (Episode("show/one", "One", show="Show"),))
    mixed = Profile(("gone", "vmap"), ("show/one", "show/gone"), ("vmap", "gone", "show/one"))
    assert mixed.within(graph) == Profile(("vmap",), ("show/one",), ("vmap", "show/one"))


NAMED = Snapshot(
    tuple(Concept(id_, id_.upper(), area="A") for id_ in "abc"),
    tuple(Episode(f"show/{n}", f"Part {n}", show="Show") for n in (1, 2, 3)),
)


@pytest.mark.parametrize(
    ("new", "added", "removed"),
    [
        (Profile(), "", ""),
        (Profile(goals=("a",)), "", ""),
        (Profile(("a",)), "You know A.", "No longer known: A."),
        (Profile(("a", "b")), "You know A and B.", "No longer known: A and B."),
        (Profile(("a", "b", "c")), "You know 3 concepts.", "No longer known: 3 concepts."),
        (Profile(("gone",)), "You know 1 concept.", "No longer known: 1 concept."),
        (Profile((), ("show/1",)), "Marked as heard: Part 1.", "Marked as not heard: Part 1."),
        (
            Profile((), ("show/1", "show/2")),
            "Marked as heard: Part 1 and Part 2.",
            "Marked as not heard: Part 1 and Part 2.",
        ),
        (Profile((), ("show/1", "show/gone")), "Marked as heard: 2 episodes.", "Marked as not heard: 2 episodes."),
        (Profile((), ("show/gone",)), "Marked as heard: 1 episode.", "Marked as not heard: 1 episode."),
        (
            Profile(("a",), ("show/1",)),
            "You know A. Marked as heard: Part 1.",
            "No longer known: A. Marked as not heard: Part 1.",
        ),
    ],
)
def test_a_change_names_what_it_is_about_or_counts_it(new: Profile, added: str, removed: str) -> None:
    assert ProfileChange(Profile(), new).told(NAMED) == added
    assert ProfileChange(new, Profile()).told(NAMED) == removed
    kept = Profile((*new.known, "k"), (*new.heard, "h"))
    assert ProfileChange(Profile(("k",), ("h",)), kept).told(NAMED) == added


def test_one_step_may_add_and_take_away() -> None:
    change = ProfileChange(Profile(("a",), ("show/1",)), Profile(("b",), ("show/2",)))
    said = "You know B. No longer known: A. Marked as heard: Part 2. Marked as not heard: Part 1."
    assert change.told(NAMED) == said
    since = Profile(("b", "c"), ("show/2", "show/3"), ("c",))
    assert change.undone(since) == Profile(("c", "a"), ("show/3", "show/1"), ("c",))
    assert change.undone(change.after) == change.before
    assert ProfileChange(since, since).undone(change.after) == change.after


def test_sources_are_a_file_of_their_own(settings: Settings) -> None:
    change_sources(settings, lambda s: s.adding(sources="https://example.org/feed", pages="/p.txt"))
    assert load_sources(settings) == Sources(sources=("https://example.org/feed",), pages=("/p.txt",))
    change_sources(settings, lambda s: s.renamed(lambda name: "" if name == "/p.txt" else name))
    assert load_sources(settings).pages == () and not settings.profile.exists()


@pytest.mark.parametrize(("key", "wrong"), [("title", "5"), ("title", "[]")])
def test_a_text_that_is_none_is_told_with_its_own_key(settings: Settings, key: str, wrong: str) -> None:
    settings.sources_list.parent.mkdir()
    settings.sources_list.write_text(f"{key} = {wrong}", "utf-8")
    with pytest.raises(DataError, match=f'{key} must be a text in quotes, such as {key} = ""$'):
        load_sources(settings)


def test_an_entry_that_former_versions_read_is_refused_with_one_line(settings: Settings) -> None:
    settings.sources_list.parent.mkdir()
    settings.sources_list.write_text('model = "en_core_web_sm"  # mine\n', "utf-8")
    with pytest.raises(DataError, match=r"sources\.toml: unknown entry 'model'; it may hold sources, pages, refused"):
        load_sources(settings)


def test_no_file_is_an_empty_profile(settings: Settings) -> None:
    assert load_profile(settings) == Profile() and load_sources(settings) == Sources()


@pytest.mark.parametrize("text", ["known = [", "konwn = []", "known = 'vmap'", "known = [1]"])
def test_a_broken_profile_is_named_and_never_written_over(settings: Settings, text: str) -> None:
    settings.profile.parent.mkdir(parents=True)
    settings.profile.write_text(text, "utf-8")
    for attempt in (load_profile, lambda s: change_profile(s, lambda p: p.having("known", ["a"]))):
        with pytest.raises(DataError, match=r"profile\.toml"):
            attempt(settings)
    assert settings.profile.read_text("utf-8") == text


def test_changes_of_two_processes_at_once_are_both_kept(settings: Settings) -> None:
    code = "import sys; from torchatlas.settings import load_settings; "
    code += "from torchatlas.profile import change_profile; "
    code += "settings = load_settings(None, {'TORCHATLAS_HOME': sys.argv[1]}); "
    code += "[change_profile(settings, lambda p: p.having('known', [f'{sys.argv[2]}{n}'])) for n in range(20)]"
    both = [subprocess.Popen([sys.executable, "-c", code, str(settings.home), name]) for name in "ab"]
    assert [process.wait() for process in both] == [0, 0]
    assert set(load_profile(settings).known) == {f"{name}{n}" for name in "ab" for n in range(20)}


def test_files_beside_sources_toml_are_named_by_where_they_lie_and_stay_written_so(settings: Settings) -> None:
    folder = settings.sources_list.parent
    folder.mkdir(exist_ok=True)
    settings.sources_list.write_text(
        'sources = ["feed.xml", "https://e.org/f"]\nvocabularies = ["own/terms.toml"]', "utf-8"
    )
    listed = load_sources(settings)
    assert listed.sources == (str(folder / "feed.xml"), "https://e.org/f")
    assert listed.vocabularies == (str(folder / "own/terms.toml"),)
    changed = change_sources(settings, lambda s: s.adding(pages="/p.txt", sources=str(folder / "feed.xml")))
    assert changed.pages == ("/p.txt",) and changed.sources == listed.sources
    text = settings.sources_list.read_text("utf-8")
    assert '"feed.xml", "https://e.org/f"' in text and '"own/terms.toml"' in text
    named = change_sources(settings, lambda s: s.renamed(lambda name: "" if name.endswith("feed.xml") else name))
    assert named.sources == ("https://e.org/f",)
