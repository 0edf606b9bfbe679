"""A change of a person's profile, told in a sentence and taken back without what was changed since."""

from dataclasses import dataclass
from typing import get_args

from torchatlas.graph.formatting import counted, listed
from torchatlas.graph.model import Snapshot
from torchatlas.user_files.profile import Fact, Profile

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
