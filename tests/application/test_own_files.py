"""A damaged file of a person's, or one of a version before the first release: one line, and it is kept as it is."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from torchatlas.atlas import Atlas
from torchatlas.extract.fetch import Unreachable, copy_name, fetch
from torchatlas.graph.errors import AtlasError
from torchatlas.profile import change_profile
from torchatlas.settings import Settings, load_settings
from torchatlas.sources import copy_path

ADDRESS = "http://127.0.0.1:18650/show.xml"
FILES = {
    "profile.toml": '# what I learned at work\nknown = ["dispatcher", "vmap"]\n',
    "sources.toml": f'sources = ["{ADDRESS}"]\nrefused = ["great question"]\n',
    "corrections.toml": '[[alias]]\nconcept = "dispatcher"\nadd = ["the routing table"]\n',
}
DAMAGED = {
    "of the future": '{}\n[genres]\nambient = ["vmap"]\n',
    "cut": "{}\n[lis",
    "zeros": "\0" * 100,
    "no text": "\udcff\udcfe",
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    found = load_settings(None, {"TORCHATLAS_HOME": str(tmp_path / "home")})
    found.profile.parent.mkdir()
    for name, text in FILES.items():
        found.profile.with_name(name).write_text(text, "utf-8")
    return found


def own_files(settings: Settings) -> Mapping[str, bytes]:
    return {path.name: path.read_bytes() for path in settings.profile.parent.glob("*.toml")}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("harm", DAMAGED)
def test_a_damaged_file_of_the_persons_is_one_line_and_stays(settings: Settings, name: str, harm: str) -> None:
    path = settings.profile.with_name(name)
    path.write_text(DAMAGED[harm].format(path.read_text("utf-8")), "utf-8", errors="surrogateescape")
    before = own_files(settings)
    atlas = Atlas(settings)
    read, write = {
        "profile.toml": (
            lambda: atlas.profile,
            lambda: change_profile(settings, lambda p: p.having("known", ["vmap"])),
        ),
        "sources.toml": (atlas.sources, lambda: atlas.reject("lamp")),
        "corrections.toml": (atlas.corrections, lambda: atlas.accept("lamp")),
    }[name]
    for use in (read, write):
        with pytest.raises(AtlasError) as raised:
            use()
        line = str(raised.value)
        assert str(path) in line and "\n" not in line
        assert harm != "of the future" or "genres" in line
    assert own_files(settings) == before


def test_sources_in_the_profile_are_one_line_and_the_file_stays(
    settings: Settings,
) -> None:
    settings.sources_list.unlink()
    settings.profile.write_text(FILES["sources.toml"] + FILES["profile.toml"], "utf-8")
    before = own_files(settings)
    for use in (lambda: Atlas(settings).profile, lambda: change_profile(settings, lambda p: p.having("known", ["a"]))):
        with pytest.raises(AtlasError) as raised:
            use()
        assert str(raised.value) == f"{settings.profile}: unknown entry 'sources'; it may hold known, heard, goals"
    assert own_files(settings) == before


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"\xff\xfe", b'{"entries": "many", "mood": 1}', b"3"])
def test_a_damaged_note_about_a_feed_costs_only_the_note(settings: Settings, content: bytes) -> None:
    (settings.home / "sources").mkdir(parents=True)
    copy_path(settings, ADDRESS, "json").write_bytes(content)
    assert [s.address for s in Atlas(settings).sources()] == [ADDRESS]


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"\xff\xfe", b'{"sha256": 3}\nx', b"3\n"])
def test_a_damaged_answer_of_a_server_counts_as_none(settings: Settings, content: bytes) -> None:
    settings.cache.mkdir(parents=True)
    (settings.cache / copy_name(ADDRESS)).write_bytes(content)
    with pytest.raises(Unreachable):
        fetch(ADDRESS, settings.cache)
