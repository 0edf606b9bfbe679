"""The pipeline that reads texts."""

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from torchatlas.extract.feeds.entries import Entry
from torchatlas.extract.links import find_links, url_spans
from torchatlas.extract.text import LONGEST, masked, to_text
from torchatlas.graph.values.findings import Extraction, Field, Mention
from torchatlas.graph.values.model import Concept

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

LONGEST_WORD = 2_000
_ROLE = re.compile(
    r":(?:ref|doc|numref|cite):`(?:[\w./-]+`)?|(?:\{[\w:.-]+\}|:[\w:+-]+:)(?=`)|(?<=`)[~!](?=\w)|(?<= )<[\w./-]+>(?=`)"
)
"""A role of reStructuredText, and the label that it refers to."""
_UNBROKEN = re.compile(rf"\S{{{LONGEST_WORD},}}")


def make_nlp(concepts: Iterable[Concept]) -> "Language":
    """Return a pipeline of spaCy that finds these concepts.

    Example: `make_nlp(vocabulary.concepts)("How vmap works").spans["concepts"]`
    """
    import spacy

    nlp = spacy.blank("en")
    nlp.max_length = 3 * LONGEST
    known = [
        {"id": c.id, "name": c.name, "aliases": list(c.aliases), "in_texts": list(c.in_texts)}
        for c in sorted(concepts, key=lambda c: c.id)
    ]
    finder: Any = nlp.add_pipe("torchatlas_concepts", config={"concepts": []})
    finder.add(known)  # not by the config, which spaCy takes seconds to copy
    return nlp


def findings_of(doc: "Doc", text: str, field: Field = "description") -> tuple[Mention, ...]:
    """Return the mentions that a document holds. `text`: that of the document, with nothing blanked."""
    return tuple(
        Mention(s.label_, field, start=s.start_char, end=s.end_char, text=text[s.start_char : s.end_char], part=s.id_)
        for s in doc.spans["concepts"]
    )


def read(nlp: "Language", entries: Iterable[Entry], n_process: int = 1) -> Iterator[Extraction]:
    """Yield the findings in each entry, in order."""
    known = [(entry, to_text(entry.notes, base=entry.base)) for entry in entries]
    texts = (blanked(t, e.episode.show) for e, source in known for t in (e.episode.title, source.text))
    docs = nlp.pipe(texts, n_process=n_process)
    for entry, source in known:
        title = findings_of(next(docs), entry.episode.title, "title")
        mentions = title + findings_of(next(docs), source.text)
        yield Extraction(
            entry.episode,
            source.text,
            mentions=mentions,
            links=find_links(source),
            show=entry.show,
            people=entry.people,
        )


def blanked(text: str, show: str = "") -> str:
    """Return the text with as many spaces in place of what names no concept.

    That is addresses, roles (:func:`x`), the show's own name, and unbroken runs of letters that nobody wrote. Offsets
    stay the same, and the tokenizer, quadratic in the length of a word, stays fast.

    >>> blanked("See https://a.org now")
    'See               now'
    """
    unbroken = _UNBROKEN.finditer(text) if len(text) >= LONGEST_WORD else ()
    roles = _ROLE.finditer(text) if "`" in text else ()
    named = re.finditer(re.escape(show), text, re.I) if " " in show else ()
    return masked(text, [*url_spans(text), *(m.span() for m in (*unbroken, *roles, *named))], " ")
