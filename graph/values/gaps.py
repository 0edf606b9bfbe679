"""Gaps of a map as values."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.values.answers import Named
from torchatlas.graph.values.markdown import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap(Named):
    """A concept or an episode where the map lacks something.

    `count` says how much depends on it, `words` say what is wrong, `link` is a page that helps.
    """

    count: int
    words: str
    link: str | None = None

    @property
    def cells(self) -> dict[str, object]:
        """The columns of a list of gaps in a notebook."""
        return {"name": self.name, "why": self.words, "link": self.link}


@dataclass(frozen=True, slots=True)
class Gaps(Shown):
    """The gaps of a map by kind; each kind begins with the gap on which most depends."""

    untaught: tuple[Gap, ...]
    thin: tuple[Gap, ...]
    _: KW_ONLY
    orphans: tuple[Gap, ...]
    superseded: tuple[Gap, ...]

    @property
    def sections(self) -> dict[str, tuple[Gap, ...]]:
        """The gaps under their headings, without the kinds that have none."""
        found = {
            "Assumed by episodes, and no episode teaches it": self.untaught,
            "Superseded, and still a main subject": self.superseded,
            "Thin evidence": self.thin,
            "Concepts that nothing is joined to": self.orphans,
        }
        return {heading: gaps for heading, gaps in found.items() if gaps}
