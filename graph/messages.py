"""Known messages and stack frames in a text that somebody pasted."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from torchatlas.graph.errors import DataError
from torchatlas.graph.model import Value

LEAST = 16  # letters of a message: fewer may stand in any sentence
_GAP = 400  # letters between two fragments, at most
_UNSAID = str.maketrans("", "", "'\"`´‘’‚‛“”„‟«»" + "".join(map(chr, range(0x2500, 0x25A0))))  # quotes, and boxes
_COLOR = r"\x1b?\[\d*(?:;\d+)*m|\x1b\[[\d;?]*[A-Za-z]"
_LABELS = (  # what a launcher, logger or mail puts before each line
    r"\[[^\[\]\n]{1,60}\]:?",
    r"\([\w.-]+[ ,]pid=\d+[^()\n]{0,60}\):?",
    r"[VIWEF]\d{4} [^\]\n]{1,160}\]",
    r"\d{4}-\d\d-\d\d[T ][\d:.,]+Z?",
    r"(?:DEBUG|INFO|WARNING|ERROR|CRITICAL)\b:?",
    r"[\w.-]{1,40} {1,4}\|(?= )",
    r"E(?= {2})",
    r"[>|:-](?= )",
)
_LABEL = re.compile(rf"(?m)^[ \t]*(?:(?:{'|'.join(_LABELS)})[ \t]*)+|\[rank\d+\]:")
_ERROR = re.compile(
    r"((?<![\w.])(?:\w+\.)*(?=[A-Z])\w*(?:Error|Exception|Warning|Failed|Unsupported|Node): |what\(\): ).*"
)
_HEADER = "Traceback (most recent call last)"
_ROOTS = (
    "aten/src/ATen|c10|caffe2|functorch|torchgen|torch(?!/(?:lib|bin|share)/)"  # an environment may be called torch
)
_FRAME = re.compile(rf"(?<![\w.-])((?:{_ROOTS})/[\w./+-]{{1,200}}\.(?:py|cpp|cc|cuh?|h|hpp))(?:\"?, line \d|:\d)")
_INCLUDED = re.compile(r".*torch/include/(?=c10/|caffe2/|torch/)|.*/(?=torch/)")


class Message(Value):
    """A message of PyTorch, as the fragments that never vary, and its `concept`.

    `found`: the file of the wheel of `torch` that holds them; `by`: who prints it otherwise.
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

    @property
    def letters(self) -> int:
        return sum(map(str.isalpha, "".join(self.words)))


@cache
def messages() -> tuple[Message, ...]:
    """Return the shipped messages: `messages()[0].concept`. Reading takes 50 ms."""
    return parse_messages((files("torchatlas.data") / "messages.toml").read_text("utf-8"))


def parse_messages(text: str) -> tuple[Message, ...]:
    r"""Read a text like data/messages.toml. Raises DataError.

    Example: `parse_messages('torch = "2.15"\nmessage = []')`
    """
    made, entry = list[Message](), dict[str, Any]()
    try:
        listed = tomllib.loads(text)
        for entry in listed["message"]:
            facts = {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
            made.append(Message(**{"torch": listed["torch"]} | facts))
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as e:
        raise DataError(f"data/messages.toml: {entry.get('words', '')} cannot be read ({e})") from e
    return tuple(made)


def recognised(text: str) -> Message | None:
    """Return the message that a text holds; of several the longest, then the last.

    A warning counts only where nothing else is said. Case, quotes, colours, the labels
    of a launcher and line breaks, also inside a word, do not matter.

    >>> recognised("[rank0]: mat1 and mat2 shapes can\\r\\n[rank0]: not be multiplied (2x3 and 2x3)").concept
    'matrix-multiplication'
    """
    said, best, rank = _folded(unlabelled(text)), None, (False, 0, -1)
    for message, fragments in _fragments():
        at = _last(said, fragments)
        if at >= 0 and (found := ("warning:" not in said[max(0, at - 40) : at], message.letters, at)) > rank:
            best, rank = message, found
    return best


@cache
def _fragments() -> tuple[tuple[Message, tuple[str, ...]], ...]:
    return tuple((message, tuple(map(_folded, message.words))) for message in messages())


def _last(said: str, fragments: tuple[str, ...]) -> int:
    """Return where the last occurrence of fragments near one another begins, else -1."""
    *before, last = fragments
    at = said.rfind(last)
    while at >= 0:
        start = at
        for fragment in reversed(before):
            if (start := said.rfind(fragment, max(0, start - _GAP - len(fragment)), start)) < 0:
                break
        if start >= 0:
            return start
        at = said.rfind(last, 0, at)
    return -1


def _folded(text: str) -> str:
    """Return a text without blanks and quotes, in lower case."""
    return "".join(text.translate(_UNSAID).lower().split())


def unlabelled(text: str) -> str:
    r"""Drop colours and what stands before each line: `unlabelled("\x1b[31m[rank0]: a")`."""
    return _LABEL.sub("", re.sub(_COLOR, "", text.replace("\r\n", "\n").replace("\r", "\n")))


def frames(text: str) -> list[str]:
    """Return PyTorch's source files in a traceback, the deepest first, each once.

    Files in C++ come before those in Python; of a chain of errors the last one counts.

    >>> frames('File "/lib/python3.12/site-packages/torch/_dynamo/guards.py", line 3, in check')
    ['torch/_dynamo/guards.py']
    """
    for part in reversed(unlabelled(text).replace("\\", "/").split(_HEADER)):
        found = [_INCLUDED.sub("", path) for path in _FRAME.findall(part)]
        found = [path.replace("torch/include/ATen", "aten/src/ATen") for path in found]
        if found:
            native = [path for path in found if not path.endswith(".py")]
            return list(dict.fromkeys(native + found[::-1]))
    return []


def is_pasted(text: str) -> bool:
    """Return whether a text is a log or traceback: `is_pasted("KeyError: 'a'")`."""
    return _HEADER in text or "\n" in text.strip() or bool(_ERROR.search(unlabelled(text)))


def last_error(text: str) -> str:
    r"""Return the last line that names an error, else "": `last_error("x\nKeyError: 1")`."""
    found = [match[0] for match in _ERROR.finditer(unlabelled(text))]
    return found[-1] if found else ""
