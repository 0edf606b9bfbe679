"""New terms in invented notes: what is listed, what is not, in which order, and that every quote is verbatim."""

import tomllib
from functools import cache

import pytest

from tests.extract.cases import TEXTS, cases, concepts, pairs, rows
from torchatlas.extract.candidates import CandidateFinder, TermCandidate, drafts, written
from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.extract.feeds import Entry
from torchatlas.extract.pipeline import Extractor
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
    for c in ranked:
        (x,) = (x for x in extractions if x.episode.id == c.episodes[0])
        whole = x.episode.title if c.field == "title" else x.text
        assert " ".join(whole[c.start : c.end].split()).lower() == c.text.lower()
        assert c.quote in whole and whole[c.start : c.end] in c.quote
    assert [c.score for c in ranked] == sorted((c.score for c in ranked), reverse=True)
    listed = " ".join(c.text for c in ranked)  # without people, addresses, handles and known names
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


@pytest.mark.parametrize(("texts", "listed", "absent"), [*GENERATED, *rows(TEXTS["candidates"])])
def test_terms_are_listed_with_the_weightiest_first_and_other_words_are_not(texts: str, listed: str, absent) -> None:
    terms = [*found(*texts.split(" / "))]
    expected = listed.split(", ") if listed else []
    assert [term for term in terms if term in expected or absent == "*"] == expected
    assert not {*absent.split(", ")} & {*terms}


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


def test_what_was_refused_is_not_listed_and_a_sentence_tells_more_of_a_term_than_an_item_of_a_list() -> None:
    again = read((("x", "A tidal ledger. The tidal ledger."),))
    assert FINDER.rank(again) and not CandidateFinder(VOCABULARY, ["Tidal-Ledgers"]).rank(again)
    (term,) = found("<ul><li>All of the flux capacitor</li></ul>", "We turn the flux capacitor on.").values()
    assert term.quote == "We turn the flux capacitor on."


def test_the_people_that_a_feed_names_are_no_candidates() -> None:
    def listed(author: str | None = None, guests: tuple[str, ...] = (), credits: tuple[str, ...] = ()) -> set[str]:
        said = ("We have Zeph with brass and Brunhild. QuiltCast is on.", "It is Zeph, some Brunhild, and QuiltCast.")
        show = Show("s", "s", author=author)
        about = [Episode(f"s/{i}", "x", show="s", guests=guests) for i in range(2)]
        entries = [Entry(e, text, show=show, credits=credits) for e, text in zip(about, said, strict=True)]
        return {c.text for c in FINDER.rank(extractor().extract(entries))}

    assert {"Brunhild", "QuiltCast"} <= listed()
    for named in (listed("Brunhild Owl, Kim"), listed(guests=("Brunhild Owl",)), listed(credits=("Brunhild Owl",))):
        assert "Brunhild" not in named


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


def test_a_term_may_be_called_as_the_key_of_the_file_and_its_definition_begins_without_the_mark_of_a_list() -> None:
    found = drafts([candidate("area"), candidate("Areas"), candidate("glow pass", "• The glow pass")], (), 9)
    assert found[1].quote == "The glow pass"
    area, glow = ("area-term", "area", ("Areas",)), ("glow-pass", "glow pass", ())
    assert [(d.id, d.name, d.aliases) for d in found] == [area, glow]
    vocabulary = load_vocabulary([("mine.toml", written("Land", found))])
    assert {(c.id, c.area) for c in vocabulary.concepts} == {("area-term", "Land"), ("glow-pass", "Land")}


def test_what_is_written_is_a_vocabulary_whatever_the_notes_say() -> None:
    hostile = 'A "quote" \\ with\n# no = comment\u202e and ]] more'
    found = drafts([candidate("flux pass", hostile), candidate("glow pass")], (), 9)
    need = Requires("glow-pass", "flux-pass", need="bridge", reason="inferred: it says so", quote=hostile * 9)
    text = written("Lights", found, {"glow-pass": (need,)})
    vocabulary = load_vocabulary([("mine.toml", text)])
    assert vocabulary.drafts == {"flux-pass", "glow-pass"}
    (edge,) = vocabulary.requires
    assert (edge.source, edge.target, edge.need) == ("glow-pass", "flux-pass", "bridge")
    assert edge.reason.startswith("draft: it says so: ") and len(edge.reason) < 220
    assert tomllib.loads(text)["area"] == "Lights"
