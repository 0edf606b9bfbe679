"""Signals: what the words of a text tell of what can be found in it, so that most passes are spared.

A word is what white space parts, with its marks. It gives the same signals wherever it stands, so it is tested once.
"""

from collections.abc import Callable, Mapping, Sequence, Set

from torchatlas.extract.mentions.word_shapes import Signal, small_letters
from torchatlas.extract.pieces import TextPieces

Test = Callable[[str], object]
SignalWords = Mapping[Signal, Sequence[tuple[int, str]]]
"""The signals of a text, each with the pieces that give it: where one begins in the text, and the piece as written."""


class Signals:
    """A reader of signals.

    `tests`: each signal -> whether a word gives it; `telling`: the words of small letters, with or without the stop of
    a sentence, that may give one.

    >>> Signals({"quote": lambda word: '"' in word}).read('"eager"')
    ('quote',)
    """

    def __init__(self, tests: Mapping[Signal, Test], telling: Set[str] = frozenset()) -> None:
        self.tests = tests
        self.telling = telling

    def read(self, piece: str) -> tuple[Signal, ...]:
        """Return the signals of the words of a piece: rarer white space may part them.

        Example: `signals.read("torch.vmap()") == ("code",)`
        """
        if (letters := small_letters(piece)) and letters not in self.telling:  # as most are
            return ()
        words = piece.split()
        return tuple([signal for signal, gives in self.tests.items() if any(map(gives, words))])


def signals_of(read: TextPieces) -> SignalWords:
    """Return the signals of a text.

    Example: `signals_of(read("calls torch.vmap()"))["code"] == [(6, "torch.vmap()")]`
    """
    found: dict[Signal, list[tuple[int, str]]] = {}
    for i in [i for i, piece in enumerate(read.known) if piece.signals]:
        for signal in read.known[i].signals:
            found.setdefault(signal, []).append((read.starts[i], read.written[i]))
    return found
