"""The meanings that words of a person may have, and the sentence that says how they were understood."""

import re
from dataclasses import KW_ONLY, dataclass
from typing import Literal

How = Literal[
    "name", "number", "alias", "identifier", "title", "area", "corrected", "question", "guess", "journey"
]  # fmt: skip
"""What made a reading: the exact name (or id, or whole title), the number of an episode, another name, a place in the
source, a part of a title, an area of the map, a typing slip, the words of a question, only some of them, or the name
of a journey."""
FREE: tuple[How, ...] = ("title", "question", "guess")
"""How words are read that are no name."""
ReadingKind = Literal["concept", "episode", "area", "several"]

OFFERED = 3
"""How many other readings are offered."""

_EPISODE = re.compile(r"(?:the\s+)?episode\s+[\"“](.+)", re.I | re.S)
_AROUND = " \t\n\"'`“”‘’«»"


def bare(text: str) -> str:
    """Return what a person typed without the quotes and the question mark around it.

    >>> bare(" `torch.compile`"), bare("Why?")
    ('torch.compile', 'Why')
    """
    return text.strip(_AROUND).rstrip("?!").strip(_AROUND)


def titled_episode(text: str) -> str:
    """Return the title in a text that is the description of a reading as an episode, and "" for other texts.

    >>> titled_episode('the episode "torch.nn"'), titled_episode("episode 24")
    ('torch.nn', '')
    """
    described = _EPISODE.fullmatch(text)
    return bare(described[1]) if described else ""


@dataclass(frozen=True, slots=True)
class Reading:
    """Something that words may mean: a concept, an episode, an area for the subjects of its episodes, or two compared.

    `ids`: of concepts or episodes, several for an area and a comparison; `matched`: the name, path, title or question
    that the words met; `score` in (0, 1]; `sure`: the words may be answered by this reading without asking back.
    """

    ids: tuple[str, ...]
    name: str
    _: KW_ONLY
    kind: ReadingKind
    how: How
    matched: str
    score: float = 1.0
    sure: bool = True

    @property
    def described(self) -> str:
        """The name, with the kind where it is no concept.

        >>> Reading(("show/vmap",), "vmap", kind="episode", how="title", matched="vmap").described
        'the episode "vmap"'
        """
        if self.kind == "episode":
            return f'the episode "{self.name}"'
        return f"the area {self.name}" if self.kind == "area" else self.name


@dataclass(frozen=True, slots=True)
class Understood:
    """How a text was understood: what it stands for, and the sentence to show; "" where the name was exact.

    `alternatives`: the next best readings, best first.
    """

    text: str
    ids: tuple[str, ...]
    _: KW_ONLY
    how: How
    sentence: str = ""
    alternatives: tuple[Reading, ...] = ()

    @property
    def taken(self) -> str:
        """The sentence alone, for a screen that offers the other readings to choose from."""
        return self.sentence.removesuffix(_others(self.alternatives))


def understood(text: str, best: Reading, others: tuple[Reading, ...] = ()) -> Understood:
    """Return the best reading of a text as what was understood, with the sentence that says so.

    >>> vmap = Reading(("vmap",), "vmap", kind="concept", how="corrected", matched="vmap")
    >>> understood("vmapp", vmap).sentence
    'I took "vmapp" for a typing slip of vmap.'
    """
    offered = others[:OFFERED]
    return Understood(text, best.ids, how=best.how, sentence=_sentence(bare(text), best, offered), alternatives=offered)


def _sentence(text: str, best: Reading, others: tuple[Reading, ...]) -> str:
    match best.how:
        case "name" | "number":
            return ""
        case "alias":
            return f'"{text}" is another name of {best.name}.'
        case "corrected":
            said = f'I took "{text}" for a typing slip of {best.described}.'
        case "identifier":
            said = f'I took "{text}" to mean {best.name} ({best.matched}).'
        case "area":
            said = f'I took "{text}" to mean {best.described}: the main subjects of its episodes.'
        case "guess":
            said = f'My best guess for "{text}" is {best.described}.'
        case _:
            said = f'I took "{text}" to mean {best.described}.'
    return said + _others(others)


def _others(readings: tuple[Reading, ...]) -> str:
    return f" Other readings: {'; '.join(r.described for r in readings)}." if readings else ""
