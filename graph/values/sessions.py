"""Listening sessions as values: what is heard in each, from which second to which."""

import re
from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.values.errors import AtlasError, shortened
from torchatlas.graph.values.formatting import clock


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of an episode, in seconds of the audio: from `start` up to `end`.

    `name` is the number and title. `resumes` and `pauses`: whether the episode was begun before, and goes on later.
    """

    id: str
    name: str
    _: KW_ONLY
    start: int
    end: int
    resumes: bool = False
    pauses: bool = False

    def __str__(self) -> str:
        first = f" from {clock(self.start)}" if self.resumes else ""
        last = f" up to {clock(self.end)}" if self.pauses else ""
        return f"{self.name}{first}{last}"


@dataclass(frozen=True, slots=True)
class Session:
    """The stretches that are heard in one go. `minutes`: how long that takes, at the speed of the plan, rounded up."""

    minutes: int
    stretches: tuple[Stretch, ...]

    def __str__(self) -> str:
        return f"{self.minutes} min: {'; '.join(map(str, self.stretches))}"


@dataclass(frozen=True, slots=True)
class Split:
    """A wish for sessions: at most `count` of them, each of so many minutes.

    >>> str(Split(3, 30))
    '3x30m'
    """

    count: int
    minutes: int

    @classmethod
    def parse(cls, text: str) -> "Split":
        """Read sessions as people write them; raises AtlasError for another text.

        >>> Split.parse("2x1h"), Split.parse("5 x 45m")
        (Split(count=2, minutes=60), Split(count=5, minutes=45))
        """
        count, _, each = text.strip().lower().partition("x")
        minutes = minutes_of(each)
        if not re.fullmatch(r"[1-9]\d?", count.strip(), re.ASCII) or not minutes:
            wrong = f"{shortened(text)!r} is no split into sessions"
            raise AtlasError(f"{wrong}; write 3x30m: up to 99 sessions, each with a length")
        return cls(int(count), minutes)

    def __str__(self) -> str:
        return f"{self.count}x{self.minutes}m"


def minutes_of(text: str) -> int | None:
    """Return the minutes of a length such as 90m, 90, 1h30m or 2h; None for another text.

    >>> minutes_of("1h30m"), minutes_of("soon")
    (90, None)
    """
    found = re.fullmatch(r"(?:([0-9]{1,6})\s*h)?\s*(?:([0-9]{1,6})\s*(?:m|min)?)?", text.strip().lower())
    return int(found[1] or 0) * 60 + int(found[2] or 0) if found and text.strip() else None
