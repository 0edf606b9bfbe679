"""Episode actions of the gpodder.net API, version 2, as gPodder, AntennaPod, Kasts and servers of it exchange them.

https://gpoddernet.readthedocs.io/en/latest/api/reference/events.html, https://github.com/thrillfall/nextcloud-gpodder
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from torchatlas.extract.feeds import number, text_at
from torchatlas.extract.players.played import Played

_TOLERANCE = 30  # seconds before the end at which an episode counts as heard to the end


def played_in_actions(actions: Sequence[Mapping[str, Any]]) -> tuple[Played, ...]:
    """Return the episodes that were played to their end, in the order of their first action.

    The action "new" takes back what came before it. An action without a position says only that it was played, which
    counts as heard.

    >>> play = {"action": "play", "podcast": "https://example.org/feed", "episode": "https://example.org/1.mp3"}
    >>> [p.audio for p in played_in_actions([play | {"position": 580, "total": 600}])]
    ['https://example.org/1.mp3']
    >>> played_in_actions([play | {"position": 5, "total": 600}])
    ()
    """
    heard: dict[tuple[str, str], Played | None] = {}
    for action in sorted(actions, key=_moment):
        kind, key = text_at(action, "action").lower(), (text_at(action, "podcast"), text_at(action, "episode"))
        heard.setdefault(key, None)
        if kind == "new":
            heard[key] = None
        elif kind == "play" and _to_the_end(action):
            heard[key] = Played(audio=key[1], feed=key[0], guid=text_at(action, "guid"))
    return tuple(played for played in heard.values() if played)


def _to_the_end(action: Mapping[str, Any]) -> bool:
    position, total = number(action.get("position")), number(action.get("total"))
    if position is None:
        return action.get("position") is None
    return total is not None and 0 < total <= position + _TOLERANCE and position > 0


def _moment(action: Mapping[str, Any]) -> float:
    """Return when it was, in seconds; 0 where that is not told: such actions keep the order of the file."""
    told = action.get("timestamp")
    if isinstance(told, str):
        try:
            moment = datetime.fromisoformat(told)
            return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
        except (ValueError, OverflowError):
            return 0.0
    return number(told) or 0.0
