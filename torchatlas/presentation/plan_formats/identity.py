"""Identifiers that depend on what they identify alone, so that a plan made again replaces the one before."""

import re
from uuid import UUID, uuid5

from torchatlas.graph.answers import Plan

_PODCASTS = UUID("ead4c236-bf58-58c6-a2c6-a6b28d128cb6")
"""The namespace of podcasts: https://podcasting2.org/docs/podcast-namespace/tags/guid"""


def feed_guid(address: str) -> str:
    """Return the `podcast:guid` of a feed, as the namespace derives it from the address.

    A feed that states another one, for example since it has moved, is found by its address.

    >>> feed_guid("https://podnews.net/rss")
    '9b024349-ccf0-5f69-a609-6b82873eab3c'
    """
    return str(uuid5(_PODCASTS, re.sub(r"^[a-z]+://", "", address, flags=re.I).rstrip("/")))


def plan_guid(plan: Plan, part: str = "") -> str:
    """Return what identifies the plan for some goals, or a part of it.

    >>> plan_guid(Plan(("vmap",), (), minutes=0, steps=())) == plan_guid(Plan(("vmap",), (), minutes=9, steps=()))
    True
    """
    return str(uuid5(_PODCASTS, "\x1f".join(("torchatlas", *plan.goals, part))))
