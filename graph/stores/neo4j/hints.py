"""Neo4j's own words for a mistake, turned into one line with a remedy."""

import re

from torchatlas.graph.cypher import COMMON_FUNCTIONS, Remedies, with_remedy

# A pattern over the text without its strings, what of the embedded dialect it finds, and the form that works here.
_OTHERS = (
    (r"\blabel\s*\(", "label()", "labels(n) for a node, type(r) for a relationship"),
    (r"\*\s*ALL SHORTEST\b", "* ALL SHORTEST", "p = allShortestPaths((a)-[:REQUIRES*1..9]->(b))"),
    (r"\*\s*W?SHORTEST\b", "* SHORTEST", "p = shortestPath((a)-[:REQUIRES*1..9]->(b))"),
    (r"\*\s*(?:TRAIL|ACYCLIC)\b", "* TRAIL", "-[:REQUIRES*1..3]->, which is a trail"),
    (r"\bproperties\s*\([^()]*\(", "properties(nodes(p), 'name')", "[n IN nodes(p) | n.name]"),
    (r"\brels\s*\(", "rels()", "relationships(p)"),
    (r"\blist_transform\s*\(", "list_transform()", "[x IN list | toUpper(x)]"),
    (r"\blist_filter\s*\(", "list_filter()", "[x IN list WHERE x <> 'a']"),
    (r"\blist_reduce\s*\(", "list_reduce()", "reduce(sum = 0, x IN list | sum + x)"),
    (r"\b(?:list|array)_contains\s*\(", "list_contains()", "x IN list"),
    (r"\b(?:list_extract|list_element)\s*\(", "list_extract()", "list[0]; positions begin at 0"),
    (r"\b(?:list_len|array_length|len)\s*\(", "list_len()", "size(list)"),
    (r"\b(?:cast|to_?\w*int\d*|to_double|string)\s*\(", "cast() and the like", "toInteger(x), toFloat(x), toString(x)"),
    (r"\bconcat\s*\(", "concat()", "a + b"),
    (r"\bstring_split\s*\(", "string_split()", "split(text, ',')"),
    (r"\bregexp_\w+\s*\(", "regexp functions", "text =~ '.*pattern.*'"),
    (r"\b[lu]case\s*\(", "lcase() and ucase()", "toLower(text), toUpper(text)"),
    (r"\bcurrent_(?:date|timestamp)\s*\(", "current_date()", "date() or datetime()"),
    (r"\bdate_part\s*\(", "date_part()", "date('2022-01-31').year"),
    (r"\binterval\s*\(", "interval()", "duration('P1D')"),
    (r"\bexists\s*\(", "exists()", "n.name IS NOT NULL, or EXISTS { (n)-->() }"),
)
_LINES = (
    (
        r"^Invalid input ('.*?'): expected (?:(?! at line ).){40,}( at line \d+, column \d+)?$",
        r"the query cannot be read at \1\2",
    ),
    (r"^Variable `(.+)` not defined.*", r"there is no variable \1"),
    (r"^Unknown function '(.+?)'.*", r"there is no function \1()"),
)
_REMEDIES = Remedies(
    _LINES,
    [
        *((pattern, f"Neo4j has no {other}: write {form}") for pattern, other, form in _OTHERS),
        (r"\bapoc\s*\.", "there is no apoc here: only the engine's own functions"),
    ],
    (*COMMON_FUNCTIONS, "elementId"),
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
    return with_remedy(line, text, _REMEDIES)
