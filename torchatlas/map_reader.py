"""The answers that come from a loaded graph and a person's profile. Names are resolved here, for every front end."""

from abc import abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from torchatlas.graph.values.answers import Hit, Plan, Related
from torchatlas.graph.values.errors import AtlasError, UnknownName, check_between, check_least, check_one_of
from torchatlas.graph.values.explanations import Explanation
from torchatlas.graph.values.formatting import counted
from torchatlas.graph.values.gaps import Gaps
from torchatlas.graph.values.listening import Quiz
from torchatlas.graph.values.model import Concept
from torchatlas.graph.values.sessions import Split
from torchatlas.graph.values.wording import PLAN_DEPTHS, PlanDepth
from torchatlas.presentation import listings
from torchatlas.presentation.cards import ConceptCard, EpisodeCard, Neighbour, concept_card, episode_card
from torchatlas.presentation.rows import Rows
from torchatlas.understanding import Name, Understanding
from torchatlas.user_files.profile import Profile

if TYPE_CHECKING:
    from torchatlas.graph.cypher.questions import Parameter
    from torchatlas.graph.drawing.neighbourhood_svg import NeighbourhoodSvg
    from torchatlas.graph.values.curated import Journey
    from torchatlas.graph.values.listening import WhatNext
    from torchatlas.queries.completion import Completion


T = TypeVar("T", bound=Name)


def as_list(names: T | Iterable[T]) -> list[T]:
    """Return names as a list, also where a single one is given.

    >>> as_list("vmap"), as_list([61, "vmap"])
    (['vmap'], [61, 'vmap'])
    """
    return [names] if isinstance(names, str | int) else list(names)


class MapReader(Understanding):
    """A graph that answers questions by any of its names.

    Concepts go by id, name, alias or place in the source, episodes by number, id or title, or a part of the title. A
    question or other words do where something is shown or planned; what is remembered wants a name. A typing slip in a
    long name is forgiven, and a note says how words were understood where they are no exact name. Every method raises
    UnknownName, with suggestions, for words that mean nothing or several things.
    """

    @property
    @abstractmethod
    def profile(self) -> Profile:
        """The concepts that the person knows, and the episodes that they have heard."""

    def plan(
        self,
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
        graph, profile = self.graph, self._listener(as_list(known), as_list(heard))
        knows, has_heard = set(profile.known), set(profile.heard)
        meant = self._goals(goals)
        ids = dict.fromkeys(id_ for each in meant for id_ in each.ids)
        plan = make_plan(graph, list(ids), knows, has_heard, budget, depth=depth, split=parts, speed=speed)
        return replace(plan, understood=tuple(meant))

    def quiz(
        self,
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

        graph = self.graph
        answers = [[self._episode(name) for name in as_list(names)] for names in (yes, no)]
        whole = self.plan(*goals, known=known, heard=heard, depth=depth, speed=speed)
        check, skipped = quiz(graph, whole.steps, *answers)
        heard = [*as_list(heard), *(e.id for e in skipped)]
        left = self.plan(*goals, known=known, heard=heard, depth=depth, speed=speed) if skipped else whole
        saved, estimated = minutes_saved(whole, left)  # what a budget leaves out is not known
        if budget is not None or split is not None:
            left = self.plan(*goals, known=known, heard=heard, budget=budget, depth=depth, split=split, speed=speed)
        return Quiz(check, left, skipped=skipped, saved=saved, estimated=estimated)

    def what_next(self) -> "WhatNext":
        """List what is ready to be heard, and what it opens, and what is worth hearing again.

        Example: atlas.what_next().ready[0].opens
        """
        from torchatlas.graph.planning.fringes import what_next

        profile = self._listener()
        return what_next(self.graph, profile.known, profile.heard)

    def journeys(self) -> Rows["Journey"]:
        """List the curated journeys: goals that make a good whole, each with a paragraph. Plan one by its goals.

        Example: atlas.plan(*atlas.journeys()[0].goals).steps[0].title
        """
        from torchatlas.journeys import journeys_on

        return Rows(journeys_on(self.graph))

    def journey(self, name: str) -> "Journey":
        """Return a curated journey by its name.

        Example: atlas.plan(*atlas.journey("from-eager-to-compile").goals, budget=90).minutes
        """
        from torchatlas.journeys import journey_on

        return journey_on(self.graph, name)

    def related(self, episode: Name, limit: int = 10) -> Rows[Related]:
        """List the episodes nearest to an episode, best first, each with its reasons.

        Example: atlas.related("Strides", limit=5)[0].reasons
        """
        from torchatlas.graph.answers.related import related

        check_least("the limit", limit, 1)
        return Rows(related(self.graph, self._episode(episode, words_too=True), limit))

    def search(self, text: str, limit: int = 10) -> Rows[Hit]:
        """Find concepts, aliases, identifiers, episodes and the questions that they answer, best first.

        Example: atlas.search("why is my memory not freed")[0].name
        """
        from torchatlas.graph.answers.search import search

        check_least("the limit", limit, 1)
        return Rows(search(self.resolver, text, limit))

    def concept(self, name: str) -> ConceptCard:
        """Show all that is known of a concept: its definition, where it is explained, what it needs and leads to.

        Example: atlas.concept("functionalization").needs
        """
        return concept_card(self.graph, self._concept(name, words_too=True))

    def episode(self, name: Name) -> EpisodeCard:
        """Show all that is known of an episode: what it teaches and when, what it assumes, what it cites.

        Example: atlas.episode(61).teaches
        """
        return episode_card(self.graph, self._episode(name, words_too=True))

    def neighbourhood(self, name: Name, radius: int = 1) -> "NeighbourhoodSvg":
        """Draw what is at most so many steps from a concept or an episode: needs below, what builds on it above.

        Example: atlas.neighbourhood("functionalization").nodes
        """
        from torchatlas.graph.drawing.neighbourhood_svg import neighbourhood_svg

        check_least("the radius", radius, 1)
        return neighbourhood_svg(self.graph, self._subject(name), radius)

    def concepts(self, *names: str) -> Rows[Concept]:
        """List the named concepts, or all, by id.

        Example: atlas.concepts("vmap", "functorch")
        """
        wanted = {self._concept(name, words_too=True) for name in names} or self.graph.concept.keys()
        return Rows(self.graph.concept[id_] for id_ in sorted(wanted))

    def explain(self, earlier: Name, later: Name) -> Explanation:
        """Say why one thing comes before another (concepts or episodes): the chain of edges, or its reverse.

        Example: atlas.explain("strides", "AOTAutograd").chain
        """
        from torchatlas.graph.answers.chain import chain

        graph = self.graph
        first, then = self._subject(earlier), self._subject(later)
        return Explanation(
            (first, graph.name_of(first)),
            (then, graph.name_of(then)),
            chain=chain(graph, first, then),
            reverse=chain(graph, then, first),
        )

    def concept_names(self) -> dict[str, str]:
        """Return the name of each concept by its id, in the order of the names.

        Example: atlas.concept_names()["vmap"]
        """
        return listings.concept_names(self.graph)

    def episode_names(self) -> dict[str, str]:
        """Return the number and title of each episode by its id, in the order of shows and numbers.

        Example: atlas.episode_names()["pytorch-developer-podcast/vmap"]
        """
        return listings.episode_names(self.graph)

    def other_names(self) -> dict[str, str]:
        """Return other name -> "name · other name" of the concepts, without those that mean several things.

        Example: atlas.other_names()["TorchInductor"]
        """
        return listings.other_names(self.graph)

    def areas(self) -> tuple[str, ...]:
        """Return the areas of the map, by name.

        Example: atlas.areas()[0]
        """
        return self.graph.areas

    def most_explained(self, limit: int = 6) -> Rows[Neighbour]:
        """List the concepts that most episodes explain: a place to begin.

        Example: atlas.most_explained(1)[0].why
        """
        check_least("the limit", limit, 1)
        times = sorted((-len(lessons), id_) for id_, lessons in self.graph.teachers.items())
        return Rows(
            Neighbour(id_, self.graph.concept[id_].name, why=f"explained in {counted(-less, 'episode')}")
            for less, id_ in times[:limit]
        )

    def choices(self, parameter: "Parameter") -> dict[str, str]:
        """Return value -> name of what a saved question may be asked about, its example first; {}: any text will do.

        Example: atlas.choices(atlas.questions()[0].parameters[0])
        """
        if parameter.type not in ("concept", "episode", "area"):
            return {}
        if parameter.type == "area":
            found = {area: area for area in self.areas()}
        else:
            found = self.concept_names() if parameter.type == "concept" else self.episode_names()
        example = parameter.example
        with suppress(UnknownName):
            example = self._concept(example) if parameter.type == "concept" else self._episode(example)
        return {id_: found[id_] for id_ in (example, *found) if id_ in found}

    def gaps(self) -> Gaps:
        """List what the map lacks: concepts that no episode teaches, thin evidence, orphans, superseded subjects.

        Example: atlas.gaps().untaught[0].name
        """
        from torchatlas.graph.answers.gaps import find_gaps

        return find_gaps(self.graph)

    def complete(self, before: str) -> "Rows[Completion]":
        """List the ways to go on with a Cypher text that ends at the cursor.

        Example: [completion.text for completion in atlas.complete("MATCH (c:Con")]
        """
        from torchatlas.queries.completion import complete

        return Rows(complete(before, self.graph))

    def _listener(self, known: Iterable[str] = (), heard: Iterable[Name] = ()) -> Profile:
        """Return what counts on this graph of the person's profile, with what they name besides."""
        knows, has_heard = map(self._concept, known), map(self._episode, heard)
        return self.profile.within(self.graph).having("known", knows).having("heard", has_heard)
