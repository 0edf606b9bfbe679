from xml.etree.ElementTree import fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extract.cases import pairs
from tests.strategies import times
from torchatlas.extract.feeds import parse
from torchatlas.extract.text import ATTRIBUTES, mend, to_text

RSS = "<rss><channel><item>{}</item></channel></rss>"


def inside(broken: str) -> str:
    """The item that mending makes of the broken one, as ElementTree prints its texts."""
    root = fromstring(mend(RSS.format(broken))[0])
    return "|".join(f"{e.tag}={''.join(e.itertext())}" for e in root.find("channel/item") or ())


BROKEN = """
    <title>R&D at AT&T</title> => title=R&D at AT&T | <title>a < b, vector<int></title> => title=a < b, vector<int>
    <title>a &nbsp; b &bogus; &amp; &#38;</title> => title=a \xa0 b &bogus; & &
    <title>T<guid>g</guid> => title=T|guid=g
    <link>x.org<description>d</description> => link=x.org|description=d | <TITLE>a</title> => TITLE=a
    <title>T</title></b></p><guid>g</guid> => title=T|guid=g | <title>a<!-- b -->c<?d e?></title> => title=ac
    <description>a<br>b<p>c</description><guid>g</guid> => description=a<br>b<p>c|guid=g
    <description><![CDATA[a && <b>]]></description> => description=a && <b> | <title>a]]>b</title> => title=a]]>b
    <description><![CDATA[a</description><guid>g</guid> => description=a|guid=g
    <link href=x.org?a=1&b=2 href='y'>z</link> => link=z
"""


@pytest.mark.parametrize(("broken", "read"), pairs(BROKEN))
def test_what_people_write_becomes_xml(broken: str, read: str) -> None:
    assert inside(broken) == read


def test_markup_of_a_broken_feed_stays_markup() -> None:
    content = '<content type="xhtml"><div><p>About <b>gears</b>.</p></div></content>'
    entry = f"<entry><id>1</id><title>R&D</title>{content}</entry>"
    feed = parse(f'<feed xmlns="http://www.w3.org/2005/Atom">{entry}</feed>'.encode())
    assert [to_text(e.notes).text for e in feed.entries] == ["About gears."]


def test_an_entry_begins_where_it_says_so() -> None:
    text = "<rss><item><title>A</title><description><item><title>B</title></item><entry><title>C</rss>"
    root = fromstring(mend(text)[0])
    assert [e.findtext("title") for e in root] == ["A", "B", "C"]


def test_prefixes_are_declared_once_at_the_root() -> None:
    mended = mend("<rss><item><itunes:title>A</itunes:title><x:y xmlns:x='urn:z' x:a='1' x:a='2'/></item></rss>")
    assert fromstring(mended[0]).find("item/{urn:z}y") is not None


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("<rss><item><title>A</title></item><item><title>B</title><description>cut of", "AB"),
        ("<rss><item><title>A</title></item><item><title>cut of", "A"),
        ("<rss><item><title>A</title></item>", "A"),
    ],
)
def test_a_feed_that_breaks_off_says_so(text: str, kept: str) -> None:
    mended, cut = mend(text)
    assert cut and "".join(e.findtext("title") or "" for e in fromstring(mended)) == kept
    assert not mend(text + "</rss>")[1]


TOKENS = st.sampled_from(
    ["<item>", "</item>", "<title>", "</title>", "<a:b", " c='d'", " xmlns:a='b'", ">", "<b>", "</b>", "<![CDATA[",
     "]]>", "<!--", "-->", "<?", "?>", "&", "&amp;", "&x;", "&#60;", "<", "x ", "'", '"', "</rss>", "<rss>",
     "/>", "<!D>", " "]
)  # fmt: skip


@settings(max_examples=times(300), deadline=None)
@given(st.lists(TOKENS | st.text("ab<&'\"/:=é ", max_size=5)).map("".join))
def test_whatever_comes_is_well_formed_afterwards(text: str) -> None:
    if mended := mend("<rss>" + text)[0]:
        fromstring(mended)


def test_an_element_keeps_so_many_attributes() -> None:
    """feedparser searches them all for each of them: 100,000 would hold a build for hours."""
    written = " ".join(f'a{n}="1"' for n in range(2 * ATTRIBUTES))
    text = f"<rss {written}><channel><item {written}><title>A</title></item></channel></rss>"
    root = fromstring(mend(text)[0])
    assert len(root.attrib) == ATTRIBUTES
    assert [(len(e.attrib), e.findtext("title")) for e in root.iter("item")] == [(ATTRIBUTES, "A")]
    assert [e.episode.title for e in parse(text.encode()).entries] == ["A"]
