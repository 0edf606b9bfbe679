"""The schema with counts: how many of each kind there are, which properties they have, and one example."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.values import schema
from torchatlas.graph.values.markdown import Shown
from torchatlas.graph.values.model import Snapshot


@dataclass(frozen=True, slots=True)
class Filled:
    """A property: the type of its values, and how many nodes or relationships have one."""

    name: str
    type: str
    _: KW_ONLY
    count: int


@dataclass(frozen=True, slots=True)
class ElementType:
    """A label or a relationship type; `pattern` is its form in Cypher, `example` the first of them in that form."""

    name: str
    pattern: str
    _: KW_ONLY
    count: int
    properties: tuple[Filled, ...]
    example: str | None

    @property
    def clause(self) -> str:
        """The pattern as the beginning of a statement, with a name for each part.

        >>> ElementType("USES", "(:Concept)-[:USES]->(:Concept)", count=1, properties=(), example=None).clause
        'MATCH (a:Concept)-[r:USES]->(b:Concept)'
        """
        return "MATCH " + self.pattern.replace("(:", "(a:", 1).replace("(:", "(b:").replace("[:", "[r:")

    @property
    def property_names(self) -> str:
        """The properties, those that not all have with their count.

        >>> ElementType("A", "(:A)", count=2, properties=(Filled("x", "string", count=1),), example=None).property_names
        'x (1)'
        """
        return ", ".join(p.name + (f" ({p.count:,})" if p.count < self.count else "") for p in self.properties)

    @property
    def cells(self) -> dict[str, object]:
        """The columns of the schema in a notebook."""
        return {
            "pattern": self.pattern,
            "count": self.count,
            "properties": self.property_names,
            "example": self.example,
        }


@dataclass(frozen=True, slots=True)
class Census(Shown):
    """The labels and the relationship types of a graph, in the order of the schema."""

    nodes: tuple[ElementType, ...]
    relationships: tuple[ElementType, ...]


def census(snapshot: Snapshot) -> Census:
    """Count the nodes and edges of a graph by the kinds of its schema.

    >>> census(Snapshot()).nodes[0].pattern
    '(:Concept)'
    """
    rows = schema.rows(snapshot)
    nodes = (_kind(n, n.label, f"(:{n.label}%s)", rows[n.label]) for n in schema.NODES)
    edges = (
        _kind(r, r.kind, f"(:{r.source}%s)-[:{r.kind}]->(:{r.target}%s)", rows[r.kind]) for r in schema.RELATIONSHIPS
    )
    return Census(tuple(nodes), tuple(edges))


def _kind(table: schema.TableSchema, name: str, form: str, rows: list[schema.Row]) -> ElementType:
    """Return the count of a table; `form` is its pattern with a place for the properties of each end."""
    ends = ("id",) if isinstance(table, schema.NodeTable) else ("source", "target")
    properties = tuple(
        Filled(c.name, c.type, count=sum(row[c.name] not in (None, [], "") for row in rows)) for c in table.columns
    )
    example = form % tuple(f" {{id: {rows[0][end]!r}}}" for end in ends) if rows else None
    return ElementType(name, form % (("",) * len(ends)), count=len(rows), properties=properties, example=example)
