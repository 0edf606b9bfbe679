import pytest

from torchatlas.extract.catalogue import parse_corrections
from torchatlas.graph.corrections import (
    DroppedEdge,
    Merge,
    NewEdge,
    Realias,
    Rename,
    Split,
    Topic,
)
from torchatlas.graph.errors import DataError

GOOD = """
[topic.flex]
name = "Flex"
definition = "A thing of mine."
hear.inductor = "it is compiled"
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
"""


def test_each_kind_becomes_a_value_with_its_place() -> None:
    found = parse_corrections("c.toml", GOOD)
    topic, needs, part, *others = found
    assert isinstance(topic, Topic)
    assert (topic.place, topic.concept.name, topic.concept.area) == ("c.toml:2", "Flex", "Yours")
    assert needs == NewEdge(
        "c.toml:5", "REQUIRES", source="flex", target="inductor", reason="it is compiled", need="hear"
    )
    assert part == NewEdge("c.toml:6", "PART_OF", source="flex", target="pt2", reason="it ships with it")
    assert others == [
        Realias("c.toml:8", "Dynamo", add=("the evaluator",)),
        Rename("c.toml:12", "vmap", name="vectorizing map"),
        Merge("c.toml:16", "a", into="b"),
        Merge("c.toml:20", "c", into="d"),
        Split("c.toml:24", "e", into="flex", aliases=("f",), episodes=("6",)),
        NewEdge("c.toml:30", "TEACHES", source="61", target="flex", reason="I heard it", at=90),
        DroppedEdge("c.toml:37", "USES", source="x", target="y"),
    ]
    assert len({str(c) for c in found}) == len(found)


def test_an_empty_file_corrects_nothing() -> None:
    assert parse_corrections("c.toml", "") == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[[merge]]", "[[merges]]", r"c.toml:16: unknown entry 'merges'; did you mean merge"),
        ("[[rename]]", "[rename]", r"c.toml:12: rename must be a list: begin each entry with \[\[rename\]\]"),
        ('into = "d"', 'onto = "d"', r"c.toml:22: unknown entry 'onto'; did you mean into"),
        ('into = "d"', "", r"c.toml:20: merge.into is missing"),
        ('type = "USES"', 'type = "USE"', r"c.toml:39: drop.type must be one of .*, not 'USE'"),
        ("at = 90", 'at = "1:30"', r"c.toml:35: edge.at must be whole seconds, not '1:30'"),
        ('name = "Flex"', "", r"c.toml:2: topic.flex.name is missing"),
        ("hear.inductor", "hears.inductor", r"c.toml:5: unknown entry 'hears'; did you mean hear"),
        ('aliases = ["f"]', 'aliases = "f"', r"c.toml:27: split.aliases must be a list, not 'f'"),
        ("[topic.flex]", "[topic.Flex]", r"c.toml:2: topic.Flex is no id"),
        ('name = "Flex"', "name = ", r"c.toml:3: not valid TOML"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(old: str, new: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        parse_corrections("c.toml", GOOD.replace(old, new, 1))


def test_a_topic_and_an_edge_may_have_a_need_of_the_middle_degree() -> None:
    topic = '[topic.flex]\nname = "Flex"\nworth.vmap = "its score is mapped over the batch"\n'
    edge = '[[edge]]\nfrom = "a"\ntype = "REQUIRES"\nto = "b"\nneed = "worth"\nreason = "a is made of b"\n'
    found = [c for c in parse_corrections("c.toml", topic + edge) if isinstance(c, NewEdge)]
    assert [(edge.kind, edge.target, edge.need) for edge in found] == [
        ("REQUIRES", "vmap", "worth"),
        ("REQUIRES", "b", "worth"),
    ]
