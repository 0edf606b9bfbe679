"""Elements of XML and HTML whose texts come from feeds: what a format cannot hold is dropped, the rest is escaped."""

import xml.etree.ElementTree as ET
from xml.etree.ElementTree import Element

from torchatlas.graph.names import one_line, xml_text


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


def html(element: Element) -> str:
    """Return an element as HTML.

    >>> html(Element("br"))
    '<br>'
    """
    return ET.tostring(element, encoding="unicode", method="html")
