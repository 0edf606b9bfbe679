"""Neo4j's own words for a mistake, turned into one line with a remedy."""

import re

from torchatlas.graph.cypher.hints import with_remedy

# A form of the embedded engine's dialect (a pattern over the text without its strings) -> the form that works here.
_FORMS = (
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


def explain(message: str, text: str = "") -> str:
    """Return one line for an error of Neo4j: its first sentence, and a remedy if one is known, without the query.

    >>> explain("Unknown function 'list_len' (line 1, column 16 (offset: 15))", "RETURN list_len([1])")
    'Neo4j has no list_len(): write size(list)'
    """
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
    return with_remedy(line, text, _FORMS)
