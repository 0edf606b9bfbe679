"""Values in words: moments, lengths, dates, edges, and safe Markdown."""

import re
from collections.abc import Mapping, Sequence
from string import punctuation
from typing import TYPE_CHECKING, NamedTuple, TypeGuard
from urllib.parse import quote, urlsplit

from torchatlas.graph.names import MEDIA, one_line

if TYPE_CHECKING:
    from torchatlas.graph import model
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def clock(seconds: int) -> str:
    """Return seconds as a player shows them: `clock(266)` is "4:26"."""
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def length(minutes: int | None, *, estimated: object = False, kind: str = "episode") -> str:
    """Return minutes in words, and how to spend them unless on hearing: `length(75, kind="post")`."""
    hours, rest = divmod(minutes or 0, 60)
    words = f"{hours} h {rest:02} min" if hours else f"{rest} min"
    told = "length unknown" if minutes is None else f"~{words}" if estimated else words
    return told if (do := verb(kind)) == "hear" else f"{do}, {told}"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: `counted(1730, "node")` is "1,730 nodes"."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Sequence[str], most: int | None = None) -> str:
    """Join names, the first few of many: `listed(["vmap", "GIL"], 1)` is "vmap and 1 more"."""
    *first, last = names if most is None or not names[most:] else [*names[:most], f"{len(names) - most} more"]
    return f"{', '.join(first)} and {last}" if first else last


def day(iso: str | None) -> str:
    """Return an ISO date in words, other text as it is: `day("2022-05-09")`."""
    found = re.fullmatch(r"(\d{4})-(0[1-9]|1[0-2])-(\d\d)", iso or "")
    return f"{int(found[3])} {_MONTHS[int(found[2]) - 1]} {found[1]}" if found else iso or ""


def esc(text: str) -> str:
    """Return one line with Streamlit's Markdown marks escaped: `esc("a*b")`."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|~$:<>&^=@\"'])", r"\\\1", one_line(text))


def escaped(text: str) -> str:
    r"""Return one line for raw files, with few marks escaped: `escaped("a_b")`."""
    return re.sub(r"([\\`*_\[\]<>|~&$])", r"\\\1", one_line(text))


def link(label: str, url: str | None) -> str:
    """Link a label in Markdown if the URL is of the web: `link("vmap", None)`."""
    return f"[{esc(label)}]({markdown_address(url)})" if is_web(url) else esc(label)


def markdown_address(url: str) -> str:
    """Escape a URL for Markdown: "https://a.org/b%20c" for "https://a.org/b c"."""
    return quote(url, safe="/?#@!$&',;=%~+:")


def web_address(url: str | None) -> str | None:
    """Escape spaces in a web address: "https://a.org/(b)%20c"; else None."""
    return quote(url, safe=punctuation, errors="replace") if is_web(url) else None


def is_web(url: str | None) -> TypeGuard[str]:
    """Return whether a URL is http(s) with a host: not `is_web("javascript:1")`."""
    try:
        parts = urlsplit(url or "")
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)


class EdgeWords(NamedTuple):
    """An edge in words: a verb between its ends, and names seen from each end."""

    verb: str
    forward: str
    backward: str


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
VERBS: Mapping[str, str] = {
    "REQUIRES": "needs",
    "ASSUMES": "takes for granted",
    "TEACHES": "explains",
    "LISTEN_AFTER": "goes after",
    "RELATED_TO": "is related to",
    "REFERS_TO": "refers to",
    "MENTIONS": "mentions",
    "IN_SHOW": "is in",
    "CITES": "cites",
    **{kind: words.verb for kind, words in RELATIONS.items()},
}
"""Verbs that join the two ends of an edge in a sentence."""
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
ORIGINS: "Mapping[model.Origin, tuple[str, str]]" = {
    "curated": ("judged by a person", ""),
    "declared": ("said by the speaker", "is there because titles, notes or speakers say so"),
    "drafted": ("drafted from notes, and not checked yet", "rests on drafts that nobody has checked yet"),
    "stated": ("stated by a text", "rests on single sentences of texts, and may be wrong"),
    "inferred": ("inferred from texts", "is inferred from texts, and may be wrong"),
}
"""Who says so, and how sure a plan is that stands on such an edge; "" if sure."""
DEPTHS: "Mapping[model.Depth, str]" = {"main": "main subject", "part": "a part of it"}
BASES: "Mapping[model.Basis, tuple[str, str]]" = {
    **dict.fromkeys(("transcript", "text"), ("", "")),
    "abstract": ("the map knows it only from its abstract", "what it teaches is a careful guess"),
    "description": ("the map knows it only from its notes", "what it teaches is a careful guess"),
    "title": ("the map knows it only by its title", "what it teaches is a guess"),
}
"""How an episode is known, and how sure the map therefore is of what it teaches; "" if sure."""
PLAN_DEPTHS: "Mapping[model.PlanDepth, str]" = {  # the shortest first; each holds the one before
    "brief": "only the goal's own episodes",
    "usual": "with what the goal needs and what deepens it",
    "thorough": "with everything worth hearing",
}


def verb(kind: str) -> str:
    """Return what one does with a kind of episode or resource: `verb("docs")` is "read"."""
    return {"audio": "hear", "video": "watch"}.get(MEDIA.get(kind, "text"), "read")


def worded(text: str, kind: "model.Kind") -> str:
    """Return words on an episode for its kind: `worded("This episode", "docs")` is "This page"."""
    return re.sub(r"(\bthis |^)episode\b", rf"\1{ {'docs': 'page', 'code': 'file'}.get(kind, kind) }", text, flags=re.I)


def doubt(origin: "model.Origin | None") -> str:
    """Return an origin that is not a person's judgement, else "": `doubt("drafted")`."""
    return origin if origin and ORIGINS[origin][1] else ""
