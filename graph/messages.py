"""Known messages and stack frames in a text that somebody pasted."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from torchatlas.graph.model import Value

_QUOTES_AND_BOXES = re.compile("[\\s'\"`´‘-‟«»\u2500-\u259f]+")
_COLOR = r"\x1b?\[\d*(?:;\d+)*m|\x1b\[[\d;?]*[A-Za-z]"
_LABELS = (  # put before each line by a launcher, Ray, glog, logging, Docker, pytest, mail
    r"\[[^\[\]\n]{1,60}\]:?|\([\w.-]+[ ,]pid=\d+[^()\n]{0,60}\):?|[VIWEF]\d{4} [^\]\n]{1,160}\]"
    r"|\d{4}-\d\d-\d\d[T ][\d:.,]+Z?|(?:DEBUG|INFO|WARNING|ERROR)\b:?|[\w.-]{1,40} {1,4}\|(?= )|E(?= {2})|[>|:-](?= )"
)
_ADDED = re.compile(rf"(?m){_COLOR}|^[ \t]*(?:(?:{_LABELS}|{_COLOR})[ \t]*)+|\[rank\d+\]:")
_ERROR = re.compile(
    r"(?:(?<![\w.])(?:\w+\.)*(?=[A-Z])\w*(?:Error|Exception|Warning|Failed|Unsupported|Node)|what\(\)): .*"
)
_HEADER = "Traceback (most recent call last)"
_FRAME = re.compile(
    r"(?<![\w.-])((?:aten/src/ATen|c10|caffe2|functorch|torchgen|torch(?!/lib/))/"
    r'(?:(?!-packages/)[\w./+-]){1,200}\.(?:py|cpp|cc|cuh?|h|hpp))(?:"?, line \d|:\d)'
)


class Message(Value):
    """A message of PyTorch by the words that never vary, and its `concept`.

    `found`: the file that holds them in the release `torch`; `by`: another program.
    """

    words: tuple[str, ...]
    concept: str
    meaning: str
    also: tuple[str, ...] = ()
    found: str = ""
    torch: str = ""
    by: str = ""

    @property
    def text(self) -> str:
        return " ... ".join(word.strip() for word in self.words)


@cache
def messages() -> tuple[Message, ...]:
    """Return the shipped messages, in 50 ms: `messages()[0].concept`."""
    listed = tomllib.loads((files("torchatlas.data") / "messages.toml").read_text("utf-8"))
    made = ({**each, "words": tuple(each["words"]), "also": tuple(each.get("also", ()))} for each in listed["message"])
    return tuple(Message(**{"torch": listed["torch"]} | facts) for facts in made)


def recognised(text: str) -> Message | None:
    """Return the message in a text: of several the longest, then the last.

    A warning counts where there is nothing else. Case, quotes, colors, labels before
    each line and line breaks, also inside a word, do not matter.

    >>> recognised("[rank0]: mat1 and mat2 shapes can\\r\\n[rank0]: not be multiplied (2x3 and 2x3)").concept
    'matrix-multiplication'
    """
    said, best, most = _folded(text), None, (False, 0, 0)
    for message in messages():
        words = [_folded(word) for word in message.words]
        if all(word in said for word in words):
            for hit in re.finditer(".{0,400}?".join(map(re.escape, words)), said):
                warned = "warning:" in said[max(0, hit.start() - 40) : hit.start()]
                best, most = max(
                    (best, most), (message, (not warned, sum(map(len, words)), hit.end())), key=lambda b: b[1]
                )
    return best


def _folded(text: str) -> str:
    return _QUOTES_AND_BOXES.sub("", _plain(text)).lower()


def _plain(text: str) -> str:
    """Return a text without colors and labels before its lines."""
    return _ADDED.sub("", "\n".join(text.splitlines()))


def frames(text: str) -> list[str]:
    """Return PyTorch's sources in the last traceback, C++ first, the deepest first.

    >>> frames('File "/lib/python3.12/site-packages/torch/_dynamo/guards.py", line 3, in check')
    ['torch/_dynamo/guards.py']
    """
    parts = (_FRAME.findall(part) for part in _plain(text).replace("\\", "/").split(_HEADER)[::-1])
    found = next(filter(None, parts), [])
    return [*dict.fromkeys([p for p in found if not p.endswith(".py")] + [p for p in found[::-1] if p.endswith(".py")])]


def is_pasted(text: str) -> bool:
    """Return whether a text is a log or traceback: `is_pasted("KeyError: 'a'")`."""
    return _HEADER in text or "\n" in text.strip() or bool(last_error(text))


def last_error(text: str) -> str:
    """Return the last line that names an error, else "": `last_error("KeyError: 1")`."""
    errors: list[str] = _ERROR.findall(_plain(text))
    return errors[-1] if errors else ""
