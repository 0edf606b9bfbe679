"""The lexicon: the same answers as lemminflect's own, without its dictionary of all words."""

import gzip
import subprocess
import sys
from pathlib import Path

from lemminflect import config, getAllLemmas

from torchatlas.extract.statements.lexicon import bases


def test_words_of_the_table_and_exceptions_have_the_bases_that_lemminflect_gives() -> None:
    with gzip.open(config.lemma_lu_fn, "rt", encoding="utf-8") as table:
        words = {line.partition(",")[0] for line in table}
    exceptions = Path(config.lemma_overrides_fn).read_text("utf-8").splitlines()
    words |= {line.partition(",")[0] for line in exceptions}
    assert len(words) > 50_000
    assert [word for word in sorted(words)[::7] if bases(word) != getAllLemmas(word)] == []


def test_capitals_and_unknown_words_are_looked_up_as_lemminflect_does() -> None:
    for word in ("Built", "RUNS", "", "zzzz", "'", "\ud800", "aaaaflurb", "naïve", "built,verb"):
        assert bases(word) == getAllLemmas(word)


def test_a_statement_loads_neither_all_words_nor_spacy() -> None:
    code = "from torchatlas.extract.statements.tagging import classes; assert classes('built') == {'VERB': 'build'}; "
    code += "import sys; assert 'spacy' not in sys.modules; "
    code += "from lemminflect import Lemmatizer; assert not hasattr(Lemmatizer(), 'lemma_dict')"
    subprocess.run([sys.executable, "-c", code], check=True)
