import pytest

from torchatlas.extract.catalogue import load_catalogue, load_vocabulary
from torchatlas.graph.errors import DataError
from torchatlas.graph.findings import Catalogue
from torchatlas.graph.model import Show

VOCABULARY = load_vocabulary(
    [
        (
            "v.toml",
            'area = "A"\n[autograd]\nname = "autograd"\nphrases = ["the tape"]\ndefinition = "d"\n'
            '[vmap]\nname = "vmap"\ndefinition = "d"\n[dispatcher]\nname = "dispatcher"\ndefinition = "d"\n',
        )
    ],
    ("unplaced.toml", '"a joke" = "none"'),
)
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


def test_wordings_become_concepts_and_the_main_one_wins() -> None:
    c = load()
    assert [(t.source, t.target, t.depth, t.at) for t in c.teaches] == [("show/first", "autograd", "main", 30)]
    assert [(a.target, a.at, a.why) for a in c.assumes] == [
        ("dispatcher", 5, "w")
    ]  # what it teaches it does not assume


def test_declared_orders_point_from_the_later_to_the_earlier() -> None:
    assert {(e.source, e.target) for e in load().listen_after} == {
        ("show/first", "show/second"),
        ("show/third", "show/second"),
    }


def test_a_relation_without_a_second_is_left_out() -> None:
    assert [(r.kind, r.source, r.target, r.at) for r in load().relations] == [("USES", "autograd", "dispatcher", 40)]


def test_unknown_stays_unknown() -> None:
    second = load().episodes[1]
    assert (second.published, second.minutes, second.url) == (None, None, None)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"The tape"', '"The tap"', r"1.toml:6: no concept is worded 'The tap'; did you mean the tape"),
        ("episode = 2", "episode = 9", r"1.toml:14: there is no episode 9"),
        ('depth = "main"', 'depth = "mian"', r"1.toml:7: teaches.depth must be one of main, part, not 'mian'; did you"),
        ("number = 1", "nummer = 1", r"1.toml:1: unknown entry 'nummer'; did you mean number"),
        ("at = 9", 'at = "9"', r"1.toml:6: teaches.at must be whole seconds, not '9'"),
        ('basis = "transcript"', 'basis = "gossip"', r"1.toml:3: basis must be one of"),
        ("at = 30", "at = 30.5", r"1.toml:7: teaches.at must be whole seconds, not 30.5"),
        ("number = 1", "number = true", r"1.toml:1: number must be a whole number, not True"),
        ('at = 40', 'when = 40', r"1.toml:16: unknown entry 'when'"),
        ('subject = "autograd", relation = "USES", object = "vmap"', "", r"1.toml:17: relations.subject is missing "
         r"\(2 more in this file\)"),
        ('object = "vmap"', 'object = "vmaps"', r"1.toml:17: no concept is worded 'vmaps'; did you mean vmap"),
        ('"dispatcher", at = 40', '"dispatch", at = 40', r"1.toml:16: no concept is worded 'dispatch'"),
        ('object = "vmap"', 'object = "the tape"', r"1.toml:17: 'autograd' and 'the tape' are both autograd, which has "
         r"no relation to itself; move one wording to the phrases of another concept, or drop the relation"),
        ('"autograd", how', '"autograde", how', r"1.toml:12: no concept is worded 'autograde'"),
        ('summary = "s"', 'hear_next = [\n"second",\n"seccond",\n]', r"1.toml:6: no episode is titled 'seccond'; did"),
        ('summary = "s"', 'questions = ["a",\n\n3]', r"1.toml:6: an item of questions must be a text that is not"),
        ('summary = "s"', 'guests = "Ed"', r"1.toml:4: guests must be a list, not 'Ed'"),
        ('summary = "s"', 'guests = { a = 1 }', r"1.toml:4: guests must be a list: begin each entry with \[\[guests"),
        ("summary", 'published = "4 May"\nsummary', r"1.toml:4: published must be a date"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_with_its_place(old: str, new: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load(ONE.replace(old, new, 1))
