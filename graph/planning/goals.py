"""The goals of a plan: what they are about, and the episodes on them."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from torchatlas.graph.planning.knowledge import main_subjects
from torchatlas.graph.planning.teachers import Teachers


@dataclass(frozen=True)
class Goals:
    """The goals that are neither known nor heard: `about` is goal -> concepts, `own` is goal -> episodes, heard or not.

    >>> Goals({"views": ["views"]}, {"views": ("show/strides",)}).goal_of
    {'views': 'views'}
    """

    about: Mapping[str, list[str]]
    own: Mapping[str, tuple[str, ...]]

    @cached_property
    def goal_of(self) -> dict[str, str]:
        """Each concept that a goal is about -> the goal, the first one of several."""
        return {concept: goal for goal in reversed([*self.about]) for concept in self.about[goal]}

    @cached_property
    def leading(self) -> dict[str, str]:
        """Each goal -> the first concept that it is about; what an episode is about beside that matters less."""
        return {goal: concepts[0] for goal, concepts in self.about.items() if concepts}

    @cached_property
    def episodes(self) -> frozenset[str]:
        """The episodes on any of the goals."""
        return frozenset(e for episodes in self.own.values() for e in episodes)


def goals_of(
    teachers: Teachers, goals: Iterable[str], *, said: Collection[str], known: Collection[str], heard: Collection[str]
) -> Goals:
    """Return the goals (ids of concepts or episodes) that are left. `said`: known by itself, not from an episode.

    Example: `goals_of(teachers, ["views"], said=[], known=[], heard=[]).own`
    """
    snapshot = teachers.snapshot
    wanted = [g for g in dict.fromkeys(goals) if g not in said and g not in heard]
    return Goals(
        {g: [g] if g in snapshot.concept else main_subjects(snapshot, g) for g in wanted},
        {g: _own(teachers, g, g in known) for g in wanted},
    )


def _own(teachers: Teachers, goal: str, known: bool) -> tuple[str, ...]:
    """Return the episodes on a goal; of a goal that is known from other episodes, those about the goal only."""
    if goal not in teachers.snapshot.concept:
        return (goal,)
    return teachers.about(goal) if known else teachers.on_goal(goal)
