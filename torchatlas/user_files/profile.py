"""The facts of a person: the concepts they know and the episodes they have heard, in `profile.toml`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Literal

from torchatlas.graph.markdown import Shown
from torchatlas.graph.model import Snapshot
from torchatlas.settings import Settings
from torchatlas.user_files import user_file

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
    return user_file.load(settings.profile, Profile)


def change_profile(settings: Settings, change: Callable[[Profile], Profile]) -> Profile:
    """Change the user's profile as one step and return it. Raises DataError; the file stays as it was then.

    Example: change_profile(settings, lambda profile: profile.having("heard", ["pytorch-developer-podcast/vmap"]))
    """
    return user_file.change(settings.profile, Profile, change, _HEADER)
