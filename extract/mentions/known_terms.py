"""Known terms: what a text may name and no concept of the vocabulary is, of programming, machine learning and PyTorch.

A learner may look them up, but the map has nothing of its own to say about them. Each is found as a thing of its own,
"dead code" beside dead code elimination. They stand in `data/terms.txt`: a line is a term and its other names.
"""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from torchatlas.graph.values.ids import concept_id


def general_terms() -> Iterator[dict[str, Any]]:
    """Yield the terms in the form of a vocabulary's concepts.

    >>> sorted(next(general_terms()))
    ['aliases', 'id', 'name']
    """
    for line in (files("torchatlas.data") / "terms.txt").read_text("utf-8").splitlines():
        name, *aliases = (part.strip() for part in line.split(","))
        yield {"id": concept_id(name), "name": name, "aliases": aliases}
