import tomllib

from torchatlas.extract.candidates import TermCandidate, drafts, written
from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.graph.model import Requires


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
