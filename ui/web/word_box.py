"""A box for any words: it offers every name and other name, takes free text, and shows what is chosen as chips."""

from collections.abc import Callable, Mapping

import streamlit as st

from torchatlas.graph.formatting import esc


def ask(
    label: str,
    options: Mapping[str, str],
    key: str,
    hint: str,
    *,
    add: Callable[[str], None],
    held: str | None = None,
    labelled: bool = True,
) -> None:
    """Draw the box; `add` gets what was chosen or typed, and the box is empty again, or shows the words that it holds.

    `held`: these words; `add` gets "" when a person empties the box. Without a label it is read out.
    """

    def take() -> None:
        text = (st.session_state[key] or "").strip()
        st.session_state[key] = held
        if text or held:
            add(text)

    if st.session_state.get(key) != held:
        st.session_state[key] = held
    st.selectbox(
        label, list(options), index=None, key=key, on_change=take, format_func=lambda value: options.get(value, value),
        placeholder=hint, accept_new_options=True, label_visibility="visible" if labelled else "collapsed",
    )  # fmt: skip


def chips(chosen: Mapping[str, str], key: str, remove: Callable[[str], None]) -> None:
    """Draw value -> words as chips; a click on one removes it."""
    if chosen:
        with st.container(horizontal=True, gap="xsmall", key=f"chips_{key}"):
            for place, (value, words) in enumerate(chosen.items()):
                st.button(
                    esc(words), key=f"chip:{key}:{place}:{value}", icon=":material/close:", icon_position="right",
                    help=f"Remove {esc(words)}", on_click=remove, args=(value,),
                )  # fmt: skip
