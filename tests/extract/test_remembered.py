import pytest

from torchatlas.extract import remembered
from torchatlas.extract.remembered import LONGEST, Remembered


def test_a_word_is_asked_for_once() -> None:
    asked: list[str] = []
    words = Remembered(lambda word: asked.append(word) or len(word))
    assert [words["vmap"], words["vmap"]] == [4, 4]
    assert asked == ["vmap"]


def test_words_are_forgotten_when_they_are_many_and_never_kept_when_they_are_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(remembered, "MOST", 100)
    words = Remembered(len)
    assert [words[f"word{number}"] for number in range(110)] == [5] * 10 + [6] * 90 + [7] * 10
    assert len(words) == 10
    assert words["x" * (LONGEST + 1)] == LONGEST + 1
    assert len(words) == 10
