"""The episodes alone: how they are related and which goes after which, on the map or in the order of time."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from torchatlas.graph.drawing import areas_of
from torchatlas.graph.formatting import counted
from torchatlas.graph.model import Snapshot
from torchatlas.ui.pictures.view import GROWTH, Caption, Dot, Picture, Sizes, map_picture

LANE, STEP = 180, 44
"""Pixels between two areas, and between an episode and the next."""

YEAR = 200
"""Pixels that the name of a year takes at least."""

MINUTES = 4
"""So many minutes make the square of an episode larger by one step."""

LENGTHS = Sizes(
    "episode", least="short", most=f"{GROWTH * MINUTES} min or longer",
    told="The longer an episode is, the larger is its square.",
)  # fmt: skip


def episodes_picture(graph: Snapshot, area: str | None = None, *, by_time: bool = False) -> Picture:
    """Return all episodes, or those of an area; the longer, the larger. Their lines are drawn without a choice, too.

    `by_time`: from left to right as they came out, each area in a lane of its own.
    """
    found = map_picture(graph, area, "episodes")
    length = {e.id: e.minutes or 0 for e in graph.episodes}
    picture = replace(
        found,
        dots=tuple(replace(dot, weight=min(GROWTH, length[dot.id] // MINUTES)) for dot in found.dots),
        lines=tuple(replace(line, quiet=False) for line in found.lines),
        sizes=LENGTHS,
        name=f"{counted(len(found.dots), 'episode')} {'in the order of time' if by_time else 'on the map'}",
    )
    return _in_time(graph, picture) if by_time else picture


def _in_time(graph: Snapshot, picture: Picture) -> Picture:
    """Return the picture with its dots moved: time decides how far to the right, the area how far down."""
    area_of, day = areas_of(graph), _days(graph)
    found = {area_of[dot.id] for dot in picture.dots}
    lane = {name: row * LANE for row, name in enumerate([*(n for n in graph.areas if n in found), ""])}
    ordered = sorted(picture.dots, key=lambda dot: (day[dot.id], dot.id))
    dots: list[Dot] = []
    years: dict[str, int] = {}
    for place, dot in enumerate(ordered):
        if not years or place * STEP - max(years.values()) > YEAR:
            years.setdefault(day[dot.id][0][:4], place * STEP)
        dots.append(replace(dot, x=place * STEP, y=lane[area_of[dot.id]]))
    captions = [Caption(year, x=x, y=-LANE) for year, x in years.items()]
    captions += [Caption(name, x=-STEP, y=y, ends=True) for name, y in lane.items() if name]
    return replace(picture, dots=tuple(dots), captions=tuple(captions), areas=())


def _days(graph: Snapshot) -> Mapping[str, tuple[str, tuple[int, int]]]:
    """Return when each episode came out, as (day, position); without a day, that of the one before it in its show."""
    shows = defaultdict(list)
    for episode in graph.episodes:
        shows[episode.show].append(episode)
    found = {}
    for episodes in shows.values():
        last = min((e.published for e in episodes if e.published), default="")
        for episode in sorted(episodes, key=lambda e: (e.position, e.id)):
            last = max(last, episode.published or "")
            found[episode.id] = (episode.published or last, episode.position)
    return found
