"""What each engine may be asked: how a statement begins, and the procedures and steps of a plan that only read."""

from graph.cypher.guard import Dialect

# The names that the engines give to the steps of a plan which read nodes and relationships, join, fold and sort them.
_NEO4J_READS = """
    AllNodesScan AntiConditionalApply AntiSemiApply Apply Argument ArgumentTracker AssertSameNode
    AssertSameRelationship BFSPruningVarExpand BidirectionalRepeat BidirectionalVarLengthExpand CacheProperties
    CartesianProduct ConditionalApply DirectedAllRelationshipsScan DirectedRelationshipByElementIdSeek
    DirectedRelationshipByIdSeek DirectedRelationshipIndexContainsScan DirectedRelationshipIndexEndsWithScan
    DirectedRelationshipIndexScan DirectedRelationshipIndexSeek DirectedRelationshipIndexSeekByRange
    DirectedRelationshipTypeScan DirectedUnionRelationshipTypesScan Distinct DynamicLabelNodeLookup Eager
    EagerAggregation EmptyResult
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
    escapes=True,
)

LADYBUG = Dialect(
    "ladybug",
    _BEGINS,
    frozenset({"show_tables", "table_info", "show_connection", "show_functions", "db_version"}),
    frozenset(_LADYBUG_READS.split()),
    escapes=False,
)
