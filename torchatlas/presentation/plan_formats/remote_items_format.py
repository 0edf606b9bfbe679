"""A plan as a list feed of the podcast namespace: it points to the episodes in their own feeds.

https://podcasting2.org/docs/podcast-namespace/tags/remote-item and .../tags/medium (list mediums)
"""

from torchatlas.presentation.plan_formats.identity import feed_guid, plan_guid
from torchatlas.presentation.plan_formats.markup import add, document, feed
from torchatlas.presentation.plan_formats.playlist import Playlist


def write(playlist: Playlist) -> str:
    """Return the list. Episodes whose feed or guid is unknown are left out.

    Example: Path("plan.remote.xml").write_text(write(playlist(graph, plan)))
    """
    root, channel = feed(playlist.title)
    add(channel, "description", playlist.plan.heading)
    add(channel, "podcast:guid", plan_guid(playlist.plan, "list"))
    add(channel, "podcast:medium", "podcastL")
    for item in playlist.items:
        if item.remote:
            address, guid = item.remote
            add(
                channel, "podcast:remoteItem", feedGuid=feed_guid(address), feedUrl=address, itemGuid=guid,
                title=item.title,
            )  # fmt: skip
    return document(root)
