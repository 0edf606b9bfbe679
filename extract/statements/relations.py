"""Idioms: fixed phrases that state relations, and those about other episodes, in the notation of `patterns`.

A row is the relation, the letters of its subject and its object, and the words. Besides the letters in these, `e` is
the entry itself and `t` the topic that its title names. An indented list reads as its heading, a colon, the item.
"""

from typing import Final

from torchatlas.extract.statements.patterns import Notation
from torchatlas.extract.statements.predicates import NOUNS, VERBS
from torchatlas.graph.values.findings import StatementRelation

Row = tuple[StatementRelation, str, str]

ACTIONS: Final = {name: VERBS[name] for name in ("USE", "MAKE", "RUN")}
GROUPS: Final = {
    "BE": "is|are|was|were|be|been|being|'s|'re",
    "WE": "we|you|one|i|people",
    "APPLIED": "applied|performed|executed|run|done|scheduled|called|invoked|inserted|handled|processed",
    "PART": NOUNS["PART"].replace(" ", "|"),
    "KNOW": "know|understand|learn|grasp",
    "GRASP": "understand|understanding|follow|following|learning|tackling|appreciate|grasp|sense|reading|read",
    "KNOWLEDGE": "knowledge|understanding|familiarity|grasp|background|familiar",
    "ON": "about|on",
    "THIS": "this|podcast|episode",
    "PREVIOUS": "previous|earlier|past|prior|last|another|separate",
    "LIE": "lives|live|sits|sit",
    "EPISODE": "episode|episodes|podcast|podcasts|show",
    "LISTEN": "listen|listening|listened|hear|hearing|heard|watch",
    "FIRST": "first|before|beforehand|already|previously|prior",
}
NOTATION: Final = Notation(GROUPS, ACTIONS)

CONFIDENCE: Final = 0.9
"""The share of the statements by these rows that are right, on notes that were labelled before the rows were tried."""

IDIOMS: Final[tuple[Row, ...]] = (
    # employs, takes as input
    ("USES", "BA", "P|A BE ~3 PART of ~3 plan|plans|strategy|story|roadmap for ~3 B"),
    ("USES", "BA", "P|A BE B 's ~2 representation|model|view|abstraction"),
    ("USES", "BA", "P|A BE what B ^1 USE"),
    # realised, represented or built by means of
    ("IMPLEMENTED_WITH", "BA", "P|A BE how WE ^1 do|handle|MAKE ~2 B"),
    ("IMPLEMENTED_WITH", "BA", "P|A BE how ~2 B BE|works|work|gets|get|happens"),
    ("IMPLEMENTED_WITH", "BA", "USE|USE-ing ~1 A for|in ~2 : ~2 B"),
    # successor, another way
    ("EXTENDS", "AB", "A ,|( through|like|unlike|from? its|whose ~2 V? predecessor|precursor|ancestor ,? ~1 B"),
    ("ALTERNATIVE_TO", "AB", "choice|choose|choosing|decide|pick|picking between ~2 A and|or ~2 B"),
    ("ALTERNATIVE_TO", "AB", "ways|options|approaches|strategies|choices to? ~4 : ~2 A ,|and|or ~2 B"),
    ("ALTERNATIVE_TO", "Bt", "alternatives|counterpoints|alternative|competitors ~5 : ~2 B"),
    ("ALTERNATIVE_TO", "AB", "A as ~2 alternative|substitute|replacement to|for ~2 B"),
    # order in a pipeline
    ("RUNS_BEFORE", "AB", "A -> B ->"),
    ("RUNS_BEFORE", "AB", "-> A -> B"),
    ("RUNS_BEFORE", "BA", "before ~2 A ,? comes|come ~1 B"),
    ("RUNS_BEFORE", "AB", "first ,? ~1 A RUN? , ^1 ~1 then ~2 B"),
    ("RUNS_BEFORE", "BA", "before ~2 A RUN|starts|gets|sees ~3 , ~2 B"),
    ("RUNS_AFTER", "BA", "after|once ~2 A RUN|has ~3 , ~2 B"),
    ("RUNS_AFTER", "BA", "after ~2 A ,? comes|come ~1 B"),
    ("RUNS_AFTER", "AB", "P|A *3 RUN|APPLIED once ~3 B"),
    ("RUNS_AFTER", "AB", "P|A ,? which|that? LIE|is|are between ~2 V? B"),
    ("RUNS_BEFORE", "AB", "P|A ,? which|that? LIE|is|are between ~2 V? V ~2 and ~3 B"),
    # component, feature, member
    ("PART_OF", "AB", "P|A BE ~2 B feature|component|subsystem"),
    ("PART_OF", "BA", "PART of|in|inside ~1 A ,? called|named ~2 B"),
    ("PART_OF", "AB", "P|A BE B 's ~2 "
     "compiler|engine|backend|frontend|scheduler|allocator|interpreter|runtime|serializer|fuser|tracer|dispatcher"),
    # one must know B to understand A
    ("REQUIRES_KNOWING", "AB", "GRASP ~2 of? ~2 A ~2 , ~2 you|we|one|it ~6 to? KNOW ~3 about? ~2 B"),
    ("REQUIRES_KNOWING", "AB", "GRASP ~2 of? ~2 A ~2 you|we|one ~6 to? KNOW ~3 about? ~2 B"),
    ("REQUIRES_KNOWING", "BA", "KNOW ~2 about? ~2 A ~1 BE? ~1 before|to ~3 GRASP of? ~2 B"),
    ("REQUIRES_KNOWING", "AB", "A ^2 requires|assumes|require|assume|needs ~3 KNOWLEDGE of|with ~3 B"),
    ("REQUIRES_KNOWING", "BA", "KNOWLEDGE of|with ~2 A BE ~2 prerequisite|needed|required|necessary|essential for|to "
     "~3 B"),
    ("REQUIRES_KNOWING", "AB", "A without KNOW|knowing|understanding ~1 about? ~2 B"),
    ("REQUIRES_KNOWING", "AB", "prerequisites|prerequisite for|of ~2 A BE|: ~3 B"),
    ("REQUIRES_KNOWING", "BA", "P|A BE ~2 prerequisite|prerequisites for|of ~3 B"),
)  # fmt: skip

EPISODES: Final[tuple[Row, ...]] = (
    # heard before this one
    ("LISTEN_AFTER", "eB", "LISTEN to? ~8 ON? ~2 B EPISODE|one? ,? ~3 FIRST"),
    ("LISTEN_AFTER", "eB", "LISTEN to? ~3 FIRST ,? ~3 : ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "eB", "builds|build|based|relies|rely|rests|rest|depends|depend on|upon ~3 B ,|; so|and? ~2 "
     "LISTEN to? that|it EPISODE|one? before|FIRST"),
    ("LISTEN_AFTER", "eB", "before ~2 listening|this|hearing|starting|diving to? ~4 , ~4 to? ~2 LISTEN to|out? ~6 ON? "
     "~2 B"),
    ("LISTEN_AFTER", "eB", "make|making|be|assume|assumes|assuming|hope sure|certain? that? WE ~2 "
     "heard|seen|caught|listened to? ~5 ON? ~2 B"),
    ("LISTEN_AFTER", "eB", "if you ~1 n't|not|never ~2 heard|listened|caught|seen to? ~5 ON? ~2 B"),
    ("LISTEN_AFTER", "eB", "THIS BE ~3 follow-up|followup|sequel|continuation|successor to|of|from ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "eB", "THIS|we|i continue|continues|continuing|extends|resume|resumes ~3 from|of? ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "eB", "THIS ~1 picks|builds up|on|upon ~2 from|where? ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "eB", "follow - up|follow-up|followup|sequel up? to|of ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "eB", "follow up to|of ~6 ON? ~2 B"),
    ("LISTEN_AFTER", "eB", "part|second two|half|part of|to ~6 ON? ~2 B"),
    # heard after it
    ("LISTEN_BEFORE", "eB", "LISTEN to? ~6 ON? ~2 B EPISODE? ~1 next|afterwards|after|later|afterward"),
    ("LISTEN_BEFORE", "eB", "LISTEN to? this ~1 before ~2 listening|hearing? to? ~4 ON? ~2 B"),
    ("LISTEN_BEFORE", "eB", "this ~3 listen|heard|listened to? before ~6 ON? ~2 B"),
    ("LISTEN_BEFORE", "eB", "before ~2 listening|hearing|tackling to? ~6 ON? ~2 B , ~4 LISTEN to? this"),
    ("LISTEN_BEFORE", "eB", "continued|continues|continue in ~6 ON? ~2 B"),
    ("LISTEN_BEFORE", "eB", "LISTEN to? next ~2 : ~4 B"),
    ("LISTEN_BEFORE", "eB", "next up|EPISODE ,? will? BE|: ~6 ON? ~2 B"),
    # known before this one
    ("REQUIRES_KNOWING", "eB", "podcast|episode|talk|post|one|this|it|i ^1 assumes|assume|requires that? ~5 "
     "with|of|about|know|understand about? ~3 B"),
    ("REQUIRES_KNOWING", "eB", "you|listeners should|must|need|ought|want to? ~1 KNOW ~2 about? ~3 B ,? FIRST"),
    ("REQUIRES_KNOWING", "eB", "you|listeners should|must|need|ought|want to? ~1 be|have ~2 KNOWLEDGE "
     "with|of ~3 B ,? FIRST"),
    ("REQUIRES_KNOWING", "eB", "prerequisites|prerequisite|prereqs ~2 : ~3 B"),
    # close to it
    ("RELATED_EPISODE", "eB", "related ~1 EPISODE :? on|about|are|is|:? ~3 B"),
    ("RELATED_EPISODE", "eB", "PREVIOUS|other ~1 EPISODE on|about|titled|: ~3 B"),
    ("RELATED_EPISODE", "eB", "see|check|refer also|out|to? ~3 EPISODE on|about|titled|called|for ~2 B"),
    ("RELATED_EPISODE", "eB", "see|check|refer also|out|to? ~3 B EPISODE"),
    ("RELATED_EPISODE", "eB", "the|my|our ~1 EPISODE on|about|titled ~1 B"),
    ("RELATED_EPISODE", "eB", "the|my|our ~1 B EPISODE"),
    ("RELATED_EPISODE", "eB", "B ,? ^2 covered|discussed|explained|mentioned ~1 in ~1 PREVIOUS|other ~1 EPISODE"),
    ("RELATED_EPISODE", "eB", "talked|talk|spoke about ~2 B ~1 in ~1 PREVIOUS ~1 EPISODE"),
)  # fmt: skip
