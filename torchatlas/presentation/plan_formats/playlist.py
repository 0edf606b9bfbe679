"""A plan with the facts of its episodes that players want: what every format is made of."""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass
from datetime import date, datetime
from itertools import groupby
from shlex import quote as quote_for_shell

from torchatlas.extract.feeds import Chapter
from torchatlas.extract.fetch import without_secrets
from torchatlas.graph.answers import Plan, Session, Step, Stretch
from torchatlas.graph.formatting import counted, web_address
from torchatlas.graph.model import Episode, Snapshot
from torchatlas.graph.names import MASK, one_line
from torchatlas.graph.views import feeds_of, pictures_of


@dataclass(frozen=True, slots=True)
class Item:
    """A step of a plan and its episode.

    `guid`: the episode's own; its id where that is missing or an item before has it.
    `audio`, `page`, `feed`, `picture` (of the show): addresses on the web, None where there are none; `seconds`: of the
    audio, None: unknown.
    """

    step: Step
    episode: Episode
    _: KW_ONLY
    guid: str
    feed: str | None
    picture: str | None

    @property
    def title(self) -> str:
        """The title on one line."""
        return one_line(self.episode.title)

    @property
    def audio(self) -> str | None:
        """The address of the audio."""
        return web_address(self.episode.audio_url)

    @property
    def page(self) -> str | None:
        """The address of the episode's page."""
        return web_address(self.episode.url)

    @property
    def seconds(self) -> int | None:
        """The length of the audio."""
        return None if self.episode.minutes is None else 60 * self.episode.minutes

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The moments at which something is explained, one a second, in the order of time."""
        known = sorted((t.at, one_line(t.name)) for t in self.step.teaches if t.at is not None)
        return tuple(
            Chapter(at, ", ".join(name for _, name in names)) for at, names in groupby(known, key=lambda k: k[0])
        )


@dataclass(frozen=True, slots=True)
class Playlist:
    """A plan and its items in order. `start`: the day, or the local time, at which a calendar begins."""

    plan: Plan
    items: tuple[Item, ...]
    _: KW_ONLY
    start: date | datetime | None = None

    @property
    def title(self) -> str:
        """The goals of the plan, in words on one line."""
        return one_line(f"Listening path to {', '.join(self.plan.goals)}")

    @property
    def feeds(self) -> dict[str, Item]:
        """The feeds of the shows in the order of the plan, each with its first item."""
        found: dict[str, Item] = {}
        for item in self.items:
            if item.feed:
                found.setdefault(item.feed, item)
        return found

    @property
    def sessions(self) -> tuple[Session, ...]:
        """The sessions of the plan, or one for each episode where it is not divided."""
        return self.plan.sessions or tuple(map(_whole, self.items))


def playlist(graph: Snapshot, plan: Plan, start: date | datetime | None = None) -> Playlist:
    """Return a plan with what players want to know of its episodes. Private feeds count as unknown.

    Example: playlist(atlas.graph, atlas.plan("vmap")).items[0].guid
    """
    episodes = [graph.episode[step.episode_id] for step in plan.steps]
    guids = _guids(episodes)
    items = (
        Item(
            step, episode, guid=guid, feed=_public(feeds_of(graph, episode.id)),
            picture=_public(pictures_of(graph, episode.id)),
        )
        for step, episode, guid in zip(plan.steps, episodes, guids, strict=True)
    )  # fmt: skip
    return Playlist(plan, tuple(items), start=start)


def without_audio(found: Playlist) -> str:
    """Return in one line how many items have no known audio, and how to get it; "" where all have it.

    >>> without_audio(Playlist(Plan((), (), minutes=0, steps=()), ()))
    ''
    """
    lacking = [item for item in found.items if not item.audio]
    if not lacking:
        return ""
    feeds = dict.fromkeys(quote_for_shell(item.feed) for item in lacking if item.feed)
    command = " ".join(["torchatlas add", *(feeds or ["FEED"])])
    return f"no audio is known for {counted(len(lacking), 'episode')}; to get it: {command}"


def _public(addresses: Iterable[str]) -> str | None:
    """Return the first address on the web that holds no secret and no mask of one, None where there is none."""
    found = filter(None, map(web_address, addresses))
    return next((a for a in found if without_secrets(a) == a and MASK not in a), None)


def _guids(episodes: Sequence[Episode]) -> list[str]:
    """Return the guid of each episode, the id where there is none or where another show has used it before."""
    taken: set[str] = set()
    found = []
    for episode in episodes:
        guid = one_line(episode.guid or "")
        found.append(guid if guid and guid not in taken else episode.id)
        taken.add(found[-1])
    return found


def _whole(item: Item) -> Session:
    stretch = Stretch(item.episode.id, item.episode.label, start=0, end=item.seconds or 60 * item.step.minutes)
    return Session(item.step.minutes, (stretch,))
