"""Addresses as they may be shown: without passwords, and without the tokens by which private feeds are read."""

import re
from urllib.parse import unquote, unquote_plus

from torchatlas.graph.values.model import MASK

_WELL_FORMED = re.compile(
    r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*://)(?P<person>[^/?#\\\s]*@)?"
    r"(?P<host>(?:[\w.-]+|\[[\w:.%]+\])(?::\d{1,5})?)(?=[/?#]|\Z)"
)
_VALUE = re.compile(r"(?<=[?&;#])(?:(?P<name>[^=&;#]*)=)?(?P<value>[^&;#]+)")
_SECRET = re.compile(
    r"token|(?<![a-z])key(?!word)|api_?key|auth(?!or(?!i[sz]))|(?<![a-z])sig(?:nature)?(?![a-z])|secret|passw|pwd"
    r"|(?<![a-z])pass(?![a-z])|credential|session|(?<![a-z])sid(?![a-z])|hmac|jwt",
    re.I,
)
_KNOWN = {"channel_id", "playlist_id"}  # long, and public: YouTube's feeds differ in nothing else
_RANDOM = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9_~+/=.-]{20,}|[0-9]{20,}|[A-Za-z0-9]{32,}")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_PATH = re.compile(r"\A[^?#;]*")
_SEGMENT = re.compile(r"(?<=/)(?P<value>[^/]+?)(?P<ending>\.[A-Za-z][A-Za-z0-9]{1,4})?(?=/|\Z)")
_RUN = re.compile(r"[A-Za-z0-9]+")
_MIXED = re.compile(r"[0-9][A-Za-z]")  # words, and the numbers behind them, have none
_MOST = 0.5  # of the letters and digits of a segment


def without_secrets(address: str) -> str:
    """Return the address without user name and password, and with a mask for each token in its path and query.

    A value of the query is masked by its name (token, key, auth, signature, password ...), or because it is long and
    looks random. A segment of the path is masked for its looks, too: "the-year-2024-in-review" are words. The path of
    a file on this computer stays.
    Of a malformed address only what follows the last "@" is returned, since nobody can tell where its password ends.

    >>> without_secrets("https://me:secret@example.org/feed.xml?token=12ab&page=2")
    'https://example.org/feed.xml?token=***&page=2'
    >>> without_secrets("https://example.org/q7ZkX29aZbC4dEfGhIjK/feed.xml")
    'https://example.org/***/feed.xml'
    >>> without_secrets("http://me:secret@[::1/feed.xml")
    '[::1/feed.xml'
    """
    head, rest, is_file = "", address, not _SCHEME.match(address)
    if found := _WELL_FORMED.match(address):
        head, rest = f"{found['scheme']}{found['host']}", address[found.end() :]
    elif ":" in (person := address.rpartition("@")[0]) or "//" in person:
        rest = address[len(person) + 1 :]
    if not is_file:
        rest = _PATH.sub(lambda path: _SEGMENT.sub(_masked_segment, path[0]), rest)
    return head + _VALUE.sub(_masked, rest)


def _masked(found: re.Match[str]) -> str:
    name = unquote_plus(found["name"] or "")
    random = name not in _KNOWN and _RANDOM.fullmatch(unquote_plus(found["value"]))
    if not (random or _SECRET.search(name)):
        return found[0]
    return MASK if found["name"] is None else f"{found['name']}={MASK}"


def _masked_segment(found: re.Match[str]) -> str:
    value = unquote(found["value"])
    mixed = sum(len(run) for run in _RUN.findall(value) if _MIXED.search(run))
    words = mixed < _MOST * sum(map(str.isalnum, value)) and not (value.isdigit() or value.isalpha())
    return found[0] if words or not _RANDOM.fullmatch(value) else f"{MASK}{found['ending'] or ''}"
