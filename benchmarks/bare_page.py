"""A page of Streamlit's with a title and nothing else, served as torchatlas serves its own: what cannot be undercut."""

import argparse
from pathlib import Path

from torchatlas.ui.web.launch import configuration


def main() -> None:
    """Serve the page at --port until Ctrl-C."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    port = parser.parse_args().port

    import streamlit as st

    st.App(Path(__file__).with_name("bare_page_script.py")).run(config=configuration(port, browser=False))


if __name__ == "__main__":
    main()
