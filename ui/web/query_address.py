"""The address of a Cypher answer: the name of a saved question or a text, and a value for each of its parameters."""

from collections.abc import Mapping

import streamlit as st

from torchatlas.graph.cypher import Question
from torchatlas.ui.web import url_state

VALUE = "v."
"""What the name of a value begins with in the address: `?question=before&v.concept=vmap`."""


def values() -> dict[str, str]:
    """Return the values in the address."""
    return {name.removeprefix(VALUE): st.query_params[name] for name in st.query_params if name.startswith(VALUE)}


def give(name: str, value: str) -> None:
    """Write a value. For callbacks."""
    url_state.choose(VALUE + name, value)


def ask_text(text: str, question: Question | None, given: Mapping[str, str]) -> None:
    """Ask a text; a saved question that was changed by hand is a text of one's own from now on. For callbacks."""
    if question and text.strip() == question.cypher:
        return
    for name, value in given.items():
        give(name, value)
    url_state.choose("question", None)
    url_state.choose("text", text)
