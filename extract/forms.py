"""Spellings: forms of a name in texts, code by how it is written, and names of episodes.

A form in lower case counts in any case, a short acronym ("TLS") as written.
Other names count in lower case unless that is an everyday word.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from torchatlas.extract import english
from torchatlas.extract.english import conjugated, plural, singular, words
from torchatlas.graph.names import NUMBER_IN_TEXT, asked_number, folded_title

NAME, ALIAS, IN_TEXTS, DERIVED = range(4)
"""Where a spelling comes from; the concept with the lower rank has it."""
_ADDED = re.compile(r"^(?:(?:an?|the|pytorch|python)\s+)+")


class Form(NamedTuple):
    """A spelling of a concept. `rank`: where it comes from."""

    text: str
    concept_id: str
    rank: int


def forms(concept_id: str, name: str, aliases: Iterable[str] = (), in_texts: Iterable[str] = ()) -> Iterator[Form]:
    """Yield every spelling of the concept; a name loses its "(qualifier)".

    >>> [form.text for form in forms("rank", "rank (distributed)")]
    ['rank', 'ranks']
    """
    bare = re.sub(r"\s*\([^()]*[^()\s][^()]*\)$", "", name) or name
    written = [(NAME, bare), *((ALIAS, alias) for alias in aliases), *((IN_TEXTS, word) for word in in_texts)]
    if re.fullmatch(r"(?:[A-Z][a-z]+){2,}", bare):
        written.append((DERIVED, re.sub(r"(?<=[a-z])(?=[A-Z])", " ", bare).lower()))  # FakeTensor: fake tensor

    def tells(text: str) -> bool:
        return bool(text) and _ADDED.sub("", text.lower()) not in english.UBIQUITOUS

    spelled = [(rank, said) for rank, text in written if tells(said := " ".join(text.split()))]
    seen: set[str] = set()
    # A word with a qualifier has other meanings: only its plural is safe.
    derived = ([plural(text)] if text == bare != name else derivations(text) for _, text in spelled)
    for rank, text in [*spelled, *((DERIVED, other) for others in derived for other in others)]:
        if text not in seen and tells(text):
            seen.add(text)
            yield Form(text, concept_id, rank)


def derivations(text: str) -> Iterator[str]:
    """Yield spellings by rule: plural, singular, verbs, dunders, clips.

    >>> sorted({"fuse", "fused", "fusions"} & set(derivations("fusion")))
    ['fuse', 'fused', 'fusions']
    """
    if dunder := re.match(r"__(\w+?)__$", text):
        inner = dunder[1]
        around = product(("__", "_", ""), repeat=2)
        yield from (before + inner + after for before, after in around if before or after or "_" in inner)
        return
    *rest, head = spelled = text.split(" ")
    for i, word in enumerate(spelled):
        for clip in english.CLIPPED.get(word, ()):  # a short one needs a word beside it
            if rest or len(clip) > len("const"):
                short = " ".join((*spelled[:i], clip, *spelled[i + 1 :]))
                yield from (short, singular(short) or plural(short))
    lead = "".join(word + " " for word in rest)
    if not re.search(r"[_.:/()&<>=]|\d", head):  # no plural of torch.fx
        yield lead + (singular(head) or plural(head))
        for verb in _verbs(head, alone=not rest):
            if verb not in english.NO_VERB:
                yield from (lead + said for said in conjugated(verb) if said not in english.EVERYDAY)
    if head == "safety" and rest:
        yield lead + "safe"
        yield lead.strip().replace(" ", "-") + "-safe"


def _verbs(head: str, *, alone: bool) -> Iterator[str]:
    """Yield the verb of a noun: fusion -> fuse, tracing -> trace."""
    if not head.islower():
        return
    if alone and not re.search(r"(?:ion|ing|er|or|ity|ness|ment|age|ism|ory|ics|al|y|s)$", head):
        yield head  # export, fork
    for noun, *verbs in ((r"(\w{3,})i[sz]ation", "ize", "ise"), (r"(\w+)usion", "use"), (r"(\w*p)osition", "ose")):
        if m := re.fullmatch(noun, head):
            yield from (m[1] + verb for verb in verbs)
    if m := re.fullmatch(r"(\w{2,}[^aeiou\W])ing", head):
        stem = m[1]
        if doubled := stem[-1] == stem[-2] and stem[-1] not in "lsz":
            yield stem[:-1]
        elif stem in english.EVERYDAY or len(stem) > 3 or stem[-1] in "wxy":
            yield stem
        # "til" of tiling can be no verb, its consonant would double; longer: both
        if not doubled and stem not in english.EVERYDAY and stem[-1] not in "hwxy":
            yield stem + "e"


def admits(spelling: str, seen: str) -> bool:
    """Return whether `seen`, equal to `spelling` but for case, names the same concept.

    >>> admits("vmap", "Vmap"), admits("GIL", "gil"), admits("FSDP", "fsdp")
    (True, False, True)
    """
    if seen == spelling or spelling == spelling.lower() or " " in spelling:
        return True
    core = spelling[:-1] if spelling.endswith("s") and spelling[:-1].isupper() else spelling
    if core.isupper() and core.isalpha():
        return len(core) > 3 and core.lower() not in english.EVERYDAY
    lower = seen.lower()
    return lower not in english.EVERYDAY and singular(lower) not in english.EVERYDAY


_FILE = r"(?:py|pyi|c|cc|cpp|cxx|cu|cuh|h|hpp|in|bzl|cmake|ya?ml|toml|txt|sh|so|dll|ipynb)"
_WRITTEN = re.compile(
    rf"""
      (?<![\w*/.@\#<>-]) --[a-z][a-z0-9]*(?:-[a-z0-9]+)* (?![\w*-])                         # --no-as-needed
    | (?<![\w*/.@\#:-]) (?:[\w.+-]+/)+ [\w+-]+(?:\.[\w+-]+)*\.{_FILE} (?![\w*/(])            # tools/codegen/gen.py
    | (?<![\w*/.@\#:-]) (?:[\w+-]+/){{2,}} [\w+-]*\w (?![\w*]|[./(]\w)                         # aten/src/ATen/native
    | (?:(?<![\w*/.@\#:$%-])|(?<=\*\*)) [A-Za-z_]\w* (?:(?:::|\.)[A-Za-z_]\w*)*               # torch::foo, foo_bar
      (?:\((?!\.+\))[\w.,=]{{0,20}}\)|=(?:True|False|None|\d+))? (?!\w|\((?!\.\.\.)|\*(?!\*)|::|[./@]\w)
    """,
    re.X,
)
_OF_CODE = re.compile(r"[`'\"(<]*-|[\w`'\"(<\[*]*?(?:[_/.]\w|::|\w_|[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}|\(\)|[Tt]orch[a-z])")
_SHAPE = re.compile(
    r"_*[A-Z]+[a-z0-9]+(?:[A-Z]+[a-z0-9]*)+|[A-Z]{2,}[a-z]{3,}[A-Za-z0-9]*|[a-z]+[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*"
    r"|[a-z]+[A-Z]{2,}[A-Z0-9]*"  # eBPF, pageLSN
    r"|_*[A-Za-z][A-Za-z0-9]*(?:_+[A-Za-z0-9]+)+_*|_+[A-Za-z]\w+|[a-z]{3,}_"
    r"|[Tt]orch(?!e[ds]\b|ing\b)[a-z0-9]{2,}"  # torchtune
)
_TICKED = re.compile(r"`([a-z][a-z0-9]*(?:[.-][a-z0-9]+)*|[A-Z][a-z]{3,})`")
_SHORTEST_WORD = 6  # shorter ticked ones are mostly arguments
_NO_NAMES = english.NO_NAMES | english.NO_VERB
_ROOTS = words("torch aten at c10 nn np numpy jax os sys functools collections caffe2 cuda autograd optim dist std gc")
_EXAMPLES = english.LISTS["examples"]  # operators and functions that texts take for examples


def identifiers(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each piece of code in a text, in order.

    >>> text = "Call set_output() in gen.py, as torch.add does."
    >>> [text[start:end] for start, end in identifiers(text)]
    ['set_output()', 'gen.py']
    """
    for run in re.finditer(r"\S+", text):
        for start, end in _identifiers_of(run[0]):
            yield run.start() + start, run.start() + end


def plain(written: str) -> str:
    """Return the name without its call and its value: `plain("item()") == "item"`."""
    return re.split(r"[(=]", written, maxsplit=1)[0]


@lru_cache(10_000)
def _identifiers_of(run: str) -> tuple[tuple[int, int], ...]:
    """Return (start, end) of each piece of code in a run without white space."""
    written = _WRITTEN.finditer(run) if _OF_CODE.match(run) else ()
    found = {match.span() for match in written if _is_code(match[0])}
    if "`" in run:
        found |= {match.span(1) for match in _TICKED.finditer(run) if _is_name(match[1])}
    return tuple(sorted((start, end) for start, end in found if not asked_number(run[start:end])))


def _is_name(ticked: str) -> bool:
    """Return whether a word in ticks is a name: `tt.load`, but not `x.shape`."""
    *qualifiers, last = re.split("[.-]", ticked)
    if last in _EXAMPLES or ticked.lower() in _NO_NAMES:
        return False
    return len(qualifiers[0]) > 1 if qualifiers else len(ticked) >= _SHORTEST_WORD or ticked[0].isupper()


def _is_code(written: str) -> bool:
    """Return whether a word that matches the pattern is code, no example or brand."""
    name = plain(written)
    *qualifiers, last = re.split(r"::|\.", name)
    if name.startswith("-") or "/" in name or (qualifiers and re.fullmatch(_FILE, last)):
        return True
    if last.strip("_").lower() in _EXAMPLES or name.lower() in english.LISTS["brands"] or re.match(r"Ma?c[A-Z]", name):
        return False
    if qualifiers:
        return qualifiers[0] in _ROOTS or re.search("::|_", name) is not None
    return name != written or _SHAPE.fullmatch(name) is not None


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
        self.longest = max((name.count(" ") + 1 for name in self.by_name), default=0)

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
        runs = (" ".join(words[i : i + n]) for i in range(len(words)) for n in range(1, self.longest + 1))
        found = {*map(self.by_name.get, runs), *(self.of_name(*pair) for pair in names)}
        return sorted(title for title in found if title is not None)


def numbers_in(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each number that names an episode of this show.

    >>> text = "Listen to #5, S1:E4 and episode 3 of Serial. Episode 1.5."
    >>> [text[start:end] for start, end in numbers_in(text)]
    ['#5', 'S1:E4']
    """
    for found in NUMBER_IN_TEXT.finditer(text):
        before = text[max(0, found.start() - 40) : found.start()]
        if _ELSEWHERE.match(text, found.end()) or _OTHER_SEASON.search(before) or _named(before):
            continue
        if found[0][0] != "#" or _HEARD.search(before):
            yield found.span()


def _named(before: str) -> bool:
    """Return whether a text ends with a name, by its capital letter."""
    word = re.search(r"([^\W\d_]\w*)(?:['’]s)?[\"”'’*]*\s*,?\s*\Z", before)
    if not word or not word[1][0].isupper() or word[1].lower() in english.STOP_WORDS:
        return False
    opening = before[: word.start()].rstrip(" \t\"“'‘*(–—•-")
    return bool(opening and opening[-1] not in ".!?:;\n") or word[1].lower() not in _NO_NAMES
