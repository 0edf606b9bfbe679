"""Cypher as people type it: completions, values, examples, and the nodes in an answer."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from urllib.parse import urlsplit

from torchatlas.graph.answers import Table
from torchatlas.graph.cypher import Parameter, Question, open_quote, whole_number, written_parameters
from torchatlas.graph.model import NODES, PROPERTIES, RELATIONSHIPS, Snapshot

_KEYWORDS = """
EXPLAIN|MATCH|OPTIONAL MATCH|WHERE|RETURN|RETURN DISTINCT|WITH|UNWIND|ORDER BY|SKIP|LIMIT|UNION|AS|AND|OR|NOT|IN|
IS NULL|IS NOT NULL|CONTAINS|STARTS WITH|ENDS WITH|EXISTS|CASE|WHEN|THEN|ELSE|END|DESC|count(|collect(|min(|max(|sum(|
avg(|length(|nodes(|size(|lower(|coalesce(
""".replace("\n", "").split("|")
_PLACES = (
    ("type", re.compile(r"\[[^\]()'\"]*[:|]\s*`?(\w*)$")),
    ("label", re.compile(r"\([^()\[\]'\"{]*[:|&]\s*`?(\w*)$")),
    ("id", re.compile(r"\bid\s*[:=]\s*['\"]([^'\"]*)$")),
    ("area", re.compile(r"\barea\s*[:=]\s*['\"]([^'\"]*)$")),
    ("property", re.compile(r"(?:\b\w+`?\.`?|\{\s*|\{[^{}]*,\s*)(\w*)$")),
    ("keyword", re.compile(r"(?<![\w`'\":.$])(\w+)$")),
)


def complete(before: str, graph: Snapshot) -> Iterator[tuple[str, int, str]]:
    """Yield (text, letters it replaces, words on it): `next(complete("MATC", graph))`."""
    quote = open_quote(before)
    for kind, pattern in _PLACES:
        found = pattern.search(before)
        if found and (kind not in ("id", "area") if quote is None else found.start(1) == quote + 1):
            typed, lowered = found[1], found[1].lower()
            names = re.findall(r"(?<![\w`'\":.$])\w+", before[: found.start(1)])
            whole = typed.upper() not in _KEYWORDS and (typed in names or [n.upper() for n in names[-1:]] == ["AS"])
            if kind == "keyword" and whole:
                return
            for text, about in _offered(kind, graph):
                by_name = kind == "id" and typed and lowered in about.lower()
                if text != typed and (text.lower().startswith(lowered) or by_name):
                    yield text, len(typed), about
            return


def completions(graph: Snapshot) -> dict[str, object]:
    """Return the `places` of names, as patterns, and the names `offered` at each."""
    offered = {kind: list(_offered(kind, graph)) for kind, _ in _PLACES}
    return {"places": [(kind, pattern.pattern) for kind, pattern in _PLACES], "offered": offered}


def _offered(kind: str, graph: Snapshot) -> Iterable[tuple[str, str]]:
    if kind == "type":
        return ((r.kind, f"{r.source} to {r.target}") for r in RELATIONSHIPS)
    if kind == "id":
        return [(c.id, c.name) for c in graph.concepts] + [(e.id, e.title) for e in graph.episode.values()]
    offered = {"label": [n.label for n in NODES], "area": graph.areas, "property": sorted(PROPERTIES)}
    return ((name, kind) for name in offered[kind]) if kind in offered else ((word, "") for word in _KEYWORDS)


def typed_value(text: str) -> object:
    """Return typed text, `typed_value("0.5")` as a number. Raises QueryError."""
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return whole_number(text)
    return float(text) if re.fullmatch(r"[+-]?[0-9]+\.[0-9]+", text) else text


def values_for(
    cypher: str, typed: Mapping[str, str], question: Question | None = None
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return values, and names without: `values_for("RETURN $n", {"n": "9"})`.

    A saved `question` gives the types of its parameters. Raises QueryError.
    """
    named, given = {*written_parameters(cypher).values()}, {name: value.strip() for name, value in typed.items()}
    asked = question.parameters if question and named else ()
    values = question.bind({p.name: given.get(p.name, "") for p in asked}) if question else {}
    values |= {name: typed_value(given[name]) for name in named - values.keys() if given.get(name)}
    return values, tuple(sorted(named - values.keys()))


def with_own_examples(questions: Iterable[Question], graph: Snapshot) -> tuple[Question, ...]:
    """Return questions with the graph's examples: `with_own_examples(saved, graph)`."""
    needs = sorted(graph.requires, key=lambda r: (-len(graph.teachers.get(r.source, ())), r.source, r.target))
    explained = sorted(graph.concept, key=lambda c: (-len(graph.teachers.get(c, ())), c))
    near = sorted(graph.related_to, key=lambda r: (-r.score, r.source, r.target))
    areas = Counter(c.area for c in graph.concepts)
    cited = Counter(urlsplit(link.url).netloc for link in graph.links)
    examples: dict[str, list[str]] = {  # name or type -> the best first
        "concept": [needs[0].source, needs[0].target] if needs else explained[:2],
        "episode": [near[0].source, near[0].target] if near else sorted(graph.episode)[:2],
        "area": sorted(areas, key=lambda area: (-areas[area], area)),
        "part": sorted(cited, key=lambda host: (-cited[host], host)),
        "path": sorted({path for c in graph.concepts for path in c.source_paths}),
    }

    def own(p: Parameter) -> Parameter:
        if p.type == "integer" or p.name == "year":
            return p
        there = examples.get(p.name) or examples.get(p.type) or [p.name.upper()]
        return replace(p, example=there[min(p.name in ("needed", "other", "two"), len(there) - 1)])

    return tuple(replace(q, parameters=tuple(map(own, q.parameters))) for q in questions)


def nodes_in(table: Table, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the ids of nodes in all rows, each once: `nodes_in(table, graph)`."""
    return tuple(dict.fromkeys(chain.from_iterable(nodes_by_row(table, snapshot))))


def nodes_by_row(table: Table, snapshot: Snapshot) -> tuple[tuple[str, ...], ...]:
    """Return the ids in a row's nodes, paths, texts: `nodes_by_row(table, graph)`.

    A column counts if all its texts are ids, or, without such, names or titles.
    """
    ids = {i: (i,) for i in (*snapshot.concept, *snapshot.episode)}
    names, titles = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
    for concept in snapshot.concepts:
        names[concept.name].append(concept.id)
    for episode in snapshot.episode.values():
        titles[episode.title].append(episode.id)
    texts = {n: [row[n] for row in table.rows if isinstance(row[n], str)] for n in range(len(table.columns))}

    def columns(*kinds: Mapping[str, Sequence[str]]) -> dict[int, Mapping[str, Sequence[str]]]:
        return {n: known for known in kinds for n in texts if texts[n] and all(t in known for t in texts[n])}

    meant = columns(ids) or columns(titles, names)

    def found(row: tuple[object, ...]) -> Iterator[str]:
        for n, value in enumerate(row):
            yield from meant[n][value] if isinstance(value, str) and n in meant else _ids(value)

    return tuple(tuple(dict.fromkeys(id_ for id_ in found(row) if id_ in ids)) for row in table.rows)


def _ids(value: object) -> Iterator[str]:
    """Yield the ids in a node, a path, a list or a map."""
    if isinstance(value, list):
        for item in value:
            yield from [item] if isinstance(item, str) else _ids(item)
    elif isinstance(value, Mapping):
        if "_label" in value and "_nodes" not in value:
            labels = {"Concept", "Episode", "Resource"}  # a show may share its id
            if labels.intersection(str(value["_label"]).split(":")):
                yield from _ids([value.get("id")])
        else:
            yield from _ids(value.get("_nodes", list(value.values())))
