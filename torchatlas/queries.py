"""Cypher as people type it: completions, values of parameters, examples of this map, and the nodes in an answer."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import chain
from urllib.parse import urlsplit

from torchatlas.graph.cypher import Parameter, Question, open_quote, parameter_names, whole_number
from torchatlas.graph.markdown import Table
from torchatlas.graph.model import NODES, RELATIONSHIPS, Snapshot, property_names
from torchatlas.settings import Settings
from torchatlas.sources import load_sources


def typed_value(text: str) -> object:
    """Return the value that a person typed: whole numbers and decimals as numbers, everything else as text.

    Raises QueryError for a whole number that no engine holds.

    >>> typed_value("61"), typed_value("0.5"), typed_value("vmap")
    (61, 0.5, 'vmap')
    """
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return whole_number(text)
    return float(text) if re.fullmatch(r"[+-]?[0-9]+\.[0-9]+", text) else text


def values_for(
    cypher: str, typed: Mapping[str, str], question: Question | None = None
) -> tuple[dict[str, object], tuple[str, ...]]:
    """Return the values for the parameters that a text names, and the names that have no value yet.

    The text may be that of a saved `question`, changed or not: the values that the question describes get the types
    that it gives them. Raises QueryError where such a value is missing or has another type.

    >>> values_for("RETURN $rank, $area", {"rank": "9", "area": " "})
    ({'rank': 9}, ('area',))
    """
    named = parameter_names(cypher)
    values: dict[str, object] = {}
    if question and named:
        values = question.bind({p.name: typed.get(p.name, "").strip() for p in question.parameters})
    values |= {n: typed_value(typed[n].strip()) for n in named - values.keys() if typed.get(n, "").strip()}
    return values, tuple(sorted(named - values.keys()))


KEYWORDS = (
    "MATCH", "OPTIONAL MATCH", "WHERE", "RETURN", "RETURN DISTINCT", "WITH", "UNWIND", "ORDER BY", "SKIP", "LIMIT",
    "UNION", "AS", "AND", "OR", "NOT", "IN", "IS NULL", "IS NOT NULL", "CONTAINS", "STARTS WITH", "ENDS WITH",
    "EXISTS", "CASE", "WHEN", "THEN", "ELSE", "END", "DESC", "count(", "collect(", "min(", "max(", "sum(", "avg(",
    "length(", "nodes(", "size(", "lower(", "coalesce(",
)  # fmt: skip
_PLACES = (
    ("type", re.compile(r"\[[^\]()'\"]*[:|]\s*`?(\w*)$")),
    ("label", re.compile(r"\([^()\[\]'\"{]*[:|&]\s*`?(\w*)$")),
    ("id", re.compile(r"\bid\s*[:=]\s*['\"]([^'\"]*)$")),
    ("area", re.compile(r"\barea\s*[:=]\s*['\"]([^'\"]*)$")),
    ("property", re.compile(r"(?:\b\w+`?\.`?|\{\s*|\{[^{}]*,\s*)(\w*)$")),
    ("keyword", re.compile(r"(?<![\w`'\":.$])(\w+)$")),
)
_QUOTED = {"id", "area"}
_NAME = re.compile(r"(?<![\w`'\":.$])\w+")


@dataclass(frozen=True, slots=True)
class Completion:
    """A way to go on: `text` takes the place of the last `replaces` characters; `about` says what the text is."""

    text: str
    replaces: int
    _: KW_ONLY
    about: str


def complete(before: str, graph: Snapshot) -> Iterator[Completion]:
    """Yield the ways to go on with a text that ends at the cursor, in a fixed order.

    There are none inside other strings, nor after a word that is whole: a name that the text has already, or a new one
    after AS.

    >>> [completion.text for completion in complete("MATCH (c:Con", Snapshot())]
    ['Concept']
    """
    quote = open_quote(before)
    for kind, pattern in _PLACES:
        found = pattern.search(before)
        if found and (kind not in _QUOTED if quote is None else found.start(1) == quote + 1):
            typed = found[1]
            if kind == "keyword" and _whole(typed, before[: found.start(1)]):
                return
            for text, about in _offered(kind, graph):
                if text != typed and _begins(text, about, typed, kind):
                    yield Completion(text, len(typed), about=about)
            return


def _whole(word: str, before: str) -> bool:
    """Return whether a word is a name that stands in the text before, or follows AS, and so no beginning of another."""
    names = _NAME.findall(before)
    return word.upper() not in KEYWORDS and (word in names or [name.upper() for name in names[-1:]] == ["AS"])


def _offered(kind: str, graph: Snapshot) -> Iterable[tuple[str, str]]:
    if kind == "type":
        return ((r.kind, f"{r.source} to {r.target}") for r in RELATIONSHIPS)
    if kind == "label":
        return ((n.label, "label") for n in NODES)
    if kind == "id":
        return [(c.id, c.name) for c in graph.concepts] + [(e.id, e.title) for e in graph.episodes]
    if kind == "area":
        return ((area, "area") for area in graph.areas)
    if kind == "property":
        return ((name, "property") for name in sorted(property_names()))
    return ((keyword, "") for keyword in KEYWORDS)


def _begins(text: str, about: str, typed: str, kind: str) -> bool:
    """Return whether a text completes what was typed; an id is also found by a part of its name."""
    lowered = typed.lower()
    return text.lower().startswith(lowered) or (kind == "id" and lowered != "" and lowered in about.lower())


_DRAWN = {"Concept", "Episode"}


def nodes_in(table: Table, snapshot: Snapshot) -> tuple[str, ...]:
    """Return the ids of concepts and episodes in the rows, each once, in their order: nodes, paths' nodes, and texts.

    A column of texts counts where all of them are ids; where no column does, those whose texts all are names of
    concepts or all are titles. A few that happen to be ids would make a picture of a part and look like the whole. A
    title that several episodes have means all of them.

    >>> from torchatlas.graph.model import Concept
    >>> nodes_in(Table(("name",), (("GIL",),)), Snapshot((Concept("gil", "GIL", area="Background"),)))
    ('gil',)
    """
    return tuple(dict.fromkeys(chain.from_iterable(nodes_by_row(table, snapshot))))


def nodes_by_row(table: Table, snapshot: Snapshot) -> tuple[tuple[str, ...], ...]:
    """Return the same ids for each row.

    >>> nodes_by_row(Table(("n",), ((1,), (2,))), Snapshot())
    ((), ())
    """
    ids: Mapping[str, Sequence[str]] = {i: (i,) for i in (*snapshot.concept, *snapshot.episode)}
    names = _by_text((c.name, c.id) for c in snapshot.concepts)
    titles = _by_text((e.title, e.id) for e in snapshot.episodes)
    columns = range(len(table.columns))
    meant = {n: ids for n in columns if _all_in(table, n, ids)}
    if not meant:
        meant = {n: known for known in (titles, names) for n in columns if _all_in(table, n, known)}

    def found(row: tuple[object, ...]) -> Iterator[str]:
        for n, value in enumerate(row):
            yield from meant[n][value] if isinstance(value, str) and n in meant else _ids(value)

    return tuple(tuple(dict.fromkeys(id_ for id_ in found(row) if id_ in ids)) for row in table.rows)


def _by_text(pairs: Iterable[tuple[str, str]]) -> Mapping[str, Sequence[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for text, id_ in pairs:
        found[text].append(id_)
    return found


def _all_in(table: Table, column: int, known: Collection[str]) -> bool:
    texts = [row[column] for row in table.rows if isinstance(row[column], str)]
    return bool(texts) and all(text in known for text in texts)


def _ids(value: object) -> Iterator[str]:
    """Yield the ids in a node, a path, a list or a map."""
    if isinstance(value, list):
        for item in value:
            yield from [item] if isinstance(item, str) else _ids(item)
    elif isinstance(value, Mapping):
        if "_nodes" in value:
            yield from _ids(value["_nodes"])
        elif "_label" in value:
            if _DRAWN.intersection(str(value["_label"]).split(":")):  # a show may have the id of a concept
                yield from _ids([value.get("id")])
        else:
            yield from _ids(list(value.values()))


_FIRST = {"needed": 1, "other": 1, "two": 1}
"""Parameters that want another example than the rest of their type."""


def fitting(questions: Sequence[Question], settings: Settings, graph: Callable[[], Snapshot]) -> Sequence[Question]:
    """Return the questions with examples that the map of these settings has; `graph` loads it where that is needed.

    Example: fitting(load_questions(), load_settings(), lambda: atlas.graph)[0].parameters[0].example
    """
    return questions if load_sources(settings).shipped else with_own_examples(questions, graph())


def with_own_examples(questions: Iterable[Question], graph: Snapshot) -> tuple[Question, ...]:
    """Return the questions with examples from the graph; without any of a kind, a neutral word stands there.

    >>> question = Question("q", "Q", description="", parameters=(
    ...     Parameter("words", "string", example="torch", description=""),), cypher="")
    >>> with_own_examples([question], Snapshot())[0].parameters[0].example
    'WORDS'
    """
    found = _examples(graph)

    def own(parameter: Parameter) -> Parameter:
        if parameter.type == "integer" or parameter.name == "year":
            return parameter
        there = found.get(parameter.name) or found.get(parameter.type) or []
        place = min(_FIRST.get(parameter.name, 0), len(there) - 1)
        return replace(parameter, example=there[place] if there else parameter.name.upper())

    return tuple(replace(q, parameters=tuple(map(own, q.parameters))) for q in questions)


def _examples(graph: Snapshot) -> Mapping[str, Sequence[str]]:
    """Return the name or the type of a parameter -> its examples, the best first."""
    needs = sorted(graph.requires, key=lambda r: (-len(graph.teachers.get(r.source, ())), r.source, r.target))
    explained = sorted(graph.concept, key=lambda c: (-len(graph.teachers.get(c, ())), c))
    near = sorted(graph.related_to, key=lambda r: (-r.score, r.source, r.target))
    areas = Counter(c.area for c in graph.concepts)
    cited = sorted(
        Counter(urlsplit(link.url).netloc for link in graph.links).items(), key=lambda host: (-host[1], host)
    )
    return {
        "concept": [needs[0].source, needs[0].target] if needs else explained[:2],
        "episode": [near[0].source, near[0].target] if near else sorted(graph.episode)[:2],
        "area": sorted(areas, key=lambda area: (-areas[area], area))[:2],
        "part": [host for host, _ in cited[:1]],
        "path": sorted({path for c in graph.concepts for path in c.source_paths})[:1],
    }
