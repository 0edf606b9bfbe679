"""ASGI middleware against other pages' requests (w3.org/TR/fetch-metadata)."""

import base64
import hashlib
import re
import socket
from collections.abc import Callable, Mapping

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_HEADERS = {
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}


def refusal(headers: Mapping[str, str]) -> str:
    """Return why a request with these (lower-case) headers is refused, else "".

    >>> refusal({"host": "127.0.0.1:8501", "origin": "http://127.0.0.1:9999"})
    'a page of http://127.0.0.1:9999 may not ask http://127.0.0.1:8501'
    """
    host, origin = headers.get("host", ""), headers.get("origin")
    if not re.fullmatch(r"(127\.0\.0\.1|localhost|\[::1\])(:\d+)?", host, re.IGNORECASE):
        return f"this server is called 127.0.0.1 or localhost, not {host or 'nothing'}"
    if origin is not None and origin.lower() not in (f"http://{host}".lower(), f"https://{host}".lower()):
        return f"a page of {origin} may not ask http://{host}"
    opened = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest", "document") == "document"
    opened = opened and "sec-websocket-key" not in headers
    if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not opened:
        return f"another page may only link to http://{host}"
    return ""


def policy(page: str) -> str:
    """Return the security policy of the pages: `policy(page)`, HTML with scripts."""
    inline = inline_hashes(*re.findall(r"<script>(.*?)</script>", page, re.DOTALL))
    return (
        f"default-src 'self'; script-src 'self' blob:{inline}; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data: blob:; font-src 'self' data:; "
        "object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'"
    )


def inline_hashes(*scripts: str) -> str:
    """Return a policy's words for inline scripts: `inline_hashes("1")`."""
    digests = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
    return "".join(f" 'sha256-{digest}'" for digest in digests)


class SecurityMiddleware:
    """Let in only what may pass. `sound` names, at any time, whose audio may be played.

    Example: `SecurityMiddleware(application, policy(page))`
    """

    def __init__(
        self, application: ASGIApp, policy: str, sound: Callable[[], str] = lambda: "media-src 'none'"
    ) -> None:
        self.application, self.policy, self.sound = application, policy, sound

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with 403; refuse a WebSocket unopened."""
        sent = Headers(raw=[(n.lower(), v) for n, v in scope.get("headers", ())])
        headers = {name: ", ".join(filter(None, sent.getlist(name))) for name in sent}  # as RFC 9110 has it

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [(n.lower(), v) for n, v in message.get("headers", ())]
                own = {"content-security-policy": f"{self.policy}; {self.sound()}", **_HEADERS}
                MutableHeaders(scope=message).update(own)
            await send(message)

        why = "" if scope["type"] == "lifespan" else refusal(headers)
        if not why:
            await self.application(scope, receive, answer)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        else:
            await PlainTextResponse(f"Refused: {why}.\n", 403)(scope, receive, answer)


def is_taken(port: int) -> bool:
    """Return whether something listens on a port of this machine: `is_taken(8501)`."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
