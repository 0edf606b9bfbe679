"""Names that no glossary has: people, shows, events, sponsors, publishers, and parts of longer names."""

from functools import cache

import pytest

from torchatlas.extract.candidates.ranking import CandidateFinder
from torchatlas.extract.candidates.surroundings import Surroundings
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
        (("We like Zeph. Wes mended Zeph.", "And Wes likes Zeph."), "Wes"),
        (("Brunhild chimes in on Zeph.", "We like Zeph, as Brunhild."), "Brunhild"),
        (("In Ottoline Crab's words, Zeph.", "We like Zeph and Ottoline Crab's."), "Ottoline"),
        (("The rule of Quill's Law. Zeph.", "We like Zeph and Quill's Law."), "Law"),
        (("We met there at OwlCon, about Zeph.", "We build Zeph, and saw OwlCon."), "OwlCon"),
        (("We met there at Owl Conf, about Zeph.", "We build Zeph, and saw Owl Conf."), "Owl Conf"),
        (("We met there at QLFest, about Zeph.", "We build Zeph, and saw QLFest."), "QLFest"),
        (("We met there at Owl Summit, about Zeph.", "We build Zeph, and saw Owl Summit."), "Owl Summit"),
        (("See it in September with Zeph.", "Zeph in September"), "September"),
        (("It is brought to you by owlQuilt.\nZeph", "It came to us by owlQuilt, we like Zeph"), "owlQuilt"),
        (("The 12 GB of Zeph", "Zeph has 7 GB."), "GB"),
        (("We like Zeph, VS the old one", "It was old VS new for Zeph."), "VS"),
        (("Run Zeph with --owl-mode", "Zeph has --owl-mode"), "--owl-mode"),
        (("We began Zeph on 2021/07/16", "We saw Zeph, 2021/07/16"), "2021/07/16"),
        (("We like open source owls, and Zeph", "The open source owls like Zeph"), "source owls"),
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


@pytest.mark.parametrize("name", ["SAT", "DEC", "MAR"])
def test_a_day_in_capitals_is_an_abbreviation(name: str) -> None:
    assert used(name) and not used(name.title())


@pytest.mark.parametrize("name", ["FALCON", "SILICON", "LEXICON", "Summit", "SparkConf", "JobConf", "AutoConf"])
def test_a_name_that_only_ends_like_one_of_an_event_is_a_candidate(name: str) -> None:
    assert used(name)


@pytest.mark.parametrize("name", ["Tracy", "Dylan", "Linda", "Jake", "Kate", "Fiona", "Janet", "Felix"])
def test_a_given_name_that_a_thing_of_computing_bears_is_a_candidate(name: str) -> None:
    assert used(name)


@pytest.mark.parametrize(
    "said",
    [
        "The agent talks to {}.",
        "The worker is talking to {}.",
        "We ship faster thanks to {}.",
        "The box hosts {}.",
        "{} talks to the proxy over TCP.",
        "Then {} tells the node what to run.",  # what people do, once of four times
    ],
)  # fmt: skip
def test_one_sentence_that_may_speak_of_a_person_leaves_a_name_a_candidate(said: str) -> None:
    assert used("Kubernetes", said)
    if "tells" not in said:  # what is not said of people is not counted at all
        assert "Kubernetes" in terms("We run Kubernetes in production.", *(said.format("Kubernetes") for _ in "ab"))


def test_a_name_that_stands_for_a_person_as_often_as_not_is_no_candidate() -> None:
    assert not used("Brunhild", *(f"{{}} {says} that it is so." for says in ("says", "argues", "recalls")))
    assert not used("Brunhild", *(f"{host} {{}} and a guest." for host in ("Hosts:", "With hosts", "Our host")))


def test_a_label_of_the_notes_is_no_candidate_but_a_term_before_a_colon_is() -> None:
    said = [f"Amber editing: {who}\nWe fold it, in quilt mode: {who}" for who in ("one", "two", "three")]
    found = terms(*said)
    assert "Amber editing" not in found and "quilt mode" in found
    assert "QZ" not in terms(*(f"0:0{n} [QZ]\nWe fold.\n0:1{n} [QZ]\nWe hoot." for n in range(1, 4)))


@pytest.mark.parametrize("line", ["How to build a roof | ZephyrMag", "How to build a roof - ZephyrMag — Of roofs"])
def test_who_has_published_a_page_is_no_candidate(line: str) -> None:
    assert not {"ZephyrMag", "Zephyr"} & terms(line, line.replace("roof", "wall"), line.replace("roof", "door"))
    assert "ZephyrMag" in terms(line, "We all read the ZephyrMag.", "The ZephyrMag is read by all.")


def test_a_long_word_behind_a_dash_is_read_in_steps_that_its_length_bounds() -> None:
    line = f"How to build a roof - {'A' * 20_000}|"  # no test ends that tries all ways to part this word
    assert not Surroundings(line).is_source(line.index("A"))


def test_no_more_than_the_near_part_of_a_line_tells_a_label() -> None:
    assert Surroundings("(Zeph Owl)").is_label(1, 5)
    assert not Surroundings(f"(Zeph {'x ' * 30})").is_label(1, 5)
    assert Surroundings("- Zeph: owls").is_label(2, 6)
    assert not Surroundings(f"{'-' * 61}Zeph: owls").is_label(61, 65)


def test_what_several_people_have_is_no_candidate() -> None:
    owned = [f"{who}'s amber past" for who in ("Ottoline", "Brunhild", "Zora", "Kunigunde")]
    assert "amber past" not in terms(*owned) and "amber gate" in terms(*("Zeph's amber gate" for _ in owned))


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
        ("Building Bridges With Zeph Yourself", "Zeph", "unclear"),
        ("Zeph, Quilt, Hoot, Owls", "Zeph", "alone"),
    ],
)  # fmt: skip
def test_a_word_stands_alone_or_beside_another_name(text: str, word: str, standing: str) -> None:
    start = text.index(word)
    assert Surroundings(text).standing(start, start + len(word)) == standing
