"""Export the map as one HTML file, with the route, the plan and the details."""

import html
import json
import re
from dataclasses import asdict, replace
from typing import Any

from torchatlas.graph.answers import Plan
from torchatlas.graph.model import Snapshot
from torchatlas.graph.views import ConceptCard, EpisodeCard, concept_card, concepts_in_episodes, episode_card
from torchatlas.ui.local_server import inline_hashes
from torchatlas.ui.pictures import MapState, clustered, map_picture, payload, route_state
from torchatlas.ui.plans import shareable
from torchatlas.ui.web.server import DARK, LIGHT, MAP_SCRIPTS, asset, joined, vis_network

_POLICY = (  # only its own scripts may run, and nothing is fetched from anywhere
    "default-src 'none'; script-src{}; style-src 'unsafe-inline'; img-src data: blob:; base-uri 'none'; "
    "form-action 'none'"
)


def share_page(graph: Snapshot, subject: str, plan: Plan | None = None) -> str:
    """Return a page on what episodes touch and goals, without personal facts and secrets.

    Data become text, never HTML. Example: share_page(atlas.graph, "PyTorch")
    """
    plan, graph = shareable(plan), replace(graph, episodes=shareable(graph.episodes))
    goals = {id_ for meant in plan.understood for id_ in meant.ids} if plan else set()
    concepts, steps = concepts_in_episodes(graph) | goals & set(graph.concept), plan.steps if plan else ()
    cards: list[ConceptCard | EpisodeCard] = [concept_card(graph, id_) for id_ in sorted(concepts)]
    shown = dict.fromkeys((*(e.id for e in graph.episodes), *(step.episode_id for step in steps)))
    cards += [episode_card(graph, id_) for id_ in shown]
    title = f"The way to {', '.join(plan.goals)}" if plan else f"Map of {subject}"
    content = {
        "picture": payload(clustered(map_picture(graph, only=concepts | shown.keys()))),
        "state": asdict(route_state(plan) if plan else MapState()),
        "title": title,
        "plan": _plan(graph, plan) if plan else None,
        "cards": {card.id: _card(graph, card) for card in cards},
    }
    vis = (vis_network() / "vis-network.min.js").read_text("utf-8")
    script = f'(() => {{\n"use strict";\n{joined(*MAP_SCRIPTS, "share")}\n}})();'
    light, dark = (  # by the names by which the map knows the colours
        " ".join(f"--st-{re.sub('(?=[A-Z])', '-', name).lower()}: {colour};" for name, colour in theme.items())
        for theme in (LIGHT, DARK)
    )
    schemes = f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}\n"
    parts = {
        "policy": _POLICY.format(inline_hashes(vis, script)),
        "title": html.escape(title),
        "style": f"{schemes}{asset('map.css')}\n{asset('share.css')}",
        "map": asset("map.html"),
        "data": json.dumps(content, separators=(",", ":")).replace("<", "\\u003c"),
        "vis": vis,
        "script": script,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], asset("share.html"))


def _plan(graph: Snapshot, plan: Plan) -> dict[str, Any]:
    steps = []
    for step in plan.steps:
        facts = [*filter(None, (step.lasts, step.badge, step.doubt)), *step.moments[:3]]
        title = graph.label_of(step.episode_id)
        steps.append({"id": step.episode_id, "title": title, "facts": facts, "why": step.why, "url": step.url})
    primer = [asdict(entry) | {"definition": entry.told} for entry in plan.primer]
    return {"amount": plan.amount, "remarks": list(plan.remarks), "steps": steps, "primer": primer}


def _card(graph: Snapshot, card: ConceptCard | EpisodeCard) -> dict[str, Any]:
    if isinstance(card, ConceptCard):
        name, facts, text, url = card.name, [card.area, *card.aliases[:5]], card.definition, card.reading
    else:
        episode = graph.episode[card.id]
        name, facts, text, url = card.title, list(card.facts), episode.summary, episode.url
    sections = {
        heading: [{"id": row.id, "name": row.name, "why": row.why} for row in rows]
        for heading, rows in card.sections.items()
    }
    return {"name": name, "facts": facts, "text": text, "url": url, "sections": sections}
