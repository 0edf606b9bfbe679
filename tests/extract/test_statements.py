import tomllib
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import times
from torchatlas.extract.extractor import Extractor
from torchatlas.extract.feeds import Entry
from torchatlas.extract.statements.relations import EPISODES, IDIOMS
from torchatlas.graph.values.findings import Statement
from torchatlas.graph.values.model import Concept, Episode

NAMES = (
    "vmap",
    "Dynamo",
    "Inductor",
    "AOTAutograd",
    "functorch",
    "Triton",
    "NCHW",
    "NHWC",
    "DTensor",
    "FP8",
    "dispatcher",
    "strides",
    "memory layout",
    "tensor subclass",
    "FX graph",
    "TorchScript",
    "torch.export",
    "shared library",
    "Liskov substitution principle",
)
TITLES = ("Widgets", "How the dispatcher works", "TensorIterator", "vmap", "Zero-one specialization")


@cache
def extractor() -> Extractor:
    return Extractor(
        [Concept(n.lower(), n, area="x", aliases=("export",) if n == "torch.export" else ()) for n in NAMES], TITLES
    )


def statements(notes: str, title: str = "Widgets") -> tuple[Statement, ...]:
    (extraction,) = extractor().extract([Entry(Episode("s/w", title, show="s"), notes)])
    for s in extraction.statements:
        assert extraction.text[s.start : s.start + len(s.quote)] == s.quote and s.quote and s.field == "description"
    return extraction.statements


def stated(notes: str) -> set[tuple[str, str, str]]:
    return {(s.relation, s.subject, s.object) for s in statements(notes) if s.sure}


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ("Memory layout makes use of strides.", {("USES", "memory layout", "strides")}),
        ("Inductor uses the Triton compiler.", {("USES", "Inductor", "Triton")}),
        ("Triton is used by Inductor.", {("USES", "Inductor", "Triton")}),
        ("Dynamo relies on the FX graph.", {("USES", "Dynamo", "FX graph")}),
        ("AOTAutograd is implemented using the dispatcher.", {("IMPLEMENTED_WITH", "AOTAutograd", "dispatcher")}),
        (
            "Tensor subclasses are handy. They were used to build DTensor, FP8 and vmap.",
            {("IMPLEMENTED_WITH", n, "tensor subclass") for n in ("DTensor", "FP8", "vmap")},
        ),
        ("vmap is a sort of generalization of strides.", {("EXTENDS", "vmap", "strides")}),
        ("NCHW versus NHWC", {("ALTERNATIVE_TO", "NCHW", "NHWC")}),
        ("We like Dynamo, and strides use Triton.", {("USES", "strides", "Triton")}),
        ("TorchScript is an alternative to torch.export.", {("ALTERNATIVE_TO", "TorchScript", "torch.export")}),
        ("Dynamo produces an FX graph.", {("PRODUCES", "Dynamo", "FX graph")}),
        (
            "Inductor is a tool that lets you export a model into a shared library.",
            {("PRODUCES", "Inductor", "shared library")},
        ),
        ("vmap is part of functorch.", {("PART_OF", "vmap", "functorch")}),
        ("AOTAutograd runs before Inductor.", {("RUNS_BEFORE", "AOTAutograd", "Inductor")}),
        ("AOTAutograd runs after Dynamo.", {("RUNS_AFTER", "AOTAutograd", "Dynamo")}),
        ("To understand vmap, you should know strides.", {("REQUIRES_KNOWING", "vmap", "strides")}),
        ("Dynamo (see also vmap) uses the FX graph.", {("USES", "Dynamo", "FX graph")}),
        ("Dynamo, which is new, uses Triton, and Inductor lowers it.", {("USES", "Dynamo", "Triton")}),
        ("With vmap, Dynamo uses Triton.", {("USES", "Dynamo", "Triton")}),
        ("We cover vmap and Dynamo uses Triton.", {("USES", "Dynamo", "Triton")}),
        ("Both vmap and Dynamo use Triton.", {("USES", "vmap", "Triton"), ("USES", "Dynamo", "Triton")}),
        ("functorch, vmap, and Dynamo use Triton.", {("USES", n, "Triton") for n in ("functorch", "vmap", "Dynamo")}),
        ("It is like vmap, and Dynamo, too, use Triton.", set()),
        ("Dynamo is a tracer. It is new. It uses Triton.", {("USES", "Dynamo", "Triton")}),
        ("Dynamo is a tracer. We like cats. It uses Triton.", set()),
        ("Dynamo uses vmap as well as DTensor.", {("USES", "Dynamo", "vmap"), ("USES", "Dynamo", "DTensor")}),
        ("vmap or Dynamo use Triton.", {("USES", "vmap", "Triton"), ("USES", "Dynamo", "Triton")}),
        ("This is certainly not new: Dynamo uses Triton.", {("USES", "Dynamo", "Triton")}),
        ("Dynamo reads it slowly and relies on Triton.", {("USES", "Dynamo", "Triton")}),
        ("vmap/Dynamo use Triton.", {("USES", "vmap", "Triton"), ("USES", "Dynamo", "Triton")}),
        ("Strides are fast, and they use Triton.", {("USES", "strides", "Triton")}),
        ("vmap is fast, and this uses Triton.", {("USES", "vmap", "Triton")}),
        (
            "Dynamo is a tracer. It calls vmap. This mechanism uses Triton.",
            {("USES", "Dynamo", "vmap"), ("USES", "vmap", "Triton")},
        ),
        ("Dynamo uses functorch's strides.", {("USES", "Dynamo", "strides")}),
        ("vmap is a transform written in functorch.", {("IMPLEMENTED_WITH", "vmap", "functorch")}),
        ("Parts of Dynamo:\n  • vmap, new\n  • DTensor", {("PART_OF", n, "Dynamo") for n in ("vmap", "DTensor")}),
    ],
)
def test_what_is_stated(notes: str, expected: set[tuple[str, str, str]]) -> None:
    assert expected <= stated(notes)
    assert len(stated(notes)) == len(expected)


@pytest.mark.parametrize(
    "notes",
    [
        "Does Inductor use Triton?",
        "Does Inductor use Triton",
        "How does Inductor use Triton",
        "In this podcast, Inductor uses TensorIterator.",  # a title, no concept
        "What makes it that vmap is part of functorch?",
        "Inductor does not use Triton.",
        "Dynamo might use Triton.",
        "Perhaps vmap is part of functorch.",
        "Dynamo and Inductor",
        "Dynamo, AOTAutograd, Inductor: three words",
        "Inductor lowering. Uses of Triton.",
        "Old notes about strides in functorch https://x.invalid/a",
        "Inductor works. Triton uses registers.",
        "vmap extends to dispatcher",
        "Inductor uses Inductor.",
        "Dynamo uses Inductor's cache.",  # not Inductor itself
        "A vmap call under Dynamo is slow.",  # a noun, no verb
    ],
)
def test_what_is_not_stated(notes: str) -> None:
    assert stated(notes) == set()


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        (
            'Please listen to "How the dispatcher works" first.',
            {("LISTEN_AFTER", "Widgets", "How the dispatcher works")},
        ),
        ("I recommend listening to TensorIterator before this one.", {("LISTEN_AFTER", "Widgets", "TensorIterator")}),
        ("Listen to episode 12 first.", {("LISTEN_AFTER", "Widgets", "episode 12")}),
        ("Please listen to S2 E1 first.", {("LISTEN_AFTER", "Widgets", "S2 E1")}),
        (
            "Related episodes on TensorIterator and vmap.",
            {("RELATED_EPISODE", "Widgets", "TensorIterator"), ("RELATED_EPISODE", "Widgets", "vmap")},
        ),
        (
            "Further reading. The other one https://a-show.simplecast.com/episodes/zero-one-specialization",
            {("RELATED_EPISODE", "Widgets", "Zero-one specialization")},
        ),
        ("Related episode: TENSORITERATOR.", {("RELATED_EPISODE", "Widgets", "TensorIterator")}),
        ("This podcast assumes you know about the dispatcher.", {("REQUIRES_KNOWING", "Widgets", "dispatcher")}),
        ("You should know vmap by name.", set()),
    ],
)
def test_other_episodes(notes: str, expected: set[tuple[str, str, str]]) -> None:
    assert stated(notes) == expected


@pytest.mark.parametrize("pronoun", ["It", "This"])
def test_a_pronoun_at_the_start_stands_for_what_the_title_names(pronoun: str) -> None:
    (found,) = statements(f"{pronoun} uses Triton.", title="All about Dynamo")
    assert (found.relation, found.subject, found.object) == ("USES", "Dynamo", "Triton")


@pytest.mark.parametrize("before", ["Links.\n", "First of all. ", "", "Links\n"])
def test_a_link_to_an_episode_is_quoted_from_the_start_of_its_sentence_or_line(before: str) -> None:
    (found,) = statements(f"{before}See https://a-show.simplecast.com/episodes/vmap")
    assert found.quote == "See https://a-show.simplecast.com/episodes/vmap"


def test_an_episode_to_hear_first_is_not_also_related() -> None:
    notes = "Listen to TensorIterator first. Related episodes on TensorIterator: https://a-show.simplecast.com/episodes/tensoriterator"
    assert stated(notes) == {("LISTEN_AFTER", "Widgets", "TensorIterator")}


LABELLED = tomllib.loads((Path(__file__).parent / "stated.toml").read_text("utf-8"))


@cache
def reader(concepts: str) -> Extractor:
    return Extractor(
        [Concept(name.lower(), name, area="x", aliases=tuple(aliases)) for name, *aliases in LABELLED[concepts]],
        LABELLED["titles"],
    )


Labelled = list[tuple[str, str, list[str]]]
SENTENCES: Labelled = [
    ("Widgets", text, labels) for key in ("sentences", "more", "rows", "readings") for text, *labels in LABELLED[key]
]
NOTES: Labelled = [(notes["title"], notes["text"], notes["states"]) for notes in LABELLED["notes"]]


def found(title: str, notes: str, concepts: str = "concepts") -> set[str]:
    (extraction,) = reader(concepts).extract([Entry(Episode("s/w", title, show="s"), notes)])
    for s in extraction.statements:
        assert extraction.text[s.start : s.start + len(s.quote)] == s.quote and s.quote and s.field == "description"
    return {f"{s.relation}: {s.subject} > {s.object}" for s in extraction.statements if s.sure}


def exact(labels: list[str]) -> set[str]:
    """Return what the rules find in a text with these labels."""
    return {label.removeprefix("wrong ") for label in labels if not label.startswith("missed ")}


@pytest.mark.parametrize(("title", "text", "labels"), [*SENTENCES, *NOTES])
def test_a_labelled_text_is_read_as_labelled_but_for_the_marked_mistakes(
    title: str, text: str, labels: list[str]
) -> None:
    assert found(title, text) == exact(labels)


@pytest.mark.parametrize(("text", "labels"), [(text, labels) for text, *labels in LABELLED["others"]])
def test_a_text_on_other_systems_is_read_as_labelled(text: str, labels: list[str]) -> None:
    assert found("Widgets", text, "other_concepts") == exact(labels)


@pytest.mark.parametrize("row", [row for _, _, row in (*IDIOMS, *EPISODES)])
def test_without_any_one_row_a_labelled_text_is_read_otherwise(row: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = reader("concepts").statements.rules
    relations = tuple(f"{relation}: " for relation, _, pattern in (*IDIOMS, *EPISODES) if pattern == row)
    texts = [case for case in (*SENTENCES, *NOTES) if any(label.startswith(relations) for label in exact(case[2]))]
    others = {word: [rule for rule in group if rule.pattern != row] for word, group in rules.by_key.items()}
    monkeypatch.setattr(rules, "by_key", others)
    assert any(found(title, text) != exact(labels) for title, text, labels in texts)


@pytest.mark.parametrize("labelled", [SENTENCES, NOTES])
def test_the_marked_mistakes_are_few(labelled: Labelled) -> None:
    labels = [label for *_, labels in labelled for label in labels]
    missed, wrong = (sum(label.startswith(mark) for label in labels) for mark in ("missed ", "wrong "))
    right = len(labels) - missed - wrong
    assert right >= 0.95 * (right + wrong) and right >= 0.80 * (right + missed)


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ("Other episodes to listen to first: {dispatcher} {vmap}", {"LISTEN_AFTER: dispatcher", "LISTEN_AFTER: vmap"}),
        (
            "Other episodes to listen to first:\n\n{dispatcher}\n{vmap}",
            {"LISTEN_AFTER: dispatcher", "LISTEN_AFTER: vmap"},
        ),
        ("Listen to these first:\n  • {dispatcher}\n  • {vmap}", {"LISTEN_AFTER: dispatcher", "LISTEN_AFTER: vmap"}),
        ("You might want to listen to this one before: {vmap}", {"LISTEN_AFTER: vmap"}),
        ("You might want to listen to this one before the episode on vmap.", {"LISTEN_BEFORE: vmap"}),
        ("Make sure you have heard vmap.", {"LISTEN_AFTER: vmap"}),
        ("If you haven't listened to the vmap episode, start there.", {"LISTEN_AFTER: vmap"}),
        ("This podcast is a follow-up to vmap.", {"LISTEN_AFTER: vmap"}),
        ("See also the episode on vmap.", {"RELATED_EPISODE: vmap"}),
        (
            "We said so in the vmap episode ({vmap}) and in {dispatcher}.",
            {"RELATED_EPISODE: dispatcher", "RELATED_EPISODE: vmap"},
        ),
        ("Prerequisites: {vmap}", {"LISTEN_AFTER: vmap"}),
    ],
)
def test_declared_order_between_episodes(notes: str, expected: set[str]) -> None:
    page = "https://a-show.simplecast.com/episodes/"
    text = notes.format(dispatcher=page + "dispatcher-basics", vmap=page + "vmap")
    short = {s.replace("Widgets > ", "").replace("Dispatcher basics", "dispatcher") for s in found("Widgets", text)}
    assert short == expected


PIECES = """Dynamo|Inductor|vmap|FX graphs|it|They|this mechanism|uses|is|built on|and|which|,|:|;|(|)|.|?|'s|lets you|
by|tracing|into|before|after|between|first|listen to|the episode about|Prerequisites:|https://a.simplecast.com/episodes/vmap
|https://x.invalid/a|\n|\n\n|\n  • |\n    • | - |…|\u200f|'"""


@settings(max_examples=times(300), deadline=None)
@given(st.lists(st.sampled_from(PIECES.split("|")), max_size=30))
def test_any_text_is_read_and_every_quote_is_verbatim(pieces: list[str]) -> None:
    found("Widgets", " ".join(pieces))


def test_idioms_know_the_parts_that_the_table_of_predicates_knows() -> None:
    assert ("PART_OF", "vmap", "Dynamo") in stated("There is a mode of Dynamo called vmap.")
