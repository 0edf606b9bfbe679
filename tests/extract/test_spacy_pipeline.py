"""What spaCy has said is kept, up to a limit, and is what it would say again."""

import json

import pytest
import spacy

from torchatlas.extract import spacy_pipeline
from torchatlas.extract.spacy_pipeline import Answers, SpacyPipeline


def test_answers_survive_json_and_need_no_pipeline() -> None:
    asked = SpacyPipeline()
    said = asked.rules, asked.parts("don't,")
    assert said[1] == ["do", "n't", ","] and asked.has_news
    again = SpacyPipeline(answers=Answers(**json.loads(json.dumps(vars(asked.answers)))))
    assert (again.rules, again.parts("don't,")) == said
    assert "nlp" not in vars(again) and not again.has_news


def test_only_so_many_answers_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spacy_pipeline, "MOST", 1)
    asked = SpacyPipeline()
    assert [asked.parts(word) for word in ("a,", "b,", "a,")] == [["a", ","], ["b", ","], ["a", ","]]
    assert list(asked.answers.parts) == ["a,"]


def test_a_pipeline_of_the_callers_own_is_asked() -> None:
    nlp = spacy.blank("de")
    asked = SpacyPipeline(nlp)
    assert asked.nlp is nlp and asked.parts("uses,") == ["uses", ","]
