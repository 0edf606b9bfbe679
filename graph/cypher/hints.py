"""An engine's own words for what went wrong, turned into one line with a remedy."""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from torchatlas.graph.cypher.guard import Token, bare, tokens
from torchatlas.graph.values.errors import QueryError
from torchatlas.graph.values.names import did_you_mean
from torchatlas.graph.values.schema import TABLES, property_names

_LONGEST = 300
_KEYWORDS = """
    MATCH OPTIONAL WHERE RETURN DISTINCT WITH UNWIND ORDER BY SKIP LIMIT UNION CONTAINS STARTS ENDS EXISTS COUNT CASE
"""
_FUNCTIONS = """
    abs all any avg ceil coalesce collect count exists floor id keys labels left length lower ltrim max min nodes none
    properties range replace reverse right round rtrim single size sqrt substring sum toLower toUpper trim upper
"""

# What the other engine's dialect has (a pattern over the text without its strings) -> the form that works here.
_LADYBUG_FORMS = (
    (r"\btype\s*\(", "the embedded engine has no type(r): write label(r)"),
    (
        r"\ballShortestPaths\s*\(|= *ALL SHORTEST\b",
        "the embedded engine has no allShortestPaths(): write p = (a)-[:REQUIRES* ALL SHORTEST 1..9]->(b)",
    ),
    (
        r"\bshortestPath\s*\(|= *(?:ANY|SHORTEST)\b",
        "the embedded engine has no shortestPath(): write p = (a)-[:REQUIRES* SHORTEST 1..9]->(b)",
    ),
    (r"-(?:>| )?\s*(?:\{[\d, ]*\}|[+*])", "the embedded engine has no ->{1,3}: write (a)-[:REQUIRES*1..3]->(b)"),
    (r"\belementId\s*\(", "the embedded engine has no elementId(): every node has an id of its own, n.id"),
    (r"\b(?:start|end)Node\s*\(", "the embedded engine has no startNode(): name the nodes, (a)-[r]->(b)"),
    (r"\breduce\s*\(", "the embedded engine has no reduce(): write list_reduce(list, (sum, x) -> sum + x)"),
    (r"\bproperties\s*\(\s*\w+\s*\)\s*\[", "the embedded engine has no properties(n)[name]: write n.name"),
    (
        r"\[\s*\(",
        "the embedded engine has no pattern comprehensions: OPTIONAL MATCH (c)-[:REQUIRES]->(d), then collect(d.id)",
    ),
    (
        r"\[\s*\w+\s+IN\b",
        "the embedded engine has no comprehensions: write list_transform(list, x -> upper(x)) or"
        " list_filter(list, x -> x <> 'a')",
    ),
    (r"\btoString\s*\(", "the embedded engine has no toString(): write string(x)"),
    (r"\btoInteger\s*\(", "the embedded engine has no toInteger(): write to_int64(x)"),
    (r"\btoFloat\s*\(", "the embedded engine has no toFloat(): write to_double(x)"),
    (r"\bsplit\s*\(", "the embedded engine has no split(): write string_split(text, ',')"),
    (r"\bhead\s*\(", "the embedded engine has no head(): write list[1]; positions begin at 1"),
    (r"\blast\s*\(", "the embedded engine has no last(): write list[-1]"),
    (r"\btail\s*\(", "the embedded engine has no tail(): write list[2:]"),
    (r"\bround\s*\([^,]*\)", "the embedded engine rounds to so many digits: write round(x, 0)"),
    (r"\bdate\s*\(\s*\)", "the embedded engine has no date() of today: write current_date()"),
    (r"\b(?:local)?(?:datetime|timestamp)\s*\(\s*\)", "write current_timestamp()"),
    (r"\b(?:local)?datetime\s*\(", "the embedded engine has no datetime(): write timestamp('2022-01-31 12:00:00')"),
    (
        r"\)\s*\.\s*(?:year|month|day)\b",
        "the embedded engine has no date.year: write date_part('year', date('2022-01-31'))",
    ),
    (r"\bduration\s*\(", "the embedded engine has no duration(): write interval('1 day')"),
    (r"\bexists\s*\(", "the embedded engine has no exists(): write n.name IS NOT NULL, or EXISTS { MATCH (n)-[]->() }"),
    (r"\bCOLLECT\s*\{", "the embedded engine has no COLLECT { }: write OPTIONAL MATCH, then collect(x)"),
    (r"\bCALL\s*[({]", "the embedded engine has no subqueries by CALL: write WITH between two MATCH"),
    (r"\w\s*\{\s*\.", "the embedded engine has no c {.id}: write {id: c.id}"),
    (r"\(\w*(?::\w+)?\s+WHERE\b", "the embedded engine has no (c WHERE ...): write WHERE behind the pattern"),
    (r"\[0\]", "the embedded engine counts from 1: write list[1] for the first"),
    (r"\bapoc\s*\.", "there is no apoc here: only the functions that the engine has by itself"),
)
_NEO4J_FORMS = (
    (r"\blabel\s*\(", "Neo4j has no label(): write labels(n) for a node, type(r) for a relationship"),
    (r"\*\s*ALL SHORTEST\b", "Neo4j writes p = allShortestPaths((a)-[:REQUIRES*1..9]->(b))"),
    (r"\*\s*W?SHORTEST\b", "Neo4j writes p = shortestPath((a)-[:REQUIRES*1..9]->(b))"),
    (r"\*\s*(?:TRAIL|ACYCLIC)\b", "every path of Neo4j is a trail: write -[:REQUIRES*1..3]->"),
    (r"\bproperties\s*\([^()]*\(", "Neo4j has no properties(nodes(p), 'name'): write [n IN nodes(p) | n.name]"),
    (r"\brels\s*\(", "Neo4j has no rels(): write relationships(p)"),
    (r"\blist_transform\s*\(", "Neo4j has no list_transform(): write [x IN list | toUpper(x)]"),
    (r"\blist_filter\s*\(", "Neo4j has no list_filter(): write [x IN list WHERE x <> 'a']"),
    (r"\blist_reduce\s*\(", "Neo4j has no list_reduce(): write reduce(sum = 0, x IN list | sum + x)"),
    (r"\b(?:list|array)_contains\s*\(", "Neo4j has no list_contains(): write x IN list"),
    (r"\b(?:list_extract|list_element)\s*\(", "Neo4j has no list_extract(): write list[0]; positions begin at 0"),
    (r"\b(?:list_len|array_length|len)\s*\(", "Neo4j has no list_len(): write size(list)"),
    (r"\b(?:cast|to_?\w*int\d*|to_double|string)\s*\(", "Neo4j writes toInteger(x), toFloat(x), toString(x)"),
    (r"\bconcat\s*\(", "Neo4j has no concat(): write a + b"),
    (r"\bstring_split\s*\(", "Neo4j has no string_split(): write split(text, ',')"),
    (r"\bregexp_\w+\s*\(", "Neo4j has no regexp functions: write text =~ '.*pattern.*'"),
    (r"\b[lu]case\s*\(", "Neo4j writes toLower(text), toUpper(text)"),
    (r"\bcurrent_(?:date|timestamp)\s*\(", "Neo4j writes date() and datetime()"),
    (r"\bdate_part\s*\(", "Neo4j has no date_part(): write date('2022-01-31').year"),
    (r"\binterval\s*\(", "Neo4j has no interval(): write duration('P1D')"),
    (r"\bexists\s*\(", "Neo4j writes n.name IS NOT NULL, or EXISTS { (n)-->() }"),
    (r"\bapoc\s*\.", "there is no apoc here: only the functions that the server has by itself"),
)


def explain_ladybug(message: str, text: str) -> str:
    """One line for an error of the embedded engine: what it says, and a remedy where one is known."""
    line = " ".join(re.sub(r"^\w+ exception: ", "", message).split())
    if found := re.search(r"Table (\S+) does not exist", line):
        return f"there is no {found[1]} in this graph{did_you_mean(found[1], TABLES, limit=1)}"
    if found := re.search(r"Cannot find property (\S+) for", line):
        meant = _of_another(found[1]) or did_you_mean(found[1], property_names(), limit=1)
        return f"there is no property {found[1]} here{meant}"
    if found := re.search(
        r" \(line: (\d+), offset: (\d+)\).*", line
    ):  # it repeats the query, with our EXPLAIN before it
        column = int(found[2]) + 1 - (len("EXPLAIN ") if found[1] == "1" and '"EXPLAIN ' in line else 0)
        line = f"{line[: found.start()]} at line {found[1]}, column {column}"
    if found := re.match(r"Invalid input <(.*?)>: expected", line):
        line = f"the query cannot be read beyond {found[1]!r}"
    if found := re.match(r"(?:mismatched|extraneous) input (.+?) expecting .*?( at line \d+, column \d+)?$", line):
        line = f"the query cannot be read at {found[1]}{found[2] or ''}"
    if found := re.match(r"Variable (\S+) is not in scope", line):
        line = f"there is no variable {found[1]}"
    if found := re.match(r"function (\S+) does not exist", line):
        line = f"there is no function {found[1].lower()}()"
    return _with_remedy(line, text, _LADYBUG_FORMS)


def explain_neo4j(message: str, text: str = "") -> str:
    """One line for an error of Neo4j: its first sentence, a remedy where one is known, without the query."""
    line = " ".join(message.split("\n", 1)[0].split())
    if found := re.search(r" \(line (\d+), column (\d+) \(offset: \d+\)\)$", line):
        column = int(found[2]) - (len("EXPLAIN ") if found[1] == "1" and '"EXPLAIN ' in message else 0)
        line = f"{line[: found.start()]} at line {found[1]}, column {column}"
    if found := re.match(r"Invalid input ('.*?'): expected (?:(?! at line ).){40,}( at line \d+, column \d+)?$", line):
        line = f"the query cannot be read at {found[1]}{found[2] or ''}"
    if found := re.match(r"Variable `(.+)` not defined", line):
        line = f"there is no variable {found[1]}"
    if found := re.match(r"Unknown function '(.+?)'", line):
        line = f"there is no function {found[1]}()"
    return _with_remedy(line, text, _NEO4J_FORMS)


def misspelt(unknown: Iterable[str], found: Sequence[Token]) -> str | None:
    """A line for a name that the graph does not know but nearly does; None where no name looks like a slip."""
    written = {token.text.strip("`") for token in found}
    known = set(TABLES) | property_names()
    for name in sorted(set(unknown) & written - known):
        if meant := did_you_mean(name, known, limit=1):
            return f"there is no {name} in this graph{meant}"
    return None


def _with_remedy(line: str, text: str, forms: Iterable[tuple[str, str]]) -> str:
    """The line with the form that works here, or with the name that was perhaps meant."""
    line, code, keywords = line[:_LONGEST].rstrip("."), bare(text), _KEYWORDS.split()
    for pattern, form in forms:
        if re.search(pattern, code, re.IGNORECASE):
            return form if line.startswith("there is no function") else f"{line}; {form}"
    if found := re.fullmatch(r"there is no variable (.+)", line):
        return line + did_you_mean(found[1], _variables(text), limit=1)
    if found := re.fullmatch(r"there is no function (\w+)\(\)", line):
        return line + did_you_mean(found[1], _FUNCTIONS.split(), limit=1)
    if found := re.search(r"(\w{3,})'", line):
        return line + did_you_mean(found[1], keywords, limit=1) if found[1].upper() not in keywords else line
    return line


def _of_another(name: str) -> str:
    """Whose property it is, where it is one at all."""
    owners = [table for table, columns in TABLES.items() if name in {c.name for c in columns.columns}]
    return f"; it is one of {', '.join(owners)}" if owners else ""


def _variables(text: str) -> set[str]:
    """The names that a text gives to nodes, relationships, paths and values."""
    try:
        found = tokens(text)
    except QueryError:
        return set()
    opening = {"(", "[", "AS", "UNWIND", "MATCH"}
    return {b.text for a, b in pairwise(found) if b.kind == "word" and a.text.upper() in opening}
