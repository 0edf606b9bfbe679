"""The constraints and indexes on a Neo4j server. One look tells which there are: making one anew takes its time."""

from collections.abc import Iterable, Mapping

import neo4j

from torchatlas.graph.model import META, NODES
from torchatlas.graph.stores.neo4j.rows import run_alone


def wanted() -> dict[str, str]:
    """Return what a graph has: name -> the statement that makes it.

    >>> wanted()["torchatlas_link"]
    'CREATE CONSTRAINT torchatlas_link IF NOT EXISTS FOR (n:Link) REQUIRE n.id IS UNIQUE'
    """
    labels = (*(node.label for node in NODES), META)
    return {f"torchatlas_{label.lower()}": unique_id(f"torchatlas_{label.lower()}", label) for label in labels} | {
        name: f"CREATE INDEX {name} IF NOT EXISTS FOR (n:{label}) ON (n.{of})"
        for name, label, of in (
            ("torchatlas_concept_name", "Concept", "name"),
            ("torchatlas_episode_number", "Episode", "number"),
        )
    }


def unique_id(name: str, label: str) -> str:
    """Return the statement that makes the ids of the nodes with a label unique.

    >>> unique_id("link", "Link")
    'CREATE CONSTRAINT link IF NOT EXISTS FOR (n:Link) REQUIRE n.id IS UNIQUE'
    """
    return f"CREATE CONSTRAINT {name} IF NOT EXISTS FOR (n:{label}) REQUIRE n.id IS UNIQUE"


def make(session: neo4j.Session, statements: Mapping[str, str]) -> None:
    """Make what is missing. `statements`: name -> the statement that makes it.

    Example: `make(session, wanted())`
    """
    there = _names(session)
    for name, text in statements.items():
        if name not in there:
            session.execute_write(run_alone, text)


def drop(session: neo4j.Session, names: Iterable[str]) -> None:
    """Drop the constraints with these names, where they are there.

    Example: `drop(session, ["torchatlas_staged_link"])`
    """
    for name in sorted(_names(session).intersection(names)):
        session.execute_write(run_alone, f"DROP CONSTRAINT {name} IF EXISTS")


def _names(session: neo4j.Session) -> set[str]:
    """Return the names of all indexes; each constraint on ids has one, of its own name."""
    return {name for (name,) in session.execute_read(run_alone, "SHOW INDEXES YIELD name")}
