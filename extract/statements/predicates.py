"""The table of predicates: what verbs, nouns and prepositions of English state of their arguments, by classes.

A row is a relation, a line and the precision of the row. In the line `A` is the subject of the relation and `B` its
object, in the order of a clause; `_` is an argument that may be anything:

`A USE B`               a verb of the class with subject and object
`B USE-ed by|in A`      its passive or past participle, with one of these prepositions
`B IMPLEMENT a A`       with an object that is new to the reader, or an example: "a cache", "routines such as X"
`_ USE B to MAKE A`     with the purpose that an infinitive states
`A be SUCCESSOR of B`   a noun of the class as predicate or in apposition
`CONVERSION of A to B`  a noun of the class as head of a noun phrase
`A 's USAGE of B`       the same with its owner
`A versus B`            a noun phrase with a preposition; `instead_of` is one of several words
"""

from typing import Final

from torchatlas.graph.values.findings import StatementRelation

_EMIT = "produce emit generate output yield return synthesize compute"
_SHAPE = "implement write realize realise express represent encode model formulate phrase"
VERBS: Final = {
    "USE": "use employ leverage utilize utilise exploit harness reuse adopt consult invoke call spawn launch",
    "TAKE": "take consume accept ingest receive read parse inspect interpret load analyze analyse evaluate check "
    "deserialize",
    "RELY": "rely depend lean draw",
    "CALL": "delegate defer dispatch route redirect fall tap hook plug call jump",
    "OPERATE": "operate work act",
    "FEED": "feed pass hand send give supply",
    "DRIVE": "drive configure control parametrize parameterize guide",
    "PRODUCE": f"{_EMIT} create",  # with a tool one creates, and the tool emits nothing
    "EMIT": _EMIT,
    "CONVERT": "compile lower translate convert turn transform trace transpile desugar decompose rewrite serialize "
    "export split expand render fuse partition",
    "GIVE": "give",
    "GO": "go move",
    "HOLD": "include contain comprise incorporate encompass bundle feature carry",
    "PROVIDE": "provide offer introduce expose ship add",
    "STORE": "store keep hold house locate embed",
    "LIVE": "live reside sit",
    "MAKE": f"{_SHAPE} build construct track",
    "SHAPE": _SHAPE,  # "as" something
    "ACHIEVE": "achieve perform accomplish",
    "POWER": "power underlie underpin back",
    "BASE": "layer build",
    "FOUND": "base",
    "WRAP": "wrap",
    "WRITE": "write express phrase code",
    "EXTEND": "extend generalize generalise supersede subsume succeed replace enhance augment",
    "GROW": "evolve derive descend grow originate fork",
    "DROP": "deprecate drop remove abandon retire replace",
    "PORT": "port migrate switch transition",
    "RUN": "run happen occur execute come go apply perform schedule call invoke",
    "SWAP": "swap substitute stand",
    "CHOOSE": "choose prefer pick",
    "CONTRAST": "contrast",
    "FIND": "collect gather fetch scan traverse walk process poll cache acquire manipulate",
    "TRANSFORM": "compile lower translate transform transpile desugar decompose rewrite optimize optimise quantize "
    "fuse",
    "BUILD": "build construct assemble form",
    "RESULT": "result", "APPLY": "apply", "REPLACE": "replace", "FIT": "build bake embed incorporate",
    "DELEGATE": "delegate offload outsource hand", "REPRESENT": "represent encode express",
    "IMPLEMENT": "implement", "HAVE": "have", "CONSIST": "consist", "COMPOSE": "compose comprise make form",
    "BELONG": "belong", "COME": "come ship", "TAKE_OVER": "take", "TAKE_IN": "take", "FEED_IN": "feed", "DO": "do",
    "PRECEDE": "precede", "FOLLOW": "follow",
}  # fmt: skip
INTRANSITIVE: Final = frozenset({"TAKE_IN", "TAKE_OVER", "FEED_IN", "CALL"})
"""Classes of verbs that mean something else with an object: "takes X in Y"."""
NOUNS: Final = {
    "SUCCESSOR": "extension generalization generalisation successor superset evolution version descendant "
    "refinement elaboration enhancement fork variant rewrite",
    "ANCESTOR": "predecessor precursor ancestor",
    "PART": "part component feature member piece subsystem layer stage phase subset module half block mode "
    "backend frontend",
    "ADDITION": "addition",
    "CONVERTER": "compiler translator converter transformation",
    "OTHER": "alternative competitor counterpart substitute rival replacement",
    "OUTPUT": "output result product",
    "INPUT": "input",
    "WRAPPER": "wrapper layer veneer interface",
    "USER": "user client consumer application",
    "CONVERSION": "conversion translation transformation lowering compilation desugaring",
    "USAGE": "use usage",
    "IMPLEMENTATION": "implementation",
}

Row = tuple[StatementRelation, str, float]
ACTIVE: Final = "with|using|via|through|in_terms_of"
"""The prepositions of means where somebody acts: "build A on B" may tell where, "write A from B" of what."""
WITH: Final = f"{ACTIVE}|on|on_top_of|from"

TABLE: Final[tuple[Row, ...]] = (
    ("USES", "A USE B", 0.89),
    ("USES", "B USE-ed by|in|inside|within|throughout A", 0.87),
    ("USES", "A TAKE B", 0.86),
    ("USES", "A TAKE_IN in B", 0.89),
    ("USES", "A FIND B", 0.80),
    ("USES", "A RUN over|on_top_of B", 0.80),
    ("USES", "A DELEGATE _ to|onto B", 0.80),
    ("USES", "A TRANSFORM B", 0.80),
    ("USES", "B TAKE-ed by|from A", 0.92),
    ("USES", "A RELY on|from B", 0.95),
    ("USES", "A CALL to|into B", 0.84),
    ("USES", "A OPERATE on|over B", 0.84),
    ("USES", "_ FEED B to|into A", 0.89),
    ("USES", "B FEED-ed to|into A", 0.92),
    ("USES", "B FEED_IN to|into A", 0.89),
    ("USES", "A DRIVE-ed by|with B", 0.84),
    ("USES", "B DRIVE A", 0.89),
    ("USES", "A CONVERT B to|into _", 0.78),
    ("USES", "A CONVERT|GO from B to|into _", 0.84),
    ("USES", "A 's USAGE of B", 0.89),
    ("USES", "USAGE of B in|inside|by A", 0.89),
    ("USES", "A REPRESENT _ as|with|using B", 0.80),
    ("USES", "_ APPLY A to|on B", 0.80),
    ("USES", "A APPLY-ed to|on B", 0.80),
    ("USES", "USAGE of B for A", 0.80),
    ("USES", "B be INPUT to|of|for A", 0.84),
    ("USES", "A be USER of B", 0.84),
    ("PRODUCES", "A PRODUCE B", 0.76),
    ("PRODUCES", "B PRODUCE-ed by A", 0.95),
    ("PRODUCES", "B PRODUCE-ed during A", 0.80),
    ("PRODUCES", "A BUILD B", 0.45),
    ("PRODUCES", "A RESULT in B", 0.80),
    ("PRODUCES", "A be CONVERTER from _ to|into B", 0.80),
    ("USES", "A be CONVERTER from B to|into _", 0.80),
    ("PRODUCES", "_ USE A to EMIT B", 0.90),
    ("PRODUCES", "B GIVE-ed by A", 0.89),
    ("PRODUCES", "A CONVERT to|into B", 0.90),
    ("USES", "A CONVERT with|using|via|through B", 0.67),
    ("PRODUCES", "A GO from _ to|into B", 0.84),
    ("PRODUCES", "B be OUTPUT of A", 0.89),
    ("PRODUCES", "A USE-ed to EMIT B", 0.89),
    ("RUNS_BEFORE", "A CONVERT-ed to|into B", 0.95),
    ("RUNS_BEFORE", "CONVERSION of A to|into B", 0.84),
    ("IMPLEMENTED_WITH", f"A MAKE-ed {WITH}|by B", 0.95),
    ("IMPLEMENTED_WITH", "A SHAPE-ed as B", 0.95),
    ("IMPLEMENTED_WITH", "A ACHIEVE-ed|DO-ed with|using|via|through|by B", 0.84),
    ("IMPLEMENTED_WITH", "A STORE-ed as B", 0.89),
    ("IMPLEMENTED_WITH", "A WRITE-ed in B", 0.84),
    ("IMPLEMENTED_WITH", f"_ MAKE A {ACTIVE} B", 0.78),
    ("IMPLEMENTED_WITH", "_ SHAPE A as B", 0.78),
    ("IMPLEMENTED_WITH", "_ ACHIEVE A using|via|through B", 0.78),
    ("IMPLEMENTED_WITH", "B POWER A", 0.92),
    ("IMPLEMENTED_WITH", "A POWER-ed by B", 0.84),
    ("IMPLEMENTED_WITH", "A BASE-ed on|on_top_of|around|by B", 0.84),
    ("IMPLEMENTED_WITH", "A FOUND-ed on B", 0.45),
    ("IMPLEMENTED_WITH", "A FOUND-ed by B", 0.90),
    ("IMPLEMENTED_WITH", "A LIVE on_top_of B", 0.84),
    ("IMPLEMENTED_WITH", "A WRAP B", 0.56),
    ("IMPLEMENTED_WITH", "B USE-ed to MAKE A", 0.95),
    ("IMPLEMENTED_WITH", "_ USE B to MAKE A", 0.56),
    ("IMPLEMENTED_WITH", "A be WRAPPER around|over|on B", 0.84),
    ("IMPLEMENTED_WITH", "IMPLEMENTATION of A with|using|via|on B", 0.84),
    ("PART_OF", "B HOLD A", 0.95),
    ("PART_OF", "B PROVIDE A", 0.95),
    ("PART_OF", "B IMPLEMENT a A", 0.85),
    ("PART_OF", "B 's IMPLEMENTATION of A", 0.80),
    ("PART_OF", "A be ADDITION to B", 0.80),
    ("PART_OF", "A PROVIDE-ed by|in|with B", 0.89),
    ("PART_OF", "A IMPLEMENT-ed in B", 0.92),
    ("PART_OF", "A STORE-ed in|on|inside|within B", 0.89),
    ("PART_OF", "A FIT-ed into B", 0.80),
    ("PART_OF", "A LIVE in|on|inside|within B", 0.92),
    ("PART_OF", "A LIVE at_the_heart_of B", 0.80),
    ("PART_OF", "A be at_the_heart_of B", 0.80),
    ("PART_OF", "A be PART of|in|inside|within B", 0.92),
    ("PART_OF", "A BELONG to B", 0.89),
    ("PART_OF", "A COME as_part_of B", 0.84),
    ("PART_OF", "B COME with A", 0.84),
    ("PART_OF", "B HAVE A", 0.56),
    ("PART_OF", "B CONSIST of A", 0.94),
    ("PART_OF", "B COMPOSE-ed of A", 0.94),
    ("PART_OF", "A inside|within B", 0.53),
    ("PART_OF", "A in B", 0.35),
    ("EXTENDS", "A EXTEND B", 0.74),
    ("EXTENDS", "B EXTEND-ed by|with A", 0.94),
    ("EXTENDS", "A BASE on|on_top_of B", 0.89),
    ("EXTENDS", "A GROW|GROW-ed from B", 0.92),
    ("EXTENDS", "_ REPLACE B with|by A", 0.56),
    ("EXTENDS", "B DROP-ed in_favor_of A", 0.84),
    ("EXTENDS", "B PORT-ed to A", 0.89),
    ("EXTENDS", "_ PORT from B to A", 0.56),
    ("EXTENDS", "A TAKE_OVER over_from B", 0.84),
    ("EXTENDS", "A be SUCCESSOR of|to|for B", 0.95),
    ("EXTENDS", "B be ANCESTOR of|to A", 0.84),
    ("ALTERNATIVE_TO", "A versus B", 0.94),
    ("ALTERNATIVE_TO", "A instead_of|unlike B", 0.91),
    ("ALTERNATIVE_TO", "A be OTHER of|to|for B", 0.84),
    ("ALTERNATIVE_TO", "A SWAP|SWAP-ed for B", 0.89),
    ("ALTERNATIVE_TO", "_ SWAP A for|with B", 0.80),
    ("ALTERNATIVE_TO", "_ CHOOSE A over B", 0.89),
    ("ALTERNATIVE_TO", "_ CONTRAST A with|to B", 0.89),
    ("RUNS_BEFORE", "A RUN|RUN-ed before B", 0.94),
    ("RUNS_BEFORE", "A be before B", 0.84),
    ("RUNS_BEFORE", "_ RUN A before B", 0.80),
    ("RUNS_AFTER", "_ RUN A after B", 0.80),
    ("RUNS_BEFORE", "A LIVE before B", 0.56),
    ("RUNS_BEFORE", "A PRECEDE B", 0.84),
    ("RUNS_BEFORE", "A FOLLOW-ed by B", 0.89),
    ("RUNS_AFTER", "A RUN|RUN-ed after B", 0.89),
    ("RUNS_AFTER", "A be after B", 0.84),
    ("RUNS_AFTER", "A FOLLOW B", 0.56),
)
