"""The application as one object: all that a user can do, with values in and out and no screen. Start here."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from copy import copy
from dataclasses import KW_ONLY, dataclass, replace
from datetime import date, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

from torchatlas import build as builds
from torchatlas import shipped
from torchatlas import sources as origins
from torchatlas.files import alone, attempt, is_taken, note, style_of, write_file
from torchatlas.graph import answers, errors, questions, views
from torchatlas.graph.answers import Checklist, Explanation, Gaps, Hit, Plan, Quiz, Reading, Related, Step, Understood
from torchatlas.graph.errors import AtlasError, DataError, QueryError, SourceError, UnknownName
from torchatlas.graph.formatting import PLAN_DEPTHS, counted, listed
from torchatlas.graph.markdown import Shown, Table
from torchatlas.graph.model import Concept, PlanDepth, Progress, Snapshot
from torchatlas.graph.names import one_line, suggest
from torchatlas.graph.stores.base import ENGINES, ROWS, SECONDS, Store, check_limits, open_store
from torchatlas.graph.views import ConceptCard, EpisodeCard, EpisodeRow, Neighbour, Rows, SharedMap, ShowRow
from torchatlas.profile import Fact, Profile, ProfileChange, change_profile, load_profile
from torchatlas.settings import Settings, load_settings
from torchatlas.sources import Source, change_sources, load_sources

if TYPE_CHECKING:
    import networkx as nx

    from torchatlas.extract.candidates import Draft, TermCandidate
    from torchatlas.extract.feeds import Entry
    from torchatlas.extract.pipeline import Readers
    from torchatlas.extract.placing import Placed
    from torchatlas.graph.cypher import Parameter, Question
    from torchatlas.graph.drawing import NeighbourhoodSvg
    from torchatlas.graph.findings import Extraction, Journey, Vocabulary
    from torchatlas.graph.stores.neo4j_server import Server
    from torchatlas.queries import Completion

Name = str | int
"""A name, an alias, an id, or the number of an episode."""
T = TypeVar("T", bound=Name)
Progressing = Callable[[], AbstractContextManager[Progress | None]]
"""Opens the display of a long task, such as a progress bar, for as long as its context lasts."""

_PATIENCE = 3600.0  # seconds that another program may take to build
_LOOKED_AT = 24  # possible goals of each kind, of a map of one's own
_NEW = """\
# What this map is made of. The next command builds the map with what stands here.

shipped = false       # true: with the concepts and episodes that ship with torchatlas
title = {title}
sources = []          # addresses of feeds; `torchatlas add` writes them
vocabularies = []     # files with concepts of your own; `torchatlas candidates --draft FILE` begins one
"""


@dataclass(frozen=True, slots=True)
class Built(Shown):
    """The graph after a build. `failed`: how many of the named sources could not be read, in words; "": none."""

    graph: Snapshot
    failed: str = ""


@dataclass(frozen=True, slots=True)
class Imported(Shown):
    """The entries of some pages with what becomes of each. `graph`: None where nothing was changed."""

    rows: "Rows[Placed]"
    graph: Snapshot | None
    _: KW_ONLY
    failed: str = ""


@dataclass(frozen=True, slots=True)
class CorrectionStatus:
    """A correction of the user's: where it stands, what it does, and why it does not apply (None: it does)."""

    place: str
    correction: str
    _: KW_ONLY
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class UnderWay(Shown):
    """The path that a person hears now: the ids of its goals, its plan, how far they are, and the next step."""

    goals: tuple[str, ...]
    plan: Plan
    checklist: Checklist
    next: Step


@dataclass(frozen=True, slots=True)
class FeedFindings:
    """The findings of one entry after another, as they are read. `names`: concept id -> name; `failed` as in Built."""

    extractions: "Iterator[tuple[Extraction, tuple[TermCandidate, ...] | None]]"
    names: dict[str, str]
    _: KW_ONLY
    failed: str = ""


def open_atlas(store: str | None = None) -> "Atlas":
    """Return the atlas of a store, by default that of the commands. Example: `torchatlas.open("memory:")`"""
    return Atlas(load_settings(store))


class Atlas(AbstractContextManager["Atlas"]):
    """A map of concepts and episodes, the person who uses it, and the sources that it is made of.

    The store opens with the first call that needs it. The graph is that of the first question, built where it is
    missing or out of date, until `build`, `add` and the like bring a new one.

    Concepts go by id, name, alias or place in the source, episodes by number, id or title, or a part of the title. A
    question or other words do where something is shown or planned; what is remembered wants a name. A note says how
    words were understood where they are no exact name. Words that mean nothing or several things raise UnknownName,
    with suggestions. Every expected failure is an AtlasError.
    Example: `torchatlas.open().related("Strides")[0].title`
    """

    def __init__(self, settings: Settings, progressing: Progressing = nullcontext) -> None:
        self.settings = settings
        self.progressing = progressing
        self._store: Store | None = None
        self._graph: Snapshot | None = None
        self._fresh = False
        self._only: tuple[str, ...] = ()  # shows, all where there are none
        self._part: tuple[Snapshot, Snapshot] | None = None  # the whole graph, and that of these shows
        self._resolver: questions.Resolver | None = None

    def __repr__(self) -> str:
        return f"<Atlas {self.settings.store}>"

    def __exit__(self, *_exc: object) -> None:
        self.close()

    # The store and the graph in it

    @property
    def store(self) -> Store:
        """The open store. Raises StoreError."""
        if self._store is None:
            self._store = open_store(self.settings.address(self.settings.store), note)
        return self._store

    def close(self) -> None:
        """Close the store if it is open; the next question opens it again. Example: `atlas.close()`"""
        if self._store is not None:
            self._store.close()
            self._store = None

    def interrupt(self) -> None:
        """End a query under way from another thread: it raises QueryError then. Example: `atlas.interrupt()`"""
        if self._store is not None:
            self._store.interrupt()

    def stamp(self) -> str:
        """Return a text that changes whenever the stored graph does. Example: `atlas.stamp() == atlas.stamp()`"""
        return self.store.stamp()

    @property
    def graph(self) -> Snapshot:
        """The graph as values, after `of_shows` without the other shows. Raises AtlasError."""
        whole = self.whole_graph
        if not self._only:
            return whole
        if self._part is None or self._part[0] is not whole:
            self._part = whole, views.part_of_shows(whole, self._only)
        return self._part[1]

    @property
    def whole_graph(self) -> Snapshot:
        """The graph of all shows; built first where it is missing or out of date. Raises AtlasError."""
        self.ensure_fresh()
        if self._graph is None:
            self._graph = self.store.snapshot()
        return self._graph

    def of_shows(self, *shows: str) -> Self:
        """Return the same atlas with the episodes of these shows alone (title, a part of it, or id); all without names.

        Of the other episodes, those that the person has heard count by their subjects, which are known.
        Example: `atlas.of_shows("PyTorch Developer Podcast").plan("AOTAutograd").steps[0].title`
        """
        only = tuple(dict.fromkeys(views.show_named(self.whole_graph, name) for name in shows))
        chosen = copy(self)
        chosen._only, chosen._part, chosen._resolver = only, None, None
        return chosen

    def ensure_fresh(self) -> None:
        """Build the graph where none of the present inputs is stored, once. Example: `atlas.ensure_fresh()`"""
        if not self._fresh:
            self._graph = self.refresh()

    def refresh(self) -> Snapshot | None:
        """Build the graph where none is stored or it was made of other inputs; return it if it was built.

        One program builds at a time; the others wait and take its graph.
        Example: `atlas.refresh() is None`
        """
        if self._is_fresh(builds.read_inputs(self.settings)):
            return None
        with self._alone():
            inputs = builds.read_inputs(self.settings)  # another program may have changed them meanwhile
            if self._is_fresh(inputs):
                return None
            stored = self.store.fingerprint()
            if stored and inputs.is_of_another_version(stored):
                note("the graph is of another version of torchatlas; it is built anew")
            return self._build(inputs)

    def inputs_changed(self) -> None:
        """Let the next question look for changes of the inputs. Example: `atlas.inputs_changed()`"""
        self._fresh = False

    def _is_fresh(self, inputs: builds.Inputs) -> bool:
        self._fresh = self.store.fingerprint() == inputs.fingerprint
        return self._fresh

    def _alone(self) -> AbstractContextManager[None]:
        """Return the lock that a program holds from reading the inputs until their graph is stored."""
        return alone(self.settings.home / "build.lock", "another torchatlas is building the map", _PATIENCE)

    def _build(self, inputs: builds.Inputs, readers: "Readers | None" = None) -> Snapshot:
        with self.progressing() as progress:
            built = builds.build(inputs, self.store, progress, readers=readers)
        for line in built.notes:
            note(line)
        self._graph, self._fresh = built.graph, True
        return built.graph

    def _rebuilt(self, readers: "Readers | None") -> Snapshot:
        """Build, unless the graph of these very inputs is stored: what was told of it is told again then."""
        with self._alone():
            inputs = builds.read_inputs(self.settings)
            told = builds.notes_of(inputs)
            if told is None or not self.store.holds(inputs.fingerprint):
                return self._build(inputs, readers)
            for line in told:
                note(line)
            self._graph, self._fresh = self.store.snapshot(), True
            return self._graph

    # What words mean

    def understand(self, text: Name, wanted: questions.Wanted = "goal") -> Rows[Reading]:
        """List what words may mean, best first; what is `wanted` is a goal, a subject, a concept or an episode.

        The first one is taken for an answer where it is `sure`.
        Example: `atlas.understand("why is my dataloader leaking")[0].name`
        """
        return Rows(self._resolving.readings(_as_text(text), wanted))

    def meaning(self, text: Name, wanted: questions.Wanted = "goal") -> Understood:
        """Return what words are taken to mean; a goal may be a journey.
        Example: `atlas.meaning("dispacher").sentence`
        """
        text, resolver = _as_text(text), self._resolving
        if wanted != "goal" or resolver.named(text, wanted):
            return resolver.resolve(text, wanted)
        if journey := shipped.journey_named(self.graph, text):
            said = f"These are the goals of {journey.described}."
            return Understood(text, journey.goals, how="journey", sentence=said)
        try:
            return resolver.resolve(text, wanted)
        except UnknownName as unknown:
            for about in shipped.journeys_about(self.graph, text)[:1]:
                more = f"; or take {about.described}: torchatlas plan --journey {about.name}"
                raise unknown.with_more(more) from unknown
            raise

    def names_with_commas(self) -> list[str]:
        """Return the names and titles that hold commas, and so are no lists. Example: `atlas.names_with_commas()`"""
        concepts = (name for concept in self.graph.concepts for name in (concept.name, *concept.aliases))
        return [name for name in (*concepts, *(e.title for e in self.graph.episodes)) if "," in name]

    def concept_id(self, name: str, *, words_too: bool = False) -> str:
        """Return the id of a concept; an id comes before a name. Example: `atlas.concept_id("torch.vmap")`"""
        return self._id_of(name, "concept", words_too=words_too)

    def episode_id(self, name: Name, *, words_too: bool = False) -> str:
        """Return the id of an episode. Example: `atlas.episode_id(61)`"""
        return self._id_of(name, "episode", words_too=words_too)

    def _id_of(self, name: Name, wanted: questions.Wanted, *, words_too: bool = True) -> str:
        """Return the id that a name means; a note says how it was understood where it is no exact one."""
        meant = self._resolving.resolve(_as_text(name), wanted, words_too=words_too)
        if meant.sentence:
            note(meant.sentence)
        return meant.ids[0]

    def _goals(self, names: Iterable[Name]) -> list[Understood]:
        return [self.meaning(name) for name in dict.fromkeys(map(_as_text, names))]

    @property
    def _resolving(self) -> questions.Resolver:
        """The resolver of the graph as it is now; it keeps its index for the next text."""
        graph = self.graph
        if self._resolver is None or self._resolver.snapshot is not graph:
            self._resolver = questions.Resolver(graph)
        return self._resolver

    # What to hear, and in which order

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
        Example: `atlas.plan("AOTAutograd", known=["dispatcher"], budget=60).steps[0].title`
        """
        from torchatlas.graph.planning.plan import make_plan

        if not goals:
            raise AtlasError("a plan needs a goal: name a concept or an episode")
        if budget is not None:
            errors.check_least("the budget in minutes", budget, 1)
        errors.check_one_of("depth", depth, PLAN_DEPTHS)
        errors.check_between("the speed", speed, 0.5, 4)
        parts = None if split is None else answers.Split.parse(split)
        profile = self._listener(_as_list(known), _as_list(heard))
        meant = self._goals(goals)
        ids = dict.fromkeys(id_ for each in meant for id_ in each.ids)
        knows, has_heard = set(profile.known), set(profile.heard)
        plan = make_plan(self.graph, list(ids), knows, has_heard, budget, depth=depth, split=parts, speed=speed)
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

        `yes` and `no` name the episodes whose question the person could and could not answer; the rest is as in `plan`.
        Example: `atlas.quiz("AOTAutograd", yes=[2]).check.question`
        """
        from torchatlas.graph.planning.quiz import minutes_saved, quiz

        given = [[self.episode_id(name) for name in _as_list(names)] for names in (yes, no)]
        whole = self.plan(*goals, known=known, heard=heard, depth=depth, speed=speed)
        check, skipped = quiz(self.graph, whole.steps, *given)
        heard = [*_as_list(heard), *(e.id for e in skipped)]
        left = self.plan(*goals, known=known, heard=heard, depth=depth, speed=speed) if skipped else whole
        saved, estimated = minutes_saved(whole, left)  # what a budget leaves out is not known
        if budget is not None or split is not None:
            left = self.plan(*goals, known=known, heard=heard, budget=budget, depth=depth, split=split, speed=speed)
        return Quiz(check, left, skipped=skipped, saved=saved, estimated=estimated)

    def what_next(self) -> answers.WhatNext:
        """List what is ready to be heard, and worth hearing again. Example: `atlas.what_next().ready[0].opens`"""
        from torchatlas.graph.planning.quiz import what_next

        profile = self._listener()
        return what_next(self.graph, profile.known, profile.heard)

    def journeys(self) -> "Rows[Journey]":
        """List the curated journeys: goals that make a good whole. Example: `atlas.plan(*atlas.journeys()[0].goals)`"""
        return Rows(shipped.journeys_on(self.graph))

    def journey(self, name: str) -> "Journey":
        """Return a curated journey by its name or title. Example: `atlas.journey("from-eager-to-compile").goals`"""
        if journey := shipped.journey_named(self.graph, name):
            return journey
        names = [journey.name for journey in shipped.journeys_on(self.graph)]
        raise UnknownName("journey", name, suggest(name, names) or sorted(names)[:3])

    def first_goals(self, limit: int = 6) -> Rows[Neighbour]:
        """List goals to begin with, each with how much there is to hear.

        Where none of the shipped goals is on the map, those among the most explained concepts and the episodes come
        first that have most to hear.
        Example: `atlas.first_goals()[0].why`
        """
        graph, goals = self.graph, shipped.first_goals(self.graph)[:limit]
        own = not goals
        if own:  # episodes come first that ask for others and that none asks for
            asking, asked = ({getattr(edge, end) for edge in graph.listen_after} for end in ("source", "target"))
            episodes = sorted(graph.episode, key=lambda e: (e not in asking, e in asked, e))
            goals = (*(row.id for row in self.most_explained(_LOOKED_AT)), *episodes[:_LOOKED_AT])
        named = {graph.name_of(id_).casefold(): id_ for id_ in reversed(goals)}  # the first of two with one name
        plans = [(id_, self.plan(id_)) for id_ in goals if named[graph.name_of(id_).casefold()] == id_]
        if own:
            plans.sort(key=lambda found: -len(found[1].steps))
        return Rows(Neighbour(id_, graph.name_of(id_), why=plan.amount) for id_, plan in plans[:limit])

    def find_episodes(self, text: str = "", area: str | None = None, heard: bool | None = None) -> Rows[EpisodeRow]:
        """List episodes by words, area, and whether heard. Example: `atlas.find_episodes("views", heard=False)`"""
        rows, has_heard = views.episode_rows(self.graph, text), set(self.profile.heard)
        return Rows(row for row in rows if area in (None, row.area) and heard in (None, row.id in has_heard))

    def checklist(self, plan: Plan) -> Checklist:
        """Return the steps of a plan with what of it was heard. Example: `atlas.checklist(atlas.plan("vmap")).told`"""
        from torchatlas.graph.planning.plan import make_plan
        from torchatlas.graph.planning.quiz import checklist

        profile = self._listener()
        goals = [id_ for meant in plan.understood for id_ in meant.ids]
        if not profile.heard:
            return checklist(plan.steps, (), ())
        whole = make_plan(self.graph, goals, profile.known, depth=plan.depth, speed=plan.speed)
        return checklist(plan.steps, whole.steps, profile.heard)

    def under_way(self) -> UnderWay | None:
        """Return the path that the person hears now, if some of it is left. Example: `atlas.under_way() is None`"""
        goals = self._listener().goals
        plan = self.plan(*goals) if goals else None
        return UnderWay(goals, plan, self.checklist(plan), plan.steps[0]) if plan and plan.steps else None

    def opens(self, *goals: str, limit: int = 6) -> Rows[Neighbour]:
        """List the concepts with an episode that need some goals (ids). Example: `atlas.opens("dispatcher")[0].why`"""
        graph = self.graph
        about = {t.source: t.target for t in reversed(graph.teaches) if t.depth == "main"}
        reached = {about.get(goal, goal) for goal in goals}
        taught = set(about.values())
        found = [r for r in graph.requires if r.target in reached and r.source in taught - reached]
        later = {r.source: Neighbour(r.source, graph.name_of(r.source), why=r.reason) for r in reversed(found)}
        return Rows(sorted(later.values(), key=lambda row: (-len(graph.teachers[row.id]), row.name))[:limit])

    # What there is on the map

    def search(self, text: str, limit: int = 10) -> Rows[Hit]:
        """Find concepts and episodes by any words, best first. Example: `atlas.search("memory leak")[0].name`"""
        errors.check_least("the limit", limit, 1)
        return Rows(questions.search(self._resolving, text, limit))

    def related(self, episode: Name, limit: int = 10) -> Rows[Related]:
        """List the episodes nearest to an episode, best first. Example: `atlas.related("Strides")[0].reasons`"""
        from torchatlas.graph.related import related

        errors.check_least("the limit", limit, 1)
        return Rows(related(self.graph, self.episode_id(episode, words_too=True), limit))

    def concept(self, name: str) -> ConceptCard:
        """Show all that is known of a concept. Example: `atlas.concept("functionalization").needs`"""
        return views.concept_card(self.graph, self.concept_id(name, words_too=True))

    def episode(self, name: Name) -> EpisodeCard:
        """Show all that is known of an episode. Example: `atlas.episode(61).teaches`"""
        return views.episode_card(self.graph, self.episode_id(name, words_too=True))

    def neighbourhood(self, name: Name, radius: int = 1) -> "NeighbourhoodSvg":
        """Draw what lies so many steps around a concept or an episode. Example: `atlas.neighbourhood("vmap").svg`"""
        from torchatlas.graph.drawing import neighbourhood_svg

        errors.check_least("the radius", radius, 1)
        return neighbourhood_svg(self.graph, self._id_of(name, "subject"), radius)

    def explain(self, earlier: Name, later: Name) -> Explanation:
        """Say why one thing comes before another. Example: `atlas.explain("strides", "AOTAutograd").chain`"""
        graph = self.graph
        first, then = (self._id_of(name, "subject") for name in (earlier, later))
        ends = ((id_, graph.name_of(id_)) for id_ in (first, then))
        return Explanation(*ends, chain=views.chain(graph, first, then), reverse=views.chain(graph, then, first))

    def concepts(self, *names: str) -> Rows[Concept]:
        """List the named concepts, or all, by id. Example: `atlas.concepts("vmap", "functorch")`"""
        wanted = {self.concept_id(name, words_too=True) for name in names} or self.graph.concept.keys()
        return Rows(self.graph.concept[id_] for id_ in sorted(wanted))

    def shows(self) -> Rows[ShowRow]:
        """List all shows on the map, by title. Example: `[show.title for show in atlas.shows()]`"""
        return Rows(views.show_rows(self.whole_graph))

    def areas(self) -> tuple[str, ...]:
        """Return the areas of the map, by name. Example: `atlas.areas()[0]`"""
        return self.graph.areas

    def concept_names(self) -> dict[str, str]:
        """Return id -> name of the concepts, by name. Example: `atlas.concept_names()["vmap"]`"""
        return views.concept_names(self.graph)

    def episode_names(self) -> dict[str, str]:
        """Return id -> number and title of the episodes, in their order. Example: `list(atlas.episode_names())[0]`"""
        return views.episode_names(self.graph)

    def other_names(self) -> dict[str, str]:
        """Return alias -> "name · alias" of the concepts, where it means one.
        Example: `atlas.other_names()["TorchInductor"]`
        """
        return views.other_names(self.graph)

    def names_of(self, ids: Iterable[str]) -> dict[str, str | None]:
        """Return id -> name or title, None for an id that this graph lacks. Example: `atlas.names_of(atlas.know())`"""
        known = self.graph.concept.keys() | self.graph.episode.keys()
        return {id_: self.graph.name_of(id_) if id_ in known else None for id_ in ids}

    def most_explained(self, limit: int = 6) -> Rows[Neighbour]:
        """List the concepts that most episodes explain: a place to begin. Example: `atlas.most_explained(1)[0].why`"""
        errors.check_least("the limit", limit, 1)
        graph = self.graph
        times = sorted((-len(lessons), id_) for id_, lessons in graph.teachers.items())[:limit]
        return Rows(
            Neighbour(id_, graph.name_of(id_), why=f"explained in {counted(-n, 'episode')}") for n, id_ in times
        )

    def gaps(self) -> Gaps:
        """List what the map lacks, such as concepts without episode. Example: `atlas.gaps().untaught[0].name`"""
        return views.find_gaps(self.graph)

    # What the person knows, has heard and hears now

    @property
    def profile(self) -> Profile:
        """The concepts that the person knows and the episodes that they have heard, as the file says now."""
        return load_profile(self.settings)

    def know(self, *names: str, forget: bool = False) -> tuple[str, ...]:
        """Remember (or `forget`) concepts; return their ids, without names all. Example: `atlas.know("dispatcher")`"""
        return self._remember("known", [self.concept_id(name) for name in names], forget=forget)

    def heard(self, *names: Name, forget: bool = False) -> tuple[str, ...]:
        """Remember (or `forget`) episodes; return their ids, without names all. Example: `atlas.heard(2, "Strides")`"""
        return self._remember("heard", [self.episode_id(name) for name in names], forget=forget)

    def know_subjects(self, *episodes: Name) -> tuple[str, ...]:
        """Remember that the person knows what episodes are about. Example: `atlas.know_subjects("Strides")`"""
        from torchatlas.graph.planning.demands import main_subjects

        found = (c for name in episodes for c in main_subjects(self.graph, self.episode_id(name)))
        subjects = list(dict.fromkeys(found))
        return self._remember("known", subjects, forget=False) if subjects else ()

    def set_profile(self, fact: Fact, ids: str | Iterable[str]) -> Profile:
        """Make these all that is known, or heard, on this map. Example: `atlas.set_profile("known", ["vmap"])`"""

        def change(profile: Profile) -> Profile:
            others = profile.lacking(fact, getattr(profile.within(self.graph), fact))
            return others.having(fact, _as_list(ids))

        return change_profile(self.settings, change)

    def begin(self, *goals: Name) -> Profile:
        """Remember the goals of the path that is heard now; without goals, none.
        Example: `atlas.begin("vmap").goals`
        """
        ids = tuple(dict.fromkeys(id_ for meant in self._goals(goals) for id_ in meant.ids))
        return change_profile(self.settings, lambda profile: replace(profile, goals=ids))

    def undo(self, change: ProfileChange) -> Profile:
        """Take a change of the profile back; what was changed since stays.
        Example: `atlas.undo(torchatlas.profile.ProfileChange(atlas.profile, atlas.profile))`
        """
        return change_profile(self.settings, change.undone)

    def _remember(self, fact: Fact, ids: list[str], *, forget: bool) -> tuple[str, ...]:
        if ids:
            change_profile(self.settings, lambda p: p.lacking(fact, ids) if forget else p.having(fact, ids))
            return tuple(ids)
        known: tuple[str, ...] = getattr(self.profile, fact)
        return known

    def _listener(self, known: Iterable[str] = (), heard: Iterable[Name] = ()) -> Profile:
        """Return what counts on this map of the person's profile, with what they name besides.

        Of episodes of other shows, the subjects count.
        """
        graph, knows = self.graph, [self.concept_id(name) for name in known]
        if not self._only:
            has_heard = [self.episode_id(name) for name in heard]
            return self.profile.within(graph).having("known", knows).having("heard", has_heard)
        from torchatlas.graph.planning.demands import main_subjects

        whole = self.of_shows()
        profile = whole.profile.within(whole.graph).having("heard", (self._heard_in(whole, name) for name in heard))
        elsewhere = (e for e in profile.heard if e not in graph.episode)
        subjects = (concept for episode in elsewhere for concept in main_subjects(whole.graph, episode))
        return profile.within(graph).having("known", (*knows, *subjects))

    def _heard_in(self, whole: "Atlas", name: Name) -> str:
        """Return the id of an episode of any show; a name that several shows have means the one of these shows."""
        try:
            return whole.episode_id(name)
        except UnknownName:  # of several shows, perhaps
            with suppress(UnknownName):
                return self.episode_id(name)
            raise

    # Questions in Cypher

    def query(
        self,
        cypher: str,
        parameters: Mapping[str, object] | None = None,
        *,
        rows: int = ROWS,
        seconds: float = SECONDS,
    ) -> Table:
        """Ask the stored graph in Cypher: reading statements only, for so many rows and seconds at the most.

        Raises QueryError for what is refused, wrong or takes too long.
        Example: `atlas.query("MATCH (c:Concept {id: $id})-[:REQUIRES]->(p) RETURN p.name", {"id": "vmap"}).rows`
        """
        check_limits(rows, seconds)
        self.ensure_fresh()
        return self.store.query(cypher, parameters, rows=rows, seconds=seconds)

    def ask(
        self, name: str, values: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> Table:
        """Ask a saved question about things by any name. Example: `atlas.ask("before", {"concept": "vmap"})`"""
        (question,) = self._fitting(shipped.find_question(name))
        given: Mapping[str, object] = values or {}
        if any(p.type in ("concept", "episode", "area") for p in question.parameters):
            given = question.resolve(given, self._resolving)
        return self.query(question.cypher, question.bind(given), rows=rows, seconds=seconds)

    def questions(self) -> "Rows[Question]":
        """List the saved questions, with examples from this map. Example: `[q.title for q in atlas.questions()]`"""
        return Rows(self._fitting(*shipped.load_questions()))

    def _fitting(self, *questions: "Question") -> "Sequence[Question]":
        """Return saved questions with examples from this map."""
        from torchatlas.queries import with_own_examples

        return questions if load_sources(self.settings).shipped else with_own_examples(questions, self.graph)

    def choices(self, parameter: "Parameter") -> dict[str, str]:
        """Return value -> name of what may be asked about, the example first; {}: any text.
        Example: `atlas.choices(atlas.questions()[0].parameters[0])`
        """
        if parameter.type == "area":
            found = {area: area for area in self.areas()}
        elif parameter.type in ("concept", "episode"):
            found = self.concept_names() if parameter.type == "concept" else self.episode_names()
        else:
            return {}
        example = parameter.example
        with suppress(UnknownName):
            example = self.concept_id(example) if parameter.type == "concept" else self.episode_id(example)
        return {id_: found[id_] for id_ in (example, *found) if id_ in found}

    def complete(self, before: str) -> "Rows[Completion]":
        """List the ways to go on with a Cypher text. Example: `[c.text for c in atlas.complete("MATCH (c:Con")]`"""
        from torchatlas.queries import complete

        return Rows(complete(before, self.graph))

    def schema(self) -> views.Census:
        """Count what there is to ask in Cypher, with examples. Example: `atlas.schema().nodes[0].pattern`"""
        return views.census(self.whole_graph)

    def nodes(self, table: Table) -> tuple[str, ...]:
        """Return the ids of concepts and episodes in the rows of a query. Raises QueryError without any.
        Example: `atlas.nodes(atlas.query("MATCH (c:Concept {area: 'Autograd'}) RETURN c"))`
        """
        if not (found := tuple(dict.fromkeys(chain.from_iterable(self.nodes_by_row(table))))):
            rows = counted(len(table.rows), "row")
            of_chosen = f" of {listed([show.title for show in self.graph.shows])}" if self._only else ""
            raise QueryError(f"no concept and no episode{of_chosen} in {rows}: RETURN nodes, or their ids")
        return found

    def nodes_by_row(self, table: Table) -> tuple[tuple[str, ...], ...]:
        """Return the ids of the concepts and episodes in each row of a query.
        Example: `atlas.nodes_by_row(atlas.query("MATCH (c:Concept) RETURN c LIMIT 2"))[1]`
        """
        from torchatlas.queries import nodes_by_row

        return nodes_by_row(table, self.graph)

    # Sources and builds

    @staticmethod
    def new(folder: str | Path, title: str = "") -> Path:
        """Make a folder for a map without the shipped concepts and episodes, and return its list of sources.

        The folder is used where TORCHATLAS_HOME names it. Raises DataError where it holds a map already.
        Example: `atlas.new("databases", "Database internals").name`
        """
        import tomlkit

        home = Path(folder).expanduser().absolute()
        file = home / "sources.toml"
        text = _NEW.format(title=tomlkit.item(title or home.name).as_string())
        if is_taken(file):
            raise DataError(f"{file}: there is a map in this folder already; name another folder")
        return write_file(file, text.encode("utf-8", "replace"))

    @property
    def subject(self) -> str:
        """Name what the map is of, in words. Raises DataError where sources.toml cannot be read."""
        return load_sources(self.settings).subject

    @property
    def title(self) -> str:
        """The title that the person gave the map, "" where there is none. Raises DataError."""
        return load_sources(self.settings).title

    def build(self, *, offline: bool = False, jobs: int | None = None, on: str = "") -> Built:
        """Read everything again and build the graph where that changes it; feeds are fetched first, unless `offline`.

        `jobs`: processes that read, None for as many as pay; `on`: the address of a Dask scheduler whose cluster reads
        instead. A feed that cannot be fetched counts by its last good copy. If it fails, the stored graph is unchanged.
        Example: `len(atlas.build(offline=True).graph.episodes)`
        """
        with builds.reading(jobs, on) as readers:
            if not offline:
                with self.progressing() as progress:
                    lines = list(origins.refresh(self.settings, progress))
                for line in lines:
                    note(line)
            return Built(self._rebuilt(readers))

    def add(self, *feeds: str, jobs: int | None = None, on: str = "") -> Built:
        """Remember feeds (address, file, or an OPML list of feeds) and build the graph with their episodes.

        Transcripts and chapters that a feed names are fetched as well. `jobs` and `on` are those of `build`. Raises
        SourceError where no feed can be read.
        Example: `atlas.add("https://feeds.simplecast.com/OB5FkIl8").failed`
        """
        if not feeds:
            raise SourceError("no feed is named: give its address or file, or an OPML list")
        with builds.reading(jobs, on) as readers:
            with self.progressing() as progress:
                lines, failures = attempt(feeds, lambda feed: origins.remember(self.settings, feed, progress))
            for line in chain.from_iterable(lines):
                note(line)
            failed = _told(failures, len(feeds))
            return Built(self._rebuilt(readers), failed)

    def import_pages(self, *pages: str, dry_run: bool = False) -> Imported:
        """Remember saved pages and build the graph with the episodes on them; with `dry_run` nothing is changed.

        Raises SourceError where no page can be read.
        Example: `atlas.import_pages("playerfm.html", dry_run=True).rows[0].outcome`
        """
        if not pages:
            raise SourceError("no page is named: give the file of a saved page")
        opened, failures = attempt(pages, origins.open_page)
        failed = _told(failures, len(pages))
        documents = tuple(dict(opened).items())  # each page once
        rows = Rows(builds.import_report(builds.read_inputs(self.settings), documents))
        if dry_run:
            return Imported(rows, None, failed=failed)
        origins.keep_pages(self.settings, documents)
        return Imported(rows, self.refresh(), failed=failed)

    def sources(self) -> Rows[Source]:
        """List the user's feeds and pages, with what each holds. Example: `[s.trouble for s in atlas.sources()]`"""
        return Rows((*origins.remembered(self.settings), *origins.imported(self.settings)))

    def feed_of(self, show: str) -> str | None:
        """Return the address of a show's feed, the user's own first. Example: `atlas.feed_of("Widget Radio")`"""
        own = {feed.title: feed.address for feed in origins.remembered(self.settings)}
        return own.get(show) or (shipped.SHOW.feed_url if show == shipped.SHOW.title else None)

    def remove_source(self, address: str) -> None:
        """Forget a feed or page. Raises SourceError for another name. Example: `atlas.remove_source("feed.xml")`"""
        origins.forget(self.settings, address)
        self.inputs_changed()

    def accept(self, term: str, *, name: str = "", definition: str = "", area: str = "") -> str:
        """Make a term a topic of the user's own, and return its id; the next question builds the graph with it.

        Raises DataError where the term or the name is a name already.
        Example: `atlas.accept("lantern pass", area="Compilation")`
        """
        id_ = builds.add_topic(self.settings, term, name=name, definition=definition, area=area)
        self.inputs_changed()
        return id_

    def reject(self, term: str) -> None:
        """Never list a term as a candidate again. Raises DataError. Example: `atlas.reject("great question")`"""
        change_sources(self.settings, lambda sources: sources.adding(refused=one_line(term)))

    def corrections(self) -> Rows[CorrectionStatus]:
        """List the user's corrections of the graph, and which do not apply.
        Example: `[c.problem for c in atlas.corrections()]`
        """
        from torchatlas.graph.corrections import describe

        inputs = builds.read_inputs(self.settings)
        if not (found := builds.parsed_corrections(inputs)):
            return Rows()
        with self.progressing() as progress:
            problems = builds.build(inputs, progress=progress).problems
        return Rows(CorrectionStatus(c.place, describe(c), problem=problems.get(c.place)) for c in found)

    # What texts say, without a map

    def extract(
        self,
        *feeds: str,
        candidates: bool = False,
        vocabularies: Iterable[str] = (),
        jobs: int | None = None,
        on: str = "",
    ) -> FeedFindings:
        """Find the concepts, links and statements in feeds, entry by entry; nothing is stored.

        `candidates`: new terms as well; `vocabularies`: more files of concepts; `jobs` and `on` are those of `build`.
        Raises SourceError where no feed can be read; what fails as the entries are read is raised there.
        Example: `[found.mentions for found, _ in atlas.extract("feed.xml").extractions]`
        """
        from torchatlas.extract.candidates import CandidateFinder

        if not feeds:
            raise SourceError("no feed is named: give its address or file")
        known, read, failed = self._read(feeds, vocabularies, jobs, on)
        finder = CandidateFinder(known, load_sources(self.settings).refused) if candidates else None
        found = ((extraction, finder.rank([extraction]) if finder else None) for extraction in read)
        return FeedFindings(found, {c.id: c.name for c in known.concepts}, failed=failed)

    def candidates(self, *feeds: str) -> "Rows[TermCandidate]":
        """List terms that the vocabulary does not know, best first: in some feeds, else in all that a build reads.

        Raises SourceError where no feed can be read.
        Example: `atlas.candidates()[0].text`
        """
        from torchatlas.extract.candidates import CandidateFinder

        refused = load_sources(self.settings).refused
        if not feeds:
            return Rows(builds.find_candidates(builds.read_inputs(self.settings), refused))
        known, read, failed = self._read(feeds)
        if failed:
            note(failed)
        return Rows(CandidateFinder(known, refused).rank(read))

    def draft(self, path: str | Path, *feeds: str, limit: int = 40, area: str = "") -> "Rows[Draft]":
        """Write the best candidates to a new vocabulary, which the next build reads, and list them.

        Each has a sentence of the notes for a definition, and what the notes make a probable prerequisite. `area`: by
        default the subject of the map. Raises DataError where the file is there already or no candidate is left.
        Example: `atlas.draft("mine.toml", limit=20)[0].name`
        """
        from torchatlas.extract.candidates import drafts, written

        candidates, file = self.candidates(*feeds), Path(path).expanduser().absolute()
        if is_taken(file):
            raise DataError(f"{file}: is there already; name another file, or delete it")
        inputs = builds.read_inputs(self.settings)
        found = drafts(candidates, (c.id for c in builds.correct_curated(inputs).vocabulary.concepts), limit)
        if not found:
            raise DataError("no candidate is left to draft; `torchatlas add` brings in more notes")
        area = area or self.subject
        own = (str(file), written(area, found))
        drafted = builds.build(replace(inputs, concepts=(*inputs.concepts, own))).graph
        needs = {d.id: drafted.required_by.get(d.id, ()) for d in found}
        write_file(file, written(area, found, needs).encode("utf-8", "replace"))
        change_sources(self.settings, lambda sources: sources.adding(vocabulary=str(file)))
        return Rows(found)

    def _read(
        self, feeds: Sequence[str], vocabularies: Iterable[str] = (), jobs: int | None = None, on: str = ""
    ) -> "tuple[Vocabulary, Iterator[Extraction], str]":
        """Return the vocabulary, the findings of one entry after another, and how many feeds could not be read."""
        from torchatlas.extract.feeds import parse
        from torchatlas.extract.fetch import fetch
        from torchatlas.extract.pipeline import Extractor

        most = load_sources(self.settings).feed_entries

        def entries_of(feed: str) -> "tuple[Entry, ...]":
            fetched = fetch(feed, self.settings.cache)
            parsed = parse(fetched.data, fetched.address, most)
            for line in (*filter(None, [fetched.note]), *(f"skipped: {entry}" for entry in parsed.skipped)):
                note(line)
            return parsed.entries

        found, failures = attempt(feeds, entries_of)
        failed = _told(failures, len(feeds))
        entries = tuple(chain.from_iterable(found))
        curated = replace(builds.curated_inputs(self.settings, vocabularies), episodes=())
        known = builds.correct_curated(curated).vocabulary

        def extracted() -> "Iterator[Extraction]":
            titles = (entry.episode.title for entry in entries)
            with builds.reading(jobs, on) as readers:
                yield from Extractor(known.concepts, titles, readers=readers).extract(entries)

        return known, extracted(), failed

    # Plans and maps to take along

    def plan_text(self, plan: Plan, style: str, start: date | datetime | None = None) -> str:
        """Return a plan as the content of one file: rss, ics, markdown, html or json.

        `start`: the day of the first session in a calendar (ics), or its local time, on which sessions then begin. A
        note says how many episodes of a feed have no audio, and how to get it. Raises AtlasError for another style, and
        for a calendar without a start.
        Example: `atlas.plan_text(atlas.plan("AOTAutograd"), "rss")`
        """
        from torchatlas.ui.plans import playlist, text_in, without_audio

        found = playlist(self.graph, plan, start)
        text = text_in(style, found)
        if style == "rss" and (lacking := without_audio(found)):
            note(lacking)
        return text

    def write_plan(
        self, plan: Plan, target: Path | str, style: str | None = None, start: date | datetime | None = None
    ) -> Path:
        """Write a plan to a file and return that; the style is by default what the name ends in.

        Raises DataError where the style cannot be told or the file cannot be written, else as `plan_text` does.
        Example: `atlas.write_plan(atlas.plan("AOTAutograd"), "plan.xml").name`
        """
        from torchatlas.ui.plans import format_of

        text = self.plan_text(plan, style or format_of(Path(target)), start)
        return write_file(Path(target), text.encode())

    def shared(self, *goals: Name) -> SharedMap:
        """Return what a page to send around says: the map, and with goals the plan for them.

        The plan leaves out what the person knows and has heard.
        Example: `atlas.shared("AOTAutograd").plan.steps[0].title`
        """
        return views.shared_map(self.graph, self.subject, self.plan(*goals) if goals else None)

    def share(self, target: Path | str, draw: Callable[[SharedMap], str], *goals: Name) -> Path:
        """Write the page that `draw` makes of the map, and return the file. Raises DataError.
        Example: `atlas.share("map.html", lambda shared: f"<h1>{shared.title}</h1>", "AOTAutograd").name`
        """
        return write_file(Path(target), draw(self.shared(*goals)).encode())

    def export(self, target: Path | str, style: str | None = None) -> tuple[Path, ...]:
        """Write the graph for other programs and return the files.

        `style`: graphml, gexf, json (node-link), cypher, or csv (a folder); by default what the name ends in. Raises
        DataError where it cannot be told or written.
        Example: `atlas.export("atlas.graphml")`
        """
        target = Path(target)
        style = style_of(target, style)
        if style != "csv":
            return (write_file(target, self.exported(style)),)
        from torchatlas.graph.export import csv_files, import_arguments

        arguments = "\n".join(import_arguments(".")) + "\n"
        contents = csv_files(self.graph) | {"import.args": arguments.encode()}
        return tuple(write_file(target / name, content) for name, content in contents.items())

    def exported(self, style: str) -> bytes:
        """Return the graph as one file's content, in any style but csv. Example: `atlas.exported("graphml")`"""
        from torchatlas.graph.export import cypher_script, gexf, graphml, node_link

        write = {"graphml": graphml, "gexf": gexf, "json": node_link, "cypher": cypher_script}
        return write[style_of(Path("-"), style)](self.graph)

    def network(self) -> "nx.MultiDiGraph[str]":
        """Return the graph for networkx. Example: `atlas.network().nodes["Concept:vmap"]["area"]`"""
        from torchatlas.graph.export import to_network

        return to_network(self.graph)

    def diff(self, old: Path | str, new: Path | str | None = None) -> answers.Differences:
        """Tell what changes from one graph to another, and which plans; `new` is by default the present one.

        A graph is a JSON file of `export` or the address of a store. The plans are those of somebody who knows nothing.
        Raises DataError where there is no graph.
        Example: `atlas.diff(atlas.export("before.json")[0]).plans`
        """
        from torchatlas.graph.planning.plan import plan_changes

        before = self._graph_at(str(old))
        after = self.graph if new is None else self._graph_at(str(new))
        plans, compared = plan_changes(before, after)
        return answers.Differences(plans, views.changes(before, after), compared=compared)

    def _graph_at(self, place: str) -> Snapshot:
        """Return the graph in a JSON file of `export`, or at the address of a store. Nothing is built."""
        place = self.settings.address(place)
        if any(re.fullmatch(engine.pattern, place, re.DOTALL) for engine in ENGINES):
            with open_store(place) as store:
                if store.fingerprint() is None:
                    raise DataError(f"{store.address} holds no graph of this version; name another store, or build it")
                return store.snapshot()
        from torchatlas.graph.export import read_node_link

        try:
            content = Path(place).expanduser().read_bytes()
        except (OSError, ValueError) as e:
            wanted = "name a file that `torchatlas export FILE.json` wrote, or the address of a store"
            reason = e.strerror if isinstance(e, OSError) else e
            raise DataError(f"{errors.shortened(place)!r} cannot be read ({reason}); {wanted}") from e
        return read_node_link(content, place)

    # A Neo4j server of one's own

    def start_server(self, port: int | None = None) -> "Server":
        """Start a Neo4j server of the user's own, on this computer only, or return the one that runs.

        `port`: for Bolt, by default 17687 where it is free. Raises StoreError where the server does not start.
        Example: `atlas.start_server().uri`
        """
        from torchatlas.graph.stores import neo4j_server as server

        return server.start(self.settings.server, note, port=port, stay=True)

    def server(self) -> "Server | None":
        """Return the running Neo4j server of the user's own, else None. Example: `atlas.server() is None`"""
        from torchatlas.graph.stores import neo4j_server as server

        return server.status(self.settings.server)

    def stop_server(self) -> bool:
        """End the Neo4j server of the user's own and say whether it ran. Example: `atlas.stop_server()`"""
        from torchatlas.graph.stores import neo4j_server as server

        return server.stop(self.settings.server)


def _as_list(names: T | Iterable[T]) -> list[T]:
    return [names] if isinstance(names, str | int) else list(names)


def _as_text(name: Name) -> str:
    """Return a name, or the number of an episode, as text. Raises AtlasError for a number that no episode has."""
    if isinstance(name, int):
        errors.check_least("the number of an episode", name, 0)
    return str(name)


def _told(failures: Sequence[SourceError], total: int) -> str:
    """Note the failures among so many sources; return their number in words. Raises the error where none is left."""
    if failures and total == 1:
        raise failures[0]
    for failure in failures:
        note(str(failure))
    if failures and len(failures) == total:
        raise SourceError(f"none of the {total} could be read")
    return f"{len(failures)} of {total} could not be read" if failures else ""
