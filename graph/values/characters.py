"""Characters that a reader does not see: some of them a terminal would obey, some reorder or hide the others."""

import re

# Controls other than tab and line feed, marks that reorder or hide text, halves of characters, and the tags (E0000 to
# E007F), which can hide whole sentences that only a program reads.
# The joiners (200C, 200D) and direction marks (200E, 200F) that Arabic and Persian are written with stay.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def visible(text: str) -> str:
    r"""Return the text without the characters that a reader does not see; every line ends with a line feed.

    >>> visible("a\x1b[31m\u202eb\r\nc")
    'a[31mb\nc'
    """
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """Return a text without line breaks and control characters.

    >>> one_line("lantern \\n pass")
    'lantern pass'
    """
    return " ".join(visible(text).split())


def excerpt(text: str, longest: int) -> str:
    r"""Return the beginning of a text on one line, without the characters that a reader does not see.

    >>> excerpt("a\x1b[31m\u202e title\nin two lines", 10)
    'a[31m tit…'
    """
    line = one_line(text)
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def xml_text(text: str) -> str:
    r"""Return the text without the characters that XML 1.0 cannot hold, not even escaped.

    >>> xml_text("a\x00b\uffff")
    'ab'
    """
    return _NOT_XML.sub("", text)


def seen(text: str) -> str:
    r"""Return a JSON text in which each character that a reader does not see stands as \uXXXX: the same values.

    >>> seen('["a\u202eb"]')
    '["a\\u202eb"]'
    """
    import json

    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text)
