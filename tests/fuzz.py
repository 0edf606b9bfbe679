"""A long, seeded run over the boundary where texts come in: `python -m tests.fuzz --minutes 10`.

Each input is one of the feeds in tests/feeds, a small one made here, or a saved page, damaged in ways that people and
programs damage feeds. Whatever comes: nothing but SourceError is raised, all that was read can be written, mentions and
links are verbatim, and no input takes long. A failing input is written into the folder and named.
"""

import argparse
import codecs
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any

from tests.pages import BEST, best_of_html, blog, directory, directory_html, listing
from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.extract.feeds import feed_addresses, parse
from torchatlas.extract.links import find_links
from torchatlas.extract.pages import read_page
from torchatlas.extract.pipeline import Extractor
from torchatlas.extract.text import to_text
from torchatlas.extract.transcripts import read_chapters, read_cues
from torchatlas.graph.errors import SourceError
from torchatlas.shipped import bundled, bundled_file

FEEDS = Path(__file__).parent / "feeds"
SLOW = 5.0  # seconds that no input of this size may take
LARGEST = 300_000
EXTRACTED = 5  # one input in so many goes through the whole pipeline
PARTS = [
    b"<item>", b"</item>", b"<entry>", b"<title>", b"</title>", b"<guid>", b"<link>", b"]]>", b"<![CDATA[", b"<!--",
    b"-->", b"<?", b"?>", b"<!DOCTYPE x [<!ENTITY a '&b;&b;'>", b"&a;", b"&nbsp;", b"&#xD800;", b"&#55357;&#56832;",
    b"&#99999999999;", b"&#0;", b"&", b"<", b">", b"\"", b"'", b"\x00", b"\x1b[31m", b"\xff\xfe", b"\xef\xbb\xbf",
    b"\xed\xa0\xbd", b"\xc3", b"\x80", b"</channel>", b"</rss>", b"<itunes:duration>", b"xml:base='http://['",
    b"xmlns:a='b'", b"<a:b:c>", b"encoding='utf-16'", b"encoding='idna'", b"<p><a href='//x/", b"https://x.invalid/(a",
    b"www.", b"{", b"}", b"[", b"]", b"\":", b"null", b"1e999", b"NaN", b"\\ud800", b"\"items\"", b"\"id\":",
    "\u202e\u200b\u0627\u200d".encode(), "vmap \u2026".encode(), b"<pubDate>99999-1-1", b"T25:61:61+99:99",
    b"<podcast:transcript url='http://[' type='text/vtt'/>", b"<script>", b"<table><td>", b"<b>" * 50,
]  # fmt: skip
CODECS = ["utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "koi8-r", "shift_jis", "utf-7", "cp037", "utf-8-sig"]
DECLARED = ["zlib", "hex", "undefined", "punycode", "x-user", "gb2312", "iso-2022-jp", "hz"]
JSON = b"""{"version": "https://jsonfeed.org/version/1.1", "title": "J", "home_page_url": "https://j.invalid/",
 "items": [{"id": 1, "title": "vmap", "content_html": "<p>a <a href='/b'>c</a></p>", "date_published": "2024-01-01"},
 {"id": "2", "content_text": "Strides", "attachments": [{"url": "https://j.invalid/a.mp3", "mime_type": "audio/x"}]}
 ]}"""
OPML = b"""<opml version="2.0"><body><outline xmlUrl="https://a.invalid/f"/><outline text="&amp;"/></body></opml>"""
VTT = b"WEBVTT\n\n00:00.000 --> 00:02.000\nA tensor has strides.\n\n1:00:00.000 --> 1:00:01.000\n<v A>vmap</v>\n"
CHAPTERS = b'{"version": "1.2.0", "chapters": [{"startTime": 0.5, "title": "vmap"}, {"startTime": "x"}]}'
Mishap = Callable[[bytes, random.Random, int, int], bytes]


def inserted(document: bytes, chance: random.Random, a: int, _: int) -> bytes:
    return document[:a] + chance.choice(PARTS) * chance.choice([1, 1, 1, 2, 50, 2_000]) + document[a:]


def changed(document: bytes, chance: random.Random, *_: int) -> bytes:
    for place in chance.choices(range(len(document) or 1), k=chance.randint(1, 20)):
        document = document[:place] + chance.randbytes(1) + document[place + 1 :]
    return document


def recoded(document: bytes, chance: random.Random, *_: int) -> bytes:
    return codecs.encode(document.decode("utf-8", "replace"), chance.choice(CODECS), "replace")


def redeclared(document: bytes, chance: random.Random, *_: int) -> bytes:
    name = chance.choice([*CODECS, *DECLARED]).encode()
    return b'<?xml version="1.0" encoding="%s"?>' % name + document.partition(b"?>")[2]


MISHAPS: list[Mishap] = [
    inserted, inserted, inserted, changed, recoded, redeclared,
    lambda document, _, a, __: document[:a],
    lambda document, chance, a, _: document[:a] + document[a + chance.randint(1, 60) :],
    lambda document, chance, a, b: document[:b] + document[a:b] * chance.randint(1, 5) + document[b:],
    lambda document, chance, *_: document + chance.randbytes(chance.randint(0, 200)),
]  # fmt: skip


def damaged(document: bytes, chance: random.Random) -> bytes:
    for mishap in chance.choices(MISHAPS, k=chance.randint(1, 8)):
        a, b = sorted(chance.randint(0, len(document)) for _ in range(2))
        document = mishap(document, chance, a, b)[:LARGEST]
    return document


def check(document: bytes, extractor: Extractor | None = None) -> str:
    """Read the document as everything that comes from outside; raises where a law is broken. Says what it was."""
    feed: Any = None
    for read in (feed_addresses, read_cues, read_chapters, partial(read_page, name="fuzz"), parse):
        try:
            feed = read(document, "fuzz") if read is parse else read(document)
        except SourceError as e:
            assert "\n" not in str(e)
            feed = None
    if feed is None:
        return "refused"
    for entry in feed.entries[:50]:  # all of it can be written, and its links are verbatim
        repr(entry).encode()
        source = to_text(entry.notes, base=entry.base)
        source.text.encode()
        hrefs = {anchor.href for anchor in source.anchors}
        assert all(link.url in hrefs or link.url in source.text for link in find_links(source))
    for found in extractor.extract(feed.entries[:50]) if extractor else ():
        texts = {"title": found.episode.title, "description": found.text}
        assert all(texts[m.field][m.start : m.end] == m.text for m in found.mentions)
        assert all(statement.quote in texts[statement.field] for statement in found.statements)
    return "read" if feed.entries else "empty"


def inputs(seed: int) -> Iterator[bytes]:
    chance = random.Random(seed)
    pages = directory(), directory_html(), best_of_html(BEST), listing([("A", "b"), ("C", "d")]), blog([("E", ("f",))])
    feeds = (path.read_bytes() for path in sorted(FEEDS.glob("*.xml")))
    documents = [*feeds, JSON, OPML, VTT, CHAPTERS, *(page.encode() for page in pages)]
    while True:
        yield damaged(chance.choice(documents), chance)


if __name__ == "__main__":
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Damaged documents, for some minutes.")
    options.add_argument("--minutes", type=float, default=10)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    extractor = Extractor(load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml")).concepts)
    ends, seen = time.monotonic() + 60 * given.minutes, Counter[str]()
    for number, document in enumerate(takewhile(lambda _: time.monotonic() < ends, inputs(given.seed))):
        began = time.process_time()
        try:
            seen[check(document, extractor if number % EXTRACTED == 0 else None)] += 1
            assert (took := time.process_time() - began) < SLOW, f"{took:.1f} seconds for {len(document):,} bytes"
        except BaseException:
            kept = Path(".fuzz") / f"{given.seed}-{number}"
            kept.parent.mkdir(exist_ok=True)
            kept.write_bytes(document)
            print(f"kept as {kept}", file=sys.stderr)
            raise
    print(f"{seen.total():,} inputs, none broke a law: {dict(seen)}")
