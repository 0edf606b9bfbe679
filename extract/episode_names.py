"""Names of episodes in texts: titles, and numbers within their own show."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from torchatlas.extract.english import COMMON, NO_VERB, STOP_WORDS, UBIQUITOUS
from torchatlas.graph.names import NUMBER_IN_TEXT, folded_title

_ORDINARY = STOP_WORDS | COMMON | NO_VERB | UBIQUITOUS
_NEAR = 40  # characters before a number that are looked at
_OPENING = " \t\"“'‘*(–—•-"
_OTHER_SEASON = re.compile(r"\bseason(?:['’]s)?(?:\s+\w+)?\s*[,:]?\s*\Z", re.I)
_HEARD = re.compile(r"\b(?:listen(?:ed|ing)?\s+(?:back\s+)?to|hear|heard)\s+\Z", re.I)
_ELSEWHERE = re.compile(
    r"""\s*+[,(]?\s*+(?:
      of\s++ (?!(?:this|our|my|the)\s+(?:(?:very|own)\s+)?(?:show|podcast|series)\b(?!\s+(?-i:[A-Z])))  # of Serial
    | (?:on|from)\s+ (?:the\s+)? (?-i:[A-Z])                                                           # on Go Time
    | (?:(?:in|on|from)\s+)? (?:\w+\s+){0,2}season\b                                        # from the second season
    )""",
    re.X | re.I,
)


class Titles:
    """Titles of episodes to be found in texts: `Titles(["vmap"]).of_name("VMAP")`."""

    def __init__(self, titles: Iterable[str]) -> None:
        ordered = sorted(titles, reverse=True)
        self.by_name = {folded_title(title.replace("+", " ")): title for title in ordered}
        self.by_name |= {folded_title(title): title for title in ordered}
        self.by_start: defaultdict[tuple[str, ...], list[list[str]]] = defaultdict(list)
        for name in sorted(self.by_name):
            if words := name.split():
                self.by_start[tuple(words[:2])].append(words)

    def of_name(self, *spellings: str) -> str | None:
        """Return the title of this name, whatever its case, marks or plural s."""
        for spelling in spellings:
            for said in (spelling, spelling + "s", spelling.removesuffix("s")):
                if title := self.by_name.get(folded_title(said)):
                    return title
        return None

    def within(self, text: str, names: Iterable[tuple[str, str]] = ()) -> list[str]:
        """Return the titles in a text or in `names` (name, spelling), sorted."""
        words = folded_title(text).split()
        found = {self.of_name(*pair) for pair in names}
        for i, word in enumerate(words):
            for start in ((word,), tuple(words[i : i + 2])):
                found |= {self.by_name[" ".join(t)] for t in self.by_start.get(start, ()) if t == words[i : i + len(t)]}
        return sorted(title for title in found if title is not None)


def numbers_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each number that names an episode of this show.

    >>> text = "Listen to #5, S1:E4 and episode 3 of Serial. Episode 1.5."
    >>> [text[start:end] for start, end in numbers_in(text)]
    ['#5', 'S1:E4']
    """
    for found in NUMBER_IN_TEXT.finditer(text):
        before = text[max(0, found.start() - _NEAR) : found.start()]
        if _ELSEWHERE.match(text, found.end()) or _OTHER_SEASON.search(before) or _named(before):
            continue
        if found[0][0] != "#" or _HEARD.search(before):
            yield found.span()


def _named(before: str) -> bool:
    """Return whether a text ends with a name, by its capital letter."""
    word = re.search(r"([^\W\d_]\w*)(?:['’]s)?[\"”'’*]*\s*,?\s*\Z", before)
    if not word or not word[1][0].isupper() or word[1].lower() in STOP_WORDS:
        return False
    opening = before[: word.start()].rstrip(_OPENING)
    return bool(opening and opening[-1] not in ".!?:;\n") or word[1].lower() not in _ORDINARY
