import random

import pytest

from torchatlas.extract.transcripts import Cue, ExplanationFinder
from torchatlas.graph.model import Concept

NAMES = {
    "autograd": "autograd",
    "vmap": "vmap",
    "memory-leak": "DataLoader memory leak",
    "strides": "strides",
    "caching-allocator": "caching allocator",
}
EXPLAINER = ExplanationFinder(
    Concept(id_, name, area="Area", definition=f"What {name} is.") for id_, name in NAMES.items()
)
FILLER = "well you know this is just something that people often ask me when we are having lunch together"


def talk(said: dict[int, str], cues: int = 90) -> tuple[Cue, ...]:
    """A cue each ten seconds; `said` by the number of the cue."""
    return tuple(Cue(10.0 * i, 10.0 * i + 10, text=said.get(i, FILLER)) for i in range(cues))


LESSON = talk(
    {
        0: "hello and today I want to talk about strides",
        4: "so what are strides they say how far to walk",
        5: "strides are numbers and strides may be zero",
        9: "with strides you can transpose for free",
        30: "strides again because of views",
        50: "now the cashing allocator is a different thing",
        51: "what the caching allocator does is to keep memory",
        53: "the caching allocator never gives it back",
        70: "and strides are all you need",
        80: "somebody mentioned auto grad once",
    }
)


def test_the_subject_comes_first_and_begins_where_it_is_defined() -> None:
    first, second, *rest = EXPLAINER.explained(LESSON)
    assert (first.concept_id, first.depth, first.weight) == ("strides", "main", 1.0)
    assert 40 <= first.at < 50 and first.quote == LESSON[4].text
    assert second.concept_id == "caching-allocator" and 500 <= second.at < 510 and second.weight < 1
    assert not rest  # what is named once is not explained


def test_the_title_says_what_a_talk_is_about() -> None:
    cues = talk(dict.fromkeys((3, 20, 40, 60), "vmap and strides"))
    assert EXPLAINER.explained(cues, "All about V map")[0].concept_id == "vmap"
    assert EXPLAINER.explained(cues, "Strides")[0].concept_id == "strides"


def test_words_of_a_name_may_stand_apart() -> None:
    cues = talk(dict.fromkeys((10, 11, 12, 13), "then memory in the data loader or DataLoader will leak"))
    assert [e.concept_id for e in EXPLAINER.explained(cues)] == ["memory-leak"]


def test_a_cue_for_each_word_gives_the_same_places_and_a_longer_quote() -> None:
    words = tuple(
        Cue(cue.start + i, cue.start + i + 1, text=word)
        for cue in LESSON
        for i, word in enumerate(cue.text.split()[:10])
    )
    whole, split = EXPLAINER.explained(LESSON), EXPLAINER.explained(words)
    assert [e.concept_id for e in split] == [e.concept_id for e in whole]
    assert all(abs(a.at - b.at) <= 10 and len(a.quote) >= 40 for a, b in zip(split, whole, strict=True))


def test_what_is_named_in_passing_is_not_explained() -> None:
    cues = talk(dict.fromkeys(range(40), "strides matter") | dict.fromkeys((60, 61), "vmap is new"))
    assert [e.concept_id for e in EXPLAINER.explained(cues)] == ["strides"]


def test_nothing_said_nothing_explained() -> None:
    assert EXPLAINER.explained(()) == EXPLAINER.explained(talk({}), "vmap") == ()
    assert EXPLAINER.explained((Cue(0, 0, text="..."),)) == ()


def test_a_small_vocabulary_tells_what_is_explained() -> None:
    bread = [Concept(name.replace(" ", "-"), name, area="Bread") for name in ("bread", "bread oven", "bread proofing")]
    cues = talk(dict.fromkeys(range(3, 20), "bread is flour and water"))
    assert [e.concept_id for e in ExplanationFinder(bread[:1]).explained(cues)] == ["bread"]
    assert ExplanationFinder(bread).explained(cues)[0].concept_id == "bread"


def test_a_name_of_stop_words_alone_is_not_explained() -> None:
    finder = ExplanationFinder([Concept("now-and-then", "now and then", area="Area")])
    assert finder.explained(talk(dict.fromkeys(range(3, 20), "now and then it rains"))) == ()


def test_the_order_of_the_vocabulary_does_not_matter() -> None:
    concepts = [Concept(id_, name, area="Area", definition=f"What {name} is.") for id_, name in NAMES.items()]
    random.Random(7).shuffle(concepts)
    assert ExplanationFinder(concepts).explained(LESSON, "vmap") == EXPLAINER.explained(LESSON, "vmap")


@pytest.mark.slow
def test_a_flood_of_mentions_is_read_in_bounded_steps() -> None:
    flood = (Cue(0, 36_000, text="strides " * 200_000),)
    assert [e.concept_id for e in EXPLAINER.explained(flood)] == ["strides"]
