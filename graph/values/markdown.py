"""Answers in Markdown: a plan as a checklist, rows as a table. Notebooks show answers so.

Names come from feeds, so every mark that Markdown would obey is escaped.
"""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from torchatlas.graph.values.formatting import address, clock, is_web, length

if TYPE_CHECKING:  # `answers` calls this module
    from torchatlas.graph.values.answers import Plan, Step


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as a table in Markdown.

    >>> print(table(["title", "score"], [["Strides|views", 0.5]]))
    | title | score |
    | --- | --- |
    | Strides\\|views | 0.5 |
    """
    lines = [columns, ["---"] * len(columns), *([_cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: object) -> str:
    if isinstance(value, tuple | list):
        return "; ".join(map(_cell, value))
    return "" if value is None else escaped(str(value))


def plan_markdown(plan: "Plan") -> str:
    """Return a plan as a checklist in Markdown, for a notebook or an issue.

    Example: Path("plan.md").write_text(plan_markdown(atlas.plan("vmap")))
    """
    from torchatlas.graph.values.answers import amount

    lines = [f"# Listening path to {escaped(', '.join(plan.goals))}", "", f"{amount(plan.steps)}."]
    if plan.known:
        lines += ["", f"Known already: {escaped(', '.join(plan.known))}."]
    lines += [""] + [line for n, step in enumerate(plan.steps, 1) for line in _step_markdown(n, step)]
    for heading, rows in plan.primers.items():
        lines += ["", f"## {heading}", ""]
        lines += [f"- **{escaped(p.name)}**: {escaped(p.definition)}{_autolink(p.link)}" for p in rows]
    lines += [f"\n{escaped(str(line))}" for line in (*plan.notes, *plan.unmet)]
    return "\n".join(lines) + "\n"


def _step_markdown(place: int, step: "Step") -> Iterable[str]:
    number = f"#{step.number} " if step.number is not None else ""
    title = f"[{escaped(step.title)}]({address(step.url)})" if step.url and is_web(step.url) else escaped(step.title)
    yield f"{place}. [ ] **{number}{title}** ({length(step.minutes, step.estimated)}): {escaped(step.why)}"
    if moments := [f"{escaped(t.name)} at {clock(t.at)}" for t in step.teaches if t.at is not None]:
        yield f"   - explained: {', '.join(moments)}"
    for caveat in step.caveats:
        yield f"   - mind: {escaped(caveat)}"


def _autolink(url: str | None) -> str:
    return f" <{address(url)}>" if url and is_web(url) else ""


def escaped(text: str) -> str:
    """Return a text on one line that Markdown shows as it is, with few marks, since files are also read raw.

    >>> escaped("a_b <img>")
    'a\\\\_b \\\\<img\\\\>'
    """
    return re.sub(r"([\\`*_\[\]<>|~&$])", r"\\\1", " ".join(text.split()))
