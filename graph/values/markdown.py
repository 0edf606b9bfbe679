"""Answers in Markdown, as notebooks show them: a plan as a checklist, rows as a table, other values field by field.

Names come from feeds, so every mark that Markdown would obey is escaped.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from torchatlas.graph.values.cells import cell
from torchatlas.graph.values.characters import one_line
from torchatlas.graph.values.formatting import is_web, length, markdown_address
from torchatlas.graph.values.numbering import labelled

if TYPE_CHECKING:  # `answers` calls this module
    from torchatlas.graph.values.answers import Plan, Step
    from torchatlas.graph.values.explanations import ChainEdge, Explanation


_PLACES = {"x", "y", "field", "start", "end"}
"""The fields that say where a node is on the map, or where a quote is in its text: people have no use for them."""


class Shown:
    """A dataclass that a notebook shows in Markdown."""

    __slots__ = ()

    @property
    def sections(self) -> Mapping[str, Sequence[Any]]:
        """Lists of rows under their headings; any other list stands under the name of its field."""
        return {}

    def _repr_markdown_(self) -> str:
        return fields_markdown(self)


@runtime_checkable
class Row(Protocol):
    """A value that tells its own cells in a table."""

    @property
    def cells(self) -> Mapping[str, object]:
        """The value of each column by the column's name."""


def fields_markdown(value: Any) -> str:
    """Return a dataclass field by field, lists of dataclasses as tables, its sections first; empty fields are left out.

    >>> from torchatlas.graph.values.gaps import Gaps
    >>> fields_markdown(Gaps((), (), orphans=(), superseded=()))
    'nothing'
    """
    facts, sections = [], value.sections
    parts = [f"**{escaped(heading)}**\n\n{rows_markdown(rows)}" for heading, rows in sections.items()]
    for name in (field.name for field in fields(value)):
        content, label = getattr(value, name), escaped(name.replace("_", " "))
        if isinstance(content, Shown):
            parts.append(f"**{label}**\n\n{content._repr_markdown_()}")
        elif isinstance(content, tuple) and content and is_dataclass(content[0]):
            if content not in sections.values():
                parts.append(f"**{label}**\n\n{rows_markdown(content)}")
        elif content not in (None, "", ()):
            facts.append(f"- {label}: {_cell(content)}")
    return "\n\n".join(filter(None, ("\n".join(facts), *parts))) or "nothing"


def rows_markdown(rows: Sequence[Any]) -> str:
    """Return values of one class as a table without the columns that are empty in every row; else a list of words.

    >>> rows_markdown(["vmap", "functorch"]), rows_markdown([])
    ('vmap, functorch', 'nothing')
    """
    if not rows or not is_dataclass(rows[0]):
        return ", ".join(map(_cell, rows)) or "nothing"
    told = [row.cells if isinstance(row, Row) else _cells(row) for row in rows]
    filled = [name for name in told[0] if any(cells[name] not in (None, "", ()) for cells in told)]
    return table(filled, ([cells[name] for name in filled] for cells in told))


def _cells(row: Any) -> dict[str, object]:
    return {field.name: getattr(row, field.name) for field in fields(row) if field.name not in _PLACES}


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as a table in Markdown.

    >>> print(table(["title", "score"], [["Strides|views", 0.5]]))
    | title | score |
    | --- | --- |
    | Strides\\|views | 0.5 |
    """
    lines = [
        [escaped(name) for name in columns],
        ["---"] * len(columns),
        *([_cell(value) for value in row] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(v, dict) for v in value)):
        return escaped(cell(value))
    if isinstance(value, tuple | list):
        return "; ".join(map(_cell, value))
    if is_dataclass(value):
        return ", ".join(filter(None, (_cell(getattr(value, field.name)) for field in fields(value))))
    if isinstance(value, str) and is_web(value):
        return f"<{markdown_address(value)}>"
    return "" if value is None else escaped(str(value))


def plan_markdown(plan: "Plan") -> str:
    """Return a plan as a checklist in Markdown, for a notebook or an issue.

    Example: Path("plan.md").write_text(plan_markdown(atlas.plan("vmap")))
    """
    lines = [f"# Listening path to {escaped(', '.join(plan.goals))}", "", _amount(plan)]
    remarks = [line for line in plan.remarks if plan.steps or line not in plan.heading]
    lines += [f"\n{escaped(line)}" for line in (*plan.readings, *remarks, *map(str, plan.successors))]
    if plan.known:
        lines += ["", f"Known already: {escaped(', '.join(plan.known))}."]
    lines += [""] + [line for n, step in enumerate(plan.steps, 1) for line in _step_markdown(n, step)]
    if plan.sessions:
        lines += ["", "## Sessions", "", *(f"- [ ] {escaped(line)}" for line in plan.schedule)]
    for heading, rows in plan.primers.items():
        lines += ["", f"## {heading}", ""]
        lines += [f"- **{escaped(p.name)}**: {escaped(p.told)}{_autolink(p.link)}" for p in rows]
    for heading, near in plan.near.items():
        lines += ["", f"## {escaped(heading)}", ""]
        lines += [f"- **{escaped(n.name)}**: {escaped(n.why)}{_autolink(n.link)}" for n in near]
    lines += [f"\n{escaped(line)}" for line in plan.alternatives]
    return "\n".join(lines) + "\n"


def _amount(plan: "Plan") -> str:
    return f"{plan.amount}." if plan.steps else escaped(plan.heading)


def _step_markdown(place: int, step: "Step") -> Iterable[str]:
    title = f"[{escaped(step.title)}]({markdown_address(step.url)})" if is_web(step.url) else escaped(step.title)
    facts = ", ".join(filter(None, (length(step.minutes, estimated=step.estimated), step.doubt)))
    yield f"{place}. [ ] **{labelled(title, step.number, step.season)}** ({facts}): {escaped(step.why)}"
    if step.moments:
        yield f"   - explained: {escaped(', '.join(step.moments))}"
    for caveat in step.caveats:
        yield f"   - note: {escaped(caveat)}"


def _autolink(url: str | None) -> str:
    return f" <{markdown_address(url)}>" if is_web(url) else ""


def explanation_markdown(explanation: "Explanation") -> str:
    """Return in Markdown why one thing comes before another, edge by edge.

    Example: `explanation_markdown(atlas.explain("strides", "AOTAutograd"))`
    """
    edges = explanation.chain or explanation.reverse
    return "\n".join([escaped(explanation.verdict), *([""] if edges else []), *map(_edge_markdown, edges)])


def _edge_markdown(edge: "ChainEdge") -> str:
    ends = f"**{escaped(edge.source_name)}** {edge.verb} **{escaped(edge.target_name)}**"
    return f"- {ends}: {escaped(edge.words)} ({edge.evidence})"


def escaped(text: str) -> str:
    """Return a text on one line that Markdown shows as it is, with few marks, since files are also read raw.

    >>> escaped("a_b <img>")
    'a\\\\_b \\\\<img\\\\>'
    """
    return re.sub(r"([\\`*_\[\]<>|~&$])", r"\\\1", one_line(text))
