import pytest

from torchatlas.extract.catalogue import KINDS, NEEDS, ConceptForm, load_vocabulary
from torchatlas.graph.errors import DataError

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
    assert v.phrases == {"tracing ahead of time": "aotautograd"}
    assert v.unplaced == {"a joke": "no concept"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("hear.functionalization", "hear.functionalisation", r"a.toml:9: hear of aotautograd names the unknown concept "
         r"'functionalisation'; did you mean functionalization"),
        ("aliases = [", "alias = [", r"a.toml:5: unknown entry 'alias'; did you mean aliases"),
        ('["AOT Autograd"]', '["FX Graph"]', r"a.toml:17: 'FX graph' is claimed by aotautograd too; keep one"),
        ("[fx-graph]", "[functionalization]", r"a.toml:\d+: not valid TOML: .*line 16"),
        ("[fx-graph]", "[FX]", r"a.toml:16: FX is no id"),
        ('"A list of calls."', '""', r"a.toml:18: fx-graph.definition must be a text that is not empty, not ''"),
        ('"its graphs must be free of mutation"', '" "', r"a.toml:9: aotautograd.hear.functionalization has no reason"),
        ("part_of.fx-graph", "bridge.functionalization", r"a.toml:\d+: functionalization is both hear and"),
        ("part_of.fx-graph", "worth.functionalization", r"a.toml:\d+: functionalization is both hear and worth"),
        ("hear.functionalization", "hear.aotautograd", r"a.toml:9: hear of aotautograd names itself"),
        ('aliases = ["AOT Autograd"]', 'aliases = ["a",\n\n"FX graph"]', r"a.toml:19: 'FX graph' is claimed by aot"),
        ('["tracing ahead of time"]', '["a",\n"Functionalization"]', r"a.toml:14: 'functionalization' is claimed"),
        ('["FX"]', '["FX", "AOT autograd"]', r"a.toml:20: 'AOT autograd' is claimed by aotautograd too; keep one"),
        ('name = "functionalization"', "", r"a.toml:12: functionalization.name is missing"),
        ("bridge.functionalization", "bridge.functional", r"a.toml:19: bridge of fx-graph names the unknown concept"),
        ("hear.functionalization =", "hear =", r"a.toml:9: aotautograd.hear must be a table: hear.some-id = ..., "),
        ('area = "Compilation"', 'area = "C"\nfx = 3', r"a.toml:2: fx must be a table, not 3"),
        ('area = "Compilation"', "", r"a.toml:1: area is missing"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_with_its_place(old: str, new: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_vocabulary([("a.toml", GOOD.replace(old, new, 1))])


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
