"""The nodes of the graph as values. Property names are those that Cypher users see."""

from dataclasses import KW_ONLY, dataclass
from typing import Literal

from torchatlas.graph.values.numbering import labelled, numbered

Basis = Literal["transcript", "description", "title"]
MASK = "***"
"""Stands for each token in an address: two addresses with a mask may be different ones."""
CODE, TERMS = "Code", "Terms"
"""The areas of what texts name and no vocabulary has: classes, functions, files; and words."""


@dataclass(frozen=True, slots=True)
class Concept:
    """A term that a glossary of PyTorch internals would explain. `x`, `y`: its place on the map, in pixels.

    `aliases` name it. `in_texts` mean it in a text without naming it: "hook". `phrases` count where a person asks.
    """

    id: str
    name: str
    _: KW_ONLY
    area: str
    definition: str = ""
    aliases: tuple[str, ...] = ()
    source_paths: tuple[str, ...] = ()
    x: int = 0
    y: int = 0
    phrases: tuple[str, ...] = ()
    in_texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Episode:
    """A podcast episode or a post. Unknown facts are None; `published` is an ISO date, `minutes` are whole ones.

    `number`: in its season, where the show has several; `season`: None where it has but one.
    """

    id: str
    title: str
    _: KW_ONLY
    show: str
    kind: Literal["episode", "trailer", "post"] = "episode"
    guid: str | None = None
    number: int | None = None
    season: int | None = None
    published: str | None = None
    minutes: int | None = None
    url: str | None = None
    audio_url: str | None = None
    summary: str = ""
    questions: tuple[str, ...] = ()
    dated: tuple[str, ...] = ()
    guests: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    basis: Basis = "description"
    x: int = 0
    y: int = 0

    @property
    def label(self) -> str:
        """The number and the title, for example "#61 AOTAutograd" or "S2 E1 AOTAutograd"."""
        return labelled(self.title, self.number, self.season)

    @property
    def numbered(self) -> str:
        """The number as podcast apps show it: "#61", "S2 E1", "" where there is none."""
        return numbered(self.number, self.season)

    @property
    def position(self) -> tuple[int, int]:
        """The season and the number, 0 where unknown: by these an episode stands in its show."""
        return self.season or 0, self.number or 0


@dataclass(frozen=True, slots=True)
class Show:
    """A podcast or a blog. Unknown facts are None; `guid` is its podcast:guid, which all of its feeds share.

    The addresses bear no passwords, and a mask for each token: the graph may be sent to others.
    """

    id: str
    title: str
    _: KW_ONLY
    guid: str | None = None
    author: str | None = None
    url: str | None = None
    image_url: str | None = None
    feed_url: str | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A page on the web that episodes cite. `id` is the URL in its normal form."""

    id: str
    url: str
    _: KW_ONLY
    type: str
    label: str = ""
