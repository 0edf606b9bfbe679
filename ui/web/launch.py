"""Start the screen: one process, this machine only, nothing sent anywhere."""

import os
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path
from threading import Thread

LIGHT = {
    "primaryColor": "#0072B2", "blueColor": "#0072B2", "orangeColor": "#D55E00", "linkColor": "#005A8D",
    "blueTextColor": "#0072B2", "orangeTextColor": "#B04A00",
    "backgroundColor": "#FFFFFF", "secondaryBackgroundColor": "#F3F5F8", "textColor": "#0A0F17",
    "grayColor": "#6B7280", "borderColor": "#D9DEE5",
}  # fmt: skip
DARK = {
    "primaryColor": "#63B8EC", "blueColor": "#56B4E9", "orangeColor": "#E69F00", "linkColor": "#7CC4EF",
    "blueTextColor": "#56B4E9", "orangeTextColor": "#E69F00",
    "backgroundColor": "#14171C", "secondaryBackgroundColor": "#1E232B", "textColor": "#E8EAEE",
    "grayColor": "#9AA3B0", "borderColor": "#323945",
}  # fmt: skip
"""Blue and orange of Okabe and Ito (2008), which stay apart under every colour blindness."""


def configuration(port: int, *, browser: bool) -> dict[str, object]:
    """Return Streamlit's settings: bound to the loopback, refusing foreign names, without statistics."""
    shared: dict[str, object] = {
        "server.address": "127.0.0.1", "server.port": port, "server.headless": not browser,
        "server.allowedHosts": ["127.0.0.1", "localhost"], "server.showEmailPrompt": False,
        "server.fileWatcherType": "none", "browser.gatherUsageStats": False, "browser.serverAddress": "127.0.0.1",
        "logger.hideWelcomeMessage": True, "client.toolbarMode": "viewer", "client.showErrorLinks": False,
        "client.allowedOrigins": [], "runner.magicEnabled": False,
        "theme.baseRadius": "8px",
        "theme.headingFontSizes": ["1.6rem", "1.2rem", "1.1rem", "1rem", "0.95rem", "0.9rem"],
    }  # fmt: skip
    light = {f"theme.light.{name}": colour for name, colour in LIGHT.items()}
    return shared | light | {f"theme.dark.{name}": colour for name, colour in DARK.items()}


def display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Return whether there is a screen for a browser: on Linux and the BSDs two variables say so.

    >>> display({}, "linux"), display({"DISPLAY": ":0"}, "linux")
    (False, True)
    """
    return platform in {"darwin", "win32"} or bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


@asynccontextmanager
async def _warmed(_: object) -> AsyncIterator[None]:
    """Load the graph while the browser still loads the frame of the page."""
    from torchatlas.ui.web.cached import load_ahead

    Thread(target=load_ahead, daemon=True).start()
    yield


def launch(store: str, port: int = 8501, *, open_browser: bool = True) -> None:
    """Serve the pages until Ctrl-C."""
    os.environ["TORCHATLAS_STORE"] = store
    sys.argv = sys.argv[:1]  # Streamlit would read our arguments as its own

    import streamlit as st
    from starlette.middleware import Middleware

    from torchatlas.ui.doors import Doors, policy
    from torchatlas.ui.web.assets import routes

    page = files("streamlit").joinpath("static", "index.html").read_text("utf-8")
    layers = [Middleware(Doors, policy=policy(page))]
    try:
        st.App(Path(__file__).with_name("app.py"), routes=routes(), lifespan=_warmed, middleware=layers).run(
            config=configuration(port, browser=open_browser)
        )
    except KeyboardInterrupt:
        return
