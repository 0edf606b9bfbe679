"""Elements of XML and HTML whose texts come from feeds: what a format cannot hold is dropped, the rest is escaped."""

import xml.etree.ElementTree as ET
from xml.etree.ElementTree import Element

from torchatlas.extract.mend import NAMESPACES
from torchatlas.graph.values.characters import one_line, xml_text

_PREFIXES = ("itunes", "podcast", "psc")


def add(parent: Element, tag: str, text: str | None = None, /, **attributes: str | None) -> Element:
    """Append a child with a text on one line; attributes that are None are left out.

    >>> ET.tostring(add(Element("p"), "a", "R&D", href="x", rel=None))
    b'<a href="x">R&amp;D</a>'
    """
    child = ET.SubElement(parent, tag)
    child.text = None if text is None else plain(text)
    for name, value in attributes.items():
        if value is not None:
            child.set(name, plain(value))
    return child


def plain(text: str) -> str:
    """Return a text on one line that XML can hold.

    >>> plain("a\\n\\x00b")
    'a b'
    """
    return xml_text(one_line(text))


def feed(title: str) -> tuple[Element, Element]:
    """Return the root of an RSS 2.0 document with the namespaces of podcasts, and its channel.

    >>> [element.tag for element in feed("Path")]
    ['rss', 'channel']
    """
    root = Element("rss", {"version": "2.0"} | {f"xmlns:{prefix}": NAMESPACES[prefix] for prefix in _PREFIXES})
    channel = add(root, "channel")
    add(channel, "title", title)
    return root, channel


def document(root: Element) -> str:
    """Return an XML document, indented.

    >>> print(document(Element("opml")))
    <?xml version="1.0" encoding="UTF-8"?>
    <opml />
    <BLANKLINE>
    """
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def html(element: Element) -> str:
    """Return an element as HTML.

    >>> html(Element("br"))
    '<br>'
    """
    return ET.tostring(element, encoding="unicode", method="html")
