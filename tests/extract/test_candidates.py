"""New terms in invented notes: what is listed, what is not, in which order, and that every quote is verbatim."""

import json
import tomllib
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import cases, concepts, pairs, rows
from torchatlas.extract.candidates import CandidateFinder, TermCandidate, drafts, written
from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.extract.feeds import Entry
from torchatlas.extract.pipeline import Extractor, to_json
from torchatlas.graph.findings import Extraction, Vocabulary
from torchatlas.graph.model import Episode, Requires, Show

NAMES = "dispatcher, vmap, fusion pass, rewrite pass, kernel cache, page cache, AOTAutograd, memory layout"
VOCABULARY = Vocabulary(tuple(concepts(NAMES)), unplaced={"blue sky": "no"})


@cache
def extractor() -> Extractor:
    return Extractor(VOCABULARY.concepts)


FINDER = CandidateFinder(VOCABULARY)
NOTES = (
    ("The lantern pass", "The lantern pass walks behind the dispatcher. It is written in lantern_pass.cpp."),
    ("Owls", "A lantern pass leaves the lights on; see <a href='https://e.org/HiddenName/lost_words'>notes</a>."),
    ("Who", "My guest Ottoline Crabapple wrote OwlQuilt. Ottoline Crabapple also likes owl::nest and HOOT_MAX."),
    ("Thanks", "Mail first_last@e.org or ask @night_owl. The OwlQuilt class overrides __hoot__ in src/hoot.py."),
)


def read(notes: tuple[tuple[str, str], ...]) -> list[Extraction]:
    entries = [Entry(Episode(f"s/{i}", title, show="s"), text) for i, (title, text) in enumerate(notes)]
    return list(extractor().extract(entries))


def found(*texts: str, title: str = "x") -> dict[str, TermCandidate]:
    return {c.text: c for c in FINDER.rank(read(tuple((title, text) for text in texts)))}


def test_what_recurs_and_what_is_code_is_listed_with_counts_and_a_verbatim_quote() -> None:
    extractions = read(NOTES)
    ranked = FINDER.rank(extractions)
    by_text = {c.text.lower(): c for c in ranked}
    assert {"owlquilt", "owl::nest", "hoot_max", "__hoot__", "lantern_pass.cpp", "src/hoot.py"} <= set(by_text)
    assert ranked[0].text == "lantern pass" and (ranked[0].count, ranked[0].episodes) == (3, ("s/0", "s/1"))
    assert by_text["owlquilt"].count == 2
    texts = {
        (x.episode.id, f): t for x in extractions for f, t in (("title", x.episode.title), ("description", x.text))
    }
    for c in ranked:
        whole = texts[c.episodes[0], c.field]
        assert " ".join(whole[c.start : c.end].split()).lower() == c.text.lower()
        assert c.quote in whole and whole[c.start : c.end] in c.quote
    assert [c.score for c in ranked] == sorted((c.score for c in ranked), reverse=True)


def test_people_addresses_handles_and_known_names_are_no_candidates() -> None:
    listed = " ".join(c.text for c in FINDER.rank(read(NOTES)))
    for absent in ("Ottoline", "Crabapple", "HiddenName", "lost_words", "first_last", "night_owl", "dispatcher"):
        assert absent not in listed


AD = "The good people of Hatstand bring you a lacquered trellis for every single week."
PEOPLE = ("Anne-Marie Trask", "Reinder de Vries", "Zak van der Merwe", "Coleman McFarland", "Hoàng Đức Hiếu")
HEADINGS = "We quilt and quilt again, day {}.\n\n12:30 – Quilting the owl\n\n13:30 – Bling the owl"
GENERATED = [
    (" / ".join(map(HEADINGS.format, "abc")), "Bling", "Quilting"),  # a heading that begins with a verb
    (" / ".join(f"Owls hoot in the attic, part {n}. {AD}" for n in "abcd"), "", "lacquered trellis"),
    (" / ".join(f"Today {name} is here.\n{name} and I hoot." for name in PEOPLE), "", "*"),
    ("A line that is long and is about flux\nCapacitors / so flux\nCapacitors", "", "flux Capacitors"),
]
LISTED = """
    The kernel-cache. The Kernel Caches. An aot_autograd call. / kernel cache, aot_autograd => => *
    We watched S1E5 again. It is the best. / In S1E5 they meet an owl. / As S1E5 says. EP12! / EP12. => => *
    A blue sky. The blue sky. / blue sky => => *
    The tidal ledger shard. / A tidal ledger shard. / One tidal ledger shard. => tidal ledger shard => *
    The tidal ledger shard. / A tidal ledger shard. / tidal ledger / tidal ledger / tidal ledger => \
tidal ledger, tidal ledger shard => *
    We talk about many things and it works really well for everybody today. => => * | Files such as *.tidal => => *
    Files of #ledger => => * | THIS IS ALL VERY LOUD AND SAYS NOTHING => => *
    Marie visited. Marie says hello. Marie left. => => *
    amber gate, amber gate, amber gate / copper reef / copper reef / copper reef => copper reef, amber gate => *
    Then comes the amber pass. => amber pass => * | Then comes the amber gate. => => *
    A Quill filter is read. / We like a Quill filter, and QLM trees. / Of QLM trees and a Zeph cell. => \
Quill filter, QLM trees => Quill, QLM
    Of QLM trees. / We like QLM trees. / QLM is old. => QLM => | Run QTs on Q8s. / The Q8s meets QTs. => QT => Q8
    We fold a lacquered trellis with glue. / We fold a lacquered trellis with wax. => lacquered trellis =>
    The Write-Ahead Ledger / We write. The Write-Ahead Ledger / A Write-Ahead Ledger => Write-Ahead Ledger => *
    The 12 GB of Zeph / Zeph has 7 GB. => Zeph => GB | We like Zeph, VS the old one / It was old VS Zeph. => Zeph => VS
    Run Zeph with --owl-mode / Zeph has --owl-mode => Zeph => --owl-mode
    We went to owl.com on Zeph / On Owl.com, and Zeph => Zeph => Owl
    We began Zeph on 2021/07/16 / We saw Zeph, 2021/07/16 => Zeph => 2021/07/16
    <p>Audio editing</p><p>Hosting infrastructure</p> / <p>Audio editing</p><p>Hosting infrastructure</p> => \
Audio editing, Hosting infrastructure => *
"""


@pytest.mark.parametrize(("texts", "listed", "absent"), [*GENERATED, *rows(LISTED)])
def test_terms_are_listed_with_the_weightiest_first_and_other_words_are_not(
    texts: str, listed: str, absent: str
) -> None:
    terms = [*found(*texts.split(" / "))]
    expected = listed.split(", ") if listed else []
    assert [term for term in terms if term in expected or absent == "*"] == expected
    assert not {*absent.split(", ")} & {*terms}


def test_what_was_refused_is_not_listed() -> None:
    again = read((("x", "A tidal ledger. The tidal ledger."),))
    assert [c.text for c in FINDER.rank(again)] == ["tidal ledger"]
    assert not CandidateFinder(VOCABULARY, ["Tidal-Ledgers"]).rank(again)


def test_the_contract_has_candidates_only_where_they_are_asked_for() -> None:
    (extraction,) = read(NOTES[:1])
    names = {c.id: c.name for c in VOCABULARY.concepts}
    assert "candidates" not in to_json(extraction, names)
    rows = json.loads(json.dumps(to_json(extraction, names, FINDER.rank([extraction]))))["candidates"]
    assert rows[0]["text"] == "lantern pass" and all(set(row) == {"text", "count", "score"} for row in rows)


PIECES = cases("Owl | owl_Q | a::b | (c) | the | . | Dr. | x")


@given(st.lists(st.text(max_size=200) | st.lists(st.sampled_from([*PIECES, "\n"])).map(" ".join), max_size=4))
def test_any_text_gives_verbatim_candidates(texts: list[str]) -> None:
    extractions = [Extraction(Episode(f"s/{i}", "x", show="s"), text) for i, text in enumerate(texts)]
    for c in FINDER.rank(extractions):
        whole = texts[int(c.episodes[0][2:])]
        assert c.score > 0 and c.count >= len(c.episodes) >= 1 and c.field == "description"
        assert whole[c.start : c.end] in c.quote and c.quote in whole
        assert c.text.split() == whole[c.start : c.end].split() or c.count > 1


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["amber reef ", "Amber Reef ", "a_b ", "ABC ", "x", "@", "a.", "owl nest\n"])
def test_a_long_monotonous_text_comes_to_an_end(piece: str) -> None:
    FINDER.rank([Extraction(Episode("s/1", "x", show="s"), piece * (60_000 // len(piece)))])


LANGUAGES = """
    In dieser Folge sprechen wir über die Lagerung von {} und warum sie nicht immer geht.
    Dans cet épisode nous parlons de la {} et de ce que nous en faisons avec vous.
    En este episodio hablamos de la {} y de por qué no es lo que todos creen.
"""
REPEATED = "Wir reden über {} und Herausforderungen.\n" * 3 + "Heute geht es um Tests, wie wir das nicht mehr tun." * 2


@pytest.mark.parametrize("text", [*cases(LANGUAGES), REPEATED])
def test_notes_in_another_language_give_code_and_abbreviations_only(text: str) -> None:
    links = "\nHow to write the tests that you can use for all of the things.\n" * 9
    said = text.replace("{}", "Netzwerk Owl mit owl_mesh und OWLQ")
    assert set(found(*(f"{city} {said}{links}" for city in ("Oslo", "Lima", "Rom")))) == {"owl_mesh", "OWLQ"}


def test_a_sentence_tells_more_of_a_term_than_an_item_of_a_list() -> None:
    (term,) = found("<ul><li>All of the flux capacitor</li></ul>", "We turn the flux capacitor on.").values()
    assert term.quote == "We turn the flux capacitor on."


NAMED = [{"author": "Brunhild Owl, Kim"}, {"guests": ("Brunhild Owl",)}, {"credits": ("Brunhild Owl",)}]


@pytest.mark.parametrize("told", NAMED)
def test_the_people_that_a_feed_names_are_no_candidates(told: dict[str, Any]) -> None:
    def listed(author: str | None = None, guests: tuple[str, ...] = (), credits: tuple[str, ...] = ()) -> set[str]:
        said = ("We have Zeph with brass and Brunhild. QuiltCast is on.", "It is Zeph, some Brunhild, and QuiltCast.")
        show = Show("s", "s", author=author)
        about = [Episode(f"s/{i}", "x", show="s", guests=guests) for i in range(2)]
        entries = [Entry(e, text, show=show, credits=credits) for e, text in zip(about, said, strict=True)]
        return {c.text for c in FINDER.rank(extractor().extract(entries))}

    assert {"Brunhild", "QuiltCast"} <= listed()
    assert "Brunhild" not in listed(**told)


def candidate(text: str, quote: str = "A sentence.", **facts: object) -> TermCandidate:
    usual = {"score": 1.0, "episodes": ("show/one",), "field": "description", "start": 0, "end": len(text)}
    return TermCandidate(text, 2, quote=quote, **(usual | facts))  # type: ignore[arg-type]


DRAFTED = """ConfigMaps / ConfigMap => ConfigMap = ConfigMaps
    MVCC / multi-version concurrency control => multi-version concurrency control = MVCC
    write-ahead log / WAL / write-ahead logs => write-ahead log = WAL = write-ahead logs
    Bloom filter / Bloom / B-tree => Bloom filter | one thing / two things / three things => one thing / two things"""


@pytest.mark.parametrize(("texts", "named"), pairs(DRAFTED))
def test_plurals_and_abbreviations_are_aliases_and_parts_and_what_is_known_are_left_out(texts: str, named: str) -> None:
    found = drafts(map(candidate, texts.split(" / ")), ("b-tree",), 2)
    assert [" = ".join((d.name, *d.aliases)) for d in found] == named.split(" / ")


def test_a_term_may_be_called_as_the_key_of_the_file() -> None:
    found = drafts([candidate("area"), candidate("Areas"), candidate("glow pass")], (), 9)
    assert [(d.id, d.name, d.aliases) for d in found] == [
        ("area-term", "area", ("Areas",)), ("glow-pass", "glow pass", ()),
    ]  # fmt: skip
    vocabulary = load_vocabulary([("mine.toml", written("Land", found))])
    assert {(c.id, c.area) for c in vocabulary.concepts} == {("area-term", "Land"), ("glow-pass", "Land")}


def test_what_is_written_is_a_vocabulary_whatever_the_notes_say() -> None:
    hostile = 'A "quote" \\ with\n# no = comment\u202e and ]] more'
    found = drafts([candidate("flux pass", hostile), candidate("glow pass")], (), 9)
    needs = {
        "glow-pass": (
            Requires("glow-pass", "flux-pass", need="bridge", reason="inferred: it says so", quote=hostile * 9),
        )
    }
    text = written("Lights", found, needs)
    vocabulary = load_vocabulary([("mine.toml", text)])
    assert vocabulary.drafts == {"flux-pass", "glow-pass"}
    (edge,) = vocabulary.requires
    assert (edge.source, edge.target, edge.need) == ("glow-pass", "flux-pass", "bridge")
    assert edge.reason.startswith("draft: it says so: ") and len(edge.reason) < 220
    assert tomllib.loads(text)["area"] == "Lights"


def test_a_definition_begins_without_the_mark_of_a_list() -> None:
    (draft,) = drafts([candidate("glow pass", "• The glow pass")], (), 9)
    assert draft.quote == "The glow pass"
