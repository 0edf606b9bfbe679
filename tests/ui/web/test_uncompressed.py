"""What lies below a path is sent as it is, also where another layer would compress it; the rest is not touched."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from torchatlas.ui.web.uncompressed import Uncompressed


@pytest.mark.parametrize(("path", "compressed"), [("/atlas/map.js", False), ("/atlasses", True), ("/", True)])
def test_only_what_lies_below_is_sent_as_it_is(path: str, compressed: bool) -> None:
    layers = [Middleware(Uncompressed, under="/atlas/"), Middleware(GZipMiddleware, minimum_size=10)]
    client = TestClient(Starlette(routes=[Route(path, lambda _: PlainTextResponse("map " * 500))], middleware=layers))
    assert ("content-encoding" in client.get(path).headers) == compressed
