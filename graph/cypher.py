"""Cypher texts: a guard that passes only reads, remedies and saved questions."""

import datetime
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise, takewhile
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, get_args

from torchatlas.graph.errors import DataError, MissingValue, QueryError, UnknownName, shortened
from torchatlas.graph.model import PROPERTIES, TABLES, Value
from torchatlas.graph.names import did_you_mean, fold, suggest

if TYPE_CHECKING:
    from torchatlas.graph.questions import Resolver
_TOKEN = re.compile(
    r"""
    (?P<space>\s+ | //[^\n\r]* | /\*.*?\*/)
  | (?P<string>'(?:[^'\\]|\\.)*' | "(?:[^"\\]|\\.)*")
  | (?P<name>`(?:[^`]|``)*`)
  | (?P<word>[^\W\d]\w*)
  | (?P<number>0[xX][0-9a-fA-F]+ | [0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)
  | (?P<open>['"`] | /\*)  # which nothing closes
  | (?P<symbol>[^\s'"`])
    """,
    re.VERBOSE | re.DOTALL,
)
_LONGEST, _DEEPEST = 100_000, 100  # characters, and open brackets
_HALF = re.compile("[\ud800-\udfff]")  # half a character: what Python makes of bytes that are no UTF-8
_ESCAPE = re.compile(r"\\u+([0-9a-fA-F]{4})")
# Words of clauses that write, but not before _NO_OPERANDS: `RETURN load AS x`.
_WRITES = """
    CREATE MERGE SET DELETE DETACH NODETACH REMOVE INSERT FOREACH LOAD COPY DROP ALTER USE TERMINATE
""".split()  # noqa: SIM905 (shorter than the list)
_NO_OPERANDS = """
    RETURN WITH WHERE ORDER SKIP OFFSET LIMIT AS MATCH OPTIONAL UNWIND CALL UNION YIELD IN AND OR XOR NOT IS CONTAINS
    STARTS ENDS ASC ASCENDING DESC DESCENDING THEN ELSE WHEN END FINISH USING
""".split()  # noqa: SIM905 (shorter than the list)
BEGINS = frozenset({"MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL"})


class Token(NamedTuple):
    """A string, name (in backticks), word, number or symbol; `keyword`: WORD."""

    kind: str
    text: str
    keyword: str


class Dialect(Value):
    r"""An engine's Cypher: first words, and procedures and plan operators that read.

    `escapes`: \u0041 is A anywhere, even a quote. `lines`: patterns of errors, and
    plain words. `forms`: patterns without strings, what they find, and what works.
    """

    engine: str
    begins: frozenset[str]
    procedures: frozenset[str]
    operators: str
    escapes: bool
    lines: Sequence[tuple[str, str | Callable[[re.Match[str]], str]]]
    forms: Sequence[tuple[str, str, str]]


def tokens(text: str) -> tuple[Token, ...]:
    """Split without spaces and comments: `tokens("RETURN 'a;b' // ;")` are two.

    Raises QueryError for an unclosed string or name and for invisible characters.
    """
    found = []
    for match in _TOKEN.finditer(text):
        kind, said, where = str(match.lastgroup), match[0], f"at character {match.start() + 1}"
        if kind == "open":
            raise QueryError(f"the {'comment' if said == '/*' else f'quote {said}'} {where} is never closed")
        if kind == "symbol" and unicodedata.category(said).startswith("C"):
            raise QueryError(f"remove the invisible character U+{ord(said):04X} {where}")
        found += [Token(kind, said, said.upper() * (kind == "word"))] if kind != "space" else []
    return tuple(found)


def open_quote(text: str) -> int | None:
    """Return where an unclosed quote is, or None: 7 for "RETURN 'it"."""
    return next((m.start() for m in _TOKEN.finditer(text) if m.lastgroup == "open" and m[0] != "/*"), None)


def split_statements(text: str) -> Iterator[str]:
    """Yield the statements, two of "RETURN 1; RETURN 2". Raises QueryError."""
    tokens(text)
    ends = (match.end() for match in _TOKEN.finditer(text) if match[0] == ";")
    yield from (text[begin:end].strip() for begin, end in pairwise([0, *ends, len(text)]) if tokens(text[begin:end]))


def explained(text: str) -> str | None:
    """Return what an EXPLAIN explains, in its place, or None for another statement.

    >>> explained("explain RETURN 1"), explained("RETURN 1")
    ('        RETURN 1', None)
    """
    first = next((m for m in _TOKEN.finditer(text) if m.lastgroup != "space"), None)
    is_asked = first and first[0].upper() == "EXPLAIN"
    return f"{text[: first.start()]}{'':7}{text[first.end() :]}" if first and is_asked else None


def check_statement(text: str, dialect: Dialect) -> tuple[Token, ...]:
    """Split one read, without an EXPLAIN, or raise QueryError: `check_statement("RETURN 1;", LADYBUG)`."""
    if len(text) > _LONGEST:
        raise QueryError(f"the query is longer than {_LONGEST:,} characters; give long lists as parameters")
    if half := _HALF.search(text):
        raise QueryError(f"write the whole character of the lone surrogate at character {half.start() + 1}")
    if dialect.escapes and (meant := _ESCAPE.sub(lambda escape: chr(int(escape[1], 16)), text)) != text:
        joined = meant.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        check_statement(joined, replace(dialect, escapes=False))
    found = tokens(explained(text) or text)
    if max(accumulate((t.text in "([{") - (t.text in ")]}") for t in found if len(t.text) == 1), default=0) > _DEEPEST:
        raise QueryError(f"brackets are nested deeper than {_DEEPEST} levels; take the query apart with WITH")
    found = found[:-1] if found and found[-1].text == ";" else found
    if not found:
        raise QueryError("the query is empty; try: MATCH (c:Concept) RETURN c.name LIMIT 5")
    if any(token.text == ";" for token in found):
        raise QueryError("one statement at a time: remove what follows the first semicolon")
    if found[0].keyword not in dialect.begins:
        first, meant = shortened(found[0].text), did_you_mean(found[0].keyword, dialect.begins, limit=1)
        only = f"queries may only read: begin with MATCH, RETURN or WITH, not {first!r}"
        raise QueryError(f"no query begins with {first!r}{meant}" if meant else only)
    for index, token in enumerate(found):
        if token.keyword in _WRITES and _is_clause(found, index):
            raise QueryError(f"queries may only read: remove {token.keyword}")
        if token.keyword == "CALL" and _is_clause(found, index) and found[index + 1].text != "(":
            dots = zip(found[index + 2 :: 2], found[index + 3 :: 2], strict=False)
            parts = (part for _, part in takewhile(lambda pair: pair[0].text == ".", dots))
            name = ".".join(part.text.strip("`") for part in (found[index + 1], *parts))
            if name.lower() not in dialect.procedures:
                known = f"{dialect.engine} may be asked: {', '.join(sorted(dialect.procedures))}"
                raise QueryError(f"the procedure {shortened(name)} is not offered; {known}")
    return found


def _is_clause(found: Sequence[Token], index: int) -> bool:
    """Return whether the word begins a clause: no name, and before an operand."""
    if (index and found[index - 1].text in {".", ":", "$"}) or index + 1 == len(found):
        return False
    after, *more = found[index + 1 : index + 3]
    if after.kind == "word":
        has_headers = after.keyword == "WITH" and [token.keyword for token in more] == ["HEADERS"]
        return has_headers or after.keyword not in _NO_OPERANDS
    return after.kind in {"name", "string"} or after.text in {"(", "$"}


def check_plan(operators: Iterable[str], dialect: Dialect) -> None:
    """Raise QueryError where a plan may write: `check_plan(["SKIP"], LADYBUG)`."""
    for operator in operators:
        if not re.fullmatch(dialect.operators, operator):
            raise QueryError(f"queries may only read, and {dialect.engine} would do {operator} here")


def too_long(seconds: float) -> QueryError:
    """Return the error for a query that was ended: `raise too_long(0.5)`."""
    return QueryError(f"the query took more than {seconds:g} seconds; narrow it or add a LIMIT")


_PLACE = re.compile(r" \(line:? (\d+), (column|offset:) (\d+).*")


def misspelt(unknown: Iterable[str], found: Sequence[Token]) -> str | None:
    """Return a line if an unknown name is nearly ours: `misspelt(["Concpt"], found)`."""
    known = TABLES.keys() | PROPERTIES
    odd = sorted({token.text.strip("`") for token in found}.intersection(unknown) - known)
    return next((lacking(name) for name in odd if did_you_mean(name, known)), None)


def lacking(name: str) -> str:
    """Return a line on an unknown name, such as "Concpt", and a likely one."""
    if owners := [label for label, table in TABLES.items() if name in {column.name for column in table.columns}]:
        return f"there is no {name} here; it is one of {', '.join(owners)}"
    hint = did_you_mean(name, TABLES.keys() | PROPERTIES, limit=1)
    if not hint and not name.islower():
        hint = f"; there are {', '.join(sorted(t for t in TABLES if t.isupper() == name.isupper()))}"
    return f"there is no {name} in this graph{hint}"


def with_remedy(message: str, text: str, dialect: Dialect) -> str:
    """Return an error as one plain line, with what works or was meant."""
    line = " ".join(message.split())
    if place := _PLACE.search(line):  # our EXPLAIN may stand before it
        explained = len("EXPLAIN ") if place[1] == "1" and '"EXPLAIN ' in line else 0
        column = int(place[3]) + (place[2] == "offset:") - explained
        line = f"{line[: place.start()]} at line {place[1]}, column {column}"
    else:
        line = " ".join(message.partition("\n")[0].split())
    for pattern, words in dialect.lines:
        line = re.sub(pattern, words, line)
    line = line[:300].rstrip(".")
    code = _TOKEN.sub(lambda m: {"space": " ", "string": "''"}.get(str(m.lastgroup), m[0]), text)
    for pattern, other, form in dialect.forms:
        if " this graph" not in line and re.search(pattern, code, re.IGNORECASE):
            return f"{line}; {dialect.engine} has no {other}: write {form}"
    return line


def written_columns(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Name columns as a query writes them, if it is plain: `written_columns("RETURN count(*)", ["COUNT_STAR()"])`."""
    tail = re.split(r"(?i)\bRETURN\b(?:\s+DISTINCT\b)?", text)[-1]
    items = re.split(r",(?![^(\[{]*[)\]}])", re.split(r"(?i)\b(?:ORDER|SKIP|OFFSET|LIMIT)\b|;", tail)[0])
    said = [n if re.search(r"(?i)\sAS\s", i) else i.strip() for i, n in zip(items, names, strict=False)]
    return tuple(said if len(items) == len(names) and "*" not in said else names)


_STANDARD = {"builtins", "datetime", "zoneinfo"}  # the modules of a time and its zone that any process can unpickle
LEAST, MOST = -(2**63), 2**63 - 1  # the whole numbers that an engine holds


def written_parameters(text: str) -> dict[str, str]:
    """Return parameters, written -> name: {"`a b`": "a b"} for "RETURN $`a b`"."""
    written = [b for a, b in pairwise(tokens(text)) if a.text == "$" and b.kind in {"word", "name", "number"}]
    return {t.text: t.text[1:-1].replace("``", "`") if t.kind == "name" else t.text for t in written}


def chosen(given: Mapping[str, object], text: str) -> dict[str, object]:
    """Return the values for a text: `chosen({"id": "tensor"}, "RETURN $id")`.

    Raises MissingValue where one has none, QueryError for one that no engine takes.
    """
    named = {*written_parameters(text).values()}
    if missing := named - given.keys():
        raise MissingValue(min(missing))
    return {name: plain_value(given[name], name) for name in sorted(named)}


def whole_number(digits: str) -> int:
    """Return a whole number such as "-61". Raises QueryError if out of range."""
    amount = digits.lstrip("+-0")[: len(str(MOST)) + 1] or "0"  # Python reads no more than thousands of digits
    return _held(-int(amount) if digits.startswith("-") else int(amount), "a whole number")


def plain_value(value: Any, name: str, depth: int = 0) -> object:
    """Return the value `name` in standard types: [1, 2.5] for (1, np.float64(2.5)).

    `depth`: lists and maps around it. Raises QueryError if no engine takes it.
    """
    if depth > _DEEPEST:
        raise QueryError(f"${name} is nested deeper than {_DEEPEST} levels; give its parts as parameters of their own")
    match value:
        case None | bool():
            return value
        case bytes():
            return bytes(value)
        case str():
            if _HALF.search(value):
                raise QueryError(f"${name} has a lone surrogate; give a text of whole characters")
            return str.__str__(value)  # an enumeration of texts says its own name otherwise
        case datetime.date() | datetime.time() | datetime.timedelta():
            if {type(value).__module__, type(getattr(value, "tzinfo", None)).__module__} <= _STANDARD:
                return value
        case Integral():
            return _held(int(value), f"${name}")
        case Real():
            try:
                return float(value)
            except OverflowError:  # a fraction may be larger than any of them
                return _held(MOST + 1, f"${name}")
        case Mapping() if all(isinstance(key, str) for key in value):
            return {str(plain_value(key, name)): plain_value(inner, name, depth + 1) for key, inner in value.items()}
        case list() | tuple():
            return [plain_value(inner, name, depth + 1) for inner in value]
    remedy = "give a number, a text, a date of Python's own, or a list or map of them"
    raise QueryError(f"no engine takes the {type(value).__name__} that is given for ${name}; {remedy}")


def _held(number: int, what: str) -> int:
    if LEAST <= number <= MOST:
        return number
    remedy = "write a longer number as text, with quotes"
    raise QueryError(f"{what} is out of the range of an engine, {LEAST} to {MOST}; {remedy}")


ParameterType = Literal["concept", "episode", "area", "string", "integer"]
_HEAD = re.compile(r"// (title|description|job): (.+)")
_PARAMETER = re.compile(rf"// param: (\w+) \(({'|'.join(get_args(ParameterType))}), e\.g\. ([^)]+)\): (.+)")


class Parameter(Value):
    """A `$name` in a question; the `example` has an answer in the shipped graph."""

    name: str
    type: ParameterType
    example: str
    description: str


class Question(Value):
    """A question for every engine; `name`: that of its file, `job`: its heading."""

    cells: ClassVar[str] = "name title parameters=examples"
    name: str
    title: str
    description: str
    parameters: tuple[Parameter, ...]
    cypher: str
    job: str = "More"

    @property
    def examples(self) -> tuple[str, ...]:
        return tuple(f"{p.name}={p.example}" for p in self.parameters)

    def bind(self, values: Mapping[str, object]) -> dict[str, object]:
        """Type the values: {"limit": 9} for {"limit": "9"}. Raises QueryError."""
        names, bound = [p.name for p in self.parameters], dict[str, object]()
        if unknown := sorted(values.keys() - {*names}):
            remedy = f"it has: {', '.join(names) or 'none'}"
            raise QueryError(f"the question {self.name} has no parameter {unknown[0]}; {remedy}")
        for p in self.parameters:
            value = plain_value(values.get(p.name), p.name)
            typed = "" if value is None else str(value)
            if not typed.strip():
                raise QueryError(f"the question {self.name} wants a value for {p.name}, e.g. {p.example}")
            if p.type == "integer" and not re.fullmatch(r"\s*[+-]?[0-9]+\s*", typed):
                raise QueryError(f"{p.name} is a whole number, e.g. {p.example}, not {shortened(typed)!r}")
            bound[p.name] = whole_number(typed.strip()) if p.type == "integer" else typed
        return bound

    def resolve(self, values: Mapping[str, object], resolver: "Resolver") -> dict[str, object]:
        """Return ids for names of concepts and episodes, and the areas' own names.

        {"concept": "the dispatcher"} gives {"concept": "dispatcher"}. Raises UnknownName.
        """
        found = {name: plain_value(value, name) for name, value in values.items()}
        areas = {fold(area): area for area in resolver.snapshot.areas}
        for p in self.parameters:
            text = "" if (value := found.get(p.name)) is None else str(value)
            if text.strip() and (p.type == "concept" or p.type == "episode"):
                found[p.name] = resolver.resolve(text, p.type, words_too=False).ids[0]
            elif text.strip() and p.type == "area":
                if fold(text) not in areas:
                    raise UnknownName("area", text, suggest(text, areas.values()) or [*areas.values()])
                found[p.name] = areas[fold(text)]
        return found


def parse(text: str, name: str) -> Question:
    """Read a question's file. Raises DataError for another header.

    Its header: `// title: ...`, `// description: ...`, any `// job: ...`, and each
    `// param: NAME (TYPE, e.g. EXAMPLE): what it is` with a ParameterType.
    Example: `parse("// title: One\\n// description: A one.\\nRETURN 1 AS x", "one")`
    """
    lines = text.strip().splitlines()
    head = list(takewhile(lambda line: line.startswith("//"), lines))
    cypher = "\n".join(lines[len(head) :])
    titles: dict[str, Any] = {m[1]: m[2] for line in head if (m := _HEAD.fullmatch(line))}
    stated: Any = filter(None, map(_PARAMETER.fullmatch, head))
    parameters = tuple(Parameter(*found.groups()) for found in stated)
    used = {*written_parameters(cypher).values()} == {p.name for p in parameters}
    if not used or len(titles) + len(parameters) < len(head) or not {"title", "description"} <= titles.keys():
        raise DataError(f"question {name}: write a title, a description and each parameter of its text in its header")
    return Question(name, parameters=parameters, cypher=cypher, **titles)
