"""The two sides of a question that compares: "bf16 vs fp16", "difference between a view and a copy"."""

import re

_PATTERNS = tuple(
    re.compile(pattern, re.I | re.S)
    for pattern in (
        r".*\bdifferen(?:ce|ces|t)\s+between\s+(?P<one>.+?)\s+and\s+(?P<other>.+)",
        r".*\b(?:choose|decide)\s+between\s+(?P<one>.+?)\s+(?:and|or)\s+(?P<other>.+)",
        r".*\bcompare\s+(?P<one>.+?)\s+(?:with|to|and|against)\s+(?P<other>.+)",
        r"(?P<one>.+?)\s+(?:vs\.?|versus|compared?\s+(?:with|to)|or|instead\s+of|rather\s+than)\s+(?P<other>.+)",
        r".*\bhow\s+(?:is|are|does|do)\s+(?P<one>.+?)\s+(?:differ(?:ent)?|compare)\s+(?:from|to|with)\s+(?P<other>.+)",
    )
)


def sides(text: str) -> tuple[str, str] | None:
    """Return the two sides of a comparison, as typed, and None for a text that compares nothing.

    >>> sides("what is the difference between a view and a copy?"), sides("bf16 vs. fp16"), sides("how do views work")
    (('a view', 'a copy?'), ('bf16', 'fp16'), None)
    """
    for pattern in _PATTERNS:
        if found := pattern.fullmatch(text.strip()):
            return found["one"], found["other"]
    return None
