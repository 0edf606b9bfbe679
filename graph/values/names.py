"""Names as they are compared: what people vary in writing does not count."""

import re
import unicodedata
from collections.abc import Iterable
from difflib import get_close_matches

_WORD = re.compile(r"[^\W_]+(?:\+\+)?")


def fold(text: str) -> str:
    """A name without what people vary: case, hyphens, underscores, dots, spaces and the plural's s."""
    return "".join(map(singular, words(text)))


def spelling(name: str) -> str:
    """A name without case and the difference between space, hyphen and underscore: `torch.nn` is not `torch::nn`."""
    return re.sub(r"[\s_-]+", " ", name.casefold()).strip()


def words(text: str) -> list[str]:
    """The words of a text in lower case; "C++" is one."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def singular(word: str) -> str:
    """A word without the plural's s; short words and those in -ss keep theirs."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint for an error message: the nearest known names, or nothing."""
    near = get_close_matches(name, list(known), n=2)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
