"""What a person knows, has heard and listens to: a plain TOML file of theirs, which survives every rebuild."""

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import Any

from torchatlas.files import changing, write_whole
from torchatlas.graph.values.errors import DataError

_LISTS = ("known", "heard", "sources", "pages", "refused")
"""What commands change; the rest is written by hand."""
_HEADER = "What torchatlas knows of you. Edit it as you like; ids are those of `torchatlas search`."


@dataclass(frozen=True, slots=True)
class Profile:
    """`known`: concept ids; `heard`: episode ids; `sources`: addresses of feeds; `pages`: files of saved pages;
    `refused`: terms that are no concepts; `vocabularies`: files written as those in data/concepts; `model`: a spaCy
    pipeline, by package or folder.

    Each once, in the order they came.
    """

    known: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    _: KW_ONLY
    sources: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    vocabularies: tuple[str, ...] = ()
    model: str = ""

    def with_known(self, ids: Iterable[str]) -> "Profile":
        return replace(self, known=tuple(dict.fromkeys((*self.known, *ids))))

    def with_heard(self, ids: Iterable[str]) -> "Profile":
        return replace(self, heard=tuple(dict.fromkeys((*self.heard, *ids))))

    def with_source(self, address: str) -> "Profile":
        return replace(self, sources=tuple(dict.fromkeys((*self.sources, address))))

    def with_page(self, name: str) -> "Profile":
        return replace(self, pages=tuple(dict.fromkeys((*self.pages, name))))

    def with_refused(self, term: str) -> "Profile":
        return replace(self, refused=tuple(dict.fromkeys((*self.refused, term))))

    def without(self, ids: Iterable[str]) -> "Profile":
        """The same without these ids, addresses or files, wherever they stand."""
        drop = set(ids)
        kept: dict[str, Any] = {name: tuple(i for i in getattr(self, name) if i not in drop) for name in _LISTS}
        return replace(self, **kept)


def load_profile(path: Path) -> Profile:
    """The profile in that file, an empty one where there is no file.

    Raises DataError with the file and the place where it cannot be read.
    """
    import tomllib

    try:
        written = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Profile()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as e:
        raise DataError(f"{path}: cannot be read ({e}); mend it, or move it away to begin anew") from e
    entries: dict[str, Any] = {}
    for key, value in written.items():
        if key not in Profile.__dataclass_fields__:
            raise DataError(f"{path}: unknown entry {key!r}; it may hold {', '.join(Profile.__dataclass_fields__)}")
        if key == "model":
            if not isinstance(value, str):
                raise DataError(f'{path}: model must be a text, such as model = "en_core_web_sm"')
            entries[key] = value
            continue
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise DataError(f"{path}: {key} must be a list of texts, such as {key} = []")
        entries[key] = tuple(value)
    return Profile(**entries)


def change_profile(path: Path, change: Callable[[Profile], Profile]) -> Profile:
    """Read, change and write the profile as one step, so that no change of another process is lost. Returns it.

    Raises DataError where the file cannot be read or written; it is as it was then.
    """
    with changing(path):
        before = load_profile(path)
        after = change(before)
        if after != before:
            _save(path, after)
        return after


def _save(path: Path, profile: Profile) -> None:
    """Write the profile whole or not at all; comments and the order of the file are kept."""
    import tomlkit

    if path.exists():
        document = tomlkit.parse(path.read_text("utf-8"))
    else:
        document = tomlkit.document()
        document.add(tomlkit.comment(_HEADER))
    for key in _LISTS:
        items = tomlkit.array()
        items.extend(getattr(profile, key))
        document[key] = items.multiline(len(items) > 3)
    write_whole(path, tomlkit.dumps(document).encode())
