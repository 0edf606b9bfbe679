"""What texts say of other episodes and between concepts, found by a component of spaCy's."""

import sys
import tomllib
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
import spacy
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extract.cases import cases, entry, pairs
from tests.strategies import times
from torchatlas.extract import references
from torchatlas.extract.pipeline import Extractor
from torchatlas.extract.references import CONCEPTS, EPISODES, FACTORY, References, statements
from torchatlas.graph.model import Concept

LABELLED = tomllib.loads((Path(__file__).parent / "stated.toml").read_text("utf-8"))
PAGE = "https://a-show.simplecast.com/episodes/"


@cache
def reader(concepts: str) -> Extractor:
    known = [Concept(name.lower(), name, area="x", aliases=tuple(aliases)) for name, *aliases in LABELLED[concepts]]
    return Extractor(known, LABELLED["titles"])


def found(notes: str, title: str = "Widgets", concepts: str = "concepts") -> set[str]:
    (extraction,) = reader(concepts).extract([entry(notes, title)])
    for s in extraction.statements:
        assert extraction.text[s.start : s.start + len(s.quote)] == s.quote and s.quote and s.field == "description"
        assert s.subject != s.object
    return {f"{s.relation}: {s.subject} > {s.object}" for s in extraction.statements}


CASES = [
    *((text, "Widgets", "concepts", labels) for text, *labels in LABELLED["sentences"]),
    *((text, "Widgets", "other_concepts", labels) for text, *labels in LABELLED["others"]),
    *((notes["text"], notes["title"], "concepts", notes["states"]) for notes in LABELLED["notes"]),
]


@pytest.mark.parametrize(("text", "title", "concepts", "labels"), CASES)
def test_a_labelled_text_is_read_as_labelled(text: str, title: str, concepts: str, labels: list[str]) -> None:
    assert found(text, title, concepts) == set(labels)


def test_without_any_one_row_a_labelled_text_is_read_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    asserted, left_out, used = references._asserted, set[int](), set[int]()

    def noted(texts: Any, start: int, end: int, place: int) -> bool:
        used.add(place)
        return place not in left_out and asserted(texts, start, end, place)

    monkeypatch.setattr(references, "_asserted", noted)
    needed = set()
    for text, title, concepts, labels in CASES:
        used.clear()
        if labels and found(text, title, concepts) == set(labels):
            for row in used - needed:
                left_out = {row}
                needed |= left_out if found(text, title, concepts) != set(labels) else set()
                left_out = set()
    assert needed == set(range(len(EPISODES) + len(CONCEPTS)))


FIRST = r"""
    Please listen to "How the dispatcher works" first. => How the dispatcher works
    Listen to episode 12 first. => episode 12
    I recommend listening to TensorIterator before this one. => TensorIterator | Please listen to S2 E1 first. => S2 E1
    Watch TensorIterator first. => TensorIterator | You should read TensorIterator before this one. => TensorIterator
    Listen to TensorIterator first. Related episodes on TensorIterator: {tensoriterator} => TensorIterator
    Other episodes to listen to first: {dispatcher-basics} {vmap} => Dispatcher basics, vmap
    Other episodes to listen to first:\n\n{dispatcher-basics}\n{vmap} => Dispatcher basics, vmap
    Listen to these first:\n  • {dispatcher-basics}\n  • {vmap} => Dispatcher basics, vmap
    Prerequisites: {vmap} => vmap
    You might want to listen to this one before: {vmap} => vmap | Make sure you have heard vmap. => vmap
    If you haven't listened to the vmap episode, start there. => vmap | This podcast is a follow-up to vmap. => vmap
    If you have not heard Memory layout, listen to it first. => Memory layout
    Listen to the first minutes of Memory layout first. => Memory layout
    Listen to these first, please: Memory layout => Memory layout
"""
LATER = "You might want to listen to this one before the episode on vmap. => vmap"
RELATED = """
    Related episodes on TensorIterator and vmap. => TensorIterator, vmap | See also the episode on vmap. => vmap
    Further reading. The other one {zero-one-specialization} => Zero-one specialization
    Related episode: TENSORITERATOR. => TensorIterator
    We said so in the vmap episode ({vmap}) and in {dispatcher-basics}. => Dispatcher basics, vmap
"""
NOTHING = """
    In this podcast, Inductor uses Zero-one specialization. | You should know vmap by name.
    Threads read the page first, and Inductor reads TensorIterator before it runs.
    Did you listen to TensorIterator first? | You need not listen to TensorIterator first.
    There is no need to hear TensorIterator before this one. | To hear TensorIterator first is not required.
    If you have not heard Memory layout, do not listen to it first. | If you have not heard Memory layout, don't worry.
    Listen to the first half of this, episode 2 has more. | Listen to this first episode, episode 2 comes next.
    Listen to this first, episode 2 builds on it. | Hear the first minutes of this, on episode 2 we say more.
"""
OF_ANOTHER_SHOW_OR_SEASON = """
    Listen to episode 6 of Rustacean Station first. | Listen to episode 8 of the other show first.
    Listen to episode 3 (of Oxide and Friends) first. | Listen to episode 5 of the show Serial first.
    Listen to episode 5 on Go Time first. | Watch Star Trek S1E5 before. | Listen to Star Trek S1E5 first.
    This is a follow-up to Serial's episode 5. | Related episodes: Go Time, episode 5.
    Before listening, watch S1E5 of Serial. | Related episodes: episode 3 of Oxide and Friends.
    This is a follow-up to episode 10 of the Go Time podcast. | Listen to episode 5 (season two) first.
    Listen to episode 5 from last season first. | This is a follow-up to the second season's episode 5.
    Listen to episode 1.5 first. | Listen to episode 3-5 first. | This is a follow-up to #12. | Listen to 2x01 first.
"""
ADVICE = (("LISTEN_AFTER", FIRST), ("LISTEN_BEFORE", LATER), ("RELATED_EPISODE", RELATED))
STATED = [(kind, *pair) for kind, table in ADVICE for pair in pairs(table)]
STATED += [("", notes, "") for notes in cases(NOTHING + OF_ANOTHER_SHOW_OR_SEASON)]


@pytest.mark.parametrize(("relation", "notes", "expected"), STATED)
def test_other_episodes(relation: str, notes: str, expected: str) -> None:
    for name in ("dispatcher-basics", "vmap", "zero-one-specialization", "tensoriterator"):
        notes = notes.replace(f"{{{name}}}", PAGE + name)
    (extraction,) = reader("concepts").extract([entry(notes.replace(r"\n", "\n"))])
    stated = {(s.relation, s.subject, s.object) for s in extraction.statements}
    assert stated == {(relation, "Widgets", title) for title in expected.split(", ") if title}


@pytest.mark.parametrize("before", ["Links.\n", "First of all. ", "", "Links\n"])
def test_a_link_to_an_episode_is_quoted_from_the_start_of_its_sentence_or_line(before: str) -> None:
    (extraction,) = reader("concepts").extract([entry(f"{before}See {PAGE}vmap")])
    assert [s.quote for s in extraction.statements] == [f"See {PAGE}vmap"]


OF_CONCEPTS = """
    Fusion makes use of strides. => fusion > strides | We like Dynamo, and strides uses Triton. => strides > Triton
    We cover vmap and Dynamo uses Triton. => Dynamo > Triton | Dynamo (see also vmap) uses Triton. => Dynamo > Triton
    Both vmap and Dynamo uses Triton. => vmap > Triton, Dynamo > Triton
    Dynamo uses vmap and Triton uses strides. => Dynamo > vmap, Triton > strides
    Inductor uses the Triton compiler. => | Does Inductor use Triton? => | Perhaps Inductor uses Triton. =>
    Inductor does not use Triton, nor uses Triton strides. => | A bug in vmap uses Triton. => | Dynamo and Inductor =>
    vmap's author uses Triton. => | Dynamo uses Inductor's cache. => | Inductor uses Inductor. =>
"""


@pytest.mark.parametrize(("notes", "expected"), pairs(OF_CONCEPTS))
def test_what_is_stated_of_concepts(notes: str, expected: str) -> None:
    (extraction,) = reader("concepts").extract([entry(notes)])
    assert {f"{s.subject} > {s.object}" for s in extraction.statements} == {s for s in expected.split(", ") if s}


def test_the_component_reads_any_doc_with_a_tokenizer_alone() -> None:
    nlp = spacy.blank("en")
    component = nlp.add_pipe(FACTORY, config={"titles": ["Views"], "names": {"vmap": "vmap", "jax": "JAX"}})
    assert nlp.get_pipe_meta(FACTORY).assigns == ["doc.spans"]
    doc = nlp.make_doc("Listen to Views first. vmap is an extension of JAX.")
    doc.spans["concepts"] = [doc.char_span(23, 27, "vmap"), doc.char_span(47, 50, "jax")]
    component(doc)
    assert [(s.relation, s.subject, s.object, s.quote) for s in statements(doc, "Strides")] == [
        ("LISTEN_AFTER", "Strides", "Views", "Listen to Views first"),
        ("EXTENDS", "vmap", "JAX", "vmap is an extension of JAX"),
    ]
    assert statements(nlp("See the Views episode."), "Views") == ()


PIECES = """Dynamo|Inductor|vmap|FX graphs|it|They|this mechanism|uses|is|built on|and|which|,|:|;|(|)|.|?|'s|lets you|
by|tracing|into|before|after|between|first|listen to|the episode about|Prerequisites:|https://a.simplecast.com/episodes/vmap
|https://x.invalid/a|\n|\n\n|\n  • |\n    • | - |…|\u200f|'"""


@settings(max_examples=times(300), deadline=None)
@given(st.lists(st.sampled_from(PIECES.split("|")), max_size=30))
def test_any_text_is_read_and_every_quote_is_verbatim(pieces: list[str]) -> None:
    found(" ".join(pieces))


def steps(text: str) -> int:
    """Return how many instructions of the module run while a text is read."""
    count = 0

    def step(_: FrameType, event: str, __: Any) -> Any:
        nonlocal count
        count += event == "opcode"
        return step

    def trace(frame: FrameType, _: str, __: Any) -> Any:
        frame.f_trace_opcodes = frame.f_code.co_filename == references.__file__
        return step if frame.f_trace_opcodes else None

    nlp = spacy.blank("en")
    component, doc = References(nlp, titles=["Widgets"]), nlp.make_doc(text)
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        component(doc)
    finally:
        sys.settrace(before)
    return count


@pytest.mark.parametrize("piece", ["episode 12, ", "Widgets, ", "Widgets, episode 12, ", f"See {PAGE}vmap "])
def test_to_read_a_text_takes_steps_in_proportion_to_its_length(piece: str) -> None:
    steps("Widgets")
    assert steps(piece * 400) < 3 * steps(piece * 200)


NUMBERS = """episode 12 | Episode #12 | Ep. 12 | #12 | S2 E1 | S1E5 | S1:E4 | Season 1, ep. 4 | season 1 episode 4
    episode 5 of season 2 | episode 5 of s2"""


@pytest.mark.parametrize("number", cases(NUMBERS))
def test_an_episode_is_named_by_its_number(number: str) -> None:
    for notes in (f"Please listen to {number} first.", f"This is a follow-up to {number} of our podcast."):
        (extraction,) = reader("concepts").extract([entry(notes)])
        named = [] if number == "#12" and "follow-up" in notes else [("LISTEN_AFTER", "Widgets", number)]
        assert [(s.relation, s.subject, s.object) for s in extraction.statements] == named
