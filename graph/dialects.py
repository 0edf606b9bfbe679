"""What each engine may be asked, and its own words for what went wrong turned into one helpful line."""

import re
from collections.abc import Iterable, Sequence

from rapidfuzz import process

from graph.cypher import Dialect, Token
from graph.schema import TABLES, property_names

# The names that the engines give to the steps of a plan which read nodes and relationships, join, fold and sort them.
_NEO4J_READS = """
    AllNodesScan AntiConditionalApply AntiSemiApply Apply Argument ArgumentTracker AssertSameNode
    AssertSameRelationship BFSPruningVarExpand BidirectionalRepeat BidirectionalVarLengthExpand CacheProperties
    CartesianProduct ConditionalApply DirectedAllRelationshipsScan DirectedRelationshipByElementIdSeek
    DirectedRelationshipByIdSeek DirectedRelationshipIndexContainsScan DirectedRelationshipIndexEndsWithScan
    DirectedRelationshipIndexScan DirectedRelationshipIndexSeek DirectedRelationshipIndexSeekByRange
    DirectedRelationshipTypeScan DirectedUnionRelationshipTypesScan Distinct Eager EagerAggregation EmptyResult
    EmptyRow ExhaustiveLimit Expand Filter IntersectionNodeByLabelsScan LetAntiSemiApply LetSelectOrAntiSemiApply
    LetSelectOrSemiApply LetSemiApply Limit MultiNodeIndexSeek NodeByElementIdSeek NodeByIdSeek NodeByLabelScan
    NodeCountFromCountStore NodeHashJoin NodeIndexContainsScan NodeIndexEndsWithScan NodeIndexScan NodeIndexSeek
    NodeIndexSeekByRange NodeLeftOuterHashJoin NodeRightOuterHashJoin NodeUniqueIndexSeek
    NodeUniqueIndexSeekByRange NonFuseable NullifyMetadata Optional OptionalExpand OrderedAggregation
    OrderedDistinct OrderedUnion PartialSort PartialTop PathPropagatingBFS PreserveOrder ProcedureCall
    ProduceResults ProjectEndpoints Projection RelationshipCountFromCountStore RemoteBatchProperties
    RemoteBatchPropertiesWithFilter Repeat RightOuterHashJoin LeftOuterHashJoin RollUpApply
    SelectOrAntiSemiApply SelectOrSemiApply SemiApply ShortestPath ShowConstraints ShowFunctions ShowIndexes
    ShowProcedures Skip Sort StatefulShortestPath SubtractionNodeByLabelsScan Top TriadicBuild TriadicFilter
    TriadicSelection UndirectedAllRelationshipsScan UndirectedRelationshipByElementIdSeek
    UndirectedRelationshipByIdSeek UndirectedRelationshipIndexContainsScan
    UndirectedRelationshipIndexEndsWithScan UndirectedRelationshipIndexScan UndirectedRelationshipIndexSeek
    UndirectedRelationshipIndexSeekByRange UndirectedRelationshipTypeScan UndirectedUnionRelationshipTypesScan
    Union UnionNodeByLabelsScan Unwind ValueHashJoin VarLengthExpand
"""
_LADYBUG_READS = """
    AGGREGATE AGGREGATE_FINALIZE AGGREGATE_SCAN COUNT_ANTI_EDGE_CHAIN COUNT_EXTEND_CHAIN COUNT_REL_TABLE CROSS_PRODUCT
    DUMMY_SIMPLE_SINK DUMMY_SINK EMPTY_RESULT FILTER FLATTEN HASH_JOIN_BUILD HASH_JOIN_PROBE INDEX_LOOKUP INTERSECT
    INTERSECT_BUILD LIMIT MULTIPLICITY_REDUCER ORDER_BY ORDER_BY_MERGE ORDER_BY_SCAN PACKED_EXTEND
    PACKED_FILTERED_COUNT PATH_PROPERTY_PROBE PRIMARY_KEY_SCAN_NODE_TABLE PROJECTION QUERY_PRIMARY_KEY_LOOKUP
    REACHABLE_COUNT RECURSIVE_EXTEND REL_DEGREE_TABLE RESULT_COLLECTOR SCAN_NODE_TABLE SCAN_REL_TABLE SEMI_MASKER SKIP
    TABLE_FUNCTION_CALL TOP_K TOP_K_SCAN UNION_ALL_SCAN UNWIND UNWIND_DEDUP UNWIND_DEDUPLICATE
"""
_BEGINS = frozenset({"MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL"})

NEO4J = Dialect(
    "Neo4j",
    _BEGINS | {"SHOW"},
    frozenset(
        {
            "db.labels",
            "db.relationshiptypes",
            "db.propertykeys",
            "db.schema.visualization",
            "db.schema.nodetypeproperties",
            "db.schema.reltypeproperties",
        }
    ),
    frozenset(_NEO4J_READS.split()),
)

LADYBUG = Dialect(
    "ladybug",
    _BEGINS,
    frozenset({"show_tables", "table_info", "show_connection", "show_functions", "db_version"}),
    frozenset(_LADYBUG_READS.split()),
)

_GAPS = (
    (r"\btype\s*\(", "the embedded engine has no type(r): write label(r)"),
    (r"\bshortestPath\s*\(", "the embedded engine has no shortestPath(): write (a)-[:REQUIRES* SHORTEST 1..9]->(b)"),
    (r"\belementId\s*\(", "the embedded engine has no elementId(): every node has an id of its own, n.id"),
    (r"\[\s*\w+\s+IN\b", "the embedded engine has no comprehensions: write UNWIND, or list_transform()"),
)


def explain_ladybug(message: str, text: str) -> str:
    """One line for an error of the embedded engine: what it says, and a remedy where one is known."""
    line = " ".join(re.sub(r"^\w+ exception: ", "", message).split())[:300]
    if found := re.search(r"Table (\S+) does not exist", line):
        return f"there is no {found[1]} in this graph{suggestion(found[1], TABLES)}"
    if found := re.search(r"Cannot find property (\S+) for", line):
        return f"there is no property {found[1]} here{suggestion(found[1], property_names())}"
    if found := re.search(
        r" \(line: (\d+), offset: (\d+)\).*", line
    ):  # it repeats the query, with our EXPLAIN before it
        column = int(found[2]) + 1 - (len("EXPLAIN ") if found[1] == "1" and '"EXPLAIN ' in line else 0)
        line = f"{line[: found.start()]} at line {found[1]}, column {column}"
    if found := re.match(r"Invalid input <(.*?)>: expected", line):
        line = f"the query cannot be read beyond {found[1]!r}"
    for pattern, hint in _GAPS:
        if re.search(pattern, text, re.IGNORECASE):
            return f"{line}; {hint}"
    return line


def explain_neo4j(message: str) -> str:
    """One line for an error of Neo4j: its first sentence, without the query that it repeats below."""
    return " ".join(message.split("\n", 1)[0].split())[:300]


def misspelt(unknown: Iterable[str], found: Sequence[Token]) -> str | None:
    """A line for a name that the graph does not know but nearly does; None where no name looks like a slip."""
    written = {token.text.strip("`") for token in found}
    known = set(TABLES) | property_names()
    for name in sorted(set(unknown) & written - known):
        if hint := suggestion(name, known):
            return f"there is no {name} in this graph{hint}"
    return None


def suggestion(name: str, known: Iterable[str]) -> str:
    """`; did you mean X?`, or "" where nothing is near."""
    near = process.extractOne(name, sorted(known), processor=str.lower, score_cutoff=75)
    return f"; did you mean {near[0]}?" if near else ""
