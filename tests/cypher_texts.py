"""Cypher that must be run, and Cypher that must not: for the guard alone and for the engines behind it.

ALLOWED and REFUSED are shown one by one; statements.json has hundreds more, by engine: `more`.
"""

import json
from pathlib import Path

_MORE = json.loads((Path(__file__).parent / "statements.json").read_text("utf-8"))
VALUES: dict[str, object] = _MORE["values"]
"""For the parameters in the statements."""
LONG = "RETURN levenshtein(repeat('ab', 200000), repeat('ba', 200000)) AS x"
"""One expression that takes the embedded engine minutes."""


def more(kind: str, engine: str) -> list[str]:
    """The further statements that are read or refused, as `kind` says, by an engine: Neo4j or ladybug."""
    return [*_MORE[kind]["both"], *_MORE[kind].get(engine, ())]


ALLOWED = [
    "MATCH (c:Concept) RETURN c.name",
    "match (c:Concept) return c.name;",
    " // CREATE (:X)\nMATCH (c:Concept) /* DELETE c; */ RETURN c.id",
    "MATCH (c:Concept) WHERE c.name = 'CREATE (:X); DROP DATABASE neo4j' RETURN c.id",
    'MATCH (c:Concept) WHERE c.name = "it\'s; SET c.x = 1" RETURN c.id',
    "MATCH (set:Concept) RETURN set.name AS load ORDER BY load",
    "MATCH (drop:Concept) WITH drop AS copy RETURN copy.id AS `DELETE; x`",
    "MATCH (c:Concept) RETURN {set: c.id, delete: 1} AS m",
    "MATCH (c:Concept)-[:REQUIRES*1..2]->(d:Concept) RETURN DISTINCT d.id",
    "MATCH p = (:Concept)-[:REQUIRES*1..2]->(:Concept) RETURN p",
    "MATCH (c:Concept) OPTIONAL MATCH (c)<-[:TEACHES]-(e:Episode) RETURN c.id, count(e) AS n ORDER BY n DESC",
    "UNWIND [1, 2, 3] AS x WITH x WHERE x > 1 RETURN sum(x) AS s",
    "RETURN 1 AS x UNION ALL RETURN 2 AS x",
    "MATCH (c:Concept) WHERE EXISTS { MATCH (c)-[:REQUIRES]->(:Concept) } RETURN count(*) AS n",
    "MATCH (e:Episode)-[:TEACHES|ASSUMES]->(c:Concept) RETURN e.title, collect(c.id) AS ids",
    "MATCH (e:Episode) WHERE e.published >= '2020' AND e.number IS NOT NULL RETURN max(e.number) AS n SKIP 0 LIMIT 1",
]

REFUSED = [
    "",
    " ; ",
    "// only a comment",
    "CREATE (:Concept {id: 'x'})",
    "MERGE (c:Concept {id: 'x'}) RETURN c",
    "MATCH (c:Concept) SET c.name = 'x'",
    "MATCH (c:Concept)\tsEt/**/c.name = 'x' RETURN c",
    "MATCH (c:Concept) DELETE c",
    "MATCH (c:Concept) DETACH DELETE c",
    "MATCH (c:Concept) REMOVE c.name",
    "MATCH (c:Concept) WITH c CREATE (c)-[:USES]->(c)",
    "MATCH (c:Concept) FOREACH (x IN [1] | SET c.x = x)",
    "MATCH (c:Concept) CALL { CREATE (:X) } RETURN c",
    "LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line",
    "MATCH (c) LOAD CSV FROM 'file:///etc/hostname' AS line RETURN line",
    "LOAD FROM '/etc/hostname' (file_format='csv') RETURN *",
    "MATCH (c:Concept) RETURN c.id; MATCH (c) DETACH DELETE c",
    "MATCH (c:Concept) RETURN c.id; // ;\n RETURN 1",
    "EXPLAIN RETURN 1",
    "PROFILE RETURN 1",
    "COPY (MATCH (c:Concept) RETURN c.id) TO 'out.csv'",
    "COPY Concept FROM 'in.csv'",
    "EXPORT DATABASE 'out'",
    "IMPORT DATABASE 'in'",
    "INSTALL json",
    "ATTACH 'other.db' AS other (dbtype lbug)",
    "CHECKPOINT",
    "BEGIN TRANSACTION",
    "CALL threads=1",
    "CALL dbms.listConfig()",
    "CALL dbms.killConnection('bolt-1')",
    "CALL `dbms.listConfig`()",
    "MATCH (c:Concept) CALL tx.setMetaData({a: 1}) RETURN c",
    "RETURN 1 AS x CALL db.clearQueryCaches() RETURN x",
    "TERMINATE TRANSACTION 'x'",
    "USE system MATCH (n) RETURN n",
    "DROP TABLE Concept",
    "ALTER TABLE Concept ADD x INT64",
    "CREATE INDEX FOR (c:Concept) ON (c.area)",
]
