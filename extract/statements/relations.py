"""The table of relations as English technical prose states them, in the notation of `patterns`.

A row is the relation, the letters of its subject and its object, and the words. Besides the letters in these, `e` is
the entry itself and `t` the topic that its title names. An indented list reads as its heading, a colon, the item.
"""

from typing import Final

from torchatlas.extract.statements.patterns import Notation
from torchatlas.graph.values.findings import StatementRelation

Row = tuple[StatementRelation, str, str]

ACTIONS: Final = {
    "USE": "use employ leverage utilize utilise exploit harness reuse adopt consult",
    "RELY": "rely depend lean draw",
    "TAKE": "take consume accept ingest receive read parse analyze analyse inspect interpret evaluate load",
    "CALL": "call invoke spawn launch",
    "FEED": "feed pass hand send give supply",
    "MAKE": "implement build write realize realise express represent encode construct model formulate track describe",
    "POWER": "implement power underlie underpin back",
    "PRODUCE": "produce emit generate output yield return",
    "TURN": "compile lower translate convert turn transform trace desugar decompose rewrite serialize export split",
    "HOLD": "include contain comprise incorporate encompass introduce bundle",
    "EXTEND": "extend generalize generalise supersede subsume succeed",
    "RUN": "run happen occur execute come go",
}
GROUPS: Final = {
    "BE": "is|are|was|were|be|been|being|'s|'re",
    "WE": "we|you|one|i|people",
    "APPLIED": "applied|performed|executed|run|done|scheduled|called|invoked|inserted|handled|processed",
    "PART": "part|component|feature|member|piece|subsystem|layer|stage|phase|subset|module|half|block|backend|frontend",
    "PARTS": "parts|components|features|members|pieces|subsystems|layers|stages|phases|ingredients|modules|steps",
    "OTHER": "alternative|alternatives|competitor|competitors|counterpart|counterparts|substitute|substitutes|rival",
    "SUCCESSOR": "extension|extensions|generalization|generalizations|generalisation|successor|superset|evolution"
    "|version|replacement|descendant|refinement|elaboration",
    "KNOW": "know|understand|learn|grasp",
    "GRASP": "understand|understanding|follow|following|learning|tackling|appreciate|grasp|sense|reading|read",
    "KNOWLEDGE": "knowledge|understanding|familiarity|grasp|background|familiar",
    "ON": "about|on",
    "THIS": "this|podcast|episode",
    "PREVIOUS": "previous|earlier|past|prior|last|another|separate",
    "LIE": "lives|live|sits|sit",
    "EPISODE": "episode|episodes|podcast|podcasts|show",
    "LISTEN": "listen|listening|listened|hear|hearing|heard|check|watch",
    "FIRST": "first|before|beforehand|already|previously|prior",
}
NOTATION: Final = Notation(GROUPS, ACTIONS)

TABLE: Final[tuple[Row, ...]] = (
    # employs, takes as input
    ("USES", "AB", "P|A ^3 USE ~4 B"),
    ("USES", "AB", "P|A USE-ing ~4 B"),
    ("USES", "AB", "P|A ^3 make|makes|made|making ~2 use of ~3 B"),
    ("USES", "AB", "P|A ^3 RELY|RELY-ing ^1 on|upon|from ~3 B"),
    ("USES", "AB", "P|A ^3 operate|operates|operated|operating|works|work|acts|act on|upon|over ~3 B"),
    ("USES", "AB", "P|A ^3 TAKE|TAKE-ing in? ~3 B"),
    ("USES", "AB", "P|A ^3 call|calls|invokes|spawns|launches|CALL-ing out? into|to? ~2 B"),
    ("USES", "AB", "P|A *3 driven|configured|controlled|parametrized|parameterized|guided by|with ~3 B"),
    ("USES", "BA", "P|A *3 USE-ed ^2 by|in|inside|within|throughout|from ~3 B"),
    ("USES", "BA", "P|A *3 TAKE-ed|CALL-ed|needed|required|checked|evaluated in? by|from ~3 B"),
    ("USES", "BA", "P|A *3 FEED-ed ^1 off|over|along|down|back? into|to ~3 B"),
    ("USES", "BA", "P|A ^3 FEED ^1 into ~3 B"),
    ("USES", "BA", "P|A BE what B ^1 USE"),
    ("USES", "BA", "P|A BE ~2 inputs|input to|of|for ~2 B"),
    ("USES", "BA", "P|A ^2 drives|drive|configures|configure ~3 B"),
    ("USES", "BA", "using|via ~2 A , ~2 B"),
    ("USES", "AB", "inputs|input to|of|for ~1 A BE ~3 B"),
    ("USES", "AB", "A 's ~1 use|usage of ~2 B"),
    ("USES", "BA", "use|usage of ~1 A in|inside|by ~2 B"),
    ("USES", "AB", "P|A ^3 TURN|TURN-ing ~3 B down? into|to"),
    ("USES", "AB", "P|A ^3 TURN|TURN-ing|goes|go|moves|gets ~3 from ~3 B to|into ~3 C"),
    ("USES", "BA", "P|A BE ~3 PART of ~3 plan|plans|strategy|story|roadmap for ~3 B"),
    ("USES", "BA", "P|A BE B 's ~2 representation|model|view|abstraction"),
    ("USES", "BA", "users|clients|consumers|applications|uses of ~1 A ~2 : ~2 B"),
    # realised, represented or built by means of
    ("IMPLEMENTED_WITH", "AB", "P|A *3 MAKE-ed|handled|stored|expressible ^1 with|using|via|through|as|atop ~3 B"),
    ("IMPLEMENTED_WITH", "AB", "P|A *3 MAKE-ed ^1 by|on|upon ~3 B"),
    ("IMPLEMENTED_WITH", "AB", "P|A *3 written|expressed ^1 in ~2 B"),
    ("IMPLEMENTED_WITH", "AB", "P|A *3 MAKE-ed|layered|defined|phrased|based on|in|out ~1 top|terms|of of? ~3 B"),
    ("IMPLEMENTED_WITH", "AB", "P|A *3 based|layered|backed|powered|driven|underpinned ^1 on|upon|by|over ~3 B"),
    ("IMPLEMENTED_WITH", "AB", "P|A ^3 builds|build|sits|sit|runs on top of ~3 B"),
    ("IMPLEMENTED_WITH", "AB", "P|A ^3 wraps|wrap|wrapping ~2 B"),
    ("IMPLEMENTED_WITH", "AB", "P|A BE ~3 wrapper|layer|veneer around|over|on ~1 top? of? ~2 B"),
    ("IMPLEMENTED_WITH", "BA", "P|A *3 used|using ^1 to MAKE ~3 B"),
    ("IMPLEMENTED_WITH", "BA", "USE|USE-ing ~2 A ^1 to MAKE ~3 B"),
    ("IMPLEMENTED_WITH", "BA", "P|A ^3 POWER ~6 B"),
    ("IMPLEMENTED_WITH", "BA", "P|A BE how WE ^1 do|handle|MAKE ~2 B"),
    ("IMPLEMENTED_WITH", "BA", "P|A BE how ~2 B BE|works|work|gets|get|happens"),
    ("IMPLEMENTED_WITH", "AB", "MAKE|MAKE-ing|MAKE-ed ~2 A ^1 with|using|via|through|atop|as ~3 B"),
    ("IMPLEMENTED_WITH", "AB", "MAKE|MAKE-ing|MAKE-ed ~2 A on|in ~1 top|terms of ~3 B"),
    ("IMPLEMENTED_WITH", "BA", "USE|USE-ing ~1 A for|in ~2 : ~2 B"),
    # extension, generalisation, successor
    ("EXTENDS", "AB", "P|A BE|, ~4 SUCCESSOR to|of|for|from ~3 B $"),
    ("EXTENDS", "AB", "P|A ^3 EXTEND|EXTEND-ing ~3 B"),
    ("EXTENDS", "AB", "P|A ^3 builds|build|expands|improves|improve on|upon ~3 B"),
    ("EXTENDS", "AB", "P|A ^3 replaces|replace|replaced ~3 B !with|by|in"),
    ("EXTENDS", "AB", "P|A ^3 evolved|evolves|grew|derives|derived|descends|descended out? from|of ~3 B"),
    ("EXTENDS", "BA", "P|A *3 replaced|EXTEND-ed by|with ~3 B"),
    ("EXTENDS", "BA", "P|A *3 deprecated|dropped|removed|abandoned|retired in favor|favour of ~3 B"),
    ("EXTENDS", "BA", "P|A BE ~2 predecessor|precursor|ancestor of|to ~2 B"),
    ("EXTENDS", "AB", "A ,|( through|like|unlike|from? its|whose ~2 V? predecessor|precursor|ancestor ,? ~1 B"),
    ("EXTENDS", "BA", "P|A *3 ported|migrated|moved over? to ~2 B"),
    ("EXTENDS", "BA", "move|moved|migrate|migrated|migrating|switch|switched|switching|transition from ~2 A to ~2 B"),
    # another way
    ("ALTERNATIVE_TO", "AB", "A ^1 versus|vs|vs. ~2 B"),
    ("ALTERNATIVE_TO", "AB", "A ,? instead|rather|lieu of|than ~3 B"),
    ("ALTERNATIVE_TO", "AB", "A ,? in place|lieu of ~3 B"),
    ("ALTERNATIVE_TO", "AB", "A ,? as? opposed|unlike|contrast to? ~2 B"),
    ("ALTERNATIVE_TO", "AB", "P|A BE|, ~4 OTHER to|of|for ~3 B"),
    ("ALTERNATIVE_TO", "AB", "P|A *3 swapped|substituted|stands|stand in? for ~2 B"),
    ("ALTERNATIVE_TO", "BA", "unlike ~2 A , ~2 B"),
    ("ALTERNATIVE_TO", "BA", "instead|contrast|opposed of|to|with ~2 A , ~2 B"),
    ("ALTERNATIVE_TO", "AB", "chose|choose|chosen|choosing|prefer|preferred|pick|picked ~2 A over ~2 B"),
    ("ALTERNATIVE_TO", "AB", "contrast|contrasts|contrasting ~2 A with|and|to|against ~2 B"),
    ("ALTERNATIVE_TO", "AB", "choice|choose|choosing|decide|pick|picking between ~2 A and|or ~2 B"),
    ("ALTERNATIVE_TO", "AB", "ways|options|approaches|strategies|choices to? ~4 : ~2 A ,|and|or ~2 B"),
    ("ALTERNATIVE_TO", "BA", "OTHER to|of|for ~1 A : ~2 B"),
    ("ALTERNATIVE_TO", "Bt", "alternatives|counterpoints|alternative|competitors ~5 : ~2 B"),
    # output
    ("PRODUCES", "AB", "P|A ^3 PRODUCE|PRODUCE-ing ~4 B"),
    ("PRODUCES", "AB", "P|A ^3 spits|spit|hands|churns|traces|trace out|back ~4 B"),
    ("PRODUCES", "AB", "P|A ^3 TURN|TURN-ing ~5 down|out? into|to ~4 B"),
    ("PRODUCES", "AC", "P|A ^3 TURN|TURN-ing ~3 B down? into|to ~4 C"),
    ("PRODUCES", "AB", "P|A V ~5 down? into|to ~5 B"),
    ("PRODUCES", "AC", "P|A ^3 TURN|TURN-ing|goes|go|moves|gets ~3 from ~3 B to|into ~3 C"),
    ("PRODUCES", "BA", "P|A *3 PRODUCE-ed|given|created|captured|recorded|computed ^1 by ~3 B"),
    ("PRODUCES", "AB", "output|outputs|result|product of ~1 A BE ~3 B"),
    ("PRODUCES", "BA", "P|A BE ~1 output|outputs|result|product of ~1 B"),
    # order in a pipeline
    ("RUNS_BEFORE", "AB", "P|A *3 RUN|APPLIED ^1 before|ahead|prior of|to? ~3 B"),
    ("RUNS_BEFORE", "AB", "P|A BE ^1 before|ahead of? ~3 B"),
    ("RUNS_BEFORE", "AB", "P|A LIE in front of ~2 B"),
    ("RUNS_BEFORE", "AB", "P|A ,? ^3 followed by ~3 B"),
    ("RUNS_BEFORE", "AB", "P|A ^3 precedes|precede|preceding ~2 B"),
    ("RUNS_BEFORE", "BA", "before ~2 A ,? comes|come|runs|is|are ~1 B"),
    ("RUNS_BEFORE", "AB", "first ,? ~1 A RUN? , ^1 ~1 then ~2 B"),
    ("RUNS_BEFORE", "BA", "before ~2 A RUN|starts|gets|sees ~3 , ~2 B"),
    ("RUNS_AFTER", "BA", "after|once ~2 A RUN|BE|has ~3 , ~2 B"),
    ("RUNS_AFTER", "AB", "P|A *3 RUN|APPLIED ^1 after|following|once ~3 B"),
    ("RUNS_AFTER", "AB", "P|A BE ^1 after ~3 B"),
    ("RUNS_AFTER", "AB", "P|A ^3 follows|succeeds ~2 B"),
    ("RUNS_AFTER", "BA", "after ~2 A ,? comes|come|runs ~1 B"),
    ("RUNS_AFTER", "AB", "P|A LIE|is|are between ~2 V? B"),
    ("RUNS_BEFORE", "AB", "P|A LIE|is|are between ~2 V? V ~2 and ~3 B"),
    # component, feature, member
    ("PART_OF", "AB", "P|A BE|, ~4 PART of|in|inside|within ~3 B"),
    ("PART_OF", "AB", "P|A BE ~2 B feature|component|subsystem"),
    ("PART_OF", "BA", "PART of|in|inside ~1 A ,? called|named|, ~2 B"),
    ("PART_OF", "AB", "P|A ^2 ships|comes|ship|come|provided|offered as ~1 part of ~3 B"),
    ("PART_OF", "AB", "P|A ^2 belongs|belong to ~3 B"),
    ("PART_OF", "BA", "P|A ^3 HOLD|HOLD-ing ~3 of? ~1 B"),
    ("PART_OF", "BA", "P|A *3 consists|consist|composed|comprised|made|consisting up? of ~3 :? ~1 B"),
    ("PART_OF", "BA", "P|A ^2 has|have a|an|its|their ~2 B $"),
    ("PART_OF", "BA", "P|A ^2 has|have ~4 PARTS : ~2 B"),
    ("PART_OF", "BA", "PARTS of|in|to ~2 A BE|include|includes|: ~3 B"),
    ("PART_OF", "AB", "P|A *3 introduced|added|shipped by|in|with ~2 B"),
    ("PART_OF", "AB", "about|is|are|the|a|an A in|inside|within B"),
    ("PART_OF", "AB", "P|A BE B 's ~2 "
     "compiler|engine|backend|frontend|scheduler|allocator|interpreter|runtime|serializer|fuser|tracer|dispatcher"),
    ("PART_OF", "AB", "P|A LIE|resides|reside|BE located|embedded|housed|nested? inside|within|in the? B"),
    ("PART_OF", "AB", "P|A *2 stored|kept|held|lives|live on|inside ~1 B"),
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
    ("LISTEN_AFTER", "eB", "LISTEN to? ~3 FIRST ~3 :|, ~6 ON? ~2 B"),
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
