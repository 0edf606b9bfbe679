"""The Cypher that the embedded engine may be asked: statements and the steps of a plan that only read."""

from torchatlas.graph.cypher import BEGINS, Dialect

# The names that ladybug gives to the steps of a plan which read nodes and relationships, join, fold and sort them.
_READS = """
    AGGREGATE AGGREGATE_FINALIZE AGGREGATE_SCAN COUNT_ANTI_EDGE_CHAIN COUNT_EXTEND_CHAIN COUNT_REL_TABLE CROSS_PRODUCT
    DUMMY_SIMPLE_SINK DUMMY_SINK EMPTY_RESULT FILTER FLATTEN HASH_JOIN_BUILD HASH_JOIN_PROBE INDEX_LOOKUP INTERSECT
    INTERSECT_BUILD LIMIT MULTIPLICITY_REDUCER ORDER_BY ORDER_BY_MERGE ORDER_BY_SCAN PACKED_EXTEND
    PACKED_FILTERED_COUNT PATH_PROPERTY_PROBE PRIMARY_KEY_SCAN_NODE_TABLE PROJECTION QUERY_PRIMARY_KEY_LOOKUP
    REACHABLE_COUNT RECURSIVE_EXTEND REL_DEGREE_TABLE RESULT_COLLECTOR SCAN_NODE_TABLE SCAN_REL_TABLE SEMI_MASKER SKIP
    TABLE_FUNCTION_CALL TOP_K TOP_K_SCAN UNION_ALL_SCAN UNWIND UNWIND_DEDUP UNWIND_DEDUPLICATE
"""

LADYBUG = Dialect(
    "ladybug",
    BEGINS,
    procedures=frozenset({"show_tables", "table_info", "show_connection", "show_functions", "db_version"}),
    operators=frozenset(_READS.split()),
    escapes=False,
)
