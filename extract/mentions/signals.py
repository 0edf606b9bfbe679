"""Signals: what the words of a text tell of what can be found in it, so that most passes are spared.

A word is what white space parts, with its marks. It gives the same signals wherever it stands, so it is tested once.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from operator import attrgetter

from torchatlas.extract.mentions.word_shapes import Shape, Signal, shape
from torchatlas.extract.remembered import Remembered

Found = Mapping[Signal, Set[str]]
"""The signals of a text, each with the words that give it."""

_OF_LETTERS: tuple[Signal, ...] = ("kind", "modifier")
"""What a word of small letters can tell, perhaps with the stop of a sentence."""
_STOPS = ".,;:!?"
_SIGNALS = attrgetter("signals")


class Signals:
    """A reader of signals. `tests`: each signal -> whether a word gives it.

    >>> signals = Signals({"quote": lambda word: '"' in word})
    >>> dict(signals.of(signals.shapes(['the', '"eager"', 'mode'])))
    {'quote': {'"eager"'}}
    """

    def __init__(self, tests: Mapping[Signal, Callable[[str], object]]) -> None:
        self.tests = tests
        self.of_letters = {signal: tests[signal] for signal in _OF_LETTERS if signal in tests}
        self.words = Remembered(self._read)

    def __reduce__(self) -> tuple[type["Signals"], tuple[Mapping[Signal, Callable[[str], object]]]]:
        """Pickle the tests alone: what is remembered is no part of the value."""
        return Signals, (self.tests,)

    def shapes(self, pieces: Iterable[str]) -> list[Shape]:
        """Return the shape of each piece of a text, with the signals of its words: see `Tokens`.

        Example: `[shape.word for shape in signals.shapes(["to", "Flush", "pages"])] == ["", "flush", "pages"]`
        """
        return list(map(self.words.__getitem__, pieces))

    def of(self, shapes: Iterable[Shape]) -> Found:
        """Return the signals of a text by the shapes of its words.

        Example: `"code" in signals.of(signals.shapes(["calls", "torch.vmap()"]))`
        """
        found: dict[Signal, set[str]] = defaultdict(set)
        for told in filter(None, map(_SIGNALS, shapes)):
            for signal, word in told:
                found[signal].add(word)
        return found

    def _read(self, piece: str) -> Shape:
        """Return the shape of a piece of a text, with the signals of its words: rarer white space may part them."""
        told = [(signal, word) for word in piece.split() for signal in self._tested(word)]
        return shape(piece)._replace(signals=tuple(told)) if told else shape(piece)

    def _tested(self, word: str) -> list[Signal]:
        tests = self.of_letters if word.rstrip(_STOPS).isalpha() and word.islower() and word.isascii() else self.tests
        return [signal for signal, gives in tests.items() if gives(word)]
