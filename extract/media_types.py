"""Media types by the ending of a file. Those of the standard library differ from one machine to another."""

from pathlib import PurePosixPath
from urllib.parse import urlsplit

_TYPES = {
    ".mp3": "audio/mpeg", ".m4a": "audio/mp4", ".m4b": "audio/mp4", ".aac": "audio/aac", ".ogg": "audio/ogg",
    ".oga": "audio/ogg", ".opus": "audio/ogg", ".flac": "audio/flac", ".wav": "audio/wav", ".mp4": "video/mp4",
    ".m4v": "video/mp4", ".mov": "video/quicktime", ".webm": "video/webm",
}  # fmt: skip


def media_type(address: str) -> str | None:
    """Return the media type of the file that an address names, None where its path has none of the known endings.

    >>> media_type("https://example.org/1.MP3?from=app"), media_type("https://example.org/watch?v=1.mp3")
    ('audio/mpeg', None)
    """
    try:
        path = urlsplit(address).path
    except ValueError:
        return None
    return _TYPES.get(PurePosixPath(path).suffix.lower())
