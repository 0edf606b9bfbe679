"""The list of what the graph is made of beside the shipped files, in `sources.toml`."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from torchatlas.extract.fetch import ENTRIES
from torchatlas.settings import Settings
from torchatlas.user_files import user_file

_HEADER = "What your graph is made of beside the shipped files. Edit it as you like; `torchatlas build` reads it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """The user's sources. Commands change the first three entries; people write the others by hand.

    The file may name files by where they lie beside it.

    `sources`: addresses of feeds; `pages`: files of saved pages; `refused`: terms that are no concepts;
    `vocabularies`: files in the format of data/concepts; `shipped`: whether the concepts and episodes that ship with
    the program are on the map; `title`: what the map is of; `feed_entries`: how many entries of a feed are read at the
    most.

    >>> Sources().adding("feed.xml").sources
    ('feed.xml',)
    """

    sources: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    vocabularies: tuple[str, ...] = ()
    shipped: bool = True
    title: str = ""
    feed_entries: int = ENTRIES

    @property
    def subject(self) -> str:
        """Name what the map is of, in words.

        >>> Sources().subject, Sources(shipped=False).subject, Sources(title="Databases").subject
        ('PyTorch internals', 'your podcasts', 'Databases')
        """
        return self.title or ("PyTorch internals" if self.shipped else "your podcasts")

    def adding(self, feed: str = "", *, page: str = "", refused: str = "", vocabulary: str = "") -> "Sources":
        """Return the list with one more feed, page, refused term or vocabulary; nothing stands in it twice.

        >>> Sources().adding("https://example.org/feed.xml").sources
        ('https://example.org/feed.xml',)
        """
        return replace(
            self,
            sources=_with(self.sources, feed),
            pages=_with(self.pages, page),
            refused=_with(self.refused, refused),
            vocabularies=_with(self.vocabularies, vocabulary),
        )

    def without(self, name: str) -> "Sources":
        """Return the list without a feed or page.

        >>> Sources(pages=("a.html", "b.html")).without("a.html").pages
        ('b.html',)
        """
        return replace(
            self,
            sources=tuple(s for s in self.sources if s != name),
            pages=tuple(p for p in self.pages if p != name),
        )

    def renamed(self, name: Callable[[str], str]) -> "Sources":
        """Return the list with another name for each feed, page and vocabulary.

        >>> Sources(pages=("a.html",)).renamed(lambda name: f"/home/me/{name}").pages
        ('/home/me/a.html',)
        """
        sources, pages, own = (tuple(map(name, names)) for names in (self.sources, self.pages, self.vocabularies))
        return replace(self, sources=sources, pages=pages, vocabularies=own)


def load_sources(settings: Settings) -> Sources:
    """Return the user's sources, none where there is no file yet. Raises DataError where it cannot be read.

    Example: load_sources(load_settings()).subject
    """
    return user_file.load(settings.sources_list, Sources).renamed(_whole_names(settings))


def change_sources(settings: Settings, change: Callable[[Sources], Sources]) -> Sources:
    """Change the user's sources as one step and return them. Raises DataError; the file stays as it was then.

    Example: change_sources(settings, lambda sources: sources.adding("https://example.org/feed.xml"))
    """
    whole = _whole_names(settings)

    def changed(listed: Sources) -> Sources:
        written = {whole(name): name for name in (*listed.sources, *listed.pages, *listed.vocabularies)}
        return change(listed.renamed(whole)).renamed(lambda name: written.get(name, name))

    return user_file.change(settings.sources_list, Sources, changed, _HEADER).renamed(whole)


def _whole_names(settings: Settings) -> Callable[[str], str]:
    """Return a function that gives the name of a file beside sources.toml whole; other files and addresses stay."""
    folder = settings.sources_list.parent

    def whole(name: str) -> str:
        beside = name and "://" not in name and not name.startswith("~") and not Path(name).is_absolute()
        return str(folder / name) if beside else name

    return whole


def _with(entries: tuple[str, ...], new: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*entries, new))) if new else entries
