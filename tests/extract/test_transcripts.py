import json
import random
import string
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.feeds import Chapter, Transcript, chapters
from torchatlas.extract.transcripts import (
    LONGEST,
    WORD,
    Cue,
    ExplanationFinder,
    aloud,
    best_transcript,
    read_chapters,
    read_cues,
)
from torchatlas.graph.errors import SourceError
from torchatlas.graph.model import Concept

WEBVTT = """\ufeffWEBVTT - made by hand
Kind: captions

NOTE what follows is short

STYLE
::cue { color: red }

intro
00:01.000 --> 00:04.500 align:start position:0%
<v Ada>A cat &amp; a <i>dog</i>
on <00:00:03.000>one line

01:00:05.000 --> 01:00:06.250
much later
"""
SUBRIP = """1
00:00:01,000 --> 00:00:02,000
{\\an8}<font color="red">first</font>
2
00:00:03,500 --> 00:00:04,000
second
"""
SEGMENTS = {
    "version": "1.0.0",
    "segments": [{"speaker": "Ada", "startTime": 0.5, "endTime": 0.75, "body": "a"}, {"startTime": 2, "body": "word"}],
}


def test_webvtt() -> None:
    assert read_cues(WEBVTT.encode()) == (
        Cue(1, 4.5, text="A cat & a dog on one line"),
        Cue(3605, 3606.25, text="much later"),
    )


@pytest.mark.parametrize(
    ("written", "second"), [("00:01.5", 1.5), ("00:01.05", 1.05), ("00:01,005", 1.005), ("00:01", 1)]
)
def test_the_digits_of_a_second_count_from_the_point(written: str, second: float) -> None:
    (cue,) = read_cues(f"WEBVTT\n\n{written} --> 00:02\nHello".encode())
    assert cue.start == second


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_subrip_with_and_without_empty_lines(newline: str) -> None:
    cues = (Cue(1, 2, text="first"), Cue(3.5, 4, text="second"))
    assert read_cues(SUBRIP.replace("\n", newline).encode()) == cues
    assert read_cues(SUBRIP.replace("2\n00", "\n2\n00").encode("utf-16")) == cues


def test_podcast_json() -> None:
    assert read_cues(json.dumps(SEGMENTS).encode()) == (Cue(0.5, 0.75, text="a"), Cue(2, 2, text="word"))


@pytest.mark.parametrize(
    "bad",
    [
        {"startTime": "0", "body": "x"},
        {"startTime": -1, "body": "x"},
        {"startTime": 1e300, "body": "x"},
        {"startTime": float("nan"), "body": "x"},
        {"startTime": 5, "endTime": 4, "body": "x"},
        {"startTime": True, "body": "x"},
        {"startTime": 1, "body": 7},
        {"startTime": 1, "body": " <b> </b> "},
        "x",
        None,
    ],
)
def test_a_bad_segment_costs_itself(bad: object) -> None:
    good = {"startTime": 1, "endTime": 2, "body": "kept"}
    assert read_cues(json.dumps({"segments": [bad, good]}).encode()) == (Cue(1, 2, text="kept"),)


def test_a_bad_cue_costs_itself_and_time_orders_them() -> None:
    document = "WEBVTT\n\n00:09.000 --> 00:10.000\nlater\n\n00:05.000 --> 00:01.000\nbackwards\n\nx --> y\nno time\n\n"
    assert [c.text for c in read_cues(f"{document}00:01.000 --> 00:02.000\nsooner".encode())] == ["sooner", "later"]


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"<html>no</html>",
        b"WEBVTT\n\n",
        b"{",
        b"[" * 100_000,
        b'{"segments": 5}',
        b"[1]",
        b"null",
        b"\xff\xfe\x00",
    ],
)
def test_what_is_none_of_the_three_is_one_clear_line(document: bytes) -> None:
    with pytest.raises(SourceError, match=r"^talk\.vtt [^\n]*$"):
        read_cues(document, "talk.vtt")


def test_text_that_a_terminal_would_obey_is_left_out_and_cues_are_bounded() -> None:
    cue = read_cues(f"00:01 --> 00:02\n\x1b[2Jred\u202e{'x' * 10_000}".encode())[0]
    assert cue.text.startswith("[2Jred") and len(cue.text) <= LONGEST


@given(st.binary(max_size=400) | st.text(string.digits + ":.,-> <&;{\n\rWEBVT", max_size=300).map(str.encode))
def test_any_bytes_give_ordered_cues_or_a_source_error(document: bytes) -> None:
    try:
        cues = read_cues(document)
    except SourceError:
        return
    assert cues and all(0 <= c.start <= c.end and c.text for c in cues)
    assert list(cues) == sorted(cues, key=lambda c: (c.start, c.end))


VTT, SRT = Transcript("u/a.vtt", "text/vtt"), Transcript("u/b", "application/x-subrip")


@pytest.mark.parametrize(
    ("offered", "best"),
    [
        ([], None),
        ([Transcript("u/a.html", "text/html"), Transcript("u/a.txt", "text/plain")], None),
        ([SRT, VTT], VTT),
        ([Transcript("u/a.json", "application/json"), SRT], SRT),
        (
            [
                Transcript("u/de.vtt", "text/vtt", language="de"),
                Transcript("u/en.srt", "application/srt", language="en-US"),
            ],
            Transcript("u/en.srt", "application/srt", language="en-US"),
        ),
        ([Transcript("u/a.VTT?x=1", "")], Transcript("u/a.VTT?x=1", "")),
    ],
)
def test_the_transcript_to_read(offered: list[Transcript], best: Transcript | None) -> None:
    assert best_transcript(offered) == best


def test_chapters_in_the_order_of_their_time() -> None:
    listed = [
        {"startTime": 65.9, "title": " Two\x1b "}, {"startTime": 0, "title": "One"}, {"startTime": 9, "title": ""},
        {"startTime": 5, "title": "hidden", "toc": False}, {"startTime": -1, "title": "x"}, {"title": "x"}, "x",
        {"startTime": True, "title": "x"}, {"startTime": 1e300, "title": "x"},
    ]  # fmt: skip
    document = json.dumps({"version": "1.2.0", "chapters": listed}).encode()
    assert read_chapters(document) == (Chapter(0, "One"), Chapter(65, "Two"))


@pytest.mark.parametrize(
    ("start", "second"),
    [("00:01:02.5", 62), ("1:00:00", 3600), ("75", 75), ("1:15", 75), ("x", None), ("1:2:3:4", None), (None, None)],
)
def test_clocks(start: object, second: int | None) -> None:
    assert [c.at for c in chapters([(start, "T")])] == ([] if second is None else [second])


@pytest.mark.parametrize("document", [b"", b"{", b"[]", b'{"chapters": 3}', b"\xff\xfe", b"[" * 99_999, b"NaN"])
def test_what_holds_no_chapters_is_said(document: bytes) -> None:
    with pytest.raises(SourceError) as caught:
        read_chapters(document, "https://x.invalid/c.json")
    assert "x.invalid" in str(caught.value) and "\n" not in str(caught.value)


SPOKEN_NAMES = {
    "aten": "ATen",
    "autograd": "autograd",
    "c10": "c10",
    "cmake": "CMake",
    "dispatcher": "dispatcher",
    "float16": "float16",
    "ghstack": "ghstack",
    "tensoriterator": "TensorIterator",
    "torch-function": "__torch_function__",
    "vec256": "Vec256",
    "version-counter": "version counter",
    "vmap": "vmap",
    "xla": "XLA",
    "cpp-frontend": "C++ frontend",
    "inference-mode": "inference mode",
    "gpu-kernel": "GPU kernel",
    "code-object": "__code__",
}
SPOKEN = ExplanationFinder(
    Concept(id_, name, area="Area", definition=f"What {name} is.") for id_, name in SPOKEN_NAMES.items()
)


def heard_in(text: str) -> list[tuple[str, str]]:
    words = WORD.findall(text)
    return [(" ".join(words[h.first : h.last]), h.concept_id) for h in SPOKEN.find(words)]


@pytest.mark.parametrize(
    ("heard", "concept"),
    [
        ("a ten", "aten"),
        ("a 10", "aten"),
        ("auto grad", "autograd"),
        ("autograph", "autograd"),
        ("auto-grad", "autograd"),
        ("see ten", "c10"),
        ("C ten", "c10"),
        ("C10", "c10"),
        ("C make", "cmake"),
        ("see make", "cmake"),
        ("dispatch her", "dispatcher"),
        ("dispatchers", "dispatcher"),
        ("float sixteen", "float16"),
        ("G H stack", "ghstack"),
        ("tensor iterator", "tensoriterator"),
        ("sensor iterator", "tensoriterator"),
        ("torch function", "torch-function"),
        ("vec two fifty six", "vec256"),
        ("version countered", "version-counter"),
        ("V map", "vmap"),
        ("X L A", "xla"),
        ("C plus plus front end", "cpp-frontend"),
        ("C++ frontend", "cpp-frontend"),
        ("influence mode", "inference-mode"),
    ],
)
def test_garbled_names_are_found(heard: str, concept: str) -> None:
    written = " ".join(WORD.findall(heard))
    assert (written, concept) in heard_in(f"now the thing is {heard} which we like")


@pytest.mark.parametrize(
    "text",
    [
        "we had ten of those and a tent",
        "a photograph of the car",
        "the CPU kernel",  # what is a known word was heard right
        "in version two the counter is gone",
        "write the code",
        "see the map",
        "",
    ],
)
def test_other_words_are_not_taken_for_names(text: str) -> None:
    assert heard_in(text) == []


def test_what_is_written_as_the_name_is_surer_than_what_sounds_so() -> None:
    exact, garbled = SPOKEN.find(["autograd", "and", "autograph"])
    assert exact.likeness == 1 > garbled.likeness


@pytest.mark.parametrize(
    ("part", "said"),
    [("10", "ten"), ("256", "twofiftysix"), ("c", "see"), ("TLS", "teeelless"), ("vmap", "veemap"), ("grad", "grad")],
)
def test_names_are_read_aloud(part: str, said: str) -> None:
    assert aloud(part) == said


SAID = "a ten auto grad see c10 the V map 256 + x’s tensor iterator mode ß Ⅷ"


@given(st.lists(st.sampled_from(SAID.split(" "))))
def test_findings_are_spans_in_order_without_overlap(words: list[str]) -> None:
    heard = SPOKEN.find(words)
    assert all(0 <= h.first < h.last <= len(words) and 0 < h.likeness <= 1 for h in heard)
    assert all(a.last <= b.first for a, b in pairwise(heard))


NAMES = {
    "autograd": "autograd",
    "vmap": "vmap",
    "memory-leak": "DataLoader memory leak",
    "strides": "strides",
    "caching-allocator": "caching allocator",
}
EXPLAINER = ExplanationFinder(
    Concept(id_, name, area="Area", definition=f"What {name} is.") for id_, name in NAMES.items()
)
FILLER = "well you know this is just something that people often ask me when we are having lunch together"


def talk(said: dict[int, str], cues: int = 90) -> tuple[Cue, ...]:
    """A cue each ten seconds; `said` by the number of the cue."""
    return tuple(Cue(10.0 * i, 10.0 * i + 10, text=said.get(i, FILLER)) for i in range(cues))


LESSON = talk(
    {
        0: "hello and today I want to talk about strides",
        4: "so what are strides they say how far to walk",
        5: "strides are numbers and strides may be zero",
        9: "with strides you can transpose for free",
        30: "strides again because of views",
        50: "now the cashing allocator is a different thing",
        51: "what the caching allocator does is to keep memory",
        53: "the caching allocator never gives it back",
        70: "and strides are all you need",
        80: "somebody mentioned auto grad once",
    }
)


def test_the_subject_comes_first_and_begins_where_it_is_defined() -> None:
    first, second, *rest = EXPLAINER.explained(LESSON)
    assert (first.concept_id, first.depth, first.weight) == ("strides", "main", 1.0)
    assert 40 <= first.at < 50 and first.quote == LESSON[4].text
    assert second.concept_id == "caching-allocator" and 500 <= second.at < 510 and second.weight < 1
    assert not rest  # what is named once is not explained


def test_the_title_says_what_a_talk_is_about() -> None:
    cues = talk(dict.fromkeys((3, 20, 40, 60), "vmap and strides"))
    assert EXPLAINER.explained(cues, "All about V map")[0].concept_id == "vmap"
    assert EXPLAINER.explained(cues, "Strides")[0].concept_id == "strides"


def test_words_of_a_name_may_stand_apart() -> None:
    cues = talk(dict.fromkeys((10, 11, 12, 13), "then memory in the data loader or DataLoader will leak"))
    assert [e.concept_id for e in EXPLAINER.explained(cues)] == ["memory-leak"]


def test_a_cue_for_each_word_gives_the_same_places_and_a_longer_quote() -> None:
    words = tuple(
        Cue(cue.start + i, cue.start + i + 1, text=word)
        for cue in LESSON
        for i, word in enumerate(cue.text.split()[:10])
    )
    whole, split = EXPLAINER.explained(LESSON), EXPLAINER.explained(words)
    assert [e.concept_id for e in split] == [e.concept_id for e in whole]
    assert all(abs(a.at - b.at) <= 10 and len(a.quote) >= 40 for a, b in zip(split, whole, strict=True))


def test_what_is_named_in_passing_is_not_explained() -> None:
    cues = talk(dict.fromkeys(range(40), "strides matter") | dict.fromkeys((60, 61), "vmap is new"))
    assert [e.concept_id for e in EXPLAINER.explained(cues)] == ["strides"]


def test_nothing_said_nothing_explained() -> None:
    assert EXPLAINER.explained(()) == EXPLAINER.explained(talk({}), "vmap") == ()
    assert EXPLAINER.explained((Cue(0, 0, text="..."),)) == ()


def test_a_small_vocabulary_tells_what_is_explained() -> None:
    bread = [Concept(name.replace(" ", "-"), name, area="Bread") for name in ("bread", "bread oven", "bread proofing")]
    cues = talk(dict.fromkeys(range(3, 20), "bread is flour and water"))
    assert [e.concept_id for e in ExplanationFinder(bread[:1]).explained(cues)] == ["bread"]
    assert ExplanationFinder(bread).explained(cues)[0].concept_id == "bread"


def test_a_name_of_stop_words_alone_is_not_explained() -> None:
    finder = ExplanationFinder([Concept("now-and-then", "now and then", area="Area")])
    assert finder.explained(talk(dict.fromkeys(range(3, 20), "now and then it rains"))) == ()


def test_the_order_of_the_vocabulary_does_not_matter() -> None:
    concepts = [Concept(id_, name, area="Area", definition=f"What {name} is.") for id_, name in NAMES.items()]
    random.Random(7).shuffle(concepts)
    assert ExplanationFinder(concepts).explained(LESSON, "vmap") == EXPLAINER.explained(LESSON, "vmap")


@pytest.mark.slow
def test_a_flood_of_mentions_is_read_in_bounded_steps() -> None:
    flood = (Cue(0, 36_000, text="strides " * 200_000),)
    assert [e.concept_id for e in EXPLAINER.explained(flood)] == ["strides"]
