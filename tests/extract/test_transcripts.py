"""What is said in a talk: cues and chapters of any form, names that were garbled, and what is explained where."""

import json
import random
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.extract.cases import TEXTS, cases, claims, concepts, each, pairs, vocabulary
from torchatlas.extract import transcripts
from torchatlas.extract.feeds import Chapter, Entry, Transcript, chapters
from torchatlas.extract.pipeline import Extractor
from torchatlas.extract.transcripts import WORD, Cue, ExplanationFinder, read_chapters, read_cues, timed
from torchatlas.graph.errors import SourceError
from torchatlas.graph.model import Concept, Episode

FILES = Path(__file__).parent / "files"
WEBVTT = (FILES / "cues.vtt").read_text("utf-8")
SUBRIP = (FILES / "cues.srt").read_text("utf-8")
SEGMENTS = '{"segments": [{"startTime": 0.5, "endTime": 0.75, "body": "a"}, {"startTime": 2, "body": "word"}]}'
HEARD = (Cue(1, 4.5, text="A cat & a dog on one line"), Cue(3605, 3606.25, text="much later"))
TWO = (Cue(1, 2, text="first"), Cue(3.5, 4, text="second"))
BACKWARDS = "00:09.000 --> 00:10.000\nb\n\n00:05.000 --> 00:01.000\nno\n\nx --> y\nno\n\n00:01.000 --> 00:02.000\na"
READ = [(SUBRIP.replace("\n", newline).encode(), TWO) for newline in ("\n", "\r\n", "\r")]
READ += [(SUBRIP.replace("2\n00", "\n2\n00").encode("utf-16"), TWO), (WEBVTT.encode(), HEARD)]
READ += [(SEGMENTS.encode(), (Cue(0.5, 0.75, text="a"), Cue(2, 2, text="word")))]
READ += [(f"WEBVTT\n\n{BACKWARDS}".encode(), (Cue(1, 2, text="a"), Cue(9, 10, text="b")))]
FORMS = "00:01.000 --> 00:02.000line:0 | 00:01-->00:02 | 0:00:01, 0 --> 0:00:02, 000 | 00:01.0000 --> 00:00:02:0"
READ += [(f"{timing}\nsaid".encode(), (Cue(1, 2, text="said"),)) for timing in cases(FORMS)]
READ += [(b"00:01 --> 00:02\n\nNOTE unheard\n\n00:03 --> 00:04\n\nnoted", (Cue(3, 4, text="noted"),))]
WHISPER = (
    b'{"text": "a", "segments": [{"id": 0, "start": 1.5, "end": "2.5", "text": " a"}, {"start": "3", "text": "b"}]}'
)
READ += [(WHISPER, (Cue(1.5, 2.5, text="a"), Cue(3, 3, text="b")))]
ROLLING = "00:01 --> 00:02\n \none<00:01.5><c> two</c>\n\n00:02 --> 00:02.01\none two\n\n00:02.01 --> 00:04\none two"
ROLLING += "\nthree\n\n00:04 --> 00:06\none two\nthree\nfour\n\n00:06 --> 00:08\nfour"  # the last one is an echo
ROLLED = (Cue(1, 2, text="one two"), Cue(2.01, 4, text="three"), Cue(4, 6, text="four"), Cue(6, 8, text="four"))
READ += [(ROLLING.encode(), ROLLED)]
EXTRACTOR = Extractor(concepts("vmap, strides"))


def told(notes: str, **facts: Any) -> str:
    noted = Entry(Episode("s/vmap", "vmap", show="s", **facts), notes.replace(r"\n", "\n"))
    found = timed(EXTRACTOR, {})(noted, *EXTRACTOR.read([noted]))
    said = ", ".join(f"{e.at} {e.concept_id} {e.depth}" for e in found.explained)
    return f"{found.episode.minutes} {found.episode.estimated} {said}".strip()


TIMES, WORDS = r"0:00 A\n5:10 B\n9:30 C", "word " * 2201
LENGTHS = [(TIMES, {"minutes": n}, said) for n, said in ((None, "10 times"), (5, "5"), (9, "9"))]
LENGTHS += [(WORDS, {"kind": kind}, said) for kind, said in (("post", "11 words"), ("video", "None"))]
LENGTHS += [(WORDS, {"kind": "docs", "minutes": 3}, "3"), (TIMES, {"kind": "code"}, "1 words"), (WORDS, {}, "None")]
LENGTHS += [(notes, {}, said) for notes, said in pairs(TEXTS["times in notes"])]


@pytest.mark.parametrize(("notes", "facts", "said"), LENGTHS)
def test_times_in_notes_are_chapters_and_tell_an_unstated_length_as_words_do(notes: str, facts: Any, said: str) -> None:
    assert told(notes, **facts) == said


def read_beside(bad: str) -> tuple[Cue, ...]:
    segments = f'{{"segments": [{bad}, {{"startTime": 1, "endTime": 2, "body": "kept"}}]}}'
    return read_cues(segments.encode())


BESIDE = [(bad, (Cue(1, 2, text="kept"),)) for bad in cases(TEXTS["bad segments"])]
NEITHER = [b"", b"[" * 100_000, b"\xff\xfe\x00"]
NO_CUES = [*(s.encode() for s in cases('<html>no</html> | { | {"segments": 5} | [1] | null')), b"WEBVTT\n\n", *NEITHER]
NO_CHAPTERS = [b"{", b"[]", b'{"chapters": 3}', b"\xff\xfe", b"NaN", *NEITHER]


@pytest.mark.parametrize(("read", "document"), [*product([read_cues], NO_CUES), *product([read_chapters], NO_CHAPTERS)])
def test_what_is_none_of_them_is_one_clear_line(read: Callable[[bytes, str], object], document: bytes) -> None:
    with pytest.raises(SourceError, match=r"^[^\n]*x\.invalid[^\n]*$"):
        read(document, "https://x.invalid/talk")


def test_text_that_a_terminal_would_obey_is_left_out_and_cues_are_bounded() -> None:
    cue = read_cues(f"00:01 --> 00:02\n\x1b[2Jred\u202e{'x' * 10_000}".encode())[0]
    assert cue.text.startswith("[2Jred") and len(cue.text) <= transcripts.LONGEST


def test_chapters_in_the_order_of_their_time() -> None:
    listed = [
        {"startTime": 65.9, "title": " Two\x1b "}, {"startTime": 0, "title": "One"}, {"startTime": 9, "title": ""},
        {"startTime": 5, "title": "hidden", "toc": False}, {"startTime": -1, "title": "x"}, {"title": "x"}, "x",
        {"startTime": True, "title": "x"}, {"startTime": 1e300, "title": "x"},
    ]  # fmt: skip
    document = json.dumps({"version": "1.2.0", "chapters": listed}).encode()
    assert read_chapters(document) == (Chapter(0, "One"), Chapter(65, "Two"))


SPOKEN = ExplanationFinder(
    Concept(name, name, area="Area", definition=f"What {name} is.")
    for name in cases("""ATen | autograd | c10 | CMake | dispatcher | float16 | ghstack | TensorIterator | Vec256 | vmap
    __torch_function__ | version counter | XLA | C++ frontend | inference mode | GPU kernel | __code__ | ASan""")
)


def heard_in(text: str) -> list[tuple[str, str]]:
    words = WORD.findall(text)
    return [(" ".join(words[h.first : h.last]), h.concept_id) for h in SPOKEN.find(words)]


def garbled(heard: str) -> str:
    written = " ".join(WORD.findall(heard))
    return " ".join(id_ for found, id_ in heard_in(f"now the thing is {heard} which we like") if found == written)


DIGITS = [("00:01.5", 1.5), ("00:01.05", 1.05), ("00:01,005", 1.005), ("00:01", 1)]
AT = [(("00:01:02.5", "1:00:00", "75", "1:15"), [62, 75, 75, 3600]), (("x", "1:2:3:4", None), [])]
TYPES = {ending: f"text/{ending}" for ending in ("vtt", "html", "plain")}
TYPES |= {ending: f"application/{ending}" for ending in ("srt", "x-subrip", "json")}
ALOUD = "10: ten | 256: twofiftysix | c: see | TLS: teeelless | vmap: veemap | grad: grad"


def best(offered: str) -> str:
    parts = [name.split(".") for name in offered.split()]
    listed = [Transcript(f"u/{a}.{b}", TYPES.get(b, ""), language=a if len(a) > 1 else "") for a, b in parts]
    found = transcripts.best_transcript(listed)
    return found.url.removeprefix("u/") if found else ""


test_values = claims(
    {
        "cues of each form, ordered by time": (read_cues, READ),
        "a bad segment costs itself": (read_beside, BESIDE),
        "garbled names are found": (garbled, TEXTS["garbled names"]),
        "other words are no names": (heard_in, [(text, []) for text in ["", *cases(TEXTS["words that are no names"])]]),
        "names are read aloud": (transcripts.aloud, [(part, said) for said, part in each(ALOUD)]),
        "clocks, in their order": (lambda starts: [c.at for c in chapters([(s, "T") for s in starts])], AT),
        "digits count from the point": (lambda at: read_cues(f"{at} --> 00:02\nHello".encode())[0].start, DIGITS),
        "the transcript to read": (best, TEXTS["transcripts that are offered"]),
    }
)
CONCEPTS = [
    Concept(name, name, area="Area", definition=f"What {name} is.")
    for name in ("autograd", "vmap", "DataLoader memory leak", "strides", "caching allocator")
]
EXPLAINER = ExplanationFinder(CONCEPTS)
shipped = cache(lambda: ExplanationFinder(vocabulary().concepts))
FILLER = "well you know this is just something that people often ask me when we are having lunch together"


def talk(said: dict[int, str], cues: int = 90) -> tuple[Cue, ...]:
    """A cue each ten seconds; `said` by the number of the cue."""
    return tuple(Cue(10.0 * i, 10.0 * i + 10, text=said.get(i, FILLER)) for i in range(cues))


SAID = """0: hello and today I want to talk about strides
4: so what are strides they say how far to walk
5: strides are numbers and strides may be zero
9: with strides you can transpose for free
30: strides again because of views
50: now the cashing allocator is a different thing
51: what the caching allocator does is to keep memory
53: the caching allocator never gives it back
70: and strides are all you need
80: somebody mentioned auto grad once"""
LESSON = talk({int(n): text for n, text in (line.split(": ") for line in SAID.split("\n"))})


def test_the_subject_comes_first_and_begins_where_it_is_defined() -> None:
    first, second, *rest = EXPLAINER.explained(LESSON)
    assert (first.concept_id, first.depth, first.weight) == ("strides", "main", 1.0)
    assert 40 <= first.at < 50 and first.quote == LESSON[4].text
    assert second.concept_id == "caching allocator" and 500 <= second.at < 510 and second.weight < 1
    assert not rest  # what is named once is not explained
    shuffled = ExplanationFinder(random.Random(7).sample(CONCEPTS, len(CONCEPTS)))
    assert shuffled.explained(LESSON, "vmap") == EXPLAINER.explained(LESSON, "vmap")
    exact, garbled = SPOKEN.find(["autograd", "and", "autograph"])
    assert exact.likeness == 1 > garbled.likeness


LEAK = "data loader or DataLoader will leak"
TALKS = [
    ("All about V map", dict.fromkeys((3, 20, 40, 60), "vmap and strides"), "vmap, strides"),
    ("Strides", dict.fromkeys((3, 20, 40, 60), "vmap and strides"), "strides, vmap"),
    ("", dict.fromkeys(range(10, 60, 10), f"memory in the {LEAK}") | {3: "not strides"}, "DataLoader memory leak"),
    ("", dict.fromkeys(range(40), "strides matter") | dict.fromkeys((60, 61), "vmap is new"), "strides"),
    ("vmap", {}, ""),
]


@pytest.mark.parametrize(("title", "said", "explained"), TALKS)
def test_what_title_and_talk_are_about_is_explained(title: str, said: dict[int, str], explained: str) -> None:
    assert ", ".join(e.concept_id for e in EXPLAINER.explained(talk(said), title)) == explained


SMALL_TALK = """so he came on as an actor and as an example I was looking forward to it
    that is a significant view and from my point of view it is simpler with Adam
    this RSS feed costs ten bucks and pays attention to what is in place"""


@pytest.mark.parametrize("said", cases(SMALL_TALK))
def test_words_of_everyday_are_no_subjects_of_a_talk(said: str) -> None:
    assert shipped().explained((Cue(0, 60, text=f"{said} " * 3),)) == ()


def test_another_field_counts_only_what_is_named_in_full_and_its_weight_is_its_own() -> None:
    said = dict.fromkeys((20, 40, 60), "a unit test of the view")
    (alone,) = shipped().explained(talk(said))
    (_, unit) = shipped().explained(talk(said | dict.fromkeys((30, 50, 70), "and code review in git")))
    assert (alone.concept_id, alone.depth, alone.weight) == (unit.concept_id, "part", unit.weight)
    assert 0 < alone.weight < 1 and shipped().explained(talk({20: "a unit test", 40: "a unit test"})) == ()


def test_a_cue_for_each_word_gives_the_same_places_and_a_longer_quote() -> None:
    places = ((c.start + n, word) for c in LESSON for n, word in enumerate(c.text.split()[:10]))
    words = tuple(Cue(start, start + 1, text=word) for start, word in places)
    whole, split = EXPLAINER.explained(LESSON), EXPLAINER.explained(words)
    assert [e.concept_id for e in split] == [e.concept_id for e in whole]
    assert all(abs(a.at - b.at) <= 10 and len(a.quote) >= 40 for a, b in zip(split, whole, strict=True))


def test_a_small_vocabulary_tells_what_is_explained_but_not_where_nothing_or_stop_words_alone_are_said() -> None:
    assert EXPLAINER.explained(()) == EXPLAINER.explained((Cue(0, 0, text="..."),)) == ()
    bread = [Concept(name.replace(" ", "-"), name, area="Bread") for name in ("bread", "bread oven", "bread proofing")]
    cues = talk(dict.fromkeys(range(3, 20), "bread is flour and water"))
    assert [e.concept_id for e in ExplanationFinder(bread[:1]).explained(cues)] == ["bread"]
    assert ExplanationFinder(bread).explained(cues)[0].concept_id == "bread"
    stop = ExplanationFinder([Concept("now-and-then", "now and then", area="Area")])
    assert stop.explained(talk(dict.fromkeys(range(3, 20), "now and then it rains"))) == ()
