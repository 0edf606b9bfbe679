"""The first inputs of the long run, `python -m tests.fuzz`."""

from itertools import islice

import pytest

from tests.fuzz import check, inputs
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.model import Concept


@pytest.mark.slow
def test_the_first_damaged_documents_break_no_law() -> None:
    extractor = Extractor(
        [Concept("vmap", "vmap", area="a"), Concept("tensor", "tensor", area="a", aliases=("strides",))]
    )
    seen = {check(document, extractor) for document in islice(inputs(seed=7), 150)}
    assert seen == {"read", "empty", "refused"}


def test_the_run_is_the_same_for_the_same_seed() -> None:
    assert list(islice(inputs(3), 20)) == list(islice(inputs(3), 20)) != list(islice(inputs(4), 20))
