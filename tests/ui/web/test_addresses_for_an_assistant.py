"""The addresses that an assistant gives to a person open the page that they promise."""

from urllib.parse import parse_qs, urlsplit

import pytest

from tests.ui.web.conftest import Open, shown
from torchatlas.ui.assistant.links import Links

LINKS = Links(8501)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "words"),
    [
        (LINKS.concept("autograd"), "What autograd is"),
        (LINKS.episode("show-view"), "All of view"),
        (LINKS.path(("view", "show-tracing")), "On tracing"),
    ],
)
def test_an_address_opens_its_page(visit: Open, address: str, words: str) -> None:
    parts = urlsplit(address)
    assert parts.netloc == "127.0.0.1:8501"
    assert words in shown(visit(parts.path.strip("/") or "explore", **parse_qs(parts.query)))
