"""AntennaPod's exported database, an SQLite file: its table FeedItems says which episodes are marked as played.

https://github.com/AntennaPod/AntennaPod/blob/develop/storage/database (PodDBAdapter)
"""

import sqlite3
from contextlib import closing
from pathlib import Path

from torchatlas.extract.players.played import Played
from torchatlas.graph.values.errors import SourceError

BEGINNING = b"SQLite format 3\0"
"""The first bytes of a database."""

_STEPS = 20_000_000  # of SQLite's machine, a second: a view could count for ever
_PLAYED = """
    SELECT item.item_identifier, media.download_url, item.link, feed.download_url, item.title
    FROM FeedItems AS item
    LEFT JOIN FeedMedia AS media ON media.feeditem = item.id
    LEFT JOIN Feeds AS feed ON feed.id = item.feed
    WHERE item.read = 1
    ORDER BY item.id
"""


def played_in_antennapod(path: Path) -> tuple[Played, ...]:
    """Return the episodes that are marked as played. The file is only read. Raises SourceError for another database.

    Example: played_in_antennapod(Path("AntennaPodBackup.db"))[0].title
    """
    address = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            database.execute("PRAGMA trusted_schema = OFF")
            database.text_factory = lambda text: text.decode("utf-8", "replace")
            database.set_progress_handler(lambda: 1, _STEPS)
            rows = database.execute(_PLAYED).fetchall()
    except sqlite3.Error as e:
        raise SourceError(f"{path} is no database that AntennaPod has exported ({e}); export it again") from e
    return tuple(_played(*(value if isinstance(value, str) else "" for value in row)) for row in rows)


def _played(guid: str, audio: str, page: str, feed: str, title: str) -> Played:
    return Played(guid=guid, audio=audio, page=page, feed=feed, title=title)
