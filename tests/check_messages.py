"""Look for the words of each shipped message in a PyTorch: python -m tests.check_messages [FOLDER]

The folder is an unpacked wheel, else where PyTorch is installed. Only sources and libraries of that release are read.
"""

import sys
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from torchatlas.graph.messages import messages

read = cache(lambda path: path.read_bytes() if path.is_file() else b"")


def main(folder: str = "") -> str | None:
    """Print what is found and what is missing; return the line of a failure."""
    installed = find_spec("torch")
    if not folder and installed is None:
        print("No PyTorch is installed: pip install torch, or make check-messages TORCH=an unpacked wheel")
        return None
    place = Path(folder or Path(str(installed and installed.origin)).parents[1])
    try:
        wanted = [(m, word) for m in messages() if m.found for word in m.words]
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as e:
        return f"Error: data/messages.toml: {e}"
    lacking = ((m, word) for m, word in wanted if word.encode() not in read(place / m.found))
    missing = [f"{m.found}: no {word!r} ({m.concept})" for m, word in lacking]
    print(f"{len(messages())} messages; {len(wanted) - len(missing)} of {len(wanted)} fragments found in {place}")
    older = sum(not m.by + m.found for m in messages())
    print(f"{sum(bool(m.by) for m in messages())} by other programs, {older} older")
    return "\n".join([*missing, f"Error: {len(missing)} are missing"]) if missing else None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
