"""The files that ship with the program, as (name, text) pairs."""

from importlib.resources import files

from torchatlas.graph.model import Show

SHOW = Show(
    "pytorch-developer-podcast",
    "PyTorch Developer Podcast",
    author="Edward Yang, Team PyTorch",
    url="https://pytorch-dev-podcast.simplecast.com",
    feed_url="https://feeds.simplecast.com/OB5FkIl8",
)
"""The show that the bundled catalogue is about. Its feed brings the audio, which the catalogue lacks."""


def bundled(folder: str, suffix: str) -> tuple[tuple[str, str], ...]:
    """Return the texts of a folder of `data`, by name.

    >>> bundled("questions", ".cypher")[0][0]
    'data/questions/after.cypher'
    """
    names = sorted(f.name for f in (files("torchatlas.data") / folder).iterdir() if f.name.endswith(suffix))
    return tuple(bundled_file(f"{folder}/{name}") for name in names)


def bundled_file(name: str) -> tuple[str, str]:
    """Return one file of `data`.

    >>> bundled_file("unplaced.toml")[0]
    'data/unplaced.toml'
    """
    return f"data/{name}", (files("torchatlas.data") / name).read_text("utf-8")
