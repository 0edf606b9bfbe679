"""Folders as former versions wrote them: nothing that a person wrote is lost, and the rest is told and made anew.

Each folder in tests/former was written by the program of that day, from two feeds, a page, and a few commands. The
graph is that day's file of a small graph, and the cache of findings was cut to twenty entries; both are packed.
"""

import logging
import lzma
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from torchatlas.atlas import Atlas
from torchatlas.extract.fetch import Unreachable, fetch
from torchatlas.graph.values.errors import AtlasError
from torchatlas.settings import Settings, load_settings
from torchatlas.user_files.profile import change_profile

FORMER = Path(__file__).parents[1] / "former"
VERSIONS = sorted(folder.name for folder in FORMER.iterdir())
SPLIT = "2026-11-21"
"""The version that kept the sources in the profile."""
SOURCES = {
    "sources": ("http://127.0.0.1:18650/show.xml", "/tmp/ada/shelf.xml"),
    "pages": ("/tmp/ada/page.txt",),
    "refused": ("great question",),
}


def unpacked(version: str, home: Path) -> Settings:
    """The folder of that version in `home`."""
    shutil.copytree(FORMER / version, home)
    for packed, name in (("graph.xz", "atlas.lbug"), ("extractions.xz", "extractions.sqlite3")):
        (home / name).write_bytes(lzma.decompress((home / packed).read_bytes()))
        (home / packed).unlink()
    return load_settings(None, {"TORCHATLAS_HOME": str(home)})


@pytest.fixture(params=VERSIONS)
def former(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    return unpacked(request.param, tmp_path / "home")


def own_files(settings: Settings) -> Mapping[str, bytes]:
    """What a person may have written, by the names of the files."""
    return {path.name: path.read_bytes() for path in settings.profile.parent.glob("*.toml")}


def told(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def test_profile_sources_pages_and_comments_are_kept(former: Settings, caplog) -> None:
    before = own_files(former)
    atlas = Atlas(former)
    assert atlas.profile.known == ("dispatcher", "vmap") and len(atlas.profile.heard) == 2
    listed = atlas.sources()
    assert [(s.address, s.holds, s.trouble) for s in listed] == [
        ("http://127.0.0.1:18650/show.xml", "1 episode", ""),
        ("/tmp/ada/shelf.xml", "1 episode", ""),
        ("/tmp/ada/page.txt", "4 entries", ""),
    ]
    assert [s.title for s in listed] == ["Widget Radio", "Widget Notes", "episode page"]
    after = own_files(former)
    assert after["corrections.toml"] == before["corrections.toml"]
    assert b"# what I learned at work\nknown = " in after["profile.toml"]
    if "sources.toml" in before:
        assert after == before and told(caplog) == []
    else:
        assert len(told(caplog)) == 1 and "moved the sources" in told(caplog)[0]


def test_the_kept_answer_of_a_server_serves_where_the_server_is_gone(former: Settings) -> None:
    kept = fetch(SOURCES["sources"][0], former.cache)
    assert b"Widget Radio" in kept.data and kept.note.endswith("using the copy of last time")


@pytest.mark.slow
def test_the_graph_is_built_anew_with_a_line_and_holds_all_that_the_person_added(tmp_path: Path, caplog) -> None:
    settings = unpacked(SPLIT, tmp_path / "home")
    with Atlas(settings) as atlas:
        graph = atlas.graph
        assert [line for line in told(caplog) if "another version of torchatlas; it is built anew" in line]
        assert len(told(caplog)) == 2  # and the sources were moved
        assert graph.concept["lantern-pass"].area == "Compilation"
        assert graph.concept["inductor"].name == "TorchInductor"
        assert atlas.concept("the routing table").id == "dispatcher"
        assert {"Widget Radio", "Widget Notes"} <= {episode.show for episode in graph.episodes}
        assert set(atlas.profile.within(graph).heard) == set(atlas.profile.heard)
    caplog.clear()
    with Atlas(settings) as again:
        assert again.refresh() is None and told(caplog) == []


DAMAGED = {
    "of the future": '{}\n[genres]\nambient = ["vmap"]\n',
    "cut": "{}\n[lis",
    "zeros": "\0" * 100,
    "no text": "\udcff\udcfe",
}


@pytest.mark.parametrize("name", ["profile.toml", "sources.toml", "corrections.toml"])
@pytest.mark.parametrize("harm", DAMAGED)
def test_a_damaged_file_of_the_persons_is_one_line_and_stays(tmp_path: Path, name: str, harm: str) -> None:
    settings = unpacked("2026-11-22", tmp_path / "home")
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


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"\xff\xfe", b'{"entries": "many", "mood": 1}', b"3"])
def test_a_damaged_note_about_a_feed_costs_only_the_note(tmp_path: Path, content: bytes) -> None:
    settings = unpacked("2026-11-22", tmp_path / "home")
    for note in settings.copies.glob("*.json"):
        note.write_bytes(content)
    assert [s.address for s in Atlas(settings).sources()] == [*SOURCES["sources"], *SOURCES["pages"]]


@pytest.mark.parametrize("content", [b"", b"[" * 100_000, b"\xff\xfe", b'{"sha256": 3}\nx', b"3\n"])
def test_a_damaged_answer_of_a_server_counts_as_none(tmp_path: Path, content: bytes) -> None:
    settings = unpacked("2026-11-22", tmp_path / "home")
    for kept in settings.cache.iterdir():
        kept.write_bytes(content)
    with pytest.raises(Unreachable):
        fetch(SOURCES["sources"][0], settings.cache)
