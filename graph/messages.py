"""Known messages and stack frames in a text that somebody pasted."""

import re
from functools import cache, lru_cache
from importlib.resources import files
from operator import itemgetter

from torchatlas.graph.model import Value

LONGEST = 20_000  # characters of a text that is asked
_QUOTES_AND_BOXES = re.compile("[\\s'\"`´‘-‟«»\u2500-\u259f]+")
_COLOR = r"\x1b?\[\d*(?:;\d+)*m|\x1b\[[\d;?]*[A-Za-z]"
_LABELS = (  # put before each line by a launcher, Ray, glog, logging, Docker, pytest, mail
    r"\[[^\[\]\n]{1,60}\]:?|\([\w.-]+[ ,]pid=\d+[^()\n]{0,60}\):?|[VIWEF]\d{4} [^\]\n]{1,160}\]"
    r"|\d{4}-\d\d-\d\d[T ][\d:.,]+Z?|(?:DEBUG|INFO|WARNING|ERROR)\b:?|[\w.-]{1,40} {1,4}\|(?= )|E(?= {2})|[>|:-](?= )"
)
_ADDED = re.compile(rf"(?m){_COLOR}|^[ \t]*(?:(?:{_LABELS}|{_COLOR})[ \t]*)+|\[rank\d+\]:")
_KINDS = "Error|Exception|Warning|Failed|Unsupported|Node"
_ERROR = re.compile(rf"(?:(?<![\w.])(?:\w+\.)*(?=[A-Z])\w*(?:{_KINDS})|what\(\)): .*")
_HEADER = "Traceback (most recent call last)"
_ROOTS = "aten/src/ATen|c10|caffe2|functorch|torchgen|torch(?!/lib/)"  # also the name of somebody's environment
_PATH = rf"(?:{_ROOTS})/(?:(?!-packages/)[\w./+-]){{1,200}}\.(?:py|cpp|cc|cuh?|h|hpp)"
_FRAME = re.compile(rf'(?<![\w.-])({_PATH})(?:"?, line \d|:\d)')
_NATIVE_FRAME = re.compile(
    r"(?m)^ *(?:frame )?#\d+:? +(?:0x[\da-f]+ in +)?((?:at|c10d?|torch)(?:::(?!Error|detail)\w+)+)"
)


class Message(Value):
    """The words of a message that never vary; `aside`: a warning, or around errors."""

    words: tuple[str, ...]
    concept: str
    meaning: str
    also: tuple[str, ...] = ()
    found: str = ""
    torch: str = ""
    by: str = ""
    aside: bool = False

    @property
    def text(self) -> str:
        return " ... ".join(word.strip() for word in self.words)


@cache
def messages() -> tuple[Message, ...]:
    """Return the shipped messages, in 50 ms: `messages()[0].concept`."""
    import tomllib

    listed = tomllib.loads((files("torchatlas.data") / "messages.toml").read_text("utf-8"))
    made = ({**each, "words": tuple(each["words"]), "also": tuple(each.get("also", ()))} for each in listed["message"])
    return tuple(Message(**{"torch": listed["torch"]} | facts) for facts in made)


@lru_cache(maxsize=8)  # one question asks for it up to three times
def recognised(text: str) -> Message | None:
    """Return the message in a text: of several the longest, then the last.

    One that is `aside` yields. Case, quotes, colors, labels and line breaks do not matter.

    >>> recognised("[rank0]: mat1 and mat2 shapes can\\r\\n[rank0]: not be multiplied (2x3 and 2x3)").concept
    'matrix-multiplication'
    """
    said = _folded(text)
    found = [
        (not message.aside, sum(map(len, words)), hit.end(), message)
        for words, message in ((list(map(_folded, message.words)), message) for message in messages())
        if all(word in said for word in words)
        for hit in re.finditer(".{0,400}?".join(map(re.escape, words)), said)
    ]
    return max(found, key=itemgetter(0, 1, 2))[-1] if found else None


def _plain(text: str) -> str:
    return _ADDED.sub("", "\n".join(text.splitlines()))


def _folded(text: str) -> str:
    return _QUOTES_AND_BOXES.sub("", _plain(text)).lower()


def frames(text: str) -> list[str]:
    """Return PyTorch's sources and C++ functions in the last stack, C++ first, the deepest first.

    >>> frames('File "/lib/python3.12/site-packages/torch/_dynamo/guards.py", line 3, in check')
    ['torch/_dynamo/guards.py']
    """
    parts = _plain(text).replace("\\", "/").split(_HEADER)[::-1]
    found = next(filter(None, map(_FRAME.findall, parts)), [])
    native = [path for path in found if not path.endswith(".py")] + _NATIVE_FRAME.findall(text)
    return list(dict.fromkeys(native + found[::-1]))


def is_pasted(text: str) -> bool:
    """Return whether a text is a log or traceback: `is_pasted("KeyError: 'a'")`."""
    return _HEADER in text or "\n" in text.strip() or bool(last_error(text))


def kept(text: str, name: str) -> str:
    """Return a text's message, `name` for a log, else all: `kept("vmap", "")`."""
    message = recognised(text)
    return message.text if message else name if is_pasted(text) or len(text) > 200 else text


def last_error(text: str) -> str:
    """Return the last line that names an error, else "": `last_error("KeyError: 1")`."""
    return next((str(found) for found in reversed(_ERROR.findall(_plain(text)))), "")
