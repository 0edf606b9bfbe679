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

from tests.strategies import times
from torchatlas.extract import references
from torchatlas.extract.feeds import Entry
from torchatlas.extract.pipeline import Extractor
from torchatlas.extract.references import CONCEPTS, EPISODES, FACTORY, References, statements
from torchatlas.graph.model import Concept, Episode

LABELLED = tomllib.loads((Path(__file__).parent / "stated.toml").read_text("utf-8"))
PAGE = "https://a-show.simplecast.com/episodes/"


@cache
def reader(concepts: str) -> Extractor:
    known = [Concept(name.lower(), name, area="x", aliases=tuple(aliases)) for name, *aliases in LABELLED[concepts]]
    return Extractor(known, LABELLED["titles"])


def found(notes: str, title: str = "Widgets", concepts: str = "concepts") -> set[str]:
    (extraction,) = reader(concepts).extract([Entry(Episode("s/w", title, show="s"), notes)])
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


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ('Please listen to "How the dispatcher works" first.', {"LISTEN_AFTER: How the dispatcher works"}),
        ("I recommend listening to TensorIterator before this one.", {"LISTEN_AFTER: TensorIterator"}),
        ("Listen to episode 12 first.", {"LISTEN_AFTER: episode 12"}),
        ("Please listen to S2 E1 first.", {"LISTEN_AFTER: S2 E1"}),
        ("Watch TensorIterator first.", {"LISTEN_AFTER: TensorIterator"}),
        ("You should read TensorIterator before this one.", {"LISTEN_AFTER: TensorIterator"}),
        ("Related episodes on TensorIterator and vmap.", {"RELATED_EPISODE: TensorIterator", "RELATED_EPISODE: vmap"}),
        ("Further reading. The other one {zero-one-specialization}", {"RELATED_EPISODE: Zero-one specialization"}),
        ("Related episode: TENSORITERATOR.", {"RELATED_EPISODE: TensorIterator"}),
        ("In this podcast, Inductor uses Zero-one specialization.", set()),  # a title, no concept
        ("Threads read the page first, and Inductor reads TensorIterator before it runs.", set()),
        ("You should know vmap by name.", set()),
        ("Did you listen to TensorIterator first?", set()),
        ("You need not listen to TensorIterator first.", set()),
        ("There is no need to hear TensorIterator before this one.", set()),
        ("To hear TensorIterator first is not required.", set()),
        (
            "Listen to TensorIterator first. Related episodes on TensorIterator: {tensoriterator}",
            {"LISTEN_AFTER: TensorIterator"},
        ),
        (
            "Other episodes to listen to first: {dispatcher-basics} {vmap}",
            {"LISTEN_AFTER: Dispatcher basics", "LISTEN_AFTER: vmap"},
        ),
        (
            "Other episodes to listen to first:\n\n{dispatcher-basics}\n{vmap}",
            {"LISTEN_AFTER: Dispatcher basics", "LISTEN_AFTER: vmap"},
        ),
        (
            "Listen to these first:\n  • {dispatcher-basics}\n  • {vmap}",
            {"LISTEN_AFTER: Dispatcher basics", "LISTEN_AFTER: vmap"},
        ),
        ("You might want to listen to this one before: {vmap}", {"LISTEN_AFTER: vmap"}),
        ("You might want to listen to this one before the episode on vmap.", {"LISTEN_BEFORE: vmap"}),
        ("Make sure you have heard vmap.", {"LISTEN_AFTER: vmap"}),
        ("If you haven't listened to the vmap episode, start there.", {"LISTEN_AFTER: vmap"}),
        ("This podcast is a follow-up to vmap.", {"LISTEN_AFTER: vmap"}),
        ("See also the episode on vmap.", {"RELATED_EPISODE: vmap"}),
        (
            "We said so in the vmap episode ({vmap}) and in {dispatcher-basics}.",
            {"RELATED_EPISODE: Dispatcher basics", "RELATED_EPISODE: vmap"},
        ),
        ("Prerequisites: {vmap}", {"LISTEN_AFTER: vmap"}),
    ],
)
def test_other_episodes(notes: str, expected: set[str]) -> None:
    for name in ("dispatcher-basics", "vmap", "zero-one-specialization", "tensoriterator"):
        notes = notes.replace(f"{{{name}}}", PAGE + name)
    (extraction,) = reader("concepts").extract([Entry(Episode("s/w", "Widgets", show="s"), notes)])
    assert {f"{s.relation}: {s.object}" for s in extraction.statements} == expected
    assert all(s.subject == "Widgets" for s in extraction.statements)


@pytest.mark.parametrize("before", ["Links.\n", "First of all. ", "", "Links\n"])
def test_a_link_to_an_episode_is_quoted_from_the_start_of_its_sentence_or_line(before: str) -> None:
    (extraction,) = reader("concepts").extract([Entry(Episode("s/w", "Widgets", show="s"), f"{before}See {PAGE}vmap")])
    assert [s.quote for s in extraction.statements] == [f"See {PAGE}vmap"]


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ("Fusion makes use of strides.", {("fusion", "strides")}),
        ("Inductor uses the Triton compiler.", set()),  # perhaps another thing
        ("We like Dynamo, and strides uses Triton.", {("strides", "Triton")}),
        ("We cover vmap and Dynamo uses Triton.", {("Dynamo", "Triton")}),
        ("Both vmap and Dynamo uses Triton.", {("vmap", "Triton"), ("Dynamo", "Triton")}),
        ("Dynamo uses vmap and Triton uses strides.", {("Dynamo", "vmap"), ("Triton", "strides")}),
        ("Dynamo (see also vmap) uses Triton.", {("Dynamo", "Triton")}),
        ("Does Inductor use Triton?", set()),
        ("Inductor does not use Triton, nor uses Triton strides.", set()),
        ("Perhaps Inductor uses Triton.", set()),
        ("A bug in vmap uses Triton.", set()),
        ("vmap's author uses Triton.", set()),
        ("Dynamo uses Inductor's cache.", set()),
        ("Inductor uses Inductor.", set()),
        ("Dynamo and Inductor", set()),
    ],
)
def test_what_is_stated_of_concepts(notes: str, expected: set[tuple[str, str]]) -> None:
    (extraction,) = reader("concepts").extract([Entry(Episode("s/w", "Widgets", show="s"), notes)])
    assert {(s.subject, s.object) for s in extraction.statements} == expected


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


EXTRACTOR = Extractor((), ["Lanterns"])


def stated(notes: str) -> set[tuple[str, str, str]]:
    (extraction,) = EXTRACTOR.extract([Entry(Episode("s/w", "Widgets", show="s"), notes)])
    return {(s.relation, s.subject, s.object) for s in extraction.statements}


@pytest.mark.parametrize(
    ("then", "after"), [("listen to it first", True), ("do not listen to it first", False), ("don't worry", False)]
)
def test_what_follows_may_take_advice_back(then: str, after: bool) -> None:
    found = stated(f"If you have not heard Lanterns, {then}.")
    assert found == ({("LISTEN_AFTER", "Widgets", "Lanterns")} if after else set())


@pytest.mark.parametrize(
    "number",
    [
        *("episode 12", "Episode #12", "Ep. 12", "#12"),
        *(
            "S2 E1",
            "S1E5",
            "S1:E4",
            "Season 1, ep. 4",
            "season 1 episode 4",
            "episode 5 of season 2",
            "episode 5 of s2",
        ),
    ],
)
def test_an_episode_is_named_by_its_number(number: str) -> None:
    assert stated(f"Please listen to {number} first.") == {("LISTEN_AFTER", "Widgets", number)}
    assert stated(f"This is a follow-up to {number} of our podcast.") == (
        {("LISTEN_AFTER", "Widgets", number)} if number != "#12" else set()
    )


def test_a_part_of_an_episode_that_is_to_be_heard_first_is_a_need_to_hear_that_episode() -> None:
    after = {("LISTEN_AFTER", "Widgets", "Lanterns")}
    assert stated("Listen to the first minutes of Lanterns first.") == after
    assert stated("Listen to these first, please: Lanterns") == after


@pytest.mark.parametrize(
    "notes",
    [
        "Listen to the first half of this, episode 2 has more.",
        "Listen to this first episode, episode 2 comes next.",
        "Listen to this first, episode 2 builds on it.",
        "Hear the first minutes of this, on episode 2 we say more.",
    ],
)
def test_what_is_called_first_is_not_to_be_heard_first(notes: str) -> None:
    assert stated(notes) == set()


@pytest.mark.parametrize(
    "notes",
    [
        "Listen to episode 6 of Rustacean Station first.",
        "Listen to episode 8 of the other show first.",
        "Listen to episode 3 (of Oxide and Friends) first.",
        "Listen to episode 5 of the show Serial first.",
        "Listen to episode 5 on Go Time first.",
        "Watch Star Trek S1E5 before.",
        "Listen to Star Trek S1E5 first.",
        "This is a follow-up to Serial's episode 5.",
        "Related episodes: Go Time, episode 5.",
        "Before listening, watch S1E5 of Serial.",
        "Related episodes: episode 3 of Oxide and Friends.",
        "This is a follow-up to episode 10 of the Go Time podcast.",
        "Listen to episode 5 (season two) first.",
        "Listen to episode 5 from last season first.",
        "This is a follow-up to the second season's episode 5.",
        "Listen to episode 1.5 first.",
        "Listen to episode 3-5 first.",
        "This is a follow-up to #12.",
        "Listen to 2x01 first.",
    ],
)
def test_the_number_of_what_may_be_another_show_or_season_names_no_episode(notes: str) -> None:
    assert stated(notes) == set()
