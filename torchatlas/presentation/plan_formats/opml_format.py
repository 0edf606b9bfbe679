"""The feeds of a plan's shows as OPML, which podcast apps import: http://opml.org/spec2.opml"""

from xml.etree.ElementTree import Element

from torchatlas.presentation.plan_formats.markup import add, document
from torchatlas.presentation.plan_formats.playlist import Playlist


def write(playlist: Playlist) -> str:
    """Return the list of feeds. Shows whose feed is unknown are left out.

    Example: Path("shows.opml").write_text(write(playlist(graph, plan)))
    """
    root = Element("opml", version="2.0")
    add(add(root, "head"), "title", playlist.title)
    body = add(root, "body")
    for address, item in playlist.feeds.items():
        show = item.episode.show
        add(body, "outline", text=show, title=show, type="rss", xmlUrl=address)
    return document(root)
