"""Addresses as they may be shown: without passwords, and without the tokens by which private feeds are read."""

import re
from urllib.parse import unquote_plus

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
_MASK = "***"


def without_secrets(address: str) -> str:
    """Return the address without user name and password, and with a mask for each token in its query.

    A value is masked by its name (token, key, auth, signature, password ...), or because it is long and looks random.
    Of a malformed address only what follows the last "@" is returned, since nobody can tell where its password ends.

    >>> without_secrets("https://me:secret@example.org/feed.xml?token=12ab&page=2")
    'https://example.org/feed.xml?token=***&page=2'
    >>> without_secrets("http://me:secret@[::1/feed.xml")
    '[::1/feed.xml'
    """
    if found := _WELL_FORMED.match(address):
        address = f"{found['scheme']}{found['host']}{address[found.end() :]}"
    elif ":" in (person := address.rpartition("@")[0]) or "//" in person:
        address = address[len(person) + 1 :]
    return _VALUE.sub(_masked, address)


def _masked(found: re.Match[str]) -> str:
    name = unquote_plus(found["name"] or "")
    random = name not in _KNOWN and _RANDOM.fullmatch(unquote_plus(found["value"]))
    if not (random or _SECRET.search(name)):
        return found[0]
    return _MASK if found["name"] is None else f"{found['name']}={_MASK}"
