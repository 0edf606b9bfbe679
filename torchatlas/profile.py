"""A person's facts in `profile.toml`: what they know, have heard and hear now, and changes that can be taken back."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal, get_args

from torchatlas.files import change, load
from torchatlas.graph.formatting import counted, listed
from torchatlas.graph.markdown import Shown
from torchatlas.graph.model import Snapshot
from torchatlas.settings import Settings

_HEADER = "What you know and have heard. Edit it as you like; ids are those of `torchatlas search`."
Fact = Literal["known", "heard"]


@dataclass(frozen=True, slots=True)
class Profile(Shown):
    """A person's facts: ids of known concepts and of heard episodes, each once, in the order they came.

    `goals`: ids of what the path leads to that the person hears now.

    >>> Profile(known=("dispatcher",)).having("known", ["autograd", "dispatcher"]).known
    ('dispatcher', 'autograd')
    """

    known: tuple[str, ...] = ()
    heard: tuple[str, ...] = ()
    goals: tuple[str, ...] = ()

    def having(self, fact: Fact, ids: Iterable[str]) -> "Profile":
        """Return the profile with these ids as well.

        >>> Profile(known=("dispatcher",)).having("known", ["autograd"]).known
        ('dispatcher', 'autograd')
        """
        return self.with_only(fact, (*getattr(self, fact), *ids))

    def lacking(self, fact: Fact, ids: Iterable[str]) -> "Profile":
        """Return the profile without these ids.

        >>> Profile(known=("dispatcher", "autograd")).lacking("known", ["autograd"]).known
        ('dispatcher',)
        """
        drop = set(ids)
        return self.with_only(fact, (i for i in getattr(self, fact) if i not in drop))

    def within(self, graph: Snapshot) -> "Profile":
        """Return the profile without the ids that a graph does not have.

        >>> Profile(known=("of-another-graph",)).within(Snapshot())
        Profile(known=(), heard=(), goals=())
        """
        return Profile(
            tuple(id_ for id_ in self.known if id_ in graph.concept),
            tuple(id_ for id_ in self.heard if id_ in graph.episode),
            tuple(id_ for id_ in self.goals if id_ in graph.concept or id_ in graph.episode),
        )

    def with_only(self, fact: Fact, ids: Iterable[str]) -> "Profile":
        """Return the profile with exactly these ids as one of its facts.

        >>> Profile(known=("dispatcher",)).with_only("known", ["autograd"]).known
        ('autograd',)
        """
        listed = tuple(dict.fromkeys(ids))
        return replace(self, known=listed) if fact == "known" else replace(self, heard=listed)


def load_profile(settings: Settings) -> Profile:
    """Return the user's profile, an empty one where there is no file yet. Raises DataError where it cannot be read.

    Example: load_profile(load_settings()).known
    """
    return load(settings.profile, Profile)


def change_profile(settings: Settings, to: Callable[[Profile], Profile]) -> Profile:
    """Change the user's profile as one step and return it. Raises DataError; the file stays as it was then.

    Example: change_profile(settings, lambda profile: profile.having("heard", ["pytorch-developer-podcast/vmap"]))
    """
    return change(settings.profile, Profile, to, _HEADER)


_FACTS: tuple[Fact, ...] = get_args(Fact)
_WORDS: dict[tuple[Fact, bool], str] = {
    ("known", True): "You know", ("known", False): "No longer known:",
    ("heard", True): "Marked as heard:", ("heard", False): "Marked as not heard:",
}  # fmt: skip
_NAMED = 2  # so many are named, more are counted


@dataclass(frozen=True, slots=True)
class ProfileChange:
    """The profile before and after a change.

    >>> change = ProfileChange(Profile(), Profile(known=("vmap",)))
    >>> change.undone(Profile(known=("autograd", "vmap"))).known
    ('autograd',)
    """

    before: Profile
    after: Profile

    def undone(self, profile: Profile) -> Profile:
        """Return a profile without this change; what was changed since stays.

        >>> ProfileChange(Profile(heard=("a",)), Profile()).undone(Profile(heard=("b",))).heard
        ('b', 'a')
        """
        for fact in _FACTS:
            profile = profile.lacking(fact, self._new(fact, added=True)).having(fact, self._new(fact, added=False))
        return profile

    def told(self, graph: Snapshot) -> str:
        """Return what has changed in a sentence, "" where nothing has.

        >>> ProfileChange(Profile(), Profile(heard=("a", "b", "c"))).told(Snapshot())
        'Marked as heard: 3 episodes.'
        """
        said = []
        for (fact, added), words in _WORDS.items():
            if ids := self._new(fact, added=added):
                names = [graph.name_of(i) for i in ids if i in graph.concept or i in graph.episode]
                many = counted(len(ids), "concept" if fact == "known" else "episode")
                said.append(f"{words} {listed(names) if 0 < len(names) == len(ids) <= _NAMED else many}.")
        return " ".join(said)

    def _new(self, fact: Fact, *, added: bool) -> list[str]:
        """Return the ids that this change added, or took away."""
        old, new = (self.before, self.after) if added else (self.after, self.before)
        return [id_ for id_ in getattr(new, fact) if id_ not in getattr(old, fact)]
