"""The title of the browser's tab: the state of the page in a few words."""

from collections.abc import Mapping, Sequence

from torchatlas.graph.model import Snapshot

Query = Mapping[str, Sequence[str]]


def page_title(
    page: str,
    query: Query,
    graph: Snapshot,
    questions: Mapping[str, str] | None = None,
    *,
    subject: str = "",
    own: str = "",
) -> str:
    """Return the title of a page whose address has these parameters. `questions`: name -> title of the saved ones.

    `subject`: what the map is of; `own`: the title that a person gave the map, which stands for the program's name.

    >>> page_title("path", {"goal": ["how does backward work"]}, Snapshot())
    'Path to how does backward work · torchatlas'
    >>> page_title("", {"path": ["autograd"], "find": ["backward"]}, Snapshot())
    'Route to autograd · torchatlas'
    >>> page_title("", {}, Snapshot(), subject="Baking bread"), page_title("path", {}, Snapshot(), own="Baking bread")
    ('Map of Baking bread · torchatlas', 'Path · Baking bread')
    """
    known = {**{c.id: c.name for c in graph.concepts}, **{e.id: e.title for e in graph.episodes}}
    first = {name: values[0] for name, values in query.items() if values}
    if page == "path":
        goals = [known.get(goal, goal) for goal in query.get("goal", ())]
        state = f"Path to {', '.join(goals)}" if goals else "Path"
    elif page == "episode":
        state = known.get(first.get("episode", ""), first.get("episode", "Episodes"))
    elif page == "cypher":
        state = (questions or {}).get(first.get("question", ""), "Cypher")
    elif "path" in first and "node" not in first:
        state = f"Route to {', '.join(known.get(goal, goal) for goal in query['path'])}"
    elif "find" in first and "node" not in first:
        state = f"Search: {first['find']}"
    else:
        state = known.get(first.get("node", ""), first.get("area", f"Map of {subject}" if subject else "Map"))
    return f"{state[:120]} · {own or 'torchatlas'}"
