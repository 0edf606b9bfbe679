"""Notes to the person at the terminal: what takes long, what was left out, what changed by itself.

They go to the logger "torchatlas" as warnings. Without any set-up, Python prints these to standard error, as a notebook
shows; a program may handle the logger as it likes.
"""

import logging

from torchatlas.extract.characters import visible

_LOGGER = logging.getLogger("torchatlas")


def note(line: str) -> None:
    """Tell one line; control characters of names and feeds are made harmless.

    Example: note("set aside: a quote that is not in its text")
    """
    _LOGGER.warning("%s", visible(line))
