"""The script of the page with a title and nothing else."""

import streamlit as st

st.title("Nothing else")
