"""A person's facts in `profile.toml`: what they know, have heard and hear now."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

from torchatlas.files import change, load
from torchatlas.graph.formatting import counted, listed
from torchatlas.graph.model import MarkdownMixin, Snapshot, Value
from torchatlas.settings import Settings

Fact = Literal["known", "heard"]
_HEADER = "What you know and have heard. Edit it as you like; ids are those of `torchatlas search`."
_WORDS: dict[Fact, tuple[str, str, str]] = {
    "known": ("concept", "You know", "No longer known:"),
    "heard": ("episode", "Marked as heard:", "Marked as not heard:"),
}


class Profile(Value, MarkdownMixin):
    """A person's facts: ids of known concepts, heard episodes, and goals under way."""

    known: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()

    def having(self, fact: Fact, ids: Iterable[str]) -> "Profile":
        """Return the profile with more ids: `profile.having("known", ["vmap"])`."""
        return replace(self, **{fact: tuple(dict.fromkeys((*getattr(self, fact), *ids)))})

    def lacking(self, fact: Fact, ids: Iterable[str]) -> "Profile":
        """Return the profile without ids: `profile.lacking("known", ["vmap"])`."""
        drop = set(ids)
        return replace(self, **{fact: tuple(id_ for id_ in getattr(self, fact) if id_ not in drop)})

    def within(self, graph: Snapshot) -> "Profile":
        """Return the profile's part in a graph: `profile.within(atlas.graph)`."""
        known, heard = graph.concept.keys(), graph.episode.keys()
        places = ((self.known, known), (self.heard, heard), (self.goals, known | heard))
        return Profile(*(tuple(id_ for id_ in ids if id_ in there) for ids, there in places))


class News(Value):
    """The ids that the last build, on the day `built`, found new in own feeds `since` a day."""

    built: str = ""
    since: str = ""
    episodes: tuple[str, ...] = ()


class ProfileChange(Value):
    """A profile before and after: `ProfileChange(before, after).undone(now)`."""

    before: Profile
    after: Profile

    def undone(self, profile: Profile) -> Profile:
        """Undo this change but no later ones: `change.undone(profile)`."""
        for fact in _WORDS:
            added, removed = self._changed(fact)
            profile = profile.lacking(fact, added).having(fact, removed)
        return profile

    def told(self, graph: Snapshot) -> str:
        """Say what has changed, such as "You know vmap.", "" for nothing."""
        said = []
        for fact, (noun, *words) in _WORDS.items():
            for ids, begin in zip(self._changed(fact), words, strict=True):
                names = [graph.name_of(i) for i in ids if i in graph.concept or i in graph.episode]
                few = len(names) == len(ids) <= 2
                said += [f"{begin} {listed(names) if few else counted(len(ids), noun)}."] if ids else []
        return " ".join(said)

    def _changed(self, fact: Fact) -> tuple[list[str], list[str]]:
        """Return the ids that this change added, and those that it took away."""
        old, new = getattr(self.before, fact), getattr(self.after, fact)
        return [id_ for id_ in new if id_ not in old], [id_ for id_ in old if id_ not in new]


def load_profile(settings: Settings) -> Profile:
    """Load the profile, empty if new: `load_profile(settings)`. Raises DataError."""
    return load(settings.profile, Profile)


def change_profile(settings: Settings, to: Callable[[Profile], Profile]) -> Profile:
    """Change the profile: `change_profile(settings, lambda p: p)`. Raises DataError."""
    return change(settings.profile, Profile, to, _HEADER)
