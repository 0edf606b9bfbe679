import pytest

from torchatlas.extract.feeds import feed_addresses
from torchatlas.graph.errors import SourceError


def opml(*outlines: str) -> bytes:
    return f'<?xml version="1.0"?><opml version="2.0"><body>{"".join(outlines)}</body></opml>'.encode()


def test_every_feed_once_however_deep() -> None:
    document = opml(
        '<outline text="folder"><outline type="rss" xmlUrl="https://a.invalid/f?x=1&amp;y=2"/></outline>',
        '<outline XMLURL=" https://b.invalid/f "/><outline type="rss" url="http://c.invalid"/>',
        '<outline type="link" url="https://page.invalid"/><outline xmlUrl="https://b.invalid/f"/>',
        '<outline xmlUrl="feed://d.invalid/f"/><outline xmlUrl="feed:https://e.invalid/f"/>',
    )
    hosts = ("https://b.invalid/f", "http://c.invalid", "http://d.invalid/f", "https://e.invalid/f")
    assert feed_addresses(document) == ("https://a.invalid/f?x=1&y=2", *hosts)


def test_a_list_names_no_files() -> None:
    with pytest.raises(SourceError, match="no address on the web"):
        feed_addresses(opml('<outline xmlUrl="file:///etc/passwd"/><outline xmlUrl="/etc/passwd"/>'))


def test_a_broken_list_is_read_as_far_as_it_goes() -> None:
    document = opml('<outline text="R&D" xmlUrl="https://a.invalid"/>', '<outline xmlUrl="https://b.invalid"')
    assert feed_addresses(document) == ("https://a.invalid",)
    assert feed_addresses(document.decode().encode("utf-16")) == ("https://a.invalid",)


@pytest.mark.parametrize("document", [b"", b"<rss><title><opml></title></rss>", b"<html>", b'{"a": "<opml>"}', b"\xff"])
def test_other_documents_are_no_lists(document: bytes) -> None:
    assert feed_addresses(document) is None
