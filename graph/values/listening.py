"""Answers about what a listener knows: the questions of a quiz, and what to hear next."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.values.answers import Named, Plan
from torchatlas.graph.values.markdown import Shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Named):
    """A question that an episode answers: whoever can answer it may skip the episode, of so many `minutes`."""

    question: str
    minutes: int


@dataclass(frozen=True, slots=True)
class Quiz(Shown):
    """A quiz on the way to goals: the next question (None: there is no further one) and what the answers are worth.

    `skipped`: the episodes that the answers save; `saved` their minutes; `plan`: what is left to hear.
    """

    check: Check | None
    plan: Plan
    _: KW_ONLY
    skipped: tuple[Named, ...] = ()
    saved: int = 0


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
