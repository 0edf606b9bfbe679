"""Values as people read them: moments, lengths, dates, kinds of edges in words, and text made harmless for Markdown."""

import re
from collections.abc import Mapping, Sequence
from string import punctuation
from typing import TYPE_CHECKING, NamedTuple, TypeGuard
from urllib.parse import quote, urlsplit

from torchatlas.graph.names import one_line

if TYPE_CHECKING:
    from torchatlas.graph import model

_MARKS = re.compile(r"([\\`*_{}\[\]()#+\-.!|~$:<>&^=@\"'])")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def clock(seconds: int) -> str:
    """Return seconds as a player shows them: `clock(266)` is "4:26"."""
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def length(minutes: int, *, estimated: bool = False) -> str:
    """Return minutes in words, an estimate with "~": `length(75, estimated=True)` is "~1 h 15 min"."""
    hours, rest = divmod(minutes, 60)
    words = f"{hours} h {rest:02} min" if hours else f"{rest} min"
    return f"~{words}" if estimated else words


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `counted(1730, "concept")` is "1,730 concepts"; the `plural` needs no s."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Sequence[str]) -> str:
    """Return names as in a sentence: `listed(["vmap", "GIL", "JAX"])` is "vmap, GIL and JAX"."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def day(iso: str | None) -> str:
    """Return an ISO date in words, and any other text as it is: `day("2022-05-09")` is "9 May 2022"."""
    found = re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])-(\d\d)", iso or "")
    return f"{int(found[3])} {_MONTHS[int(found[2]) - 1]} {found[1]}" if found else iso or ""


def first_clause(sentence: str, longest: int) -> str:
    """Return the beginning of a sentence up to its first sign or, where that is long, to a whole word.

    >>> first_clause("Order of elements in memory, such as channels last.", 70), first_clause("One by one by one", 10)
    ('Order of elements in memory', 'One by one ...')
    """
    clause = re.split(r"[,;:.](?:\s|$)|\s\(", sentence, maxsplit=1)[0]
    return clause if len(clause) <= longest else f"{clause[: longest + 1].rsplit(' ', 1)[0]} ..."


def esc(text: str) -> str:
    """Return the text on one line, with every mark of Streamlit's Markdown escaped, for example `esc("a*b")`."""
    return _MARKS.sub(r"\\\1", one_line(text))


def escaped(text: str) -> str:
    r"""Return a text on one line with few marks of Markdown escaped, for files that are read raw: `escaped("a_b")`."""
    return re.sub(r"([\\`*_\[\]<>|~&$])", r"\\\1", one_line(text))


def link(label: str, url: str | None) -> str:
    """Return a link in Markdown, or the bare label where the address is none of the web: `link("vmap", None)`."""
    return f"[{esc(label)}]({markdown_address(url)})" if is_web(url) else esc(label)


def markdown_address(url: str) -> str:
    """Return an address for parentheses or angle brackets: "https://a.org/b%20c" for "https://a.org/b c"."""
    return quote(url, safe="/?#@!$&',;=%~+:")


def web_address(url: str | None) -> str | None:
    """Return an address of the web with spaces and line breaks escaped: "https://a.org/(b)%20c"; None for another."""
    return quote(url, safe=punctuation, errors="replace") if is_web(url) else None


def is_web(url: str | None) -> TypeGuard[str]:
    """Return whether a browser may open an address: http or https, with a host. `is_web("javascript:1")` is False."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)


class EdgeWords(NamedTuple):
    """An edge in words: `verb` joins its ends in a sentence, `forward` and `backward` name it in a list of one end."""

    verb: str
    forward: str
    backward: str


ORDERS: "Mapping[model.OrderKind, str]" = {
    "REQUIRES": "needs",
    "ASSUMES": "takes for granted",
    "TEACHES": "explains",
    "LISTEN_AFTER": "goes after",
}
"""Verbs that join the two ends in a sentence."""

RELATED_TO = "is related to"
"""The verb of a RELATED_TO edge."""

RELATIONS: "Mapping[model.ConceptRelationKind, EdgeWords]" = {
    "PART_OF": EdgeWords("is a part of", "part of", "has the part"),
    "USES": EdgeWords("uses", "uses", "used by"),
    "EXTENDS": EdgeWords("extends", "extends", "extended by"),
    "DEEPENS": EdgeWords("deepens", "deepens", "deepened by"),
    "ALTERNATIVE_TO": EdgeWords("is an alternative to", "alternative to", "alternative to"),
    "IMPLEMENTED_WITH": EdgeWords("is implemented with", "implemented with", "implements"),
    "PRODUCES": EdgeWords("produces", "produces", "produced by"),
    "RUNS_BEFORE": EdgeWords("runs before", "runs before", "runs after"),
    "SUPERSEDED_BY": EdgeWords("was superseded by", "superseded by", "supersedes"),
}
REFERENCES: "Mapping[model.Reference, EdgeWords]" = {
    "listen_first": EdgeWords("hear it first", "this episode asks to hear it first", "asks to hear this one first"),
    "continues": EdgeWords("continues it", "this episode continues it", "continues this episode"),
    "more_in": EdgeWords("says more", "this episode points to it for more", "points to this episode for more"),
    "announces": EdgeWords("announced here", "this episode announces it", "announces this episode"),
    "mentions": EdgeWords("mentioned here", "this episode mentions it", "mentions this episode"),
}
NEEDS: "Mapping[model.Need, str]" = {  # the strongest first
    "hear": "hear an episode first",
    "worth": "worth an episode first where this is the goal",
    "bridge": "a sentence is enough",
}
ORIGINS: "Mapping[model.Origin, str]" = {
    "curated": "judged by a person",
    "declared": "said by the speaker",
    "drafted": "drafted from notes, and not checked yet",
    "stated": "stated by a text",
    "inferred": "inferred from texts",
}
CERTAINTIES: "Mapping[model.Origin, str]" = {
    "curated": "",
    "declared": "a part of it is there because titles, notes or speakers say so.",
    "drafted": "a part of it rests on drafts that nobody has checked yet.",
    "stated": "a part of it rests on single sentences of texts, and may be wrong.",
    "inferred": "a part of it is inferred from texts, and may be wrong.",
}
"""How sure a plan is that stands on an edge from there; "" where nothing is to be said."""

DEPTHS: "Mapping[model.Depth, str]" = {"main": "main subject", "part": "a part of it"}
BASES: "Mapping[model.Basis, tuple[str, str]]" = {
    "transcript": ("", ""),
    "description": ("the map knows this episode only from its notes", "what it teaches is a careful guess"),
    "title": ("the map knows this episode only by its title", "what it teaches is a guess"),
}
"""How an episode is known, and how sure the map therefore is of what it teaches; "" where nothing is to be said."""

PLAN_DEPTHS: "Mapping[model.PlanDepth, str]" = {  # the shortest first; each holds the one before
    "brief": "only the goal's own episodes",
    "usual": "with what the goal needs and what deepens it",
    "thorough": "with everything worth hearing",
}


def doubt(origin: "model.Origin | None") -> str:
    """Return an origin that is not a person's judgement, else "": `doubt("drafted")`."""
    return origin if origin and CERTAINTIES[origin] else ""


def certainty(origin: "model.Origin | None") -> str:
    """Return in a sentence how sure a plan is, "" where people judged all of it: `certainty("drafted")`."""
    return f"How sure: {origin}; {CERTAINTIES[origin]}" if origin and doubt(origin) else ""
