"""A memory of words: the same ones stand in text after text, and are looked at once."""

from collections.abc import Callable
from sys import intern
from typing import Generic, TypeVar

T = TypeVar("T")

MOST = 100_000
"""How many words are kept, some thirty megabytes."""
LONGEST = 50
"""Letters of a word that is kept: no author writes longer ones."""


class Remembered(dict[str, T], Generic[T]):
    """A dictionary that asks for what it lacks. All is forgotten once it holds too many words.

    `ask`: gives what there is to know of a word.

    >>> lengths = Remembered(len)
    >>> lengths["vmap"], dict(lengths)
    (4, {'vmap': 4})
    """

    def __init__(self, ask: Callable[[str], T]) -> None:
        super().__init__()
        self.ask = ask

    def __missing__(self, word: str) -> T:
        """Return the answer for a word that is not kept, and keep the answer."""
        answer = self.ask(word)
        if len(word) <= LONGEST:
            if len(self) >= MOST:
                self.clear()
            self[intern(word)] = answer  # one copy for all that remember it
        return answer
