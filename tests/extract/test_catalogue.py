from collections.abc import Callable
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import catalogue, each, rows, vocabulary
from torchatlas.extract.catalogue import (
    KINDS,
    NEEDS,
    ConceptForm,
    line_of,
    load_catalogue,
    load_vocabulary,
    parse_corrections,
)
from torchatlas.extract.extraction_cache import ExtractionCache, key
from torchatlas.graph.build import join_graph
from torchatlas.graph.corrections import DroppedEdge, Merge, NewEdge, Realias, Rename, Split, Topic
from torchatlas.graph.errors import DataError, UnknownName
from torchatlas.graph.findings import Catalogue, Vocabulary
from torchatlas.graph.model import Show
from torchatlas.graph.questions import Resolver

AREA = """area = "A"
[autograd]\nname = "autograd"\nphrases = ["the tape"]\ndefinition = "d"
[vmap]\nname = "vmap"\ndefinition = "d"
[dispatcher]\nname = "dispatcher"\ndefinition = "d"
"""
VOCABULARY = load_vocabulary([("v.toml", AREA)], ("unplaced.toml", '"a joke" = "none"'))
ONE = """number = 1
title = "First"
basis = "transcript"
summary = "s"
teaches = [
    { concept = "The tape", at = 9, depth = "part" },
    { concept = "autograd", at = 30, depth = "main" },
    { concept = "a joke", depth = "part" },
]
assumes = [
    { concept = "dispatcher", at = 5, how = "silent", why = "w" },
    { concept = "autograd", how = "silent" },
]
refers_to = [{ title = "the second", episode = 2, at = 7, relation = "listen_first" }]
relations = [
    { subject = "autograd", relation = "USES", object = "dispatcher", at = 40 },
    { subject = "autograd", relation = "USES", object = "vmap" },
]
"""
TWO = 'number = 2\ntitle = "Second"\nbasis = "title"\nhear_next = ["third"]\n'
THREE = 'number = 3\ntitle = "Third"\nbasis = "title"\n'


def load(one: str = ONE) -> Catalogue:
    return load_catalogue([("1.toml", one), ("2.toml", TWO), ("3.toml", THREE)], VOCABULARY, Show("show", "Show"))


def test_episodes_become_values() -> None:
    c = load()
    # The main one of two wordings wins; what it teaches it does not assume.
    assert [(t.source, t.target, t.depth, t.at) for t in c.teaches] == [("show/first", "autograd", "main", 30)]
    assert [(a.target, a.at, a.why) for a in c.assumes] == [("dispatcher", 5, "w")]
    after = {(e.source, e.target) for e in c.listen_after}
    assert after == {("show/first", "show/second"), ("show/third", "show/second")}
    # A relation without a second is left out.
    assert [(r.kind, r.source, r.target, r.at) for r in c.relations] == [("USES", "autograd", "dispatcher", 40)]
    assert (c.episodes[1].published, c.episodes[1].minutes, c.episodes[1].url) == (None, None, None)


GOOD = """area = "Compilation"

[aotautograd]
name = "AOTAutograd"
aliases = ["AOT Autograd"]
phrases = ["tracing ahead of time"]
definition = "Traces forward and backward ahead of time."
source = ["torch/_functorch/aot_autograd.py"]
hear.functionalization = "its graphs must be free of mutation"
part_of.fx-graph = "for the test"

[functionalization]
name = "functionalization"
definition = "Removes mutation."

[fx-graph]
name = "FX graph"
definition = "A list of calls."
bridge.functionalization = "for the test"
in_texts = ["FX"]
"""


def test_a_file_becomes_values() -> None:
    v = load_vocabulary([("a.toml", GOOD)], ("unplaced.toml", '"a joke" = "no concept"'))
    concept = v.concepts[0]
    assert (concept.id, concept.area, concept.aliases) == ("aotautograd", "Compilation", ("AOT Autograd",))
    assert [(r.source, r.target, r.need) for r in v.requires] == [
        ("aotautograd", "functionalization", "hear"),
        ("fx-graph", "functionalization", "bridge"),
    ]
    assert [(r.kind, r.target, r.reason) for r in v.relations] == [("PART_OF", "fx-graph", "for the test")]
    assert [c.in_texts for c in v.concepts] == [(), (), ("FX",)]
    assert [c.phrases for c in v.concepts] == [("tracing ahead of time",), (), ()]
    assert v.unplaced == {"a joke": "no concept"}


def test_an_id_or_a_phrase_in_two_files_is_refused() -> None:
    other = 'area = "X"\n\n[fx-graph]\nname = "other"\ndefinition = "d"\n'
    with pytest.raises(DataError, match=r"b.toml:3: fx-graph is defined in a.toml:16 too"):
        load_vocabulary([("a.toml", GOOD), ("b.toml", other)])
    with pytest.raises(DataError, match=r"unplaced.toml:2: 'tracing ahead of time' is claimed by aotautograd"):
        load_vocabulary(
            [("a.toml", GOOD)],
            ("unplaced.toml", '"a joke" = "tracing ahead of time"\n"tracing ahead of time" = "twice"'),
        )


@pytest.mark.parametrize("key", [*NEEDS, *KINDS])
def test_the_form_has_every_kind_of_relation(key: str) -> None:
    form = ConceptForm.model_validate({"name": "A", key: {"b": "why"}})
    assert list(form.edges()) == [(key, "b", "why")]


CORRECTIONS = """
[topic.flex]
name = "Flex"
definition = "A thing of mine."
hear.inductor = "it is compiled"
worth.vmap = "its score is mapped"
part_of.pt2 = "it ships with it"
[[alias]]
concept = "Dynamo"
add = ["the evaluator"]

[[rename]]
concept = "vmap"
name = "vectorizing map"

[[merge]]
concept = "a"
into = "b"

[[merge]]
concept = "c"
into = "d"

[[split]]
concept = "e"
into = "flex"
aliases = ["f"]
episodes = ["6"]

[[edge]]
from = "61"
type = "TEACHES"
to = "flex"
reason = "I heard it"
at = 90

[[drop]]
from = "x"
type = "USES"
to = "y"
[[edge]]
from = "a"
type = "REQUIRES"
to = "b"
need = "worth"
reason = "a is made of b"
"""


def test_each_kind_becomes_a_value_with_its_place() -> None:
    found = parse_corrections("c.toml", CORRECTIONS)
    topic, *others = found
    assert isinstance(topic, Topic)
    assert (topic.place, topic.concept.name, topic.concept.area) == ("c.toml:2", "Flex", "Yours")
    assert others == [
        NewEdge("c.toml:5", "REQUIRES", source="flex", target="inductor", reason="it is compiled", need="hear"),
        NewEdge("c.toml:6", "REQUIRES", source="flex", target="vmap", reason="its score is mapped", need="worth"),
        NewEdge("c.toml:7", "PART_OF", source="flex", target="pt2", reason="it ships with it"),
        Realias("c.toml:8", "Dynamo", add=("the evaluator",)),
        Rename("c.toml:12", "vmap", name="vectorizing map"),
        Merge("c.toml:16", "a", into="b"),
        Merge("c.toml:20", "c", into="d"),
        Split("c.toml:24", "e", into="flex", aliases=("f",), episodes=("6",)),
        NewEdge("c.toml:30", "TEACHES", source="61", target="flex", reason="I heard it", at=90),
        NewEdge("c.toml:41", "REQUIRES", source="a", target="b", reason="a is made of b", need="worth"),
        DroppedEdge("c.toml:37", "USES", source="x", target="y"),
    ]
    assert parse_corrections("c.toml", "") == ()
    assert len({str(c) for c in found}) == len(found)


WRONG = r"""
    "The tape" => "The tap" => 1.toml:6: no concept is worded 'The tap'; did you mean the tape
    episode = 2 => episode = 9 => 1.toml:14: there is no episode 9
    depth = "main" => depth = "mian" => 1.toml:7: teaches.depth must be one of main, part, not 'mian'; did you
    number = 1 => nummer = 1 => 1.toml:1: unknown entry 'nummer'; did you mean number
    at = 9 => at = "9" => 1.toml:6: teaches.at must be whole seconds, not '9'
    basis = "transcript" => basis = "gossip" => 1.toml:3: basis must be one of
    at = 30 => at = 30.5 => 1.toml:7: teaches.at must be whole seconds, not 30.5
    number = 1 => number = true => 1.toml:1: number must be a whole number, not True
    at = 40 => when = 40 => 1.toml:16: unknown entry 'when'
    subject = "autograd", relation = "USES", object = "vmap" => => 1.toml:17: relations.subject is missing (2 more in
    object = "vmap" => object = "vmaps" => 1.toml:17: no concept is worded 'vmaps'; did you mean vmap
    "dispatcher", at = 40 => "dispatch", at = 40 => 1.toml:16: no concept is worded 'dispatch'
    object = "vmap" => object = "the tape" => 1.toml:17: 'autograd' and 'the tape' are both autograd ... move one
    "autograd", how => "autograde", how => 1.toml:12: no concept is worded 'autograde'
    summary = "s" => hear_next = [\n"second",\n"seccond",\n] => 1.toml:6: no episode is titled 'seccond'; did
    summary = "s" => questions = ["a",\n\n3] => 1.toml:6: an item of questions must be a text that is not
    summary = "s" => guests = "Ed" => 1.toml:4: guests must be a list, not 'Ed'
    summary = "s" => guests = { a = 1 } => 1.toml:4: guests must be a list: begin each entry with [[guests
    summary => published = "4 May"\nsummary => 1.toml:4: published must be a date
    hear.functionalization => hear.functionalisation => a.toml:9: hear of ... 'functionalisation'; did you mean
    aliases = [ => alias = [ => a.toml:5: unknown entry 'alias'; did you mean aliases
    ["AOT Autograd"] => ["FX Graph"] => a.toml:17: 'FX graph' is claimed by aotautograd too; keep one
    [fx-graph] => [functionalization] => a.toml: ... not valid TOML: ... line 16
    [fx-graph] => [FX] => a.toml:16: FX is no id
    "A list of calls." => "" => a.toml:18: fx-graph.definition must be a text that is not empty, not ''
    "its graphs must be free of mutation" => " " => a.toml:9: aotautograd.hear.functionalization has no reason
    part_of.fx-graph => bridge.functionalization => a.toml: ... functionalization is both hear and
    part_of.fx-graph => worth.functionalization => a.toml: ... functionalization is both hear and worth
    hear.functionalization => hear.aotautograd => a.toml:9: hear of aotautograd names itself
    aliases = ["AOT Autograd"] => aliases = ["a",\n\n"FX graph"] => a.toml:19: 'FX graph' is claimed by aot
    ["tracing ahead of time"] => ["a",\n"Functionalization"] => a.toml:14: 'functionalization' is claimed
    ["FX"] => ["FX", "AOT autograd"] => a.toml:20: 'AOT autograd' is claimed by aotautograd too; keep one
    name = "functionalization" => => a.toml:12: functionalization.name is missing
    bridge.functionalization => bridge.functional => a.toml:19: bridge of fx-graph names the unknown concept
    hear.functionalization = => hear = => a.toml:9: aotautograd.hear must be a table: hear.some-id
    area = "Compilation" => area = "C"\nfx = 3 => a.toml:2: fx must be a table, not 3
    area = "Compilation" => => a.toml:1: area is missing
    [[merge]] => [[merges]] => c.toml:16: unknown entry 'merges'; did you mean merge
    [[rename]] => [rename] => c.toml:12: rename must be a list: begin each entry with [[rename]]
    into = "d" => onto = "d" => c.toml:22: unknown entry 'onto'; did you mean into
    into = "d" => => c.toml:20: merge.into is missing
    type = "USES" => type = "USE" => c.toml:39: drop.type must be one of ... , not 'USE'
    at = 90 => at = "1:30" => c.toml:35: edge.at must be whole seconds, not '1:30'
    name = "Flex" => => c.toml:2: topic.flex.name is missing
    hear.inductor => hears.inductor => c.toml:5: unknown entry 'hears'; did you mean hear
    aliases = ["f"] => aliases = "f" => c.toml:27: split.aliases must be a list, not 'f'
    [topic.flex] => [topic.Flex] => c.toml:2: topic.Flex is no id
    name = "Flex" => name = => c.toml:3: not valid TOML
"""
READ: dict[str, tuple[Callable[[str], object], str]] = {
    "1.toml": (load, ONE),
    "a.toml": (lambda text: load_vocabulary([("a.toml", text)]), GOOD),
    "c.toml": (lambda text: parse_corrections("c.toml", text), CORRECTIONS),
}


@pytest.mark.parametrize(("old", "new", "message"), rows(WRONG))
def test_a_mistake_is_one_line_with_its_place(old: str, new: str, message: str) -> None:
    read, text = READ[message.split(":")[0]]
    assert old in text
    with pytest.raises(DataError, match=r"^[^\n]*$") as caught:
        read(text.replace(old, new.replace(r"\n", "\n"), 1))
    assert all(part in str(caught.value) for part in message.split(" ... "))


TEXT = """title = "at = 1" # at = 2
at = 3

[a]
at = 5
"quoted key".at = 6
list = [
    { at = 8, why = "at" }, # at = 9
    { why = '''
at = 10
}''', at = 11 },
    1.5, 2021-05-04 07:00:00, "]",
]

[[a.rows]]
at = 16

[[a.rows]]
why = \"\"\"
at = "19\\\"\"\"\"
at = 21
[a.rows.deep]
at = 23
[[a.rows.more]]
[[a.rows.more]]
at = 26
"""


LINES = """2: at | 4: a | 5: a/at | 6: a/quoted_key/at | 7: a/list | 8: a/list/0/at | 9: a/list/1 | 11: a/list/1/at
    12: a/list/2 a/list/4 | 15: a/rows/0/missing/key | 16: a/rows/0/at | 18: a/rows/1 | 21: a/rows/1/at | 1: missing
    23: a/rows/1/deep/at | 24: a/rows/1/more/0 | 26: a/rows/1/more/1/at"""


@pytest.mark.parametrize(("path", "line"), each(LINES))
def test_the_line_of_a_value(path: str, line: str) -> None:
    keys = [int(key) if key.isdigit() else key.replace("_", " ") for key in path.split("/")]
    assert line_of(TEXT, tuple(keys)) == int(line)


VALUES = st.recursive(
    st.integers() | st.text(max_size=9) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_the_line_holds_a_mark_that_stands_once(content: dict[str, Any]) -> None:
    text = tomlkit.dumps({**content, "last": {"rows": [{"a": 1}, {"mark": "M" * 20}]}})
    assert "M" * 20 in text.split("\n")[line_of(text, ("last", "rows", 1, "mark")) - 1]


def test_every_episode_has_a_main_subject() -> None:
    mains = {t.source for t in catalogue().teaches if t.depth == "main"}
    assert len(catalogue().episodes) >= 83
    assert not {e.id for e in catalogue().episodes} - mains


def test_a_concept_goes_by_the_name_that_episodes_say() -> None:
    names = {c.id: c.name for c in vocabulary().concepts}
    ids = ("operator-fusion", "operator-decomposition", "native-operator", "gil", "volta")
    said = ["fusion", "decomposition", "native function", "global interpreter lock", "Volta"]
    assert [names[id_] for id_ in ids] == said


@pytest.mark.parametrize(("goal", "meant"), [("JIT", "TorchScript"), ("AOT", "AOTAutograd")])
def test_an_abbreviation_that_means_several_things_is_asked_back(goal: str, meant: str) -> None:
    with pytest.raises(UnknownName, match="several things") as caught:
        Resolver(join_graph(vocabulary(), catalogue(), ())[0]).resolve(goal, "goal")
    assert meant in caught.value.suggestions


def test_every_edge_that_is_shipped_has_evidence() -> None:
    assert join_graph(vocabulary(), catalogue(), ())[1] == ()


def test_the_declared_orders_of_the_catalogue_have_no_circle() -> None:
    sorter = TopologicalSorter[str]()
    for after in catalogue().listen_after:
        sorter.add(after.source, after.target)
    sorter.prepare()


def test_what_the_cache_keeps_is_what_was_read(tmp_path: Path) -> None:
    for _ in range(2):
        with ExtractionCache(tmp_path / "c") as kept:
            assert kept.kept(key("vocabulary"), vocabulary, Vocabulary) == vocabulary()
            assert kept.kept(key("catalogue"), catalogue, Catalogue) == catalogue()
