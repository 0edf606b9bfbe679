"""Export the map as one self-contained HTML file, with the route, the plan and the details."""

import base64
import hashlib
import html
import json
from dataclasses import asdict, replace
from importlib.resources import files
from typing import Any

from torchatlas.graph.answers import Plan, Step
from torchatlas.graph.cards import ConceptCard, EpisodeCard, SharedMap
from torchatlas.graph.formatting import length
from torchatlas.graph.model import Snapshot
from torchatlas.profile import Profile
from torchatlas.ui.pictures import MapState, clustered_map, payload, route_state
from torchatlas.ui.web.server import DARK, LIGHT, bundle, vis_network


def share_page(shared: SharedMap) -> str:
    """Return the page as HTML. Its data stand in it as JSON, become text and never HTML, and only its scripts run.

    Example: share_page(atlas.shared("AOTAutograd"))
    """
    own = files("torchatlas.ui.web").joinpath("map")
    modules = {file.name: file.read_text("utf-8") for file in own.iterdir() if file.name.endswith(".js")}
    vis = (vis_network() / "vis-network.min.js").read_text("utf-8")
    script = f'(() => {{\n"use strict";\n{bundle(modules, "share.js")}\n}})();'
    css = [_variables(), own.joinpath("map.css").read_text("utf-8"), own.joinpath("share.css").read_text("utf-8")]
    parts = {
        "policy": _policy(vis, script),
        "title": html.escape(shared.title),
        "style": "\n".join(css),
        "map": own.joinpath("map.html").read_text("utf-8"),
        "data": json.dumps(_content(shared), separators=(",", ":")).replace("<", "\\u003c"),
        "vis": vis,
        "script": script,
    }
    page = own.joinpath("share.html").read_text("utf-8")
    return "".join(parts[piece] if odd else piece for odd, piece in _pieces(page))


def _pieces(template: str) -> list[tuple[bool, str]]:
    """Return the template cut at its `{{name}}` marks, and for each piece whether it is the name of a part."""
    return [(bool(at % 2), piece) for at, piece in enumerate(template.replace("}}", "{{").split("{{"))]


def _policy(*scripts: str) -> str:
    """Return the page's content security policy: these scripts may run, and nothing is fetched from anywhere."""
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in scripts)
    rules = ("style-src 'unsafe-inline'", "img-src data: blob:", "base-uri 'none'", "form-action 'none'")
    return "; ".join(("default-src 'none'", f"script-src {hashes}", *rules))


def _variables() -> str:
    """Return the colours of the pages under the names by which the map knows them."""

    def named(theme: dict[str, str]) -> str:
        dashed = {"".join(f"-{c.lower()}" if c.isupper() else c for c in name): value for name, value in theme.items()}
        return " ".join(f"--st-{name}: {value};" for name, value in dashed.items())

    return f":root {{ {named(LIGHT)} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {named(DARK)} }} }}"


def _content(shared: SharedMap) -> dict[str, Any]:
    graph, plan = shared.graph, shared.plan
    # What the person knows and has heard is theirs: the page does not say it.
    state = replace(route_state(graph, plan, Profile()), known=(), heard=()) if plan else MapState()
    return {
        "picture": payload(clustered_map(graph, only=shared.nodes)),
        "state": asdict(state),
        "title": shared.title,
        "plan": _plan(graph, plan) if plan else None,
        "cards": {card.id: _card(shared, card) for card in shared.cards},
    }


def _plan(graph: Snapshot, plan: Plan) -> dict[str, Any]:
    return {
        "amount": plan.amount,
        "remarks": list(plan.remarks),
        "steps": [_step(graph, step) for step in plan.steps],
        "primer": [asdict(entry) | {"definition": entry.told} for entry in plan.primer],
    }


def _step(graph: Snapshot, step: Step) -> dict[str, Any]:
    sure = [step.doubt] if step.doubt else []
    facts = [length(step.minutes, estimated=step.estimated), step.badge, *sure, *step.moments[:3]]
    name = graph.label_of(step.episode_id)
    return {"id": step.episode_id, "title": name, "facts": facts, "why": step.why, "url": step.url}


def _card(shared: SharedMap, card: ConceptCard | EpisodeCard) -> dict[str, Any]:
    sections = {
        heading: [{"id": row.id, "name": row.name, "why": row.why} for row in rows]
        for heading, rows in card.sections.items()
    }
    if isinstance(card, ConceptCard):
        facts, url = [card.area, *card.aliases[:5]], card.reading
        return {"name": card.name, "facts": facts, "text": card.definition, "url": url, "sections": sections}
    episode = shared.graph.episode[card.id]
    return {
        "name": card.title, "facts": list(card.facts), "text": episode.summary, "url": episode.url,
        "sections": sections,
    }  # fmt: skip
