"""Answers about what a listener knows: the questions of a quiz, and what to hear next."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.values.answers import Named, Plan, Step
from torchatlas.graph.values.formatting import counted, length
from torchatlas.graph.values.markdown import Shown

QUESTIONS = 8
"""The most questions of a quiz."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Named):
    """A question that an episode answers: whoever can answer it may skip the episode, of so many `minutes`.

    `estimated`: that length is unknown.
    """

    question: str
    minutes: int
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Quiz(Shown):
    """A quiz on the way to goals: the next question (None: there is no further one) and what the answers are worth.

    `skipped`: the episodes that the answers save; `saved`: their minutes, `estimated` where the length of an episode is
    unknown; `plan`: what is left to hear.
    """

    check: Check | None
    plan: Plan
    _: KW_ONLY
    skipped: tuple[Named, ...] = ()
    saved: int = 0
    estimated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready(Named):
    """An episode whose needs are all met. `opens`: the episodes that hearing it makes ready; `leads_to`: how many
    episodes left to hear need what it is about."""

    minutes: int | None
    opens: tuple[Named, ...] = ()
    leads_to: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Refresh(Named):
    """A heard episode that no other heard one builds on. `used_by`: how many of the ready episodes need its subject."""

    used_by: int


@dataclass(frozen=True, slots=True)
class WhatNext(Shown):
    """The two fringes of what a listener knows: what is `ready` to be heard, and what to `refresh`; best first."""

    ready: tuple[Ready, ...]
    refresh: tuple[Refresh, ...]


@dataclass(frozen=True, slots=True)
class Tick:
    """A step of a checklist, and whether the person has heard it."""

    step: Step
    heard: bool


@dataclass(frozen=True, slots=True)
class Checklist(Shown):
    """The steps of a plan, and at their places the heard episodes that the plan needs no more."""

    rows: tuple[Tick, ...]

    @property
    def heard(self) -> int:
        """How many of the episodes are heard."""
        return len(self._done)

    @property
    def share(self) -> float:
        """The heard part of all minutes, from 0 to 1."""
        done, whole = (sum(row.step.minutes for row in rows) for rows in (self._done, self.rows))
        return done / whole if whole else 0.0

    @property
    def told(self) -> str:
        """How far the person is, in words.

        >>> Checklist(()).told
        '0 of 0 heard, 0 min of 0 min'
        """
        done, whole = (
            length(sum(row.step.minutes for row in rows), estimated=any(row.step.estimated for row in rows))
            for rows in (self._done, self.rows)
        )
        return f"{self.heard} of {len(self.rows)} heard, {done} of {whole}"

    @property
    def _done(self) -> tuple[Tick, ...]:
        return tuple(row for row in self.rows if row.heard)


def quiz_ending(asked: int, *, stopped: bool) -> str:
    """Return in a sentence why a quiz is over after so many questions.

    >>> quiz_ending(8, stopped=False), quiz_ending(0, stopped=False)
    ('These were all eight questions.', 'There is nothing to ask: no answer would change the plan.')
    """
    if stopped:
        return f"Stopped after {counted(asked, 'answer')}."
    if asked >= QUESTIONS:
        return "These were all eight questions."
    reason = "no answer would change the plan"
    return f"There is nothing to ask: {reason}." if not asked else f"No question is left: {reason} any further."
