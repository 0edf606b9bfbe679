"""PortCast documents, which carry a listener's history from app to app: https://portcast.org"""

from collections.abc import Mapping
from typing import Any

from torchatlas.extract.feeds import mappings_at, text_at
from torchatlas.extract.players.played import Played


def played_in_portcast(document: Mapping[str, Any]) -> tuple[Played, ...]:
    """Return the episodes whose state is completed. An archived one was dismissed without listening.

    >>> episode = {"guid": "g1", "status": "completed", "title": "Strides"}
    >>> played_in_portcast({"portcast": "0.2.0", "episodes": [episode, episode | {"status": "archived"}]})[0].guid
    'g1'
    """
    return tuple(
        Played(
            guid=text_at(episode, "guid"),
            audio=text_at(episode, "enclosureUrl"),
            feed=text_at(reference, "feedUrl") if isinstance(reference := episode.get("subscriptionRef"), dict) else "",
            title=text_at(episode, "title"),
        )
        for episode in mappings_at(document, "episodes")
        if episode.get("status") == "completed"
    )
