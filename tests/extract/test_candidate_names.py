"""Names that no glossary has: people, shows, events, sponsors, publishers, and parts of longer names."""

from functools import cache

import pytest

from torchatlas.extract.candidates import CandidateFinder, _Passage
from torchatlas.extract.feeds import Entry
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.findings import Vocabulary
from torchatlas.graph.model import Episode, Show


@cache
def extractor() -> Extractor:
    return Extractor(())


def terms(
    *texts: str, show: str = "s", author: str = "", guests: tuple[str, ...] = (), credits: tuple[str, ...] = ()
) -> set[str]:
    of = Show("s", show, author=author or None)
    entries = (
        Entry(Episode(f"s/{i}", "x", show=show, guests=guests), text, show=of, credits=credits)
        for i, text in enumerate(texts)
    )
    return {c.text for c in CandidateFinder(Vocabulary(())).rank(extractor().extract(entries))}


@pytest.mark.parametrize(
    ("texts", "name"),
    [
        (("In Ottoline Crab's words, Zeph.", "We like Zeph and Ottoline Crab's."), "Ottoline"),
        (("The rule of Quill's Law. Zeph.", "We like Zeph and Quill's Law."), "Law"),
        (("We met there at OwlCon, about Zeph.", "We build Zeph, and saw OwlCon."), "OwlCon"),
        (("We met there at Owl Conf, about Zeph.", "We build Zeph, and saw Owl Conf."), "Owl Conf"),
        (("We met there at Owl Summit, about Zeph.", "We build Zeph, and saw Owl Summit."), "Owl Summit"),
        (("The 12 GB of Zeph", "Zeph has 7 GB."), "GB"),
        (("We like Zeph, VS the old one", "It was old VS new for Zeph."), "VS"),
        (("Run Zeph with --owl-mode", "Zeph has --owl-mode"), "--owl-mode"),
        (("We began Zeph on 2021/07/16", "We saw Zeph, 2021/07/16"), "2021/07/16"),
        (("We went to owl.com on Zeph", "On Owl.com, and Zeph"), "Owl"),
    ],
)  # fmt: skip
def test_names_that_explain_nothing_are_no_candidates(texts: tuple[str, ...], name: str) -> None:
    found = terms(*texts)
    assert "Zeph" in found and name not in found


USED = ("We run {} in production, and scale it.", "Why does everyone use {} today?", "More on {} and its parts.")


def used(name: str, *more: str) -> bool:
    """Whether a name is a candidate in three ordinary sentences, and `more`."""
    return name in terms(*(said.format(name) for said in (*USED, *more)))


@pytest.mark.parametrize("name", ["FALCON", "SILICON", "LEXICON", "Summit", "SparkConf", "JobConf", "AutoConf"])
def test_a_name_that_only_ends_like_one_of_an_event_is_a_candidate(name: str) -> None:
    assert used(name)


def test_the_people_that_a_feed_names_and_its_own_name_are_no_candidates() -> None:
    said = ("We have Zeph with brass and Brunhild. QuiltCast is on.", "It is Zeph, some Brunhild, and QuiltCast again.")
    assert {"Brunhild", "QuiltCast"} <= terms(*said)
    for told in ({"author": "Brunhild Owl, Kim"}, {"guests": ("Brunhild Owl",)}, {"credits": ("Brunhild Owl",)}):
        assert "Brunhild" not in terms(*said, **told)  # type: ignore[arg-type]
    named = ("We have Zeph, the Quill Owl.", "It is a Quill Owl on Zeph. An owl.")
    assert "Quill Owl" in terms(*named) and "Quill Owl" not in terms(*named, credits=("Quill Owl",))
    assert "QuiltCast" not in terms(*said, show="The Quilt Cast Podcast")
    assert "Zeph" in terms(*said, show="The Zeph Podcast")  # its subject


def test_those_whose_accounts_the_notes_link_are_no_candidates() -> None:
    account = '<a href="https://twitter.com/{}">{}</a>'
    named = account.format("b", "Brunhild Owl")
    assert "Brunhild" not in terms(f"Zeph by {named}. Brunhild", "We like Zeph and Brunhild.")
    handle = account.format("h", "hootMax")
    assert "hootMax" not in terms(f"hootMax, {handle}", f"hootMax on {handle}", "And hootMax.")


@pytest.mark.parametrize(
    ("text", "word", "standing"),
    [
        ("We like Zeph a lot", "Zeph", "alone"),
        ("We like Zeph Owl", "Zeph", "beside"),
        ("We like Owl Zeph", "Zeph", "beside"),
        ("Why Zeph hoots", "Zeph", "alone"),  # a word that opens a sentence has a capital anyway
        ("Of Ada, Zeph and others", "Zeph", "alone"),
        ("The Zeph of the Owl", "Zeph", "beside"),
        ("Building Bridges With Zeph Yourself", "Zeph", ""),
        ("Zeph, Quilt, Hoot, Owls", "Zeph", "alone"),
    ],
)  # fmt: skip
def test_a_word_stands_alone_or_beside_another_name(text: str, word: str, standing: str) -> None:
    start = text.index(word)
    assert _Passage("description", text).standing(start, start + len(word)) == standing
