"""The server's plan of a query, and the names in its warnings."""

import re
from collections.abc import Iterator

import neo4j

from torchatlas.graph.stores.neo4j.dialect import NEO4J

_UNKNOWN = {"01N50", "01N51", "01N52"}  # GQL status: no such label, relationship type, property


def operators(summary: neo4j.ResultSummary) -> Iterator[str]:
    """Yield the plan's operators by their plain names, and a word for a query that does more than read.

    Example: `check_plan(operators(session.run("EXPLAIN RETURN 1").consume()), NEO4J)`
    """
    if summary.query_type != "r" or not summary.plan:
        yield "a schema or administration command" if summary.query_type == "s" else "a write"
    waiting = [summary.plan] if summary.plan else []
    while waiting:
        plan = waiting.pop()
        operator = plan["operatorType"].partition("@")[0].partition("(")[0]
        called = str(plan.get("args", {}).get("Details", "")).partition("(")[0]
        offered = operator != "ProcedureCall" or called.lower() in NEO4J.procedures
        yield operator if offered else f"CALL {called}"
        waiting.extend(plan.get("children", ()))


def unknown_names(summary: neo4j.ResultSummary) -> Iterator[str]:
    """Yield the labels, relationship types and properties that the server's warnings call unknown.

    Example: `list(unknown_names(session.run("EXPLAIN MATCH (c:Concpt) RETURN c").consume()))`
    """
    for status in summary.gql_status_objects:
        if status.gql_status in _UNKNOWN:
            yield from re.findall("`([^`]+)`", status.status_description)
