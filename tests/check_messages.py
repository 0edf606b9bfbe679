"""Look for the words of each shipped message in a PyTorch: python -m tests.check_messages [FOLDER]

The folder is an unpacked wheel; without one it is the PyTorch that is installed. A Python source or a library must
hold each fragment as it stands. Messages of other programs and of older releases cannot be looked up.
"""

import sys
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from torchatlas.graph.messages import messages


@cache
def content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def main(folder: str = "") -> str | None:
    """Print counts and what is missing; the line for standard error, None: all is there."""
    installed = find_spec("torch") if not folder else None
    if not folder and not (installed and installed.origin):
        print("No PyTorch is installed: pip install torch, or make check-messages TORCH=an unpacked wheel")
        return None
    try:
        listed = messages()
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as e:
        return f"Error: data/messages.toml: {e}"
    place = Path(folder) if folder or not installed else Path(str(installed.origin)).parents[1]
    if not (place / "torch").is_dir():
        return f"Error: {place} holds no folder torch; name the folder of an unpacked wheel"
    looked_up = [(message, word) for message in listed if message.found for word in message.words]
    missing = [(m, word) for m, word in looked_up if word.encode() not in content(place / m.found)]
    for message, word in missing:
        print(f"missing in {message.found}: {word!r} of {message.text!r} ({message.concept}, {message.torch})")
    print(f"{len(looked_up) - len(missing)} of {len(looked_up)} fragments of {len(listed)} messages found in {place}")
    print(f"{sum(bool(m.by) for m in listed)} messages are of other programs,", end=" ")
    print(f"{sum(not m.by + m.found for m in listed)} of older releases")
    return f"Error: {len(missing)} fragments are missing" if missing else None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
