"""The guard in front of the engines: it lets one reading Cypher statement through and nothing else.

The read-only mode of an engine is not enough: Neo4j 5 and ladybug 0.22 still read files, change settings and call
procedures with effects, and ladybug runs the second statement of `EXPLAIN a; b`. So the guard judges the tokens, then
the plan that the engine makes of the text (`check_plan`). Only then the text runs, in a read-only session.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.values.errors import QueryError, shortened

_TOKEN = re.compile(
    r"""
    (?P<space>\s+ | //[^\n\r]* | /\*.*?\*/)
  | (?P<string>'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*")
  | (?P<name>`(?:[^`]|``)*`)
  | (?P<word>[^\W\d]\w*)
  | (?P<number>0[xX][0-9a-fA-F]+ | [0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
  | (?P<symbol>[^\s'"`])
    """,
    re.VERBOSE | re.DOTALL,
)

LONGEST, DEEPEST = 100_000, 100
"""The characters of a text, and the brackets that may be open at once. More would only exhaust an engine's parser."""
HALF = re.compile("[\ud800-\udfff]")
"""Half a character, which no text in UTF-8 holds: what Python makes of bytes that are none."""
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")
# Words that begin a clause which does more than read. Before one of _NO_OPERANDS, they are the name of a variable:
# `RETURN load ORDER BY load`.
_WRITES = """
    CREATE MERGE SET DELETE DETACH NODETACH REMOVE INSERT FOREACH LOAD COPY DROP ALTER USE TERMINATE
""".split()  # noqa: SIM905 (shorter than the list)
_NO_OPERANDS = """
    RETURN WITH WHERE ORDER SKIP OFFSET LIMIT AS MATCH OPTIONAL UNWIND CALL UNION YIELD IN AND OR XOR NOT IS CONTAINS
    STARTS ENDS ASC ASCENDING DESC DESCENDING THEN ELSE WHEN END FINISH USING
""".split()  # noqa: SIM905 (shorter than the list)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a text; its `kind` is string, name (in backticks), word, number or symbol; `text` is verbatim.

    >>> Token("word", "match").keyword
    'MATCH'
    """

    kind: str
    text: str

    @property
    def keyword(self) -> str:
        """Return the word in capitals, "" for anything else."""
        return self.text.upper() if self.kind == "word" else ""


BEGINS = frozenset({"MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL"})  # in every dialect


@dataclass(frozen=True, slots=True)
class Dialect:
    r"""The Cypher of an engine: how a statement begins, and the procedures and plan operators that only read.

    `escapes`: the engine reads \u0041 as A anywhere in a text, even in a word or for a quote.

    Example: `Dialect("toy", BEGINS, procedures=frozenset(), operators=frozenset({"SCAN"}), escapes=False)`
    """

    engine: str
    begins: frozenset[str]
    _: KW_ONLY
    procedures: frozenset[str]
    operators: frozenset[str]
    escapes: bool


def tokens(text: str) -> tuple[Token, ...]:
    """Split a text into tokens, without spaces and comments.

    Raises QueryError for a string or name without an end, and for an invisible character, which an engine may obey.

    >>> [token.text for token in tokens("RETURN 'a;b' // ;")]
    ['RETURN', "'a;b'"]
    """
    found: list[Token] = []
    place = 0
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise QueryError(f"the quote {text[place]} at character {place + 1} is never closed")
        if text.startswith("/*", place) and match.lastgroup == "symbol":
            raise QueryError(f"the comment at character {place + 1} is never closed")
        if match.lastgroup == "symbol" and unicodedata.category(text[place]).startswith("C"):
            raise QueryError(f"remove the invisible character U+{ord(text[place]):04X} at character {place + 1}")
        if match.lastgroup != "space":
            found.append(Token(str(match.lastgroup), match.group()))
        place = match.end()
    return tuple(found)


def open_quote(text: str) -> int | None:
    """Return where the quote stands that a text opens and does not close, None where there is none.

    >>> open_quote("RETURN 'it''s'"), open_quote("RETURN 'it")
    (None, 7)
    """
    place = 0
    while place < len(text):
        if (match := _TOKEN.match(text, place)) is None:
            return place
        place = match.end()
    return None


def split_statements(text: str) -> Iterator[str]:
    """Yield the statements of a text, each with its semicolon, and the rest after the last one. Raises QueryError.

    >>> list(split_statements("RETURN 1; RETURN 2"))
    ['RETURN 1;', 'RETURN 2']
    """
    tokens(text)
    begin = 0
    for match in _TOKEN.finditer(text):
        if match.lastgroup == "symbol" and match.group() == ";":
            yield text[begin : match.end()].strip()
            begin = match.end()
    if tokens(text[begin:]):
        yield text[begin:].strip()


def without_literals(text: str) -> str:
    """Return a text without its comments and without the content of its strings.

    >>> without_literals("RETURN 'a' AS x // b")
    "RETURN '' AS x  "
    """
    short = {"space": " ", "string": "''"}
    return _TOKEN.sub(lambda match: short.get(str(match.lastgroup), match.group()), text)


def check_statement(text: str, dialect: Dialect) -> tuple[Token, ...]:
    """Return the tokens of one reading statement, without a last semicolon; raise QueryError for anything else.

    Example: `check_statement("MATCH (c:Concept) RETURN c.name", LADYBUG)`
    """
    _check_size(text)
    if dialect.escapes and (meant := _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)) != text:
        _checked(meant.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), dialect)  # halves are joined
    return _checked(text, dialect)


def _checked(text: str, dialect: Dialect) -> tuple[Token, ...]:
    found = tokens(text)
    _check_depth(found)
    if found and found[-1].text == ";":
        found = found[:-1]
    if not found:
        raise QueryError("the query is empty; try: MATCH (c:Concept) RETURN c.name LIMIT 5")
    if any(token.text == ";" for token in found):
        raise QueryError("one statement at a time: remove what follows the first semicolon")
    first = found[0].keyword
    if first in {"EXPLAIN", "PROFILE"}:
        raise QueryError(f"{first} is not offered: run the query itself")
    if first not in dialect.begins:
        begin = "begin with MATCH, RETURN, UNWIND or WITH"
        raise QueryError(f"queries may only read: {begin}, not {shortened(found[0].text)!r}")
    for index, token in enumerate(found):
        if token.keyword in _WRITES and _is_clause(found, index):
            raise QueryError(f"queries may only read: remove {token.keyword}")
        if token.keyword == "CALL" and _is_clause(found, index):
            _check_procedure(found[index + 1 :], dialect)
    return found


def _check_size(text: str) -> None:
    """Raise QueryError for a text that is too long, or of which an engine could not be told at all."""
    if len(text) > LONGEST:
        remedy = "give long lists as parameters, or ask in parts"
        raise QueryError(f"the query has {len(text):,} characters, and at most {LONGEST:,} are read; {remedy}")
    if half := HALF.search(text):
        where = f"U+{ord(half[0]):04X} at character {half.start() + 1}"
        raise QueryError(f"the query has a lone surrogate, {where}; write the whole character")


def _check_depth(found: Iterable[Token]) -> None:
    """Raise QueryError where brackets stand deeper in one another than an engine is sure to bear."""
    depth = 0
    for token in found:
        depth += (token.text in _OPENING) - (token.text in _CLOSING)
        if depth > DEEPEST:
            raise QueryError(f"brackets are nested deeper than {DEEPEST} levels; take the query apart with WITH")


def check_plan(operators: Iterable[str], dialect: Dialect) -> None:
    """Raise QueryError where the engine's plan holds an operator that is not known to read the graph only.

    Example: `check_plan(["SCAN_NODE_TABLE", "PROJECTION"], LADYBUG)`
    """
    for operator in operators:
        if operator not in dialect.operators:
            raise QueryError(f"queries may only read, and {dialect.engine} would do {operator} here")


def too_long(seconds: float) -> QueryError:
    """Return the error for a query that was ended.

    >>> too_long(0.5)
    QueryError('the query took more than 0.5 seconds; narrow it or add a LIMIT')
    """
    return QueryError(f"the query took more than {seconds:g} seconds; narrow it or add a LIMIT")


def _is_clause(found: Sequence[Token], index: int) -> bool:
    """Return whether the word is a keyword: no property, label or parameter, and before something to act on."""
    before = found[index - 1].text if index else ""
    if before in {".", ":", "$"} or index + 1 == len(found):
        return False
    after, then = found[index + 1], found[index + 2 : index + 3]
    if after.keyword == "WITH" and then and then[0].keyword == "HEADERS":
        return True
    if after.kind == "word":
        return after.keyword not in _NO_OPERANDS
    return after.kind in {"name", "string"} or after.text in {"(", "$"}


def _check_procedure(after: Sequence[Token], dialect: Dialect) -> None:
    """Raise QueryError where neither a subquery, `{` or `(variables) {`, nor an offered procedure follows a CALL."""
    if after[0].text == "(":
        return
    name = after[0].text.strip("`")
    for dot, part in zip(after[1::2], after[2::2], strict=False):
        if dot.text != ".":
            break
        name += f".{part.text.strip('`')}"
    if name.lower() not in dialect.procedures:
        known = ", ".join(sorted(dialect.procedures))
        raise QueryError(f"the procedure {shortened(name)} is not offered; {dialect.engine} may be asked: {known}")
