"""A plan as a page without scripts, to print or to mail."""

from xml.etree.ElementTree import Element

from torchatlas.graph.formatting import length, web_address
from torchatlas.presentation.plan_formats.markup import add, html
from torchatlas.presentation.plan_formats.playlist import Item, Playlist

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = (
    "body { font: 1rem/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; "
    "color-scheme: light dark; overflow-wrap: anywhere } li { margin-bottom: .75rem } p { margin: .25rem 0 } "
    "small { opacity: .75 }"
)


def write(playlist: Playlist) -> str:
    """Return the page: the steps in order, the sessions, and what a sentence explains.

    Example: Path("plan.html").write_text(write(playlist(graph, plan)))
    """
    root = Element("html", lang="en")
    _add_head(root, playlist.title)
    body, plan = add(root, "body"), playlist.plan
    add(body, "h1", playlist.title)
    remarks = [line for line in plan.remarks if plan.steps or line not in plan.heading]
    for line in (plan.heading, *plan.readings, *remarks, *map(str, plan.successors)):
        add(body, "p", line)
    steps = add(body, "ol")
    for item in playlist.items:
        _add_step(steps, item)
    if plan.sessions:
        _add_list(body, "Sessions", [(line, "", None) for line in plan.schedule])
    for heading, primers in plan.primers.items():
        _add_list(body, heading, [(p.name, p.told, p.link) for p in primers])
    for heading, near in plan.near.items():
        _add_list(body, heading, [(n.name, n.why, n.link) for n in near])
    for line in plan.alternatives:
        add(body, "p", line)
    return f"<!DOCTYPE html>\n{html(root)}\n"


def _add_head(root: Element, title: str) -> None:
    head = add(root, "head")
    add(head, "meta", charset="utf-8")
    policy = add(head, "meta", content=_POLICY)
    policy.set("http-equiv", "Content-Security-Policy")
    add(head, "meta", name="viewport", content="width=device-width, initial-scale=1")
    add(head, "title", title)
    add(head, "style", _STYLE)


def _add_step(steps: Element, item: Item) -> None:
    step, row = item.step, add(steps, "li")
    first = add(row, "p")
    _add_name(first, item.episode.label, item.page).tail = " "
    facts = (length(step.minutes, estimated=step.estimated), step.badge, step.doubt)
    add(first, "small", ", ".join(filter(None, facts)))
    add(row, "p", step.why)
    if step.moments:
        add(row, "p", f"Explained: {', '.join(step.moments)}")
    for caveat in step.caveats:
        add(row, "p", f"Note: {caveat}")


def _add_list(body: Element, heading: str, rows: list[tuple[str, str, str | None]]) -> None:
    """Append a heading and a list of (name, words, address)."""
    add(body, "h2", heading)
    listed = add(body, "ul")
    for name, words, address in rows:
        row = add(listed, "li")
        _add_name(row, name, web_address(address))
        add(row, "p", words)


def _add_name(parent: Element, name: str, address: str | None) -> Element:
    """Append a name, as a link where it has an address; the page that it opens does not learn from where."""
    strong = add(parent, "strong")
    add(strong, "a" if address else "span", name, href=address, rel="noreferrer" if address else None, dir="auto")
    return strong
