import json

import pytest

from torchatlas.extract.feeds import Chapter, Transcript, chapters
from torchatlas.extract.transcripts import best_transcript, read_chapters
from torchatlas.graph.errors import SourceError

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
