"""A plan as JSON, for programs."""

from torchatlas.presentation.answer_json import dumps
from torchatlas.presentation.plan_formats.playlist import Playlist


def write(playlist: Playlist) -> str:
    """Return the plan with all its parts.

    Example: Path("plan.json").write_text(write(playlist(graph, plan)))
    """
    return dumps(playlist.plan) + "\n"
