import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.extract.cases import concepts, entry
from torchatlas.extract.feeds import Entry, parse
from torchatlas.extract.forms import Titles
from torchatlas.extract.pipeline import Extractor, to_json
from torchatlas.graph.model import Episode
from torchatlas.graph.names import folded_title, words

SAMPLE = Path(__file__).parents[2] / "data" / "sample.xml"
CONCEPTS = concepts("""dispatcher, AOTAutograd, functionalization, joint graph, __torch_dispatch__, dispatch key,
channels last, NCHW, strides""")


@cache
def extractor() -> Extractor:
    return Extractor(CONCEPTS, ["How the dispatcher picks a kernel"])


def test_statements_call_what_a_text_names_itself_as_mentions_do_and_a_term_that_is_cut_short_is_the_same() -> None:
    text = "The model graphs of the dispatcher: model graphs and saved_tensors. AOTAutograd uses saved_tensors."
    (found,) = extractor().extract([entry(f"{text} AOTAutograd uses model graphs.")])
    row = json.loads(json.dumps(to_json(found, {c.id: c.name for c in CONCEPTS})))
    assert {m["concept"] for m in row["mentions"]} == {"dispatcher", "AOTAutograd", "saved_tensors"}
    assert {s["object"] for s in row["statements"]} == {"saved_tensors"}
    text = "One op registry, two op registries. One operator registry, two operator registries."
    (found,) = extractor().extract([entry(text)])
    row = json.loads(json.dumps(to_json(found, {})))
    named = {(m["concept_id"], m["concept"]) for m in row["mentions"]}
    assert named == {("operator-registry", "operator registry")} and len(row["mentions"]) == 4


def test_the_sample_feed_in_the_contracts_shape() -> None:
    feed = parse(SAMPLE.read_bytes(), "sample.xml")
    names = {c.id: c.name for c in CONCEPTS}
    shuffled = Extractor(CONCEPTS[::-1], ["How the dispatcher picks a kernel"])
    found = list(extractor().extract(feed.entries))
    assert found == list(shuffled.extract(feed.entries))
    rows = [json.loads(json.dumps(to_json(x, names))) for x in found]
    assert [row["id"] for row in rows] == ["sample-3", "sample-2", "sample-1"]
    for row in rows:
        assert set(row) == {"id", "title", "text", "mentions", "links", "statements"}
        for m in row["mentions"]:
            assert set(m) == {"concept", "concept_id", "text", "field", "start", "end"}
        assert all(set(link) == {"url", "type", "label"} for link in row["links"])
        for s in row["statements"]:
            assert set(s) == {"relation", "subject", "object", "quote"}
    assert [link["type"] for link in rows[0]["links"]] == ["github_code", "github_issue"]
    assert {(s["relation"], s["subject"], s["object"]) for s in rows[0]["statements"]} == {
        ("USES", "AOTAutograd", "functionalization"),
        ("LISTEN_AFTER", "What AOTAutograd hands to Inductor", "How the dispatcher picks a kernel"),
    }


def test_extraction_streams() -> None:
    def endless() -> object:
        number = 0
        while True:
            number += 1
            assert number < 5000, "the extractor reads ahead without end"
            yield Entry(Episode(f"s/{number}", f"Part {number}", show="s"), "The dispatcher.")

    assert next(extractor().extract(endless())).episode.title == "Part 1"  # type: ignore[arg-type]


def test_the_name_of_the_show_and_the_roles_of_a_markup_are_no_concepts() -> None:
    notes = "The Joint Graph Hour talks of a joint graph and of :func:`strides`"
    for show, expected in (("Joint Graph Hour", ["joint graph", "strides"]), ("s", None)):
        (found,) = extractor().extract([entry(notes, show=show)])
        texts = [m.text for m in found.mentions]
        assert texts == (expected or ["Joint Graph", "joint graph", "strides"])
    for label in ("See :ref:`frob_guide` for it", "See :doc:`the guide <frob_guide>` for it"):
        (found,) = extractor().extract([entry(label)])
        assert not extractor().mentions(label) and not found.mentions
    assert [m.field for m in extractor().mentions("the dispatcher", "summary")] == ["summary"]


MADE = "import sys, torchatlas.extract.pipeline as own; own.make_nlp([]);"
UNLOADED = "print({'spacy.cli', 'spacy.cli.info', 'requests', 'httpx', 'weasel'} & {*sys.modules});"
CODE = [
    (f"{MADE} {UNLOADED} from spacy.cli.info import info; print('spacy_version' in info(silent=True))", "set()\nTrue"),
    (f"{MADE} import spacy.cli; print(bool(spacy.cli.app.registered_commands))", "True"),
    (f"import spacy; {MADE} print(spacy.info.__module__)", "spacy.cli.info"),  # loaded already
]


@pytest.mark.slow
@pytest.mark.parametrize(("code", "said"), CODE)
def test_spacys_command_line_is_loaded_only_for_those_who_ask_for_it(code: str, said: str) -> None:
    run = [sys.executable, "-c", code]
    assert subprocess.run(run, check=True, capture_output=True, text=True).stdout == f"{said}\n"


@example(title="\x1b\r:", around="\x1b\r:", others=[])
@given(st.text(max_size=12), st.text(max_size=30), st.lists(st.text(max_size=5), max_size=3))
def test_no_title_that_stands_in_a_text_is_overlooked(title: str, around: str, others: list[str]) -> None:
    found = Titles([title, *others]).within(f"{around} {title}, {around}")
    assert not words(title) or folded_title(title) in map(folded_title, found)


def test_titles_are_found_but_for_case_marks_and_the_plural() -> None:
    titles = Titles(["Zero-one specialization", "Views", "View of the world", "vmap"])
    assert titles.within("On zero one Specialization, a view of the world.", [("x", "VMAP")]) == [
        "View of the world",
        "Zero-one specialization",
        "vmap",
    ]
    assert titles.of_name("nothing", "view") == titles.of_name("Views") == "Views"
    assert titles.within("the view", [("view of the worlds", "x")]) == ["View of the world"]
    assert Titles(["C++ frontend"]).within("https://example.org/episodes/c-frontend") == ["C++ frontend"]
    both = Titles(["C++ frontend", "C frontend"])
    assert [both.of_name(name) for name in ("c frontend", "C++ Frontends")] == ["C frontend", "C++ frontend"]
