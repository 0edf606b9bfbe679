"""Every URL of a text and of its hyperlinks, as printed, with the words that say what it is."""

import re

from extract.linktypes import link_type, normal
from extract.text import Text
from graph.evidence import FoundLink

# A page mark (…), quotes and angle brackets end an address; the other marks of a sentence are trimmed afterwards.
_URL = re.compile(r"""(?:https?://|(?<![\w@/.])www\.(?=\w))[^\s<>"“”„«»`\x00-\x1f…，。；（）「」]+""", re.I)
_SENTENCE_MARKS = ".,;:!?'’‘*|、！？："
_PAIRS = {")": "(", "]": "[", "}": "{"}
_PRINTED = re.compile(r"\S*://\S*|www\.\S*", re.I)
# Where a label begins: a line, a list item, the end of a sentence.
_BEFORE = re.compile(r"\n|[•·]|(?<=\s)[-–—*](?=\s)|[.!?…](?=\s)")
_JOINT = re.compile(r"\W*(?:and|or|also|see|und|et|y)?\W*", re.I)
LONGEST_LABEL = 120


def url_spans(text: str) -> list[tuple[int, int]]:
    """Where the addresses lie in a plain text, in order, without the marks of the sentence around them."""
    if "://" not in text and "www." not in text.lower():
        return []
    spans = ((m.start(), m.start() + len(_trimmed(m.group()))) for m in _URL.finditer(text))
    return [
        (start, end)
        for start, end in spans
        if re.search(r"\w", text[start + 8 : end]) or text[start : start + 4].lower() == "www."
    ]


def find_links(source: Text) -> tuple[FoundLink, ...]:
    """All links in the order of the text, each once. The label is the anchor's words or those before the address."""
    text = source.text
    found: list[tuple[int, str, str]] = []
    previous, label = 0, ""
    for start, end in url_spans(text):
        before = text[previous:start]
        own = _label(before)
        label = own or (label if previous and _JOINT.fullmatch(before) else "")
        found.append((start, text[start:end], label))
        previous = end
    for anchor in source.anchors:
        if re.match(r"(?:https?:)?//\w", anchor.href, re.I):
            words = " ".join(text[anchor.start : anchor.end].split())
            if not words or _PRINTED.search(words):
                words = _label(text[max(0, anchor.start - 300) : anchor.start])
            found.append((anchor.start, anchor.href, words[:LONGEST_LABEL]))
    links: dict[str, FoundLink] = {}
    for _, url, words in sorted(found, key=lambda f: f[0]):
        if url not in links or (words and not links[url].label):
            links[url] = FoundLink(url, link_type(url), words, normal(url))
    return tuple(links.values())


def _trimmed(url: str) -> str:
    """Without the marks that belong to the sentence: a closing bracket stays where the address opened it."""
    while url:
        last = url[-1]
        if last in _SENTENCE_MARKS or (last in _PAIRS and url.count(last) > url.count(_PAIRS[last])):
            url = url[:-1]
        else:
            break
    return url


def _label(before: str) -> str:
    """The words between the last break and the address: "Old notes about TH ( " -> "Old notes about TH"."""
    words = _BEFORE.split(before[-400:])[-1]
    words = re.sub(r"^\W*(?:and|or)\s+", "", " ".join(words.split()), flags=re.I)
    words = re.sub(r"^[\s)\]},;:]+|[\s(\[{:,;–—-]+$", "", words)
    return words[-LONGEST_LABEL:] if re.search(r"\w", words) and not _JOINT.fullmatch(words) else ""
