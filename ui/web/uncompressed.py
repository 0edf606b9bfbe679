"""Sends the map's scripts and pictures as they are: the browser is on this machine, and compressing takes longer."""

from torchatlas.ui.doors import Application, Message, Receive, Send


class Uncompressed:
    """An ASGI application that compresses no answer whose path begins with `under`.

    Example: Uncompressed(application, under="/atlas/")
    """

    def __init__(self, application: Application, under: str) -> None:
        self.application = application
        self.under = under

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer as the application does a browser that takes nothing compressed."""
        if scope["type"] == "http" and scope["path"].startswith(self.under):
            plain = [(name, value) for name, value in scope["headers"] if name.lower() != b"accept-encoding"]
            scope = {**scope, "headers": plain}
        await self.application(scope, receive, send)
