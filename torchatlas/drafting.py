"""A map of one's own: its folder, and a first vocabulary for it, drafted from the notes of its episodes."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.graph.errors import DataError
from torchatlas.inputs.inputs import read_inputs
from torchatlas.settings import Settings
from torchatlas.user_files.files import is_taken, write_file
from torchatlas.user_files.sources import change_sources, load_sources

if TYPE_CHECKING:
    from torchatlas.extract.candidates import Draft, TermCandidate

_NEW = """\
# What this map is made of. The next command builds the map with what stands here.

shipped = false       # true: with the concepts and episodes that ship with torchatlas
title = {title}
sources = []          # addresses of feeds; `torchatlas add` writes them
vocabularies = []     # files with concepts of your own; `torchatlas candidates --draft FILE` begins one
"""


def new_home(folder: str | Path, title: str = "") -> Path:
    """Make a folder for a map without the shipped concepts and episodes, and return its list of sources.

    The folder is used where TORCHATLAS_HOME names it. Raises DataError where it holds a map already.

    Example: atlas.new("databases", "Database internals").name
    """
    import tomlkit

    home = Path(folder).expanduser().absolute()
    listed = home / "sources.toml"
    text = _NEW.format(title=tomlkit.item(title or home.name).as_string())
    if is_taken(listed):
        raise DataError(f"{listed}: there is a map in this folder already; name another folder")
    return write_file(listed, text.encode("utf-8", "replace"))


def draft_vocabulary(
    settings: Settings, path: str | Path, candidates: "Iterable[TermCandidate]", *, limit: int, area: str = ""
) -> "tuple[Draft, ...]":
    """Write the best candidates to a new vocabulary, list the file in sources.toml, and return the drafts.

    Each draft has the prerequisites that a sentence of the notes makes probable. `area`: by default the subject of the
    map. Raises DataError where the file is there already, or no candidate is left.

    Example: draft_vocabulary(settings, "mine.toml", atlas.candidates(), limit=40)
    """
    from torchatlas.extract.candidates import drafts, written
    from torchatlas.pipeline import build, correct_curated

    file = Path(path).expanduser().absolute()
    if is_taken(file):
        raise DataError(f"{file}: is there already; name another file, or delete it")
    inputs = read_inputs(settings)
    found = drafts(candidates, (c.id for c in correct_curated(inputs).vocabulary.concepts), limit)
    if not found:
        raise DataError("no candidate is left to draft; `torchatlas add` brings in more notes")
    area = area or load_sources(settings).subject
    drafted = build(replace(inputs, concepts=(*inputs.concepts, (str(file), written(area, found))))).graph
    needs = {d.id: drafted.required_by.get(d.id, ()) for d in found}
    write_file(file, written(area, found, needs).encode("utf-8", "replace"))
    change_sources(settings, lambda sources: sources.adding(vocabulary=str(file)))
    return found
