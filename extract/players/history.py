"""A person's listening history in a file of a podcast app; its content says in which format it is."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from torchatlas.extract.feeds import load_json, mappings_at
from torchatlas.extract.opml import outlines
from torchatlas.extract.players.antennapod import BEGINNING, played_in_antennapod
from torchatlas.extract.players.episode_actions import played_in_actions
from torchatlas.extract.players.overcast import EPISODE, played_in_overcast
from torchatlas.extract.players.played import Played
from torchatlas.extract.players.portcast import played_in_portcast
from torchatlas.extract.text import decoded
from torchatlas.graph.values.errors import SourceError, shortened

_MOST = 50_000_000  # bytes of JSON or XML: a hundred thousand actions have half as many
_KNOWN = (
    "episode actions of gPodder's API (JSON), PortCast (JSON), Overcast's export of all data (OPML) or AntennaPod's "
    "database"
)


def read_history(path: Path) -> tuple[Played, ...]:
    """Return the episodes that were heard. Raises SourceError for a file of another kind, or that cannot be read.

    Example: read_history(Path("actions.json"))
    """
    try:
        with path.open("rb") as file:
            beginning = file.read(len(BEGINNING))
            if beginning == BEGINNING:
                return played_in_antennapod(path)
            document = beginning + file.read(_MOST)
    except (OSError, ValueError) as e:
        reason = e.strerror if isinstance(e, OSError) else e
        raise SourceError(f"{shortened(str(path))!r} cannot be read ({reason}); name the file of an export") from e
    if len(document) > _MOST:
        raise SourceError(f"{path} is larger than {_MOST // 1_000_000} MB; export fewer episodes")
    if (listed := outlines(document)) is not None:
        if not any(outline.get("type") == EPISODE for outline in listed):
            raise SourceError(
                f"{path} lists feeds and no episodes; only Overcast's export of all data says what was heard"
            )
        return tuple(played_in_overcast(listed))
    text = decoded(document)
    if not text.lstrip().startswith(("{", "[")):
        raise _unknown(path)
    return _played(load_json(text, str(path)), path)


def _played(body: Any, path: Path) -> tuple[Played, ...]:
    if isinstance(body, list):
        body = {"actions": body}
    if isinstance(body, Mapping) and "portcast" in body:
        return played_in_portcast(body)
    if isinstance(body, Mapping) and isinstance(body.get("actions"), list):
        return played_in_actions(mappings_at(body, "actions"))
    raise _unknown(path)


def _unknown(path: Path) -> SourceError:
    return SourceError(f"{path} holds no listening history in a known format: {_KNOWN}")
