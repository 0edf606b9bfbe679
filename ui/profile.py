"""What a person knows, has heard and listens to: a plain TOML file of theirs, which survives every rebuild."""

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from graph.errors import DataError

_HEADER = "What torchatlas knows of you. Edit it as you like; ids are those of `torchatlas search`."


@dataclass(frozen=True, slots=True)
class Profile:
    """`known`: concept ids; `heard`: episode ids; `sources`: addresses of feeds. Each once, in the order they came."""

    known: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()

    def with_known(self, ids: Iterable[str]) -> "Profile":
        return replace(self, known=tuple(dict.fromkeys((*self.known, *ids))))

    def with_heard(self, ids: Iterable[str]) -> "Profile":
        return replace(self, heard=tuple(dict.fromkeys((*self.heard, *ids))))

    def with_source(self, address: str) -> "Profile":
        return replace(self, sources=tuple(dict.fromkeys((*self.sources, address))))

    def without(self, ids: Iterable[str]) -> "Profile":
        """The same without these ids or addresses, wherever they stand."""
        drop = set(ids)
        known, heard, sources = (tuple(i for i in kept if i not in drop) for kept in self._lists())
        return Profile(known, heard, sources)

    def _lists(self) -> tuple[tuple[str, ...], ...]:
        return self.known, self.heard, self.sources


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
    lists: dict[str, tuple[str, ...]] = {}
    for key, value in written.items():
        if key not in Profile.__dataclass_fields__:
            raise DataError(f"{path}: unknown entry {key!r}; it may hold {', '.join(Profile.__dataclass_fields__)}")
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise DataError(f"{path}: {key} must be a list of texts, such as {key} = []")
        lists[key] = tuple(value)
    return Profile(**lists)


def save_profile(path: Path, profile: Profile) -> None:
    """Write the profile whole or not at all; comments and the order of the file are kept."""
    import tomlkit

    load_profile(path)  # never write over a file that cannot be read
    document = tomlkit.parse(path.read_text("utf-8")) if path.exists() else tomlkit.document()
    if not path.exists():
        document.add(tomlkit.comment(_HEADER))
    for key in Profile.__dataclass_fields__:
        items = tomlkit.array()
        items.extend(getattr(profile, key))
        document[key] = items.multiline(len(items) > 3)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as beside:
            beside.write(tomlkit.dumps(document))
        Path(beside.name).replace(path)
    except OSError as e:
        raise DataError(f"{path}: cannot be written ({e.strerror}); TORCHATLAS_HOME names another folder") from e
