"""Kinds of edges, and of facts about them, in the words that people read: one table for each kind of kinds.

The keys of a table are the values of its Literal; a test fails where one of them has no words.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from torchatlas.graph.model import Basis, ConceptRelationKind, Depth, Need, Origin, Reference

OrderKind = Literal["REQUIRES", "ASSUMES", "TEACHES", "LISTEN_AFTER"]
"""The types of edges that put one thing before another."""


PlanDepth = Literal["brief", "usual", "thorough"]
"""How much a plan takes beside the episodes on its goals."""


RouteName = Literal["shortest", "gentlest", "newest"]
"""What a route is good for that differs from the plan."""


class RelationWords(NamedTuple):
    """A relation between concepts: `verb` joins them in a sentence; `forward` and `backward` name it in a list."""

    verb: str
    forward: str
    backward: str


class ReferenceWords(NamedTuple):
    """A reference from one episode to another: seen from the one that speaks, from the other one, and in a list."""

    speaking: str
    spoken_of: str
    label: str


class BasisWords(NamedTuple):
    """How an episode is known, and how sure the map therefore is of what it teaches; "" where nothing is to be said."""

    fact: str
    caution: str


ORDERS: Mapping[OrderKind, str] = {
    "REQUIRES": "needs",
    "ASSUMES": "takes for granted",
    "TEACHES": "explains",
    "LISTEN_AFTER": "goes after",
}
"""Verbs that join the two ends in a sentence."""

RELATED_TO = "is related to"
"""The verb of a RELATED_TO edge."""

RELATIONS: Mapping[ConceptRelationKind, RelationWords] = {
    "PART_OF": RelationWords("is a part of", "part of", "has the part"),
    "USES": RelationWords("uses", "uses", "used by"),
    "EXTENDS": RelationWords("extends", "extends", "extended by"),
    "DEEPENS": RelationWords("deepens", "deepens", "deepened by"),
    "ALTERNATIVE_TO": RelationWords("is an alternative to", "alternative to", "alternative to"),
    "IMPLEMENTED_WITH": RelationWords("is implemented with", "implemented with", "implements"),
    "PRODUCES": RelationWords("produces", "produces", "produced by"),
    "RUNS_BEFORE": RelationWords("runs before", "runs before", "runs after"),
    "SUPERSEDED_BY": RelationWords("was superseded by", "superseded by", "supersedes"),
}

REFERENCES: Mapping[Reference, ReferenceWords] = {
    "listen_first": ReferenceWords(
        "this episode asks to hear it first", "asks to hear this one first", "hear it first"
    ),
    "continues": ReferenceWords("this episode continues it", "continues this episode", "continues it"),
    "more_in": ReferenceWords("this episode points to it for more", "points to this episode for more", "says more"),
    "announces": ReferenceWords("this episode announces it", "announces this episode", "announced here"),
    "mentions": ReferenceWords("this episode mentions it", "mentions this episode", "mentioned here"),
}

NEEDS: Mapping[Need, str] = {  # the strongest first
    "hear": "hear an episode first",
    "worth": "worth an episode first where this is the goal",
    "bridge": "a sentence is enough",
}

ORIGINS: Mapping[Origin, str] = {
    "curated": "judged by a person",
    "declared": "said by the speaker",
    "drafted": "drafted from notes, and not checked yet",
    "stated": "stated by a text",
    "inferred": "inferred from texts",
}
"""Where an edge comes from."""

CERTAINTIES: Mapping[Origin, str] = {
    "curated": "",
    "declared": "a part of it is there because titles, notes or speakers say so.",
    "drafted": "a part of it rests on drafts that nobody has checked yet.",
    "stated": "a part of it rests on single sentences of texts, and may be wrong.",
    "inferred": "a part of it is inferred from texts, and may be wrong.",
}
"""How sure a plan is that stands on an edge from there; "" where nothing is to be said."""

DEPTHS: Mapping[Depth, str] = {"main": "main subject", "part": "a part of it"}

BASES: Mapping[Basis, BasisWords] = {
    "transcript": BasisWords("", ""),
    "description": BasisWords("the map knows this episode only from its notes", "what it teaches is a careful guess"),
    "title": BasisWords("the map knows this episode only by its title", "what it teaches is a guess"),
}

PLAN_DEPTHS: Mapping[PlanDepth, str] = {  # the shortest first; each holds the one before
    "brief": "only the goal's own episodes",
    "usual": "with what the goal needs and what deepens it",
    "thorough": "with everything worth hearing",
}


def doubt(origin: Origin | None) -> str:
    """Return an origin that is not a person's judgement, else "".

    >>> doubt("drafted"), doubt("curated"), doubt(None)
    ('drafted', '', '')
    """
    return origin if origin and CERTAINTIES[origin] else ""


def certainty(origin: Origin | None) -> str:
    """Return how sure a plan is, in a sentence; "" where people judged all of it.

    >>> certainty("drafted")
    'How sure: drafted; a part of it rests on drafts that nobody has checked yet.'
    """
    return f"How sure: {origin}; {CERTAINTIES[origin]}" if origin and CERTAINTIES[origin] else ""
