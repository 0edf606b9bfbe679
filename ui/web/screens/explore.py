"""The map, and beside it what it says of the chosen concept or episode."""

from collections.abc import Sequence
from typing import cast

import streamlit as st

from torchatlas.cards import Neighbour, called, concept_card, episode_card
from torchatlas.graph.build.areas import concepts_in_episodes
from torchatlas.graph.values.answers import Hit
from torchatlas.graph.values.formatting import esc, link
from torchatlas.graph.values.model import Snapshot
from torchatlas.ui.web import cached, component, url_state, widgets
from torchatlas.ui.web.view import Shown, lit

SHOWN = {"met": "In episodes", "all": "All", "episodes": "Episodes"}
RADIUS = {"0": "Whole map", "1": "1 step", "2": "2 steps"}


def pick(node: str | None) -> None:
    """Choose a node, or none: the URL holds it, everything else follows."""
    url_state.choose("find", None)
    url_state.choose("node", node)


def controls(snapshot: Snapshot) -> tuple[str | None, str | None, Shown, int]:
    """The row above the map: chosen node, area, kind, radius."""
    names = {c.id: c.name for c in snapshot.concepts} | {i: f"▶ {title}" for i, title in called(snapshot).items()}
    find, area, shown, radius = st.columns([5, 3, 3.4, 3.6])
    typed, _ = url_state.follow("node", list(names))

    def look_up() -> None:
        asked = st.session_state[typed]
        if asked in names or asked is None:
            pick(asked)
        else:  # not a name: search for it
            pick(None)
            url_state.choose("find", asked)

    node = find.selectbox(
        "Find", sorted(names, key=lambda i: names[i].casefold()), index=None, key=typed, on_change=look_up,
        format_func=lambda i: names[i], placeholder="A concept, an episode, a question …",
        accept_new_options=True,
    )  # fmt: skip
    key, write = url_state.follow("area", areas := sorted({c.area for c in snapshot.concepts}))
    of = area.selectbox("Area", areas, index=None, key=key, on_change=write, placeholder="All areas")
    key, write = url_state.follow("show", list(SHOWN), "met")
    kind = shown.segmented_control(
        "Show", list(SHOWN), key=key, on_change=write, format_func=lambda k: SHOWN[k], required=True
    )
    key, write = url_state.follow("radius", list(RADIUS), "0")
    steps = radius.segmented_control(
        "Around the choice", list(RADIUS), key=key, on_change=write, format_func=lambda k: RADIUS[k],
        disabled=node is None, required=True,
    )  # fmt: skip
    return node, of, cast(Shown, kind or "met"), int(steps or 0) if node else 0


def concept_panel(snapshot: Snapshot, id_: str) -> None:
    """What a concept is, needs, leads to, and where it is explained."""
    card = concept_card(snapshot, id_)
    st.markdown(f":blue-badge[Concept] :small[{esc(card.area)}]")
    st.subheader(esc(card.name), anchor=False)
    if card.definition:
        st.markdown(esc(card.definition))
    if card.aliases:
        st.caption(f"Also called {esc(', '.join(card.aliases))}")
    st.page_link(widgets.PATH, label="Plan a path to this", icon=":material/route:", query_params={"goal": id_})
    if card.reading:
        st.markdown(f":material/menu_book: {link('Read about it', card.reading)}")
    widgets.choices("Explained in", card.taught_in, "in", pick)
    widgets.choices("Needs first", card.needs, "needs", pick)
    widgets.choices("Leads to", card.leads_to, "leads", pick)
    widgets.choices("Also", card.others, "also", pick)
    widgets.choices("Taken for granted in", card.assumed_in, "assumed", pick)
    widgets.choices("Named in", card.named_in, "named", pick)
    if card.source_paths:
        widgets.heading("In PyTorch's source")
        st.code("\n".join(card.source_paths), language=None)


def episode_panel(snapshot: Snapshot, id_: str) -> None:
    """An episode in short, and the episodes related to it with the reasons."""
    card = episode_card(snapshot, id_)
    st.markdown(f":orange-badge[Episode] :small[{esc(' · '.join(card.facts))}]")
    st.subheader(esc(card.title), anchor=False)
    if summary := snapshot.episode[id_].summary:
        st.markdown(esc(summary))
    with st.container(horizontal=True):
        st.page_link(widgets.EPISODE, label="Open", icon=":material/podcasts:", query_params={"episode": id_})
        st.page_link(widgets.PATH, label="Plan a path to this", icon=":material/route:", query_params={"goal": id_})
    near = [Neighbour(r.episode_id, r.title, why="; ".join(r.reasons)) for r in cached.related_to(id_)]
    widgets.choices("Related episodes", near, "related", pick)
    widgets.choices("Teaches", card.teaches, "teaches", pick)
    widgets.choices("Assumes", card.assumes, "assumes", pick)


def found_panel(text: str, hits: Sequence[Hit]) -> None:
    """What a search found."""
    st.subheader(f"Found for “{esc(text)}”", anchor=False)
    if not hits:
        st.markdown("Nothing. Try a shorter word, or a name from the map.")
    rows = [Neighbour(h.id, ("▶ " if h.kind == "episode" else "") + h.name, why=h.matched) for h in hits]
    widgets.choices("Concepts and episodes", rows, "found", pick)
    st.button("Clear the search", on_click=pick, args=(None,), icon=":material/close:", type="tertiary")


def welcome(snapshot: Snapshot) -> None:
    """What stands beside the map while nothing is chosen."""
    st.subheader("Where to begin", anchor=False)
    st.markdown(
        f"{len(snapshot.concepts)} concepts of PyTorch's insides and the {len(snapshot.episodes)} episodes that "
        "explain them; those that no episode touches are behind “All”. Choose a dot to see what it needs, where it "
        "leads and when it is explained; choose a square to see which episodes are near it, and why."
    )
    st.markdown(":blue[●] concept  \n:orange[■] episode  \nLines run from what comes first to what builds on it.")
    ranked = sorted(snapshot.concepts, key=lambda c: (-len(snapshot.teachers.get(c.id, ())), c.id))
    many = [
        Neighbour(c.id, c.name, why=f"explained in {len(snapshot.teachers[c.id])} episodes")
        for c in ranked[:6]
        if c.id in snapshot.teachers
    ]
    widgets.choices("Most explained", many, "many", pick)


snapshot = cached.snapshot()
st.title("Map of PyTorch internals", anchor=False)
if not snapshot.concepts and not snapshot.episodes:
    st.info("The map is empty. Build it with: torchatlas build", icon=":material/info:")
    st.stop()
widgets.say_unknown("node", {*snapshot.concept, *snapshot.episode})
node, area, shown, radius = controls(snapshot)
if shown == "met" and (radius or (node in snapshot.concept and node not in concepts_in_episodes(snapshot))):
    shown = "all"  # what no episode touches is there to be found, too
payload = cached.map_payload(area, shown, node, radius)
related = [r.episode_id for r in cached.related_to(node)] if node in snapshot.episode else []
asked = st.query_params.get("find") if node is None else None
hits = cached.found_for(asked) if asked else ()
bright = lit(snapshot, node, related) or tuple(sorted(hit.id for hit in hits))
picture, panel = st.columns([2.35, 1], gap="medium")
with picture:
    component.show(payload, key="map", selected=node, lit=bright, on_pick=pick)
with panel, st.container(height=680, border=False, key="panel"):
    if node in snapshot.concept:
        concept_panel(snapshot, node)
    elif node in snapshot.episode:
        episode_panel(snapshot, node)
    elif asked:
        found_panel(asked, hits)
    else:
        welcome(snapshot)
