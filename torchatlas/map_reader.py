"""The answers that come from a graph and a person's profile, by any of its names.

Concepts go by id, name, alias or place in the source, episodes by number, id or title, or a part of the title. A
question or other words do where something is shown or planned; what is remembered wants a name. A typing slip in a
long name is forgiven, and a note says how words were understood where they are no exact name. Every function raises
UnknownName, with suggestions, for words that mean nothing or several things.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from torchatlas.graph import cards
from torchatlas.graph.answers import Explanation, Gaps, Hit, Plan, Quiz, Related, Split
from torchatlas.graph.cards import (
    ConceptCard,
    EpisodeCard,
    Neighbour,
    Rows,
    ShowRow,
    concept_card,
    episode_card,
    show_rows,
)
from torchatlas.graph.errors import AtlasError, check_between, check_least, check_one_of
from torchatlas.graph.formatting import NEEDS, PLAN_DEPTHS, counted
from torchatlas.graph.model import Concept, PlanDepth
from torchatlas.listener import listener
from torchatlas.open_map import OpenMap
from torchatlas.understanding import Name, as_list, concept_id, episode_id, goals_of, subject_id

if TYPE_CHECKING:
    from torchatlas.graph.answers import WhatNext
    from torchatlas.graph.drawing import NeighbourhoodSvg
    from torchatlas.graph.findings import Journey


def plan(
    atlas: OpenMap,
    *goals: Name,
    known: str | Iterable[str] = (),
    heard: Name | Iterable[Name] = (),
    budget: int | None = None,
    depth: PlanDepth = "usual",
    split: str | None = None,
    speed: float = 1.0,
) -> Plan:
    """Plan which episodes to hear, in which order and why, to understand the goals.

    A goal is a concept, an episode, an area or a question, in any words; `Plan.understood` says what was taken.
    `known` and `heard` (a name or several) add to the profile; `budget`: minutes at the most; `depth`: "brief" for
    the goals' own episodes only, "thorough" for everything worth hearing. `split`: sessions such as "3x30m", which
    are the budget where there is none; `speed`: that of playing, 0.5 to 4, at which all minutes are counted.
    Raises AtlasError where no goal is named, or one of these makes no sense.

    Example: atlas.plan("AOTAutograd", known=["dispatcher"], budget=60).steps[0].title
    """
    from torchatlas.graph.planning.plan import make_plan

    if not goals:
        raise AtlasError("a plan needs a goal: name a concept or an episode")
    if budget is not None:
        check_least("the budget in minutes", budget, 1)
    check_one_of("depth", depth, PLAN_DEPTHS)
    check_between("the speed", speed, 0.5, 4)
    parts = None if split is None else Split.parse(split)
    graph, profile = atlas.graph, listener(atlas, as_list(known), as_list(heard))
    knows, has_heard = set(profile.known), set(profile.heard)
    meant = goals_of(atlas, goals)
    ids = dict.fromkeys(id_ for each in meant for id_ in each.ids)
    plan = make_plan(graph, list(ids), knows, has_heard, budget, depth=depth, split=parts, speed=speed)
    return replace(plan, understood=tuple(meant))


def quiz(
    atlas: OpenMap,
    *goals: Name,
    yes: Name | Iterable[Name] = (),
    no: Name | Iterable[Name] = (),
    known: str | Iterable[str] = (),
    heard: Name | Iterable[Name] = (),
    budget: int | None = None,
    depth: PlanDepth = "usual",
    split: str | None = None,
    speed: float = 1.0,
) -> Quiz:
    """Ask what of a plan can be skipped: at most eight questions, each chosen by the answers so far.

    `yes` and `no` name the episodes whose question the person could and could not answer; the rest is as in
    `plan`. Raises AtlasError as `plan` does.

    Example: atlas.quiz("AOTAutograd", yes=[2]).check.question
    """
    from torchatlas.graph.planning.quiz import minutes_saved, quiz

    graph = atlas.graph
    answers = [[episode_id(atlas, name) for name in as_list(names)] for names in (yes, no)]
    whole = plan(atlas, *goals, known=known, heard=heard, depth=depth, speed=speed)
    check, skipped = quiz(graph, whole.steps, *answers)
    heard = [*as_list(heard), *(e.id for e in skipped)]
    left = plan(atlas, *goals, known=known, heard=heard, depth=depth, speed=speed) if skipped else whole
    saved, estimated = minutes_saved(whole, left)  # what a budget leaves out is not known
    if budget is not None or split is not None:
        left = plan(atlas, *goals, known=known, heard=heard, budget=budget, depth=depth, split=split, speed=speed)
    return Quiz(check, left, skipped=skipped, saved=saved, estimated=estimated)


def what_next(atlas: OpenMap) -> "WhatNext":
    """List what is ready to be heard, and what it opens, and what is worth hearing again.

    Example: atlas.what_next().ready[0].opens
    """
    from torchatlas.graph.planning.quiz import what_next

    profile = listener(atlas)
    return what_next(atlas.graph, profile.known, profile.heard)


def journeys(atlas: OpenMap) -> Rows["Journey"]:
    """List the curated journeys: goals that make a good whole, each with a paragraph. Plan one by its goals.

    Example: atlas.plan(*atlas.journeys()[0].goals).steps[0].title
    """
    from torchatlas.shipped import journeys_on

    return Rows(journeys_on(atlas.graph))


def journey(atlas: OpenMap, name: str) -> "Journey":
    """Return a curated journey by its name.

    Example: atlas.plan(*atlas.journey("from-eager-to-compile").goals, budget=90).minutes
    """
    from torchatlas.shipped import journey_on

    return journey_on(atlas.graph, name)


def related(atlas: OpenMap, episode: Name, limit: int = 10) -> Rows[Related]:
    """List the episodes nearest to an episode, best first, each with its reasons.

    Example: atlas.related("Strides", limit=5)[0].reasons
    """
    from torchatlas.graph.related import related

    check_least("the limit", limit, 1)
    return Rows(related(atlas.graph, episode_id(atlas, episode, words_too=True), limit))


def search(atlas: OpenMap, text: str, limit: int = 10) -> Rows[Hit]:
    """Find concepts, aliases, identifiers, episodes and the questions that they answer, best first.

    Example: atlas.search("why is my memory not freed")[0].name
    """
    from torchatlas.graph.questions import search

    check_least("the limit", limit, 1)
    return Rows(search(atlas.resolver, text, limit))


def concept(atlas: OpenMap, name: str) -> ConceptCard:
    """Show all that is known of a concept: its definition, where it is explained, what it needs and leads to.

    Example: atlas.concept("functionalization").needs
    """
    return concept_card(atlas.graph, concept_id(atlas, name, words_too=True))


def episode(atlas: OpenMap, name: Name) -> EpisodeCard:
    """Show all that is known of an episode: what it teaches and when, what it assumes, what it cites.

    Example: atlas.episode(61).teaches
    """
    return episode_card(atlas.graph, episode_id(atlas, name, words_too=True))


def neighbourhood(atlas: OpenMap, name: Name, radius: int = 1) -> "NeighbourhoodSvg":
    """Draw what is at most so many steps from a concept or an episode: needs below, what builds on it above.

    Example: atlas.neighbourhood("functionalization").nodes
    """
    from torchatlas.graph.drawing import neighbourhood_svg

    check_least("the radius", radius, 1)
    return neighbourhood_svg(atlas.graph, subject_id(atlas, name), radius)


def concepts(atlas: OpenMap, *names: str) -> Rows[Concept]:
    """List the named concepts, or all, by id.

    Example: atlas.concepts("vmap", "functorch")
    """
    wanted = {concept_id(atlas, name, words_too=True) for name in names} or atlas.graph.concept.keys()
    return Rows(atlas.graph.concept[id_] for id_ in sorted(wanted))


def requirements(atlas: OpenMap, concept: str) -> tuple[str, ...]:
    """Return what a concept requires, a line for each: whether it is worth an episode, its name, and the reason.

    Example: atlas.requirements("vmap")[0]
    """
    graph, id_ = atlas.graph, concept_id(atlas, concept)
    required = graph.required_by.get(id_, ())
    return tuple(f"{NEEDS[r.need]}: {graph.name_of(r.target)}: {r.reason}" for r in required)


def explain(atlas: OpenMap, earlier: Name, later: Name) -> Explanation:
    """Say why one thing comes before another (concepts or episodes): the chain of edges, or its reverse.

    Example: atlas.explain("strides", "AOTAutograd").chain
    """
    from torchatlas.graph.views import chain

    graph = atlas.graph
    first, then = subject_id(atlas, earlier), subject_id(atlas, later)
    return Explanation(
        (first, graph.name_of(first)),
        (then, graph.name_of(then)),
        chain=chain(graph, first, then),
        reverse=chain(graph, then, first),
    )


def concept_names(atlas: OpenMap) -> dict[str, str]:
    """Return the name of each concept by its id, in the order of the names.

    Example: atlas.concept_names()["vmap"]
    """
    return cards.concept_names(atlas.graph)


def episode_names(atlas: OpenMap) -> dict[str, str]:
    """Return the number and title of each episode by its id, in the order of shows and numbers.

    Example: atlas.episode_names()["pytorch-developer-podcast/vmap"]
    """
    return cards.episode_names(atlas.graph)


def other_names(atlas: OpenMap) -> dict[str, str]:
    """Return other name -> "name · other name" of the concepts, without those that mean several things.

    Example: atlas.other_names()["TorchInductor"]
    """
    return cards.other_names(atlas.graph)


def areas(atlas: OpenMap) -> tuple[str, ...]:
    """Return the areas of the map, by name.

    Example: atlas.areas()[0]
    """
    return atlas.graph.areas


def most_explained(atlas: OpenMap, limit: int = 6) -> Rows[Neighbour]:
    """List the concepts that most episodes explain: a place to begin.

    Example: atlas.most_explained(1)[0].why
    """
    check_least("the limit", limit, 1)
    times = sorted((-len(lessons), id_) for id_, lessons in atlas.graph.teachers.items())
    return Rows(
        Neighbour(id_, atlas.graph.concept[id_].name, why=f"explained in {counted(-less, 'episode')}")
        for less, id_ in times[:limit]
    )


def shows(atlas: OpenMap) -> Rows[ShowRow]:
    """List the shows on the map with their facts, by title.

    Example: [show.title for show in atlas.shows()]
    """
    return Rows(show_rows(atlas.whole_graph))


def gaps(atlas: OpenMap) -> Gaps:
    """List what the map lacks: concepts that no episode teaches, thin evidence, orphans, superseded subjects.

    Example: atlas.gaps().untaught[0].name
    """
    from torchatlas.graph.views import find_gaps

    return find_gaps(atlas.graph)
