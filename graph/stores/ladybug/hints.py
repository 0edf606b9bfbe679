"""The embedded engine's own words for a mistake, turned into one line with a remedy."""

import re

from torchatlas.graph.cypher import COMMON_FUNCTIONS, Remedies, another_owner, no_table, with_remedy
from torchatlas.graph.model import property_names
from torchatlas.graph.names import did_you_mean

# A pattern over the text without its strings, what of Neo4j's dialect it finds, and the form that works here.
_OTHERS = (
    (r"\btype\s*\(", "type(r)", "label(r)"),
    (r"\ballShortestPaths\s*\(|= *ALL SHORTEST\b", "allShortestPaths()", "p = (a)-[:REQUIRES* ALL SHORTEST 1..9]->(b)"),
    (r"\bshortestPath\s*\(|= *(?:ANY|SHORTEST)\b", "shortestPath()", "p = (a)-[:REQUIRES* SHORTEST 1..9]->(b)"),
    (r"-(?:>| )?\s*(?:\{[\d, ]*\}|[+*])", "->{1,3}", "(a)-[:REQUIRES*1..3]->(b)"),
    (r"\belementId\s*\(", "elementId()", "n.id, an id that every node has"),
    (r"\b(?:start|end)Node\s*\(", "startNode()", "(a)-[r]->(b), which names the nodes"),
    (r"\breduce\s*\(", "reduce()", "list_reduce(list, (sum, x) -> sum + x)"),
    (r"\bproperties\s*\(\s*\w+\s*\)\s*\[", "properties(n)[name]", "n.name"),
    (r"\[\s*\(", "pattern comprehensions", "OPTIONAL MATCH (c)-[:REQUIRES]->(d), then collect(d.id)"),
    (r"\[\s*\w+\s+IN\b", "comprehensions", "list_transform(list, x -> upper(x)) or list_filter(list, x -> x <> 'a')"),
    (r"\btoString\s*\(", "toString()", "string(x)"),
    (r"\btoInteger\s*\(", "toInteger()", "to_int64(x)"),
    (r"\btoFloat\s*\(", "toFloat()", "to_double(x)"),
    (r"\bsplit\s*\(", "split()", "string_split(text, ',')"),
    (r"\bhead\s*\(", "head()", "list[1]; positions begin at 1"),
    (r"\blast\s*\(", "last()", "list[-1]"),
    (r"\btail\s*\(", "tail()", "list[2:]"),
    (r"\bround\s*\([^,]*\)", "round(x) without a number of digits", "round(x, 0)"),
    (r"\bdate\s*\(\s*\)", "date() of today", "current_date()"),
    (r"\b(?:local)?(?:datetime|timestamp)\s*\(\s*\)", "datetime() of now", "current_timestamp()"),
    (r"\b(?:local)?datetime\s*\(", "datetime()", "timestamp('2022-01-31 12:00:00')"),
    (r"\)\s*\.\s*(?:year|month|day)\b", "date.year", "date_part('year', date('2022-01-31'))"),
    (r"\bduration\s*\(", "duration()", "interval('1 day')"),
    (r"\bexists\s*\(", "exists()", "n.name IS NOT NULL, or EXISTS { MATCH (n)-[]->() }"),
    (r"\bCOLLECT\s*\{", "COLLECT { }", "OPTIONAL MATCH, then collect(x)"),
    (r"\bCALL\s*[({]", "subqueries by CALL", "WITH between two MATCH"),
    (r"\w\s*\{\s*\.", "c {.id}", "{id: c.id}"),
    (r"\(\w*(?::\w+)?\s+WHERE\b", "(c WHERE ...)", "WHERE behind the pattern"),
    (r"\[0\]", "list[0]", "list[1] for the first"),
)
_LINES = (
    (r"^Invalid input <(.*?)>: expected.*", lambda found: f"the query cannot be read beyond {found[1]!r}"),
    (
        r"^(?:mismatched|extraneous) input (.+?) expecting .*?( at line \d+, column \d+)?$",
        r"the query cannot be read at \1\2",
    ),
    (r"^Variable (\S+) is not in scope.*", r"there is no variable \1"),
    (r"^function (\S+) does not exist.*", lambda found: f"there is no function {found[1].lower()}()"),
)
_REMEDIES = Remedies(
    _LINES,
    [
        *((pattern, f"the embedded engine has no {other}: write {form}") for pattern, other, form in _OTHERS),
        (r"\bapoc\s*\.", "there is no apoc here: only the engine's own functions"),
    ],
    (*COMMON_FUNCTIONS, "label"),
)


def explain(message: str, text: str) -> str:
    """Return one line for an error of the engine about a query's `text`: what is wrong, and a remedy if one is known.

    >>> explain("Catalog exception: function TYPE does not exist.", "MATCH ()-[r]->() RETURN type(r)")
    'the embedded engine has no type(r): write label(r)'
    """
    line = " ".join(re.sub(r"^\w+ exception: ", "", message).split())
    if found := re.search(r"Table (\S+) does not exist", line):
        return no_table(found[1])
    if found := re.search(r"Cannot find property (\S+) for", line):
        hint = another_owner(found[1]) or did_you_mean(found[1], property_names(), limit=1)
        return f"there is no property {found[1]} here{hint}"
    if found := re.search(r" \(line: (\d+), offset: (\d+)\).*", line):  # the query follows, EXPLAIN before it
        column = int(found[2]) + 1 - (len("EXPLAIN ") if found[1] == "1" and '"EXPLAIN ' in line else 0)
        line = f"{line[: found.start()]} at line {found[1]}, column {column}"
    return with_remedy(line, text, _REMEDIES)
