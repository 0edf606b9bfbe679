"""One module for each page; Streamlit runs them as scripts."""
