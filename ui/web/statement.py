"""The box for a Cypher text: below it Run, ways to go on, and the schema, whose patterns a click inserts."""

from collections.abc import Callable

import streamlit as st

from torchatlas.graph.formatting import esc
from torchatlas.ui.web import cached

DRAFT, _BASE = "draft", "draft_of"
OFFERED = 8
"""How many ways to go on are offered."""


def box(base: str) -> None:
    """Draw the text, which begins as `base`."""
    if DRAFT not in st.session_state or st.session_state.get(_BASE) != base:
        st.session_state[DRAFT] = st.session_state[_BASE] = base
    lines = min(14, max(5, sum(1 + len(line) // 100 for line in base.splitlines()) + 1))
    st.text_area(
        "Cypher", key=DRAFT, height=lines * 24,
        help="Only clauses that read; writing, files and settings are refused.",
    )  # fmt: skip


def run_row(run: Callable[[str], None]) -> None:
    """Draw the button that runs the text, and what may come next in it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="go_on"):
        st.button(
            "Run", type="primary", icon=":material/play_arrow:", shortcut="Ctrl+Enter", key="run",
            on_click=lambda: run(st.session_state[DRAFT]),
        )  # fmt: skip
        draft = st.session_state[DRAFT]
        for found in cached.atlas().complete(draft)[:OFFERED]:
            words = f"{found.text} ({found.about})" if found.about and found.about != found.text else found.text
            whole = draft[: len(draft) - found.replaces] + found.text
            st.button(esc(words), key=f"go_on:{found.text}", type="tertiary", on_click=_write, args=(whole,))


def schema() -> None:
    """Draw, folded, what there is to ask: a click on a pattern inserts it."""
    found = cached.schema()
    kinds = f"{len(found.nodes)} kinds of nodes and {len(found.relationships)} of relationships"
    with (
        st.expander(f"Schema: {kinds}"),
        st.container(gap=None, key="list_schema"),
    ):
        for kind in (*found.nodes, *found.relationships):
            st.button(
                esc(f"{kind.pattern} {kind.count:,}"), key=f"insert:{kind.name}", type="tertiary", on_click=_insert,
                args=(kind.clause,), help=esc(f"Insert. Properties: {', '.join(p.name for p in kind.properties)}"),
            )  # fmt: skip


def _write(text: str) -> None:
    st.session_state[DRAFT] = text


def _insert(clause: str) -> None:
    """Put a pattern below what is written; a box that holds the untouched beginning is emptied first."""
    draft = st.session_state[DRAFT].rstrip()
    untouched = st.session_state[DRAFT] == st.session_state[_BASE]
    _write(f"{clause}\nRETURN a LIMIT 20" if untouched or not draft else f"{draft}\n{clause}")
