"""The composition root: the command line, the settings, the Streamlit app."""
