"""Files of the user's: written whole or not at all."""

import tempfile
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write beside the file, then move into place, so that a full disk or Ctrl-C leaves the old one. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as beside:
        try:
            beside.write(content)
        except OSError:
            Path(beside.name).unlink()
            raise
    Path(beside.name).replace(path)
