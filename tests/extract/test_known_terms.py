"""The terms that no concept explains: data/terms.txt."""

from collections import Counter

from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.extract.mentions.known_terms import general_terms
from torchatlas.graph.values.names import spelling
from torchatlas.inputs.bundled import bundled

TERMS = tuple(general_terms())


def test_a_term_is_no_name_of_a_concept_and_stands_once() -> None:
    concepts = load_vocabulary(bundled("concepts", ".toml")).concepts
    taken = {spelling(n): c.id for c in concepts for n in (c.id, c.name, *c.aliases, *c.in_texts)}
    worded = Counter(key for term in TERMS for key in {spelling(n) for n in (term["name"], *term["aliases"])})
    assert {wording: taken[wording] for wording in worded if wording in taken} == {}
    assert [wording for wording, times in worded.items() if times > 1] == []


def test_the_terms_stand_in_order() -> None:
    names = [term["name"].casefold() for term in TERMS]
    assert names == sorted(names)
