"""New terms in invented notes: what is listed, what is not, in which order, and that every quote is verbatim."""

import json
import tomllib
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import cases, concepts
from torchatlas.extract.candidates import CandidateFinder, TermCandidate, _runs, drafts, written
from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.extract.feeds import Entry
from torchatlas.extract.findings_json import to_json
from torchatlas.extract.pipeline import Extractor
from torchatlas.extract.text import to_text
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


def test_a_known_name_in_another_spelling_is_known() -> None:
    assert not found("The kernel-cache. The Kernel Caches. An aot_autograd call.", "kernel cache, aot_autograd")


def test_the_number_of_an_episode_is_no_candidate() -> None:
    assert not found(
        "We watched S1E5 again. It is the best.", "In S1E5 they meet an owl.", "As S1E5 says. EP12!", "EP12."
    )


def test_what_is_deliberately_no_concept_and_what_was_refused_is_not_listed() -> None:
    assert not found("A blue sky. The blue sky.", "blue sky")
    again = read((("x", "A tidal ledger. The tidal ledger."),))
    assert [c.text for c in FINDER.rank(again)] == ["tidal ledger"]
    assert not CandidateFinder(VOCABULARY, ["Tidal-Ledgers"]).rank(again)


def test_a_phrase_within_a_longer_one_counts_only_where_it_stands_alone() -> None:
    listed = found("The tidal ledger shard.", "A tidal ledger shard.", "One tidal ledger shard.")
    assert set(listed) == {"tidal ledger shard"}
    listed = found("The tidal ledger shard.", "A tidal ledger shard.", "tidal ledger", "tidal ledger", "tidal ledger")
    assert listed["tidal ledger"].score > listed["tidal ledger shard"].score


PLAIN = """We talk about many things and it works really well for everybody today. | Files such as *.tidal and #ledger
    THIS IS ALL VERY LOUD AND SAYS NOTHING | Marie visited. Marie says hello. Marie left."""


@pytest.mark.parametrize("text", cases(PLAIN))
def test_plain_words_are_no_candidates(text: str) -> None:
    assert not found(text)


def test_spread_over_episodes_counts_more_than_repetition_in_one() -> None:
    listed = found("amber gate, amber gate, amber gate", "copper reef", "copper reef", "copper reef")
    assert listed["copper reef"].score > listed["amber gate"].score


def test_a_phrase_of_one_place_needs_a_head_that_terms_end_with() -> None:
    assert set(found("Then comes the amber pass.")) == {"amber pass"}
    assert not found("Then comes the amber gate.")


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


@pytest.mark.parametrize(
    ("notes", "found"),
    [
        ("<p>Audio editing</p><p>Hosting infrastructure</p>", {"Audio editing", "Hosting infrastructure"}),
        ("A line that is long enough to be a paragraph about flux\nCapacitors", set()),
    ],
)
def test_a_term_ends_with_its_block(notes: str, found: set[str]) -> None:
    text = to_text(notes).text
    spelled = {" ".join(w.text for w in run) for run in _runs(text, ())}
    assert {s for s in spelled if " " in s and s.split()[0].lower() in {"audio", "hosting", "flux"}} == found


def test_a_word_that_stands_only_in_a_longer_term_is_no_term_of_its_own() -> None:
    terms = found("A Quill filter is read.", "We like a Quill filter, and QLM trees.", "Of QLM trees and a Zeph cell.")
    assert {"Quill filter", "QLM trees"} <= set(terms) and not {"Quill", "QLM"} & set(terms)
    assert "QLM" in found("Of QLM trees.", "We like QLM trees.", "QLM is old.")


def test_a_heading_that_begins_with_a_verb_names_nothing() -> None:
    notes = [
        f"We quilt and quilt again, day {day}.\n\n12:30 – Quilting the owl\n\n13:30 – Bling the owl" for day in "abc"
    ]
    terms = found(*notes)
    assert "Quilting" not in terms and "Bling" in terms


def test_an_abbreviation_of_letters_and_a_digit_has_no_plural() -> None:
    terms = found("Run QTs on Q8s.", "The Q8s meets QTs.")
    assert "QT" in terms and "Q8" not in terms


def test_a_sentence_that_several_episodes_share_word_for_word_counts_once() -> None:
    ad = "The good people of Hatstand bring you a lacquered trellis for every single week."
    terms = found(*(f"Owls hoot in the attic, part {n}. {ad}" for n in "abcd"))
    assert "lacquered trellis" not in terms
    own = found(*(f"We fold a lacquered trellis with {n}." for n in ("glue", "wax", "yarn")))
    assert own["lacquered trellis"].count == 3


def test_names_of_people_with_a_particle_an_accent_a_hyphen_or_a_second_capital_are_no_candidates() -> None:
    people = ("Anne-Marie Trask", "Reinder de Vries", "Zak van der Merwe", "Coleman McFarland", "Hoàng Đức Hiếu")
    assert not found(*(f"Today {name} is here.\n{name} and I hoot." for name in people))
    kept = found("The Write-Ahead Ledger", "We write. The Write-Ahead Ledger", "A Write-Ahead Ledger")
    assert set(kept) == {"Write-Ahead Ledger"}


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


@cache
def bare() -> Extractor:
    return Extractor(())


def terms(
    *texts: str, show: str = "s", author: str = "", guests: tuple[str, ...] = (), credits: tuple[str, ...] = ()
) -> set[str]:
    of = Show("s", show, author=author or None)
    entries = (
        Entry(Episode(f"s/{i}", "x", show=show, guests=guests), text, show=of, credits=credits)
        for i, text in enumerate(texts)
    )
    return {c.text for c in CandidateFinder(Vocabulary(())).rank(bare().extract(entries))}


UNEXPLAINED = """GB => The 12 GB of Zeph => Zeph has 7 GB.
    VS => We like Zeph, VS the old one => It was old VS new for Zeph.
    --owl-mode => Run Zeph with --owl-mode => Zeph has --owl-mode
    Owl => We went to owl.com on Zeph => On Owl.com, and Zeph
    2021/07/16 => We began Zeph on 2021/07/16 => We saw Zeph, 2021/07/16"""


@pytest.mark.parametrize("case", cases(UNEXPLAINED))
def test_names_that_explain_nothing_are_no_candidates(case: str) -> None:
    name, *texts = case.split(" => ")
    found_terms = terms(*texts)
    assert "Zeph" in found_terms and name not in found_terms


def test_the_people_that_a_feed_names_are_no_candidates() -> None:
    said = ("We have Zeph with brass and Brunhild. QuiltCast is on.", "It is Zeph, some Brunhild, and QuiltCast again.")
    assert {"Brunhild", "QuiltCast"} <= terms(*said)
    for told in ({"author": "Brunhild Owl, Kim"}, {"guests": ("Brunhild Owl",)}, {"credits": ("Brunhild Owl",)}):
        assert "Brunhild" not in terms(*said, **told)  # type: ignore[arg-type]


def candidate(text: str, quote: str = "A sentence.", **facts: object) -> TermCandidate:
    usual = {"score": 1.0, "episodes": ("show/one",), "field": "description", "start": 0, "end": len(text)}
    return TermCandidate(text, 2, quote=quote, **(usual | facts))  # type: ignore[arg-type]


def names(*texts: str, taken: tuple[str, ...] = (), limit: int = 9) -> list[tuple[str, tuple[str, ...]]]:
    return [(d.name, d.aliases) for d in drafts(map(candidate, texts), taken, limit)]


def test_plurals_and_abbreviations_are_aliases_of_the_whole_name() -> None:
    assert names("ConfigMaps", "ConfigMap") == [("ConfigMap", ("ConfigMaps",))]
    assert names("MVCC", "multi-version concurrency control") == [("multi-version concurrency control", ("MVCC",))]
    assert names("write-ahead log", "WAL", "write-ahead logs") == [("write-ahead log", ("WAL", "write-ahead logs"))]


def test_a_part_of_a_drafted_name_and_what_is_known_are_left_out() -> None:
    assert names("Bloom filter", "Bloom", "B-tree", taken=("b-tree",)) == [("Bloom filter", ())]
    assert names("one thing", "two things", "three things", limit=2) == [("one thing", ()), ("two things", ())]


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
