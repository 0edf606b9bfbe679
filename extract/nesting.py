"""How deep the tags of a page or of show notes are nested: the tree builder takes time for the square of that."""

import re

from torchatlas.extract.english import words

_TAG = re.compile(r"<(/?)([a-z][\w-]*)", re.A)
_UNNESTED = words("area base br col dd dt embed hr img input li link meta option p param source td th tr track wbr")
_RAW = words("script style svg textarea title")
_LOOSE = words("abbr cite data dfn kbd label mark q samp span time var")
_LEFT = re.compile(r"<(?:article|b|blockquote|center|code|dd|div|dl|em|h[1-6]|i|li|ol|p|pre|s|small|span|table|u|ul)\b")
_REACH = 20  # elements that an end tag may close besides its own


def nesting(markup: str, most: int) -> int:
    """Return how deep tags may be nested, at most `most` + 1: counting ends there.

    Tags that HTML closes by itself, and all in scripts, do not count. An end tag closes its element, and no other than
    the loose ones in it, such as span. So the depth may be less than what is returned, and is never more.

    >>> nesting("<div><p>a<p>b</div><div><span></div><ul><b></ul></i>", 10)
    2
    """
    lowered = markup.lower()
    stack: list[str] = []
    deepest = place = 0
    while deepest <= most and (found := _TAG.search(lowered, place)):
        closing, tag = found.groups()
        place = found.end()
        if closing:
            _close(stack, tag)
        elif tag in _RAW and (end := _raw_end(lowered, tag, place)):
            place = end
        elif tag not in _UNNESTED:
            stack.append(tag)
            deepest = max(deepest, len(stack))
    return deepest


def _close(stack: list[str], tag: str) -> None:
    for place in range(len(stack) - 1, max(-1, len(stack) - _REACH), -1):
        if stack[place] == tag:
            del stack[place:]
            return
        if stack[place] not in _LOOSE:
            return


def _raw_end(lowered: str, tag: str, place: int) -> int:
    """Return where the element ends; 0 for a picture that HTML would end at once, for it has tags of a page in it."""
    end = lowered.find(f"</{tag}", place)
    if tag == "svg" and (end < 0 or _LEFT.search(lowered, place, end)):
        return 0
    return end if end >= 0 else len(lowered)
