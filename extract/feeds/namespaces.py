"""The XML namespaces that podcasts use, by the prefixes that they are usually given."""

NAMESPACES = {
    "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "podcast": "https://podcastindex.org/namespace/1.0",
    "dc": "http://purl.org/dc/elements/1.1/",
    "media": "http://search.yahoo.com/mrss/",
    "atom": "http://www.w3.org/2005/Atom",
    "psc": "http://podlove.org/simple-chapters",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
}

# The second is the address under which the namespace was first published. Many feeds still state it.
PODCAST = {
    NAMESPACES["podcast"],
    "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
}
