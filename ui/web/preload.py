"""Tells the browser with each page which scripts the map will need, so that they come while the page itself loads."""

from collections.abc import Iterable

from torchatlas.ui.doors import Application, Message, Receive, Send


class Preload:
    """An ASGI application whose HTML pages name scripts to fetch ahead (the `modulepreload` of a Link header).

    Example: Preload(application, scripts=["/atlas/map.js"])
    """

    def __init__(self, application: Application, scripts: Iterable[str]) -> None:
        self.application = application
        self.link = (b"link", ", ".join(f"<{script}>; rel=modulepreload" for script in scripts).encode())

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer as the application does, with the header where the answer is a page."""

        async def tell(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                if any(name.lower() == b"content-type" and value.startswith(b"text/html") for name, value in headers):
                    message["headers"] = [*headers, self.link]
            await send(message)

        await self.application(scope, receive, tell)
