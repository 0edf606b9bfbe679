"""Answers as text for people and for programs: JSON in the shapes of the contract, Markdown to take along."""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from torchatlas.formatting import address, clock, is_web, length
from torchatlas.graph.values.answers import Plan, Primer, Step, Table

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


def plan_markdown(plan: Plan) -> str:
    """A plan as a checklist in Markdown, for a notebook or an issue."""
    total = length(plan.minutes, any(s.estimated for s in plan.steps))
    lines = [f"# Listening path to {_text(', '.join(plan.goals))}", "", f"{len(plan.steps)} episodes, {total}."]
    if plan.known:
        lines += ["", f"Known already: {_text(', '.join(plan.known))}."]
    lines += [""] + [line for n, step in enumerate(plan.steps, 1) for line in _step_markdown(n, step)]
    lines += _primer_markdown("A sentence is enough", plan.primer)
    lines += _primer_markdown("No episode teaches these", plan.gaps)
    lines += [f"\n{_text(note)}" for note in plan.notes]
    lines += [f"\nLeft out: {_text(u.goal)} would take {length(u.extra_minutes)} more." for u in plan.unmet]
    return "\n".join(lines) + "\n"


def _step_json(step: Step) -> dict[str, Any]:
    needs = [{"id": n.id, "name": n.name, "from": n.source} for n in step.needs]
    return asdict(step) | {"needs": needs}


def _step_markdown(place: int, step: Step) -> Iterable[str]:
    number = f"#{step.number} " if step.number is not None else ""
    title = f"[{_text(step.title)}]({address(step.url)})" if step.url and is_web(step.url) else _text(step.title)
    yield f"{place}. [ ] **{number}{title}** ({length(step.minutes, step.estimated)}): {_text(step.why)}"
    if moments := [f"{_text(t.name)} at {clock(t.at)}" for t in step.teaches if t.at is not None]:
        yield f"   - explained: {', '.join(moments)}"
    for caveat in step.caveats:
        yield f"   - mind: {_text(caveat)}"


def _primer_markdown(heading: str, primer: Iterable[Primer]) -> list[str]:
    rows = [f"- **{_text(p.name)}**: {_text(p.definition)}{_autolink(p.link)}" for p in primer]
    return ["", f"## {heading}", "", *rows] if rows else []


def _autolink(url: str | None) -> str:
    return f" <{address(url)}>" if url and is_web(url) else ""


def _text(text: str) -> str:
    """Text within a line that Markdown shows as it is; with fewer marks than `words.esc`, since files are read raw."""
    return re.sub(r"([\\`*_\[\]<>|~&$])", r"\\\1", " ".join(text.split()))
