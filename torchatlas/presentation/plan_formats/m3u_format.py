"""A plan as an extended M3U playlist in UTF-8."""

from torchatlas.presentation.plan_formats.playlist import Item, Playlist


def write(playlist: Playlist) -> str:
    """Return the playlist. An episode without audio is a comment with the address of its page.

    Example: Path("plan.m3u8").write_text(write(playlist(graph, plan)))
    """
    lines = ["#EXTM3U", "#EXTENC:UTF-8", f"#PLAYLIST:{playlist.title}"]
    for place, item in enumerate(playlist.items, 1):
        lines += _lines(place, item)
    return "\n".join(lines) + "\n"


def _lines(place: int, item: Item) -> tuple[str, ...]:
    if item.audio is None:
        return (f"# {place}. {item.title}: no audio here{f', see {item.page}' if item.page else ''}",)
    seconds = -1 if item.seconds is None else item.seconds
    return f"#EXTINF:{seconds},{item.title}", item.audio
