"""Answers as JSON, in the shapes that other programs read."""

import json
import re
from dataclasses import asdict
from typing import Any

from torchatlas.graph.values.answers import Plan, Step, Table

_OBEYED = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")  # json escapes those below \x20


def dumps(value: object, indent: int | None = 2) -> str:
    """One JSON text: readable, the same for the same value; what a terminal would obey or hide stands as \\uXXXX."""
    text = json.dumps(value, ensure_ascii=False, indent=indent, default=str)
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def plan_json(plan: Plan) -> dict[str, Any]:
    """A plan in the shape that other programs read."""
    return asdict(plan) | {
        "steps": [_step_json(s) for s in plan.steps],
        "routes": [[_step_json(s) for s in route] for route in plan.routes],
    }


def table_json(table: Table) -> dict[str, Any]:
    """Rows of a query: {"columns", "rows"}, and "truncated" where the row cap cut them."""
    body: dict[str, Any] = {"columns": list(table.columns), "rows": [list(row) for row in table.rows]}
    return body | ({"truncated": True} if table.truncated else {})


def _step_json(step: Step) -> dict[str, Any]:
    needs = [{"id": n.id, "name": n.name, "from": n.source} for n in step.needs]
    return asdict(step) | {"needs": needs}
