"""The facts of a show, as its feed states them."""

import json

import pytest

from torchatlas.extract.feeds import parse, under_one_name
from torchatlas.graph.model import Show

RSS = """<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:{0}="{1}"
 xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>The &lt;b&gt;Kettle&lt;/b&gt; Hour</title>
<link>https://kettle.invalid/</link><itunes:author>Ada &amp; Bo</itunes:author><itunes:image href="/art.png"/>
<{0}:guid> 917393e3-1b1e-5cef </{0}:guid><atom:link rel="self" href="https://kettle.invalid/feed?auth=s3cret"/>
<item><title>Spouts</title><guid>1</guid><itunes:author>Cy</itunes:author></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Kettle Notes</title><id>urn:k</id>
<author><name>Ada</name><email>ada@kettle.invalid</email></author><logo>https://kettle.invalid/art.png</logo>
<link rel="alternate" href="https://kettle.invalid/"/><link rel="self" href="https://kettle.invalid/atom.xml"/>
<entry><id>1</id><title>Spouts</title></entry></feed>"""
JSON = {
    "title": "Kettle Notes",
    "home_page_url": "https://kettle.invalid/",
    "feed_url": "https://kettle.invalid/feed.json",
    "icon": "https://kettle.invalid/art.png",
    "items": [{"id": 1, "title": "Spouts"}],
}


@pytest.mark.parametrize(
    ("prefix", "namespace"),
    [
        ("podcast", "https://podcastindex.org/namespace/1.0"),
        ("pc", "https://podcastindex.org/namespace/1.0"),
        ("podcast", "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"),
    ],
)
def test_an_rss_channel_states_its_facts(prefix: str, namespace: str) -> None:
    feed = parse(RSS.format(prefix, namespace).encode(), "/home/ada/feed.xml")
    assert feed.show == Show(
        "the-kettle-hour",
        "The Kettle Hour",
        guid="917393e3-1b1e-5cef",
        author="Ada & Bo",
        url="https://kettle.invalid/",
        image_url="https://kettle.invalid/art.png",
        feed_url="https://kettle.invalid/feed?auth=***",
    )
    assert [(e.show, e.episode.show) for e in feed.entries] == [(feed.show, "The Kettle Hour")]


def test_a_guid_of_another_namespace_is_none_of_the_show() -> None:
    assert parse(RSS.format("podcast", "https://elsewhere.invalid").encode()).show.guid is None


def test_atom_states_its_facts_and_the_mail_address_is_left_out() -> None:
    show = parse(ATOM.encode()).show
    assert (show.author, show.url, show.image_url, show.feed_url) == (
        "Ada",
        "https://kettle.invalid/",
        "https://kettle.invalid/art.png",
        "https://kettle.invalid/atom.xml",
    )


@pytest.mark.parametrize(
    ("authors", "author"),
    [
        ({"authors": [{"name": "Ada"}, {"url": "https://bo.invalid"}, {"name": "Cy"}]}, "Ada, Cy"),
        ({"author": {"name": "Ada"}}, "Ada"),
        ({"author": "Ada", "authors": 3}, None),
    ],
)
def test_a_json_feed_states_its_facts(authors: dict[str, object], author: str | None) -> None:
    show = parse(json.dumps(JSON | authors).encode()).show
    assert show == Show(
        "kettle-notes",
        "Kettle Notes",
        author=author,
        url="https://kettle.invalid/",
        image_url="https://kettle.invalid/art.png",
        feed_url="https://kettle.invalid/feed.json",
    )


def test_no_secret_and_no_address_but_those_of_the_web_enters_the_graph() -> None:
    hostile = {
        "title": "K",
        "home_page_url": "javascript:alert(1)",
        "icon": "https://me:pw@kettle.invalid/art.png?token=12ab",
        "feed_url": "file:///etc/passwd",
        "items": [],
    }
    show = parse(json.dumps(hostile).encode(), "https://kettle.invalid/rss?key=12ab&page=2").show
    assert show.url is None
    assert show.image_url == "https://kettle.invalid/art.png?token=***"
    assert show.feed_url == "https://kettle.invalid/rss?key=***&page=2"


def test_the_address_of_a_feed_is_where_it_was_read() -> None:
    assert parse(ATOM.encode(), "https://mirror.invalid/kettle").show.feed_url == "https://mirror.invalid/kettle"


def test_episodes_bear_the_first_name_of_their_show() -> None:
    known = Show("the-kettle-hour", "The Kettle Hour", feed_url="https://kettle.invalid/rss")
    renamed = parse(ATOM.encode(), "http://kettle.invalid/rss/").entries
    (entry,) = under_one_name(renamed, [known])
    assert entry.episode.show == "The Kettle Hour" and entry.show and entry.show.title == "Kettle Notes"
    assert under_one_name(renamed, ()) == renamed
