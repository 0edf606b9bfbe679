"""Names that no glossary has: people, shows, events, sponsors, publishers, and parts of longer names."""

from functools import cache

import pytest

from torchatlas.extract.candidates import CandidateFinder
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


def test_the_people_that_a_feed_names_are_no_candidates() -> None:
    said = ("We have Zeph with brass and Brunhild. QuiltCast is on.", "It is Zeph, some Brunhild, and QuiltCast again.")
    assert {"Brunhild", "QuiltCast"} <= terms(*said)
    for told in ({"author": "Brunhild Owl, Kim"}, {"guests": ("Brunhild Owl",)}, {"credits": ("Brunhild Owl",)}):
        assert "Brunhild" not in terms(*said, **told)  # type: ignore[arg-type]
