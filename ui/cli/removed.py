"""Commands and options of former versions: each is answered with what to use instead."""

from collections.abc import Sequence

_FORMATS = "plans have the formats text, rss, ics, markdown, html and json; players take --format rss"
REMOVED: dict[tuple[str, ...], str] = {
    (
        "heard",
        "--from",
    ): "heard --from was removed: write the numbers or titles of the episodes to a text file, and use "
    "heard --file FILE",
    ("extract", "--model"): "extract --model was removed, since no pipeline changed what is found: leave it out",
    ("extract", "--all"): "extract --all was removed, since no statement is unsure: leave it out",
    ("plan", "--format", "m3u"): f"m3u was removed: {_FORMATS}",
    ("plan", "--format", "opml"): f"opml was removed: {_FORMATS}",
    ("plan", "--format", "remote-items"): f"remote-items was removed: {_FORMATS}",
}
"""A command, with the words of an option where only that was removed -> what to use instead."""


def replacement(arguments: Sequence[str]) -> str:
    """Return what to use instead of a removed command or option in the arguments, "" where they have none.

    >>> replacement(["heard", "--from=app.db"]) == REMOVED["heard", "--from"]
    True
    >>> replacement(["plan", "vmap", "--from", "2026-12-01"])
    ''
    """
    words = [word for each in arguments for word in (each.split("=", 1) if each.startswith("--") else [each])]
    for (command, *option), instead in REMOVED.items():
        places = range(1, len(words) + 1)
        if words[:1] == [command] and any(words[at : at + len(option)] == option for at in places):
            return instead
    return ""
