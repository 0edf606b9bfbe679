"""The addresses that an assistant gives to a person open the page that they promise."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.atlas import snapshot
from tests.ui.assistant.conftest import tools
from tests.ui.web.conftest import Open, shown

ASKED = tools(snapshot())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "words"),
    [
        (ASKED.page_of("autograd"), "What autograd is"),
        (ASKED.page_of("show-view"), "All of view"),
        (ASKED.plan(("view", "On tracing")).page, "On tracing"),
    ],
)
def test_an_address_opens_its_page(visit: Open, address: str, words: str) -> None:
    parts = urlsplit(address)
    assert parts.netloc == "127.0.0.1:8501"
    assert words in shown(visit(parts.path.strip("/") or "explore", **parse_qs(parts.query)))
