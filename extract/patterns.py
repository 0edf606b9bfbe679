"""What a stated relation looks like, as a table, and the table as patterns for spaCy's Matcher.

A pattern is a row of words. `A` and `B` are things that the text names (concepts; in the rows about episodes also
titles), in the order of the text; `P|A` may also be a pronoun. `x|y` is either word, `x?` may be missing, `~3` stands
for up to three words of a noun phrase, `V` for a verb that is a term itself ("export"); other capitals are macros. The
flag says which of the two is the subject: "AB", "BA"; "eB": the entry itself is.
"""

import re
from collections.abc import Iterable
from typing import Any, Final

from extract.english import words
from graph.evidence import StatementRelation

THING: Final = "\ue000"
TITLE: Final = "\ue001"
PRONOUNS: Final = ("it", "they", "this", "these")
_BE: Final = "is|are|was|were|be|been|being|'s|'re"
_MACROS: Final = {
    "BE": _BE,
    "WILL": f"will|can|to|gets|get|{_BE}",
    "P": "|".join(PRONOUNS),
    "A": f"{THING}|{TITLE}",
    "B": f"{THING}|{TITLE}",
    "V": THING,
    "DO": "runs|run|happens|happen|occurs|occur|comes|come|executes|execute",
    "KNOW": "know|understand|learn",
    "MAKE": "implement|build|construct|express|represent",
    "PART": "part|component|feature|member|piece|subsystem|layer|stage|subset",
}
_NOT_IN_PHRASE: Final = sorted(
    {THING, TITLE}
    | words(", ; : ( ) – — • . ? ! / but not n't never no which that who when where while because if and or is are was")
    | words("were to than then so for with without from by into versus vs vs. about")
)

Row = tuple[StatementRelation, str, str]
TABLE: Final[tuple[Row, ...]] = (
    ("USES", "AB", "P|A ~1 use|uses|used|employs|employ|leverages|leverage|utilizes|utilize|exploits|exploit ~3 B"),
    ("USES", "AB", "P|A ~1 make|makes|making use of ~3 B"),
    ("USES", "AB", "P|A ~1 relies|rely|relying|depends|depend|depending|operates|operate on|upon ~3 B"),
    ("USES", "AB", "P|A ~1 takes|take|consumes|consume|accepts|accept ~3 B"),
    ("USES", "AB", "P|A ~1 calls|call|invokes|invoke into? ~2 B"),
    ("USES", "AB", "A BE ~1 driven|configured|controlled|parametrized|parameterized by|with ~3 B"),
    ("USES", "BA", "A BE ~1 used|employed|consumed|called|invoked|read|needed|required by|in|inside|from ~3 B"),
    ("USES", "BA", "A which|that BE ~1 used by|in ~2 B"),
    ("IMPLEMENTED_WITH", "AB", "P|A WILL? BE ~2 "
     "implemented|built|written|realized|realised|represented|expressed|encoded|constructed|done|modeled "
     "with|using|via|by|through|as|on|atop|from|in ~3 B"),
    ("IMPLEMENTED_WITH", "AB", "P|A WILL? BE ~2 implemented|built|based|layered on|in top|terms of ~3 B"),
    ("IMPLEMENTED_WITH", "AB", "P|A WILL? BE? ~1 based|built on ~3 B"),
    ("IMPLEMENTED_WITH", "BA", "P|A can|may|could|BE ~1 be|been? used|using to MAKE ~3 B"),
    ("IMPLEMENTED_WITH", "BA", "P|A have|has been used to MAKE ~3 B"),
    ("IMPLEMENTED_WITH", "BA", "use|uses|using|used ~2 A ~1 to MAKE ~3 B"),
    ("IMPLEMENTED_WITH", "BA", "A which|that? "
     "implement|implements|powers|power|underlies|underlie|underpins|underpin|backs ~6 B"),
    ("IMPLEMENTED_WITH", "AB", "implement|implements|implementing|implemented|build|builds|building|built ~2 A "
     "with|using|via|through|atop ~3 B"),
    ("IMPLEMENTED_WITH", "AB", "implement|implements|implementing|implemented|build|builds|building|built ~2 A on "
     "top of ~3 B"),
    ("EXTENDS", "AB", "P|A BE ~3 extension|extensions|generalization|generalisation|successor|superset|evolution "
     "to|of|for|from ~3 B"),
    ("EXTENDS", "AB", "A , ~3 extension|generalization|generalisation|successor|superset to|of ~3 B"),
    ("EXTENDS", "AB", "P|A ~1 "
     "extends|extend|generalizes|generalize|generalises|supersedes|supersede|subsumes|replaces|replaced ~3 B"),
    ("EXTENDS", "BA", "P|A BE ~2 replaced|superseded|generalized|extended|succeeded by ~3 B"),
    ("EXTENDS", "BA", "A BE ~2 predecessor of|to ~2 B"),
    ("ALTERNATIVE_TO", "AB", "A ~1 versus|vs|vs. ~2 B"),
    ("ALTERNATIVE_TO", "AB", "A ~1 ,? instead|rather of|than ~3 B"),
    ("ALTERNATIVE_TO", "AB", "P|A BE ~3 alternative|alternatives|competitor|competitors|counterpart to|of|for ~3 B"),
    ("ALTERNATIVE_TO", "AB", "A ,? as? opposed|unlike|contrast to? ~2 B"),
    ("ALTERNATIVE_TO", "BA", "unlike|instead of? ~2 A , ~2 B"),
    ("PRODUCES", "AB", "P|A ~1 "
     "produces|produce|emits|emit|generates|generate|outputs|output|yields|yield|returns|return ~3 B"),
    ("PRODUCES", "AB", "P|A ~1 "
     "compiles|compile|lowers|lower|translates|translate|converts|convert|turns|turn|transforms|transform|traces|trace "
     "~5 down? into|to ~3 B"),
    ("PRODUCES", "BA", "A BE? produced|generated|emitted|output by|from ~3 B"),
    ("RUNS_BEFORE", "AB", "A ~1 BE|DO ~1 before|ahead of? ~3 B"),
    ("RUNS_AFTER", "AB", "A ~1 BE|DO ~1 after ~3 B"),
    ("RUNS_BEFORE", "AB", "A BE? ,? followed by ~3 B"),
    ("PART_OF", "AB", "P|A BE ~4 PART of|in|inside|within ~3 B"),
    ("PART_OF", "AB", "A , ~4 part|component|feature|member|piece|subsystem|layer of|in|inside|within ~3 B"),
    ("PART_OF", "BA", "P|A ~1 includes|include|contains|contain|comprises|introduced|introduces ~3 of? B"),
    ("PART_OF", "BA", "P|A ~1 consists|consist|composed of ~3 B"),
    ("PART_OF", "AB", "P|A BE ~1 introduced by|in ~2 B"),
    ("PART_OF", "AB", "about|is|are|the|a|an|of A process|mechanism|pass|phase|stage|machinery|system? in|inside B"),
    ("PART_OF", "AB", "A BE B 's ~2 "
     "compiler|engine|backend|frontend|scheduler|allocator|interpreter|runtime|serializer|fuser|tracer|dispatcher"),
    ("USES", "BA", "A BE B 's ~2 representation|model|view|abstraction"),
    ("PRODUCES", "AB", "A V ~5 down? into|to ~5 B"),
    ("PRODUCES", "AB", "A ~3 from ~3 V to|into ~3 B"),
    ("USES", "AB", "A ~3 from ~3 B to|into"),
    ("RUNS_AFTER", "AB", "A lives|sits|live|sit|is|are between ~2 V? B"),
    ("RUNS_BEFORE", "AB", "A lives|sits|live|sit|is|are between ~2 V? V ~2 and ~3 B"),
    ("PART_OF", "AB", "P|A lives|live|sits|sit|resides|BE located? inside|within|in ~1 B"),
    ("REQUIRES_KNOWING", "AB", "understand|understanding|follow ~2 A , you ~3 KNOW ~3 B"),
    ("REQUIRES_KNOWING", "BA", "KNOW ~2 A before|to ~3 understand|understanding|learning|tackling ~2 B"),
    ("REQUIRES_KNOWING", "AB", "A requires|assumes|require|assume ~3 knowledge|understanding|familiarity|grasp "
     "of|with ~3 B"),
)  # fmt: skip

EPISODES: Final[tuple[Row, ...]] = (
    ("LISTEN_AFTER", "eB", "listen|listening|listened to ~8 about|on? ~2 B ~3 first|before|beforehand"),
    ("LISTEN_AFTER", "eB", "listen|listening|listened to B , ~2 first|before|beforehand"),
    ("LISTEN_AFTER", "eB", "before ~2 listening|this|hearing ~4 , ~4 listen|hear|check to|out? ~6 about|on? ~1 B"),
    ("LISTEN_AFTER", "eB", "recommend|suggest|encourage ~2 listening|hearing to? ~6 about|on? ~1 B ~3 first|before"),
    ("LISTEN_AFTER", "eB", "follow-up|followup|sequel|continuation|continues|continuing to|of|from? ~6 about|on? "
     "~2 B"),
    ("LISTEN_AFTER", "eB", "follow - up to|of ~6 about|on? ~2 B"),
    ("LISTEN_BEFORE", "eB", "listen|hear to? ~6 about|on? ~1 B next|afterwards|after|later"),
    ("REQUIRES_KNOWING", "eB", "podcast|episode|talk|post assumes|assume|requires ~5 with|of|about|know|understand "
     "~3 B"),
    ("RELATED_EPISODE", "eB", "related episodes|episode|podcast|podcasts :? on|about|are|is? ~2 B"),
    ("RELATED_EPISODE", "eB", "previous|earlier|past|prior|other|last|separate episode|episodes|podcast|podcasts "
     "on|about|titled ~2 B"),
    ("RELATED_EPISODE", "eB", "see|check also|out? ~3 episode|episodes|podcast|podcasts on|about|titled ~2 B"),
)  # fmt: skip


def compiled(row: str) -> list[dict[str, Any]]:
    """A row of the table as a pattern for spaCy's Matcher over a sentence's words, THING standing for what it names."""
    pattern: list[dict[str, Any]] = []
    for word in row.split():
        if word.startswith("~"):
            pattern += [{"LOWER": {"NOT_IN": _NOT_IN_PHRASE}, "OP": "?"}] * int(word[1:])
            continue
        optional, choices = _read(word)
        pattern.append({"LOWER": {"IN": list(choices)}} | ({"OP": "?"} if optional else {}))
    return pattern


def gate(row: str) -> re.Pattern[str]:
    """The same row over `spaced` words. It finds something wherever the Matcher does, and says no many times faster."""
    parts, stop = "", "|".join(map(re.escape, _NOT_IN_PHRASE))
    for word in row.split():
        if word.startswith("~"):
            parts += rf"(?:(?!(?:{stop}) )\S+ ){{0,{word[1:]}}}"
            continue
        optional, choices = _read(word)
        parts += f"(?:(?:{'|'.join(map(re.escape, choices))}) ){'?' if optional else ''}"
    return re.compile(rf"(?<!\S){parts}")


def spaced(words: Iterable[str]) -> str:
    """Words as `gate` reads them: each with a space behind it."""
    return "".join(f"{word} " for word in words)


def keys(row: str) -> tuple[str, ...]:
    """Words of which a sentence must have one to match the row; long ones, because short ones are in every sentence."""
    groups = [_read(word) for word in row.split() if not word.startswith("~")]
    needed = [choices for optional, choices in groups if not optional and THING not in choices]
    return max(needed, key=lambda choices: min(map(len, choices)))


def _read(word: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a word of a row may be missing, and its choices, macros written out."""
    optional = word.endswith("?") and len(word) > 1
    parts = word.removesuffix("?").split("|")
    return optional, tuple(choice for part in parts for choice in _MACROS.get(part, part).split("|"))
