"""What spaCy has said is kept, up to a limit, and is what it would say again."""

import json

import pytest
import spacy

from torchatlas.extract import spacy_pipeline
from torchatlas.extract.spacy_pipeline import Answers, SpacyPipeline

USES = [{"LOWER": {"IN": ["uses", "calls"]}}, {"OP": "?"}]
WORDS = ["it", "calls", "it", "uses"]


def test_answers_survive_json_and_need_no_pipeline() -> None:
    asked = SpacyPipeline()
    said = asked.rules, asked.parts("don't,"), asked.matches("use", lambda: USES, WORDS)
    assert said[1:] == (["do", "n't", ","], [(1, 2), (1, 3), (3, 4)]) and asked.has_news
    again = SpacyPipeline(answers=Answers(**json.loads(json.dumps(vars(asked.answers)))))
    assert (again.rules, again.parts("don't,")) == said[:2]
    assert [tuple(match) for match in again.matches("use", lambda: USES, WORDS)] == said[2]
    assert "nlp" not in vars(again) and not again.has_news


def test_other_patterns_and_other_words_are_other_questions() -> None:
    asked = SpacyPipeline()
    asked.matches("use", lambda: USES, WORDS)
    assert asked.matches("it", lambda: [{"LOWER": "it"}], WORDS) == [(0, 1), (2, 3)]
    assert asked.matches("use", lambda: USES, WORDS[:1]) == []


def test_only_so_many_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_pipeline, "MOST", 1)
    asked = SpacyPipeline()
    assert [asked.parts(word) for word in ("a,", "b,", "a,")] == [["a", ","], ["b", ","], ["a", ","]]
    assert list(asked.answers.parts) == ["a,"]


def test_a_pipeline_of_the_callers_own_is_asked() -> None:
    nlp = spacy.blank("de")
    asked = SpacyPipeline(nlp)
    assert asked.nlp is nlp and asked.matches("use", lambda: USES, WORDS[:2]) == [(1, 2)]
