"""The terms that no concept explains: data/terms.txt and data/glossary.txt."""

import re
from collections import Counter
from typing import Any

from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.extract.concepts import general_terms
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.names import spelling
from torchatlas.shipped import bundled

GENERAL, REMOTE = tuple(general_terms()), tuple(general_terms("glossary.txt"))
TERMS = (*GENERAL, *REMOTE)


def test_a_term_is_no_name_of_a_concept_and_stands_once() -> None:
    concepts = load_vocabulary(bundled("concepts", ".toml")).concepts
    taken = {spelling(n): c.id for c in concepts for n in (c.id, c.name, *c.aliases, *c.in_texts)}
    worded = Counter(key for term in TERMS for key in {spelling(n) for n in (term["name"], *term["aliases"])})
    assert {wording: taken[wording] for wording in worded if wording in taken} == {}
    assert [wording for wording, times in worded.items() if times > 1] == []


def test_the_two_lists_share_no_term_by_other_hyphens_or_spaces() -> None:
    general, remote = (
        {re.sub(r"[\s-]|s$", "", name.lower()) for term in terms for name in (term["name"], *term["aliases"])}
        for terms in (GENERAL, REMOTE)
    )
    assert general & remote <= {"vite"}  # Vite; Vitess is another thing


def test_the_terms_stand_in_order() -> None:
    for terms in (GENERAL, REMOTE):
        names = [term["name"].casefold() for term in terms]
        assert names == sorted(names)


def test_a_tool_is_found_that_a_text_names_once() -> None:
    assert [m.text for m in Extractor([]).mentions("Play it with Selenium, then tinygrad.")] == ["Selenium", "tinygrad"]


def test_a_remote_term_is_found_and_makes_no_word_a_part_of_other_terms() -> None:
    extractor = Extractor([])
    text = "A copy-on-write B-tree, write-ahead logs, prefetched buffers and a yarn"
    assert [m.text for m in extractor.mentions(text)] == [
        "copy-on-write B-tree",
        "write-ahead logs",
        "prefetched",
    ]
    remote = {word for term in REMOTE for word in term["name"].lower().split()}
    near = {word for term in GENERAL for name in (term["name"], *term["aliases"]) for word in name.lower().split()}
    finder: Any = extractor.nlp.get_pipe("torchatlas_concepts")
    assert not (remote - near) & {*finder.heads, *finder.modifiers}
