"""Texts that an extractor has not read: pieces of the files in a folder, or sentences made from a seed."""

import random
import re
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from spacy.lang.en.stop_words import STOP_WORDS

from torchatlas.extract.english import COMMON
from torchatlas.extract.english import words as listed
from torchatlas.extract.text import to_text
from torchatlas.extract.transcripts import read_cues
from torchatlas.graph.values.curated import Catalogue, Vocabulary

LENGTH = 450
"""Characters of a piece, as short show notes have them."""
NEW = 0.02
"""The share of the words of a made text that no text before had; in talks of one show it is as large."""
NAMED, TOLD = 1 / 80, 1 / 12
"""The share of the words that are names, and of the sentences that are the catalogue's."""
_SYLLABLES = sorted(listed("ba ce di fo gu ha le mi no pu ra se ti vo ka lu ne so ta ri"))


def pieces(words: list[str]) -> Iterator[str]:
    """Yield the words as texts of about LENGTH characters.

    >>> [len(text) for text in pieces(["word"] * 180)]
    [449, 449]
    """
    piece: list[str] = []
    length = 0
    for word in words:
        if length + len(word) > LENGTH:
            yield " ".join(piece)
            piece, length = [], 0
        piece.append(word)
        length += len(word) + 1
    yield " ".join(piece)


def of_folder(folder: Path) -> list[str]:
    """Return the pieces of all text files, web pages and captions (.txt, .md, .html, .vtt, .srt) of a folder.

    Example: of_folder(Path("transcripts"))
    """
    found: list[str] = []
    for file in sorted(folder.rglob("*")):
        if file.suffix in {".vtt", ".srt"}:
            found += pieces(" ".join(cue.text for cue in read_cues(file.read_bytes(), file.name)).split())
        elif file.suffix in {".txt", ".md", ".html"}:
            found += pieces(to_text(file.read_text("utf-8", "replace"), longest=10_000_000).text.split())
    return found


def made(vocabulary: Vocabulary, catalogue: Catalogue, count: int) -> list[str]:
    """Return so many texts, the same every time, that are as full of names and of new words as talks of one show are.

    One sentence of several is the catalogue's; the others are words of English, common ones more often, among them a
    name of the vocabulary here and there. Real texts have grammar, so their figures count more.
    """
    rng = random.Random(0)
    told = [s for episode in catalogue.episodes for s in re.split(r"(?<=[.;])\s", episode.summary) if s]
    names = [name for concept in vocabulary.concepts for name in (concept.name, *concept.aliases)]
    usual = sorted(COMMON | STOP_WORDS)
    rng.shuffle(usual)
    weights = list(accumulate(1 / rank for rank in range(3, len(usual) + 3)))

    def word() -> str:
        if rng.random() < NEW:
            return "".join(rng.choices(_SYLLABLES, k=rng.randrange(2, 5)))
        return rng.choice(names) if rng.random() < NAMED else rng.choices(usual, cum_weights=weights)[0]

    def sentence() -> str:
        if rng.random() < TOLD:
            return rng.choice(told)
        return " ".join(word() for _ in range(rng.randrange(6, 24))).capitalize() + "."

    texts: list[str] = []
    while len(texts) < count:
        text = sentence()
        while len(text) < LENGTH:
            text += " " + sentence()
        texts.append(text)
    return texts
