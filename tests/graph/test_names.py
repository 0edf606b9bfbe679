import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from torchatlas.graph import names
from torchatlas.graph.model import Episode
from torchatlas.graph.names import LONGEST, episode_id, fold, folded_title, spelling, suggest

KNOWN = ("dispatch key", "dispatcher", "CUDA graphs", "memory format", "C", "C++", "...")
ALIKE = [("Dispatch Keys", "dispatch_key"), ("dispatch-key", "Dispatch key"), ("torch.nn", "torch::nn")]


@given(st.text(), st.text())
@example("0", "0" * (LONGEST + 1))
def test_a_slug_has_two_parts_and_is_its_own_slug(show: str, title: str) -> None:
    first, second = episode_id(show, title).split("/")
    assert 0 < len(first) <= LONGEST and 0 < len(second) <= LONGEST
    assert episode_id(first, second) == f"{first}/{second}" or "untitled" in first + second


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        *((episode_id("A Show", title), f"a-show/{title.lower()}") for title in ("AOTAutograd", "हिन्दी")),
        (episode_id("Binding C++ objects", "__torch_function__"), "binding-cpp-objects/torch-function"),
        (episode_id("PyTorch 2.0: what’s new?", "Дисперсия и ёлка"), "pytorch-2-0-what-s-new/дисперсия-и-ёлка"),
        (episode_id("s", "ﬁne ＡＢＣ"), "s/fine-abc"),
        (episode_id("s", "???") == episode_id("s", "!!!"), False),
        # three ways to compare forgive three things
        ([fold(a) == fold(b) for a, b in ALIKE], [True, True, True]),
        ([spelling(a) == spelling(b) for a, b in ALIKE], [False, True, False]),
        ([folded_title(a) == folded_title(b) for a, b in ALIKE], [False, True, True]),
        *((compare("C++ frontend") == compare("C frontend"), False) for compare in (fold, spelling, folded_title)),
        # the nearest first
        (suggest("dispacher", KNOWN), ["dispatcher", "dispatch key"]),
        (suggest("dispacher", KNOWN, limit=1), ["dispatcher"]),
        (suggest("CUDA_graph", KNOWN), ["CUDA graphs"]),
        (suggest("memory", KNOWN), ["memory format"]),  # the whole name holds it
        (suggest("C", KNOWN), ["C"]),
        ([suggest(typed, KNOWN) for typed in ("quantum", "...")], [[], []]),
        # but not the name itself
        (names.did_you_mean("stride", ["stride", "strides", "storage"]), "; did you mean strides?"),
        (names.did_you_mean("stride", ["stride"]), ""),
        # stop words are left out before a plural is cut
        (names.telling_words("It does hold always: a class has gas keys"), ["hold", "alway", "class", "gas", "key"]),
        (names.visible("a\x1b[31m\u202eb\r\nc"), "a[31mb\nc"),
        (names.one_line("lantern \n pass"), "lantern pass"),
        (names.excerpt("a\x1b[31m\u202e title\nin two lines", 10), "a[31m tit…"),
        (names.xml_text("a\x00b\uffff"), "ab"),
        (names.seen('["a\u202eb"]'), '["a\\u202eb"]'),
        (names.words("C++ and torch_function"), ["c++", "and", "torch", "function"]),
        ([folded_title(title) for title in ("Zero-one specialization!", "?!")], ["zero one specialization", "?!"]),
        (names.concept_id("torch::empty()"), "torch-empty"),
        (names.stable_hash("a", "b"), "f04cdced"),
        ([names.numbered(61), names.numbered(1, 2), names.numbered(None, 2)], ["#61", "S2 E1", ""]),
        (Episode("e", "A trailer", show="s").label, "A trailer"),
        ([names.asked_number(text) for text in ("#61", "s02e01", "2x01", "x")], [(61, None), (1, 2), (1, 2), None]),
        (names.asked_number("episode 1 of season 2"), (1, 2)),
        (
            [
                (1, s) in Episode("e", "E", show="s", number=1, season=of).numbers
                for s, of in ((None, 2), (2, None), (1, None))
            ],
            [True, False, True],
        ),
        (names.bare_address("http://www.Example.org/1.mp3?x=1#t=9"), "example.org/1.mp3?x=1"),
        (names.bare_address("https://me@example.org/feed/"), "example.org/feed"),
    ],
)
def test_small_things(found: object, expected: object) -> None:
    assert found == expected
