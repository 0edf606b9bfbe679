"""A plan as a list to tick off, in Markdown."""

from torchatlas.graph.answers import plan_markdown
from torchatlas.presentation.plan_formats.playlist import Playlist


def write(playlist: Playlist) -> str:
    """Return the list, as a notebook shows it.

    Example: Path("plan.md").write_text(write(playlist(graph, plan)))
    """
    return plan_markdown(playlist.plan)
