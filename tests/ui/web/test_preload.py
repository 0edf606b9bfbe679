"""A page names the scripts of the map, so that they come while it loads; other answers stay as they are."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from torchatlas.ui.web.assets import routes, scripts
from torchatlas.ui.web.preload import Preload


@pytest.fixture(scope="module")
def client() -> TestClient:
    pages = [Route("/", lambda _: HTMLResponse("<p>")), Route("/health", lambda _: PlainTextResponse("ok"))]
    return TestClient(Starlette(routes=[*pages, *routes()], middleware=[Middleware(Preload, scripts=scripts())]))


def test_a_page_names_each_script_and_the_server_has_it(client: TestClient) -> None:
    named = client.get("/").headers["link"]
    assert scripts() == ["/atlas/map.js", "/atlas/vis/vis-network.min.js"]
    for script in scripts():
        assert f"<{script}>; rel=modulepreload" in named
        answer = client.get(script)
        assert answer.status_code == 200 and "javascript" in answer.headers["content-type"]


def test_what_is_no_page_names_nothing(client: TestClient) -> None:
    assert "link" not in client.get("/health").headers and "link" not in client.get(scripts()[0]).headers
