"""From bytes to text. The bytes themselves count for more than the encoding that they declare."""

import codecs
import re

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EBCDIC = "<?xml".encode("cp037")
_NAME = r"[A-Za-z0-9][\w.:-]{0,40}"
_DECLARED = re.compile(
    rf"""<\?xml[^>]*?\sencoding\s*=\s*["'](?P<xml>{_NAME})["']|<meta\s[^>]*?charset\s*=\s*["']?(?P<html>{_NAME})""",
    re.A | re.I,
)
_HEAD = 2_000  # characters in which the declaration stands
# Names that the web reads as their supersets: https://encoding.spec.whatwg.org/#names-and-labels
_SUPERSETS = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "tis-620": "cp874",
}
_NOT_FOR_TEXTS = {"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape"}
_SEVERAL = 3
"""This many letters beyond ASCII that form valid UTF-8 are UTF-8, whatever is declared."""

_HALVES = re.compile(rb"\xed[\xa0-\xaf][\x80-\xbf]\xed[\xb0-\xbf][\x80-\xbf]|\xed[\xa0-\xbf][\x80-\xbf]")
_STRAY = re.compile("[\udc80-\udcff]")
_RUN = re.compile("[\udc80-\udcff]{3,}")
_SAMPLE = 10_000  # bytes that an encoding is guessed from
_WINDOWS = {0xDC00 + byte: bytes([byte]).decode("cp1252", "replace") for byte in range(0x80, 0x100)}


def decoded(document: bytes, stated: str = "") -> str:
    """Return the text of an XML, JSON or HTML document. Never fails: a byte that fits nowhere costs one letter.

    >>> decoded("<?xml version='1.0' encoding='koi8-r'?><a>Привет</a>".encode("koi8-r"))[-10:-4]
    'Привет'

    A byte order mark decides. Then text that is UTF-8 is read as UTF-8, whatever is declared. Then the declaration
    counts, then the encoding `stated` by the sender, then UTF-8 with the Windows-1252 bytes that many feeds contain.
    """
    for mark, encoding in _MARKS:
        if document.startswith(mark):
            return document[len(mark) :].decode(encoding, "replace")
    if encoding := _wide(document[:64]):
        return document.decode(encoding, "replace")
    if document.startswith(_EBCDIC):
        declared = _declared(document[:_HEAD].decode("cp037"))
        return document.decode(declared if declared.startswith("cp") else "cp037", "replace")
    marked = document.startswith(codecs.BOM_UTF8)
    text = _HALVES.sub(_joined, document.removeprefix(codecs.BOM_UTF8)).decode("utf-8", "surrogateescape")
    strays = len(_STRAY.findall(text))
    letters = len(text) - len(text.encode("ascii", "ignore")) - strays
    declared = "" if marked else _declared(text[:_HEAD], stated)
    if declared and letters < max(_SEVERAL, 4 * strays) and (strays or declared != "cp1252"):
        return document.decode(declared, "replace")
    if not declared and letters < strays and (guess := _guessed(document, text)):
        return document.decode(guess, "replace")
    return text.translate(_WINDOWS) if strays else text


def _guessed(document: bytes, text: str) -> str:
    """Return the encoding of another script, whose words are runs of bytes beyond ASCII; "" without such runs."""
    runs = sum(len(run) for run in _RUN.findall(text))
    if 2 * runs < len(_STRAY.findall(text)):
        return ""
    from charset_normalizer import from_bytes

    first = next(_RUN.finditer(text)).start()  # a place in the text is at most that place in the document
    best = from_bytes(document[max(0, first - 200) :][:_SAMPLE]).best()
    return best.encoding if best else ""


def _declared(head: str, stated: str = "") -> str:
    """Return Python's name of the declared encoding; "" for UTF-8, for none, and for one that cannot be true."""
    found = _DECLARED.search(head)
    try:
        name = codecs.lookup((found["xml"] or found["html"] if found else stated) or "utf-8").name
        b"<".decode(name, "replace")  # codecs that are not for text (zlib, hex) are refused here
    except (LookupError, UnicodeError):
        return ""
    return (
        "" if name.startswith(("utf-8", "utf-16", "utf-32")) or name in _NOT_FOR_TEXTS else _SUPERSETS.get(name, name)
    )


def _wide(head: bytes) -> str:
    """Return the name of UTF-16 or UTF-32 without a mark, told by the places of its zero bytes; "" for others."""
    half = len(head) // 2
    even, odd = head[::2].count(0), head[1::2].count(0)
    order = "le" if odd > even else "be"
    low, high = sorted((even, odd))
    if not half or high <= 0.7 * half:
        return ""
    if low <= 0.3 * half:
        return f"utf-16-{order}"
    return f"utf-32-{order}" if low <= 0.6 * half else ""


def _joined(halves: re.Match[bytes]) -> bytes:
    """Join surrogates that were written as UTF-8 one by one, as Java does: two halves are a letter, one is none."""
    if len(halves[0]) == 3:
        return "\ufffd".encode()
    return halves[0].decode("utf-8", "surrogatepass").encode("utf-16", "surrogatepass").decode("utf-16").encode()
