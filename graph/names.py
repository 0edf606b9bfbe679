"""Names, ids, numbers and addresses: which are the same, and which was meant.

`fold` is for typed names, `spelling` for files, `folded_title` for two sources.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable
from urllib.parse import urlsplit

MEDIA = {"episode": "audio", "trailer": "audio", "video": "video"}  # by kind; all others are "text"
ONLY = ("audio", "video", "text")
MASK = "***"  # for each token: two masked addresses may differ
LONGEST = 100  # characters that a part of an episode's id may have
# Controls but tab and line feed, marks that reorder or hide text, surrogates, tags.
# The joiners and direction marks (200C to 200F) of Arabic and Persian stay.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u200b\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
)
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_WORD = re.compile(r"[^\W_]+(?:\+\+)?")


def visible(text: str) -> str:
    r"""Drop invisible characters: `visible("a\x1b[31m\u202eb")` is "a[31mb"."""
    return _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    r"""Drop line breaks and controls: `one_line("a\n pass")` is "a pass"."""
    return " ".join(visible(text).split())


def excerpt(text: str, longest: int) -> str:
    r"""Return the start on one line: `excerpt("in\ntwo lines", 7)` is "in two…"."""
    line = one_line(text)
    return line if len(line) <= longest else f"{line[: longest - 1].rstrip()}…"


def xml_text(text: str) -> str:
    r"""Drop what XML 1.0 cannot hold: `xml_text("a\x00b\uffff")` is "ab"."""
    return _NOT_XML.sub("", text)


def seen(text: str) -> str:
    r"""Write unseen characters of a JSON text as \uXXXX: `seen('["\u202e"]')`."""
    return _UNSEEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


def words(text: str) -> list[str]:
    """Return words in lower case: `words("C++, a_dot")` is ["c++", "a", "dot"]."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


STOP_WORDS = frozenset(
    words(
        "a an and are as at be been between but by can could did difference do does doing for from had happen"
        " happens has have how i if in into is it its me my no not of off on one or our should so such than that"
        " the their them then there these they this to up use used using was we were what when where which while"
        " who whose why will with without work works would you your"
    )
)
"""Words that say nothing about the subject of a question or a text."""


def without_s(word: str) -> str:
    """Drop a plural's s: `without_s("keys")` is "key", but "class" keeps its s."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def telling_words(text: str) -> list[str]:
    """Return all but stop words, singular: `telling_words("it holds keys")`."""
    return [without_s(word) for word in words(text) if word not in STOP_WORDS]


def fold(text: str) -> str:
    """Drop case, marks, spaces and plurals: `fold("Torch.Keys")` is "torchkey"."""
    return "".join(map(without_s, words(text)))


def spelling(name: str) -> str:
    """Drop case and hyphens: `spelling("Dispatch_Key")` is "dispatch key"."""
    return re.sub(r"[\s_-]+", " ", name.casefold()).strip()


def folded_title(title: str) -> str:
    """Drop case, and marks if words remain: `folded_title("A-b!")` is "a b"."""
    return " ".join(words(title) or title.split())


def suggest(name: str, known: Iterable[str], limit: int = 3) -> list[str]:
    """Return similar known names, best first: `suggest("strids", ["stride"])`."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    def likeness(a: str, b: str, score_cutoff: float | None = None) -> float:
        short, long = sorted((a, b), key=len)
        within = 0.5 + 0.5 * len(short) / len(long) if len(short) > 3 and short in long else 0.0
        return max(within, OSA.normalized_similarity(a, b, score_cutoff=score_cutoff))

    every = sorted(set(known)) if fold(name) else []
    return [m[0] for m in process.extract(name, every, processor=fold, scorer=likeness, score_cutoff=0.6, limit=limit)]


def did_you_mean(name: str, known: Iterable[str], limit: int = 2) -> str:
    """Ask whether a similar name was meant: `did_you_mean("nummer", ["number"])`."""
    names = suggest(name, {*known} - {name}, limit)
    return f"; did you mean {' or '.join(names)}?" if names else ""


def show_id(title: str) -> str:
    """Make an id in any script: `show_id("The C++ Show")` is "the-cpp-show"."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", title).casefold()).replace("++", "pp")
    kept = (c if c.isalnum() or unicodedata.category(c)[0] == "M" else " " for c in folded)
    whole = "-".join("".join(kept).split())
    if whole and len(whole) <= LONGEST:
        return whole
    return f"{whole[: LONGEST - 9].rstrip('-') or 'untitled'}-{stable_hash(title)}"


def episode_id(show: str, title: str) -> str:
    """Return the id of an episode: `episode_id("A Show", "One")` is "a-show/one"."""
    return f"{show_id(show)}/{show_id(title)}"


def concept_id(written: str) -> str:
    """Keep Latin letters and digits: `concept_id("at::dot()")` is "at-dot"."""
    return re.sub(r"[^a-z0-9]+", "-", written.lower()).strip("-")


def stable_hash(*parts: str) -> str:
    """Return eight stable hex digits: `stable_hash("a", "b")` is "f04cdced"."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:8]


_EPISODE = r"(?:episode|ep\.?|e|\#)\s*+\#?\s*+(\d{1,9})"  # possessive, for time that grows with the length
_SEASONED = rf"s(?:eason)?\s*+(\d{{1,6}})\s*+[,:.·-]?\s*+{_EPISODE}"
_OF_SEASON = rf"{_EPISODE}[\s,]++(?:of\s++s(?:eason)?|(?:(?:from|in)\s++)?season)\s*+(\d{{1,6}})"
_FORMS = (  # the season comes first in most
    (re.compile(_SEASONED, re.I), (1, 2)),
    (re.compile(_OF_SEASON, re.I), (2, 1)),
    (re.compile(r"(\d{1,3})x(\d{1,4})", re.I), (1, 2)),
)
_NUMBER = re.compile(r"(?:episode|ep\.?|no\.?|number|#)?\s*+#?\s*+(\d{1,9})", re.I)
NUMBER_IN_TEXT = re.compile(  # "2x01" and "no. 5" count episodes only where a person types nothing else
    rf"(?<![\w'’&#/-])(?:{_SEASONED}|{_OF_SEASON}|(?:ep(?:isode|\.)?\s*+#?|#)\s*+\d{{1,9}})(?!\w|[.,:/–-]\d)", re.I
)


def numbered(number: int | None, season: int | None = None) -> str:
    """Return a number as podcast apps show it: `numbered(1, 2)` is "S2 E1"."""
    return "" if number is None else f"#{number}" if season is None else f"S{season} E{number}"


def asked_number(text: str) -> tuple[int, int | None] | None:
    """Read a number and season, or None: `asked_number("s02e01")` is (1, 2)."""
    for form, (season, number) in _FORMS:
        if found := form.fullmatch(text):
            return int(found[number]), int(found[season])
    return (int(found[1]), None) if (found := _NUMBER.fullmatch(text)) else None


def bare_address(address: str) -> str:
    """Keep host, path, query: `bare_address("http://A.org/1/#t")` is "a.org/1"."""
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return address
    host = parts.netloc.lower().rpartition("@")[2].removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}" + (f"?{parts.query}" if parts.query else "")
