"""Boundaries: where a name in a text begins and ends, by the letters, quotes, folders and paths around it."""

import re

from torchatlas.extract.tokens import Tokens

QUOTES = "\"'“”‘’`"
_CLOSING = {'"': '"', "'": "'", "“": "”", "‘": "’", "`": "`"}
_BEFORE = frozenset({"/", *_CLOSING})
_PATH = re.compile(r"(?:\.{0,2}|~)/\S*|[\w.+-]+(?:/[\w.+*-]+)+\.\w{1,5}|[\w.+-]+(?:/[\w.+-]+)*/")

_WITHIN = re.compile(r"[a-z](?:['’]s)?,?[ \n]\Z")


def goes_on(text: str, start: int) -> bool:
    """Return whether a sentence goes on at text[start:]: a heading has capitals before the word, a chapter a time.

    >>> goes_on("the Pod", 4), goes_on("00:10 Pod", 6)
    (True, False)
    """
    return _WITHIN.search(text, max(0, start - 5), start) is not None


def stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether text[start:end] is no piece of a longer word, dotted name or path.

    >>> stands_alone("a vmap", 2, 6), stands_alone("vmaps", 0, 4), stands_alone("src/vmap/x.py", 4, 8)
    (True, False, False)
    """
    if text[start - 1 : start] == " " == text[end : end + 1]:  # as mostly
        return True
    if (start and _joins(text[start - 1])) or (end < len(text) and _joins(text[end])):
        return False
    if text[end : end + 1] == "." and text[end + 1 : end + 2].isalnum() and re.search(r"[._:]", text[start:end]):
        return False  # torch.fx.Graph is not torch.fx
    touching = text[max(0, start - 1) : start] + text[end : end + 1]
    return "/" not in touching or not _inside_path(text, start, end)


def is_touched(text: str, start: int, end: int) -> bool:
    """Return whether a sign stands next to text[start:end] that may belong to the name: see `widened`.

    >>> is_touched("an 'eager' mode", 4, 9), is_touched("eager mode", 0, 5)
    (True, False)
    """
    return text[end : end + 1] == '"' or text[start - 1 : start] in _BEFORE


def widened(tokens: Tokens, start: int, end: int) -> tuple[int, int]:
    """Return text[start:end], which is whole tokens, with the folder before a file and both quotes of a quoted part.

    Example: `widened(tokenize('the "eager" mode'), 5, 16) == (4, 16)`
    """
    text, (first, after) = tokens.text, tokens.covering(start, end)
    if text[start - 1 : start] == "/" and re.search(r"\.\w{1,5}$", text[start:end]):
        while first and tokens.joined(first) and re.fullmatch(r"[\w./+-]+", tokens.written(first - 1, first)):
            first -= 1
    if first and (closing := _CLOSING.get(tokens.words[first - 1])) and tokens.joined(first):
        inside = tokens.written(first, after)
        if inside.count(closing) % 2 == 1 and not re.search(rf"\w{closing}\w", inside):
            first -= 1
    elif tokens.words[after : after + 1] == ['"'] and tokens.written(first, after).count('"') % 2 == 1:
        after += 1
    return tokens.span(first, after)


def unpaired(text: str, start: int, end: int) -> bool:
    """Return whether a quote opens or closes inside text[start:end] whose other half stands outside.

    >>> unpaired('"eager mode', 0, 6), unpaired('"eager" mode', 0, 7)
    (True, False)
    """
    inside = text[start:end]
    return inside.count('"') % 2 == 1 or inside.count("“") != inside.count("”")


def _joins(letter: str) -> bool:
    return letter == "_" or letter.isalnum()


def _inside_path(text: str, start: int, end: int) -> bool:
    """Return whether text[start:end] is a folder of a path; the file at the end may be a name itself."""
    left = re.search(r"[^\s()\[\]{},;\"'`]*$", text[max(0, start - 200) : start])
    right = re.match(r"[^\s()\[\]{},;\"'`]*", text[end : end + 200])
    before, after = (left[0] if left else ""), (right[0].rstrip(".:!?") if right else "")
    return bool(after if after not in {"", "/"} else not re.search(r"\.\w{1,5}$", text[start:end])) and bool(
        _PATH.fullmatch(before + text[start:end] + after)
    )
