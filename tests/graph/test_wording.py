from collections.abc import Mapping
from typing import Any, get_args

import pytest

from torchatlas.graph import model, wording


@pytest.mark.parametrize(
    ("table", "kinds"),
    [
        (wording.ORDERS, wording.OrderKind),
        (wording.RELATIONS, model.ConceptRelationKind),
        (wording.REFERENCES, model.Reference),
        (wording.NEEDS, model.Need),
        (wording.DEPTHS, model.Depth),
        (wording.BASES, model.Basis),
        (wording.ORIGINS, model.Origin),
        (wording.CERTAINTIES, model.Origin),
        (wording.PLAN_DEPTHS, wording.PlanDepth),
    ],
)
def test_every_kind_has_words(table: Mapping[str, Any], kinds: Any) -> None:
    assert set(table) == set(get_args(kinds))


def test_every_table_is_tested_for_that() -> None:
    tables = [name for name, value in vars(wording).items() if name.isupper() and isinstance(value, dict)]
    (mark,) = test_every_kind_has_words.pytestmark  # type: ignore[attr-defined]
    assert len(tables) == len(mark.args[1])
