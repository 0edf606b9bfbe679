"""Signals: what the words of a text tell of what can be found in it, so that most passes are spared.

A word is what white space parts, with its marks. It gives the same signals wherever it stands, so it is tested once.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Set
from operator import itemgetter

from torchatlas.extract.mentions.word_shapes import Shape, Signal, shape, small_letters
from torchatlas.extract.remembered import Remembered

Test = Callable[[str], object]
SignalWords = Mapping[Signal, Set[str]]
"""The signals of a text, each with the words that give it."""

_OF_LETTERS: tuple[Signal, ...] = ("kind", "modifier")
"""What a word of small letters can tell, perhaps with the stop of a sentence."""
_SIGNALS = itemgetter(Shape._fields.index("signals"))


class Signals:
    """A reader of signals. `tests`: each signal -> whether a word gives it.

    >>> signals = Signals({"quote": lambda word: '"' in word})
    >>> dict(signals.of(signals.shapes(['the', '"eager"', 'mode'])))
    {'quote': {'"eager"'}}
    """

    def __init__(self, tests: Mapping[Signal, Test]) -> None:
        self.tests = tests
        self.of_letters = [(signal, tests[signal]) for signal in _OF_LETTERS if signal in tests]
        self.words = Remembered(self.read)

    def __reduce__(self) -> tuple[type["Signals"], tuple[Mapping[Signal, Test]]]:
        """Pickle the tests alone: what is remembered is no part of the value."""
        return Signals, (self.tests,)

    def shapes(self, pieces: Iterable[str]) -> list[Shape]:
        """Return the shape of each piece of a text, with the signals of its words: see `Tokens`.

        Example: `[shape.word for shape in signals.shapes(["to", "Flush", "pages"])] == ["", "flush", "pages"]`
        """
        return list(map(self.words.__getitem__, pieces))

    def of(self, shapes: Iterable[Shape]) -> SignalWords:
        """Return the signals of a text by the shapes of its words.

        Example: `"code" in signals.of(signals.shapes(["calls", "torch.vmap()"]))`
        """
        found: dict[Signal, set[str]] = defaultdict(set)
        for told in filter(None, map(_SIGNALS, shapes)):
            for signal, word in told:
                found[signal].add(word)
        return found

    def read(self, piece: str) -> Shape:
        """Return the shape of a piece of a text, with the signals of its words: rarer white space may part them.

        Example: `signals.read("Flush,").word == "flush"`
        """
        told = [(signal, word) for word in piece.split() for signal, gives in self._tests(word) if gives(word)]
        return shape(piece)._replace(signals=tuple(told)) if told else shape(piece)

    def _tests(self, word: str) -> Iterable[tuple[Signal, Test]]:
        return self.of_letters if small_letters(word) else self.tests.items()
