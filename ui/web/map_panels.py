"""The panels beside the map: the chosen concept or episode, a route, what was found, or where to begin."""

from collections.abc import Callable, Sequence

import streamlit as st

from torchatlas.graph.answers import Hit, Plan
from torchatlas.graph.cards import ConceptCard, EpisodeCard, Neighbour
from torchatlas.graph.formatting import counted, esc, length, link, listed
from torchatlas.graph.model import Snapshot
from torchatlas.ui.pictures.draw import PLAY
from torchatlas.ui.web import cached, url_state, widgets
from torchatlas.ui.web.map_controls import Shown

Pick = Callable[[str | None], None]


def concept_panel(card: ConceptCard, pick: Pick) -> None:
    """Draw what a concept is, needs and leads to, and where it is explained."""
    st.markdown(f":blue-badge[Concept] :small[{esc(card.area)}]")
    st.header(esc(card.name), anchor=False)
    if card.definition:
        st.markdown(esc(card.definition))
    if card.aliases:
        st.caption(f"Also called {esc(', '.join(card.aliases))}")
    ways(card.id)
    if card.reading:
        st.markdown(f":material/menu_book: {link('Read about it', card.reading)}")
    for heading, rows in card.sections.items():
        widgets.choices(heading, rows, pick)
    widgets.bullets("In the source", [esc(path) for path in card.source_paths])  # code would load 1.5 MB of scripts


def episode_panel(card: EpisodeCard, summary: str, pick: Pick) -> None:
    """Draw an episode in short, and the episodes related to it with the reasons."""
    st.markdown(f":orange-badge[Episode] :small[{esc(' · '.join(card.facts))}]")
    st.header(esc(card.title), anchor=False)
    if summary:
        st.markdown(esc(summary))
    ways(card.id, episode=card.id)
    widgets.related_episodes(card.id, pick)
    for heading, rows in card.sections.items():
        widgets.choices(heading, rows, pick)


def ways(goal: str, episode: str | None = None) -> None:
    """Draw the links to an episode's page, to a plan for something, and to its route on the map."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if episode:
            widgets.go(widgets.EPISODE, "Open", ":material/podcasts:", episode=episode)
        widgets.go(widgets.PATH, "Plan a path to this", ":material/route:", goal=goal)
        st.button(
            "Draw the route", key=f"route:{goal}", type="tertiary", icon=":material/conversion_path:",
            on_click=draw_route, args=(goal,),
        )  # fmt: skip


def draw_route(goal: str) -> None:
    """Show the route to something on the map. For callbacks."""
    url_state.choose("node", None)
    url_state.choose("path", goal)


def route_panel(plan: Plan, goals: Sequence[str], pick: Pick, leave: Callable[[], None]) -> None:
    """Draw the steps of the route on the map; a row and its stop point at each other."""
    st.header(f"Route to {esc(listed(plan.goals))}", anchor=False)
    st.markdown(esc(f"{plan.amount}." if plan.steps else "Nothing is left to hear for this."))
    graph = cached.atlas().graph
    for place, step in enumerate(plan.steps, 1):
        with st.container(key=f"step_{place}", gap=None):
            label = f"**{place}.** {esc(graph.label_of(step.episode_id))}"
            st.button(label, key=f"stop:{step.episode_id}", type="tertiary", on_click=pick, args=(step.episode_id,))
            st.caption(esc(f"{length(step.minutes, estimated=step.estimated)}. {step.why}"))
    with st.container(horizontal=True, vertical_alignment="center"):
        widgets.go(widgets.PATH, "The whole plan", ":material/route:", goal=goals)
        st.button("Leave the route", on_click=leave, icon=":material/close:", type="tertiary")


def found_panel(text: str, hits: Sequence[Hit], graph: Snapshot, pick: Pick) -> None:
    """Draw the hits of a search, each with what it is."""
    st.header(f"Found for “{esc(text)}”", anchor=False)
    if not hits:
        st.markdown("Nothing. Try a shorter word, or a name from the map.")
    rows = [
        Neighbour(h.id, (PLAY if h.kind == "episode" else "") + graph.label_of(h.id), why=_told(graph, h)) for h in hits
    ]
    widgets.choices("Concepts and episodes", rows, pick)
    if st.button("Clear the search", icon=":material/close:", type="tertiary"):
        url_state.choose("find", None)
        st.rerun()  # the box is drawn outside of the fragment


def back_to_found(pick: Pick) -> None:
    """Draw the way from one hit back to the others."""
    st.button("Back to what was found", on_click=pick, args=(None,), icon=":material/arrow_back:", type="tertiary")


def _told(graph: Snapshot, hit: Hit) -> str:
    """Return the first words about a hit: its definition or its summary."""
    text = graph.concept[hit.id].definition if hit.id in graph.concept else graph.episode[hit.id].summary
    return text if len(text) <= 110 else text[:110].rsplit(" ", 1)[0] + " …"


def welcome(pick: Pick, shown: Shown) -> None:
    """Draw where to begin, for as long as nothing is chosen, in words of what is shown."""
    atlas = cached.atlas()
    widgets.continue_listening()
    st.header("Where to begin", anchor=False)
    subject, episodes = esc(atlas.subject), counted(len(atlas.graph.episodes), "episode")
    square = "Choose a square to see which episodes are near it, and why."
    if shown.kind == "episodes" and atlas.graph.concepts:
        order = (
            " From left to right they stand as they came out, each area in a row of its own." if shown.by_time else ""
        )
        st.markdown(
            f"{episodes} of {subject}. Dotted lines join related ones, and arrows lead from one to what to hear after "
            f"it.{order} {square}"
        )
    elif atlas.graph.concepts:
        st.markdown(
            f"{counted(len(atlas.graph.concepts), 'concept')} of {subject} and {episodes}. The map begins with the "
            "concepts that an episode touches; the filter “All” shows the others too. Choose a dot to see what it "
            f"needs, where it leads and when it is explained. {square}"
        )
    else:
        st.markdown(f"{episodes} of {subject}, and no concepts yet. {square}")
        st.markdown("This command drafts a vocabulary of concepts from what the episodes say, for you to reword:")
        st.code("torchatlas candidates --draft vocabulary.toml", language=None, wrap_lines=True)
    widgets.choices("Most explained", atlas.most_explained(), pick)
