"""The Cypher that Neo4j may be asked: statements and the steps of a plan that only read."""

from torchatlas.graph.cypher import BEGINS, Dialect

# The names that Neo4j gives to the steps of a plan which read nodes and relationships, join, fold and sort them.
_READS = """
    AllNodesScan AntiConditionalApply AntiSemiApply Apply Argument ArgumentTracker AssertSameNode
    AssertSameRelationship BFSPruningVarExpand BidirectionalRepeat BidirectionalVarLengthExpand CacheProperties
    CartesianProduct ConditionalApply DirectedAllRelationshipsScan DirectedRelationshipByElementIdSeek
    DirectedRelationshipByIdSeek DirectedRelationshipIndexContainsScan DirectedRelationshipIndexEndsWithScan
    DirectedRelationshipIndexScan DirectedRelationshipIndexSeek DirectedRelationshipIndexSeekByRange
    DirectedRelationshipTypeScan DirectedUnionRelationshipTypesScan Distinct DynamicLabelNodeLookup Eager
    EagerAggregation EmptyResult EmptyRow ExhaustiveLimit Expand Filter
    IntersectionNodeByLabelsScan LetAntiSemiApply LetSelectOrAntiSemiApply
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

_PROCEDURES = """
    db.labels db.relationshiptypes db.propertykeys
    db.schema.visualization db.schema.nodetypeproperties db.schema.reltypeproperties
"""

NEO4J = Dialect(
    "Neo4j",
    BEGINS | {"SHOW"},
    procedures=frozenset(_PROCEDURES.split()),
    operators=frozenset(_READS.split()),
    escapes=True,
)
