"""Values of a query's parameters as people type them."""

import re
from collections.abc import Mapping

from torchatlas.graph.cypher import Question, parameter_names, whole_number


def typed_value(text: str) -> object:
    """Return the value that a person typed: whole numbers and decimals as numbers, everything else as text.

    Raises QueryError for a whole number that no engine holds.

    >>> typed_value("61"), typed_value("0.5"), typed_value("vmap")
    (61, 0.5, 'vmap')
    """
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return whole_number(text)
    return float(text) if re.fullmatch(r"[+-]?[0-9]+\.[0-9]+", text) else text


def values_for(
    cypher: str, typed: Mapping[str, str], question: Question | None = None
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the values for the parameters that a text names, and the names that have no value yet.

    The text may be that of a saved `question`, changed or not: the values that the question describes get the types
    that it gives them. Raises QueryError where such a value is missing or has another type.

    >>> values_for("RETURN $rank, $area", {"rank": "9", "area": " "})
    ({'rank': 9}, ('area',))
    """
    named = parameter_names(cypher)
    values: dict[str, object] = {}
    if question and named:
        values = question.bind({p.name: typed.get(p.name, "").strip() for p in question.parameters})
    values |= {n: typed_value(typed[n].strip()) for n in named - values.keys() if typed.get(n, "").strip()}
    return values, tuple(sorted(named - values.keys()))
