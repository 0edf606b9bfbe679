"""The files that ship with the program, as (name, text) pairs."""

from importlib.resources import files

SHOW = "PyTorch Developer Podcast"
"""The show that the bundled catalogue is about."""


def bundled(folder: str, suffix: str) -> tuple[tuple[str, str], ...]:
    """The texts of a folder of `data`, sorted by name; names as in "data/concepts/autograd.toml"."""
    found = sorted(
        (f for f in (files("torchatlas.data") / folder).iterdir() if f.name.endswith(suffix)), key=lambda f: f.name
    )
    return tuple((f"data/{folder}/{f.name}", f.read_text("utf-8")) for f in found)


def bundled_file(name: str) -> tuple[str, str]:
    """One file of `data`."""
    return f"data/{name}", (files("torchatlas.data") / name).read_text("utf-8")
