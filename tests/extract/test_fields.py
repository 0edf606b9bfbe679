"""Fields: key words count where a text is on another field, and doubtful words of the vocabulary do not."""

from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.extract.extractor import Extractor
from torchatlas.extract.mentions.fields import beside, is_elsewhere
from torchatlas.extract.mentions.known_terms import key_words
from torchatlas.extract.mentions.noun_phrases import Span
from torchatlas.graph.values.model import Concept
from torchatlas.inputs.bundled import bundled

EXTRACTOR = Extractor(load_vocabulary(bundled("concepts", ".toml")).concepts)
ELSEWHERE = (
    "The coordinator asks each participant, and a follower that lost its lease must not vote. "
    "A nightly job is slow that day, so we wait for the coordinator a while and then begin again from the start."
)


def found(text: str) -> list[str]:
    return [mention.text for mention in EXTRACTOR.mentions(text)]


def test_key_words_count_in_a_text_on_another_field_and_words_of_the_vocabularys_field_do_not() -> None:
    assert found(ELSEWHERE) == ["coordinator", "participant", "follower", "lease", "coordinator"]


def test_key_words_do_not_count_in_a_text_on_the_vocabularys_field() -> None:
    near = "AOTAutograd, Inductor and FSDP: nightly, autograd, dispatcher, FakeTensor."
    assert found(f"{near} The coordinator asks each participant.") == [*found(near)]
    assert "nightly" in found(near)


def test_a_small_vocabulary_does_not_tell_what_a_text_is_about_so_that_its_words_count() -> None:
    concept = Concept("nightly-build", "nightly build", area="Tooling", in_texts=("nightly",))
    assert "nightly" in [mention.text for mention in Extractor([concept]).mentions(ELSEWHERE)]


def test_a_text_that_is_too_short_to_tell_has_no_key_words() -> None:
    assert found("A coordinator and a follower") == []
    assert not is_elsewhere([], set(), 18) and is_elsewhere([], set(), 19)


def test_a_key_word_is_no_part_of_a_joined_word_and_ends_a_sentence() -> None:
    rest = " who reads on will see that there is nothing to be found in what they wrote to us of it on that day"
    assert found(f"The x-coordinator and coordinator/y, or {rest}; see the coordinator.") == ["coordinator"]


def test_what_is_found_otherwise_takes_the_place_of_a_key_word() -> None:
    assert beside([Span(4, 20, "offload-executor")], [Span(12, 20, "executor"), Span(0, 3, "span")]) == [
        Span(0, 3, "span"),
        Span(4, 20, "offload-executor"),
    ]


def test_no_key_word_is_a_name_that_is_known_anyway() -> None:
    names = {form for form, group in EXTRACTOR.finder.forms.items() for f in group if f.concept_id not in KEY_IDS}
    assert names.isdisjoint(word["name"] for word in key_words())


KEY_IDS = {word["id"] for word in key_words()}
