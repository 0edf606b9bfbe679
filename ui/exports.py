"""Answers as text for people and for programs: JSON in the shapes of the contract, Markdown to take along."""

import json
import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from graph.answers import Plan, Primer, Step, Table


def clock(seconds: int) -> str:
    """Seconds as a player shows them: 266 -> "4:26", 3661 -> "1:01:01"."""
    minutes, second = divmod(seconds, 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"


def length(minutes: int, estimated: bool = False) -> str:
    """Minutes in words: 75 -> "1 h 15 min"; an estimate begins with "~"."""
    hours, rest = divmod(minutes, 60)
    words = f"{hours} h {rest:02} min" if hours else f"{rest} min"
    return f"~{words}" if estimated else words


def dumps(value: object) -> str:
    """One JSON text: readable, in UTF-8, the same for the same value."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


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
    lines = [f"# Listening path to {escape(', '.join(plan.goals))}", "", f"{len(plan.steps)} episodes, {total}."]
    if plan.known:
        lines += ["", f"Known already: {escape(', '.join(plan.known))}."]
    lines += [""] + [line for n, step in enumerate(plan.steps, 1) for line in _step_markdown(n, step)]
    lines += _primer_markdown("A sentence is enough", plan.primer)
    lines += _primer_markdown("No episode teaches these", plan.gaps)
    lines += [f"\n{escape(note)}" for note in plan.notes]
    lines += [f"\nLeft out: {escape(u.goal)} would take {length(u.extra_minutes)} more." for u in plan.unmet]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """Text that Markdown shows as it is."""
    return re.sub(r"([\\`*_{}\[\]()#+\-.!|~$:<>&^=])", r"\\\1", text)


def _step_json(step: Step) -> dict[str, Any]:
    needs = [{"id": n.id, "name": n.name, "from": n.source} for n in step.needs]
    return asdict(step) | {"needs": needs}


def _step_markdown(place: int, step: Step) -> Iterable[str]:
    title = f"[{escape(step.title)}]({step.url})" if step.url else escape(step.title)
    number = f"#{step.number} " if step.number is not None else ""
    yield f"{place}. [ ] **{number}{title}** ({length(step.minutes, step.estimated)}) — {escape(step.why)}"
    if moments := [f"{escape(t.name)} at {clock(t.at)}" for t in step.teaches if t.at is not None]:
        yield f"   - explained: {', '.join(moments)}"
    for caveat in step.caveats:
        yield f"   - mind: {escape(caveat)}"


def _primer_markdown(heading: str, primer: Iterable[Primer]) -> list[str]:
    rows = [f"- **{escape(p.name)}**: {escape(p.definition)}" + (f" <{p.link}>" if p.link else "") for p in primer]
    return ["", f"## {heading}", "", *rows] if rows else []
