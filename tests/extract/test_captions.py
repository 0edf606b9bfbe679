import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.transcripts import LONGEST, Cue, read_cues
from torchatlas.graph.errors import SourceError

VTT = """\ufeffWEBVTT - made by hand
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
SRT = """1
00:00:01,000 --> 00:00:02,000
{\\an8}<font color="red">first</font>
2
00:00:03,500 --> 00:00:04,000
second
"""
SEGMENTS = {
    "version": "1.0.0",
    "segments": [
        {"speaker": "Ada", "startTime": 0.5, "endTime": 0.75, "body": "a"},
        {"startTime": 2, "body": "word"},
    ],
}


def test_webvtt() -> None:
    assert read_cues(VTT.encode()) == (
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
    assert read_cues(SRT.replace("\n", newline).encode()) == cues
    assert read_cues(SRT.replace("2\n00", "\n2\n00").encode("utf-16")) == cues


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
