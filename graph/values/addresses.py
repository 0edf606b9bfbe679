"""When two addresses are the same."""

from urllib.parse import urlsplit


def bare_address(address: str) -> str:
    """Return what makes an address the same in two sources: host, path and query. A malformed one stays as it is.

    >>> bare_address("http://www.Example.org/1.mp3?x=1#t=9"), bare_address("https://me@example.org/feed/")
    ('example.org/1.mp3?x=1', 'example.org/feed')
    """
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return address
    host = parts.netloc.lower().rpartition("@")[2].removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}" + (f"?{parts.query}" if parts.query else "")
