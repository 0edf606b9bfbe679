"""The embedded engine's own words for a mistake, turned into one line with a remedy."""

import re

from torchatlas.graph.cypher.hints import another_owner, suggestion, with_remedy
from torchatlas.graph.values.schema import TABLES, property_names

# A form of Neo4j's dialect (a pattern over the text without its strings) -> the form that works here.
_FORMS = (
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


def explain(message: str, text: str) -> str:
    """Return one line for an error of the engine about a query's `text`: what is wrong, and a remedy if one is known.

    >>> explain("Catalog exception: function TYPE does not exist.", "MATCH ()-[r]->() RETURN type(r)")
    'the embedded engine has no type(r): write label(r)'
    """
    line = " ".join(re.sub(r"^\w+ exception: ", "", message).split())
    if found := re.search(r"Table (\S+) does not exist", line):
        return f"there is no {found[1]} in this graph{suggestion(found[1], TABLES)}"
    if found := re.search(r"Cannot find property (\S+) for", line):
        hint = another_owner(found[1]) or suggestion(found[1], property_names())
        return f"there is no property {found[1]} here{hint}"
    if found := re.search(r" \(line: (\d+), offset: (\d+)\).*", line):  # the query follows, EXPLAIN before it
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
    return with_remedy(line, text, _FORMS)
