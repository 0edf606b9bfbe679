"""The application as one object: all that a user can do, without a screen. Start here."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from copy import copy
from dataclasses import replace
from datetime import date
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Self

from torchatlas import build as builds
from torchatlas import queries, shipped
from torchatlas import sources as origins
from torchatlas.extract.extraction_cache import ExtractionCache, key
from torchatlas.files import attempt, change, changing, load, log, read_text, style_of, write_file
from torchatlas.graph import answers, errors, questions, views
from torchatlas.graph.errors import AtlasError, DataError, QueryError, SourceError, UnknownName
from torchatlas.graph.formatting import PLAN_DEPTHS, counted, listed
from torchatlas.graph.messages import LONGEST
from torchatlas.graph.model import Concept, Episode, MarkdownMixin, PlanDepth, Progress, Snapshot, Value
from torchatlas.graph.names import ONLY, concept_id, one_line, suggest
from torchatlas.graph.planning import quiz as quizzes
from torchatlas.graph.planning.demands import main_subjects
from torchatlas.graph.stores.base import ENGINES, ROWS, SECONDS, Store, check_limits, open_store
from torchatlas.graph.views import Neighbour, Rows
from torchatlas.graph.whole_files import alone, write_whole, writing
from torchatlas.profile import Fact, News, Profile, change_profile, load_profile
from torchatlas.settings import Settings, load_settings
from torchatlas.sources import Source, change_sources, load_sources

if TYPE_CHECKING:
    import networkx as nx

    from torchatlas.extract.candidates import Draft, TermCandidate
    from torchatlas.extract.feeds import Entry
    from torchatlas.extract.pipeline import Readers
    from torchatlas.extract.placing import Placed
    from torchatlas.graph.corrections import Dated
    from torchatlas.graph.cypher import Parameter, Question
    from torchatlas.graph.findings import Extraction, Journey, Vocabulary
    from torchatlas.ui.drawing import NeighbourhoodSvg
Name = str | int  # the number is of an episode
Names = Name | Iterable[Name]
Progressing = Callable[[], AbstractContextManager[Progress | None]]  # displays a long task
_PATIENCE = 3600.0  # seconds that another program may take to build
_NEW = """\
# What this map is made of. `torchatlas add` and `torchatlas candidates --draft FILE` write here, too.
shipped = false  # true: with the concepts and episodes that ship with torchatlas
title = {title}
"""


class Built(Value, MarkdownMixin):
    """The graph after a build, what failed in words, and titles `new` since the last build."""

    graph: Snapshot
    failed: str = ""
    new: tuple[str, ...] = ()


class Imported(Value, MarkdownMixin):
    """What becomes of the entries of pages. `graph`: None where nothing was changed."""

    rows: "Rows[Placed]"
    graph: Snapshot | None
    failed: str


class CorrectionStatus(Value):
    """A correction: where it stands, what it does, and why it does not apply, if so."""

    place: str
    correction: str
    problem: str | None


class FeedFindings(Value):
    """The findings of one entry after another, as they are read; `failed` as in Built."""

    extractions: "Iterator[Extraction]"
    vocabulary: "Vocabulary"
    failed: str


def open_atlas(store: str | None = None) -> "Atlas":
    """Return a store's atlas, or the usual one: `torchatlas.open("memory:")`."""
    return Atlas(load_settings(store))


class Atlas(AbstractContextManager["Atlas"]):
    """A map of concepts and episodes, its user, and the sources it is made of.

    The store opens at its first use. The first question builds the graph if it is
    missing or out of date; `build`, `add` and the like bring a new one.

    Name a concept by id, name, alias or source path; an episode by number, id or
    title; to show or plan, also by a question. The log says how it was understood.
    Unknown or unclear words raise UnknownName, any expected failure an AtlasError.
    """

    def __init__(self, settings: Settings, progressing: Progressing = nullcontext) -> None:
        self.settings, self.progressing = settings, progressing
        self._store: Store | None = None
        self._graph: Snapshot | None = None
        self._fresh = False
        self._only: tuple[str, ...] = ()  # shows, all where there are none
        self._part: tuple[Snapshot, Snapshot] | None = None  # all, and these shows
        self._names: questions.Resolver | None = None

    def __repr__(self) -> str:
        return f"<Atlas {self.settings.store}>"

    def __exit__(self, *_exc: object) -> None:
        self.close()

    @property
    def store(self) -> Store:
        """The open store. Raises StoreError."""
        if self._store is None:
            own = self.settings.home / "atlas.lbug"  # others' files are never removed
            if self.settings.store == f"ladybug:{own}" and own.is_file() and own.stat().st_size < 2:
                log(f"{own} is empty, so the graph is built anew")
                with writing(own):
                    own.unlink()
            self._store = open_store(self.settings.address(self.settings.store), log)
        return self._store

    def close(self) -> None:
        """Close the store; the next question opens it again: `atlas.close()`."""
        if self._store is not None:
            self._store.close()
            self._store = None

    @contextmanager
    def doing(self, what: str) -> Iterator[Progress | None]:
        """Display a long task: `atlas.doing("Reading episodes")`."""
        with self.progressing() as progress:
            if progress:
                progress(what, 0, 1)
            yield progress

    def interrupt(self) -> None:
        """End another thread's query (QueryError): `atlas.interrupt()`."""
        if self._store is not None:
            self._store.interrupt()

    @property
    def graph(self) -> Snapshot:
        """The graph, after `of_shows` that of these shows. Raises AtlasError."""
        whole = self.whole_graph
        if not self._only:
            return whole
        if self._part is None or self._part[0] is not whole:
            self._part = whole, views.part_of_shows(whole, self._only)
        return self._part[1]

    @property
    def whole_graph(self) -> Snapshot:
        """The graph of all shows, built if missing or outdated. Raises AtlasError."""
        if not self._fresh:
            self.refresh()
        if self._graph is None:
            self._graph = self.store.snapshot()
        return self._graph

    def of_shows(self, *shows: str) -> Self:
        """Return the atlas of some shows: `atlas.of_shows("PyTorch")`."""
        only = tuple(dict.fromkeys(views.show_named(self.whole_graph, name) for name in shows))
        chosen = copy(self)
        chosen._only, chosen._part, chosen._names = only, None, None
        return chosen

    def refresh(self, readers: "Readers | None" = None, *, again: bool = False) -> Snapshot | None:
        """Build the graph if it is missing or outdated; return it if it was built.

        Other programs wait. `again`: check that it is whole, and repeat the log.
        Example: `atlas.refresh() is None`
        """
        self._graph, store = None, self.store
        self._fresh = not again and store.fingerprint() == builds.read_inputs(self.settings).fingerprint
        if self._fresh:
            return None
        with alone(self.settings.home / "build.lock", "another torchatlas is building the map", _PATIENCE, log):
            inputs = builds.read_inputs(self.settings)  # they may have changed meanwhile
            wanted = inputs.fingerprint
            with ExtractionCache(inputs.cache) as cache:
                lines = cache.get(key("log", wanted)) if again else ()
            if lines is None or (again and not store.notices_damage) or store.fingerprint() != wanted:
                with self.progressing() as progress:
                    self._graph, _, lines = builds.build(inputs, store, progress, readers=readers)
        log(*lines)
        self._fresh = True
        return self._graph

    def understand(self, text: Name, wanted: questions.Wanted = "goal") -> Rows[answers.Reading]:
        """List meanings, best first: `atlas.understand("slow dataloader")[0]`."""
        return Rows(self._resolver.readings(_as_text(text), wanted))

    def meaning(self, text: Name, wanted: questions.Wanted = "goal") -> answers.Understood:
        """Say what words mean: `atlas.meaning("dispacher").sentence`."""
        text, resolver = _as_text(text), self._resolver
        named = wanted != "goal" or resolver.named(text, wanted)
        if not named and (journey := shipped.journey_named(self.graph, text)):
            said = f'These are the goals of the journey "{journey.title}".'
            return answers.Understood(text, journey.goals, how="journey", sentence=said)
        try:
            meant = resolver.resolve(text, wanted)
        except UnknownName as unknown:
            if not named and (offer := self._journey_offer(text)):
                unknown.args = (f"{unknown}; or {offer}",)
            raise
        offer = "" if meant.sure else self._journey_offer(text)
        return replace(meant, sentence=f"{meant.sentence} Or {offer}.") if offer else meant

    def _journey_offer(self, text: str) -> str:
        journey = shipped.journey_about(self.graph, text)
        return f'take the journey "{journey.title}": torchatlas plan --journey {journey.name}' if journey else ""

    def id_of(self, name: Name, wanted: questions.Wanted = "subject", *, words_too: bool = True) -> str:
        """Return the id of a name or words: `atlas.id_of("torch.vmap")`."""
        meant = self._resolver.resolve(_as_text(name), wanted, words_too=words_too)
        log(*filter(None, [meant.sentence]))
        return meant.ids[0]

    def _ids(self, wanted: questions.Wanted, names: Names) -> list[str]:
        listed = [names] if isinstance(names, str | int) else names
        return [self.id_of(name, wanted, words_too=False) for name in listed]

    def _goals(self, names: Iterable[Name]) -> tuple[tuple[answers.Understood, ...], tuple[str, ...]]:
        meant = tuple(self.meaning(name) for name in dict.fromkeys(map(_as_text, names)))
        return meant, tuple(dict.fromkeys(id_ for each in meant for id_ in each.ids))

    @property
    def _resolver(self) -> questions.Resolver:
        graph = self.graph
        if self._names is None or self._names.snapshot is not graph:
            self._names = questions.Resolver(graph)
        return self._names

    def plan(
        self,
        *goals: Name,
        known: Names = (),
        heard: Names = (),
        budget: int | None = None,
        depth: PlanDepth = "usual",
        split: str | None = None,
        speed: float = 1.0,
        only: str | None = None,
    ) -> answers.Plan:
        """Plan which episodes to hear, in which order and why, to understand the goals.

        A goal is a concept, episode, area or question; `known` and `heard` add to the
        profile; `budget`: minutes; `depth`: "brief" for the goals' own episodes,
        "thorough" for all worth it; `split`: as "3x30m"; `only`: audio, video or text.
        Example: `atlas.plan("AOTAutograd", known=["dispatcher"], budget=60).steps`
        """
        from torchatlas.graph.planning.plan import make_plan

        if not goals:
            raise AtlasError("a plan needs a goal: name a concept or an episode")
        if budget is not None:
            errors.check_least("the budget in minutes", budget, 1)
        for name, given, allowed in (("depth", depth, PLAN_DEPTHS), ("only", only or "text", ONLY)):
            if given not in allowed:
                raise AtlasError(f"{name} must be one of {', '.join(allowed)}, not {given!r}")
        errors.check_least("the speed", speed, 0.5, 4)
        parts = None if split is None else answers.Split.parse(split)
        profile, (understood, ids) = self._profile(known, heard), self._goals(goals)
        person = set(profile.known), set(profile.heard), budget
        taken = {id_ for meant in understood if meant.sentence for id_ in meant.ids}
        plan = make_plan(self.graph, ids, *person, depth=depth, split=parts, speed=speed, taken=taken, only=only)
        return replace(plan, understood=understood)

    def quiz(
        self,
        *goals: Name,
        yes: Names = (),
        no: Names = (),
        budget: int | None = None,
        depth: PlanDepth = "usual",
        split: str | None = None,
        speed: float = 1.0,
    ) -> answers.Quiz:
        """Ask what to skip next: `atlas.quiz("vmap", yes=[2]).check`."""
        whole = self.plan(*goals, depth=depth, speed=speed)
        answered = self._ids("episode", yes), self._ids("episode", no)
        check, skipped = quizzes.quiz(self.graph, whole.steps, *answered)
        heard = [e.id for e in skipped]
        left = self.plan(*goals, heard=heard, depth=depth, speed=speed) if skipped else whole
        saved = whole.minutes - left.minutes  # without what a budget leaves out
        before, after = ({(step.episode_id, step.estimated) for step in p.steps} for p in (whole, left))
        estimated = any(guessed for _, guessed in before ^ after)
        if budget is not None or split is not None:
            left = self.plan(*goals, heard=heard, budget=budget, depth=depth, split=split, speed=speed)
        return answers.Quiz(check, left, skipped=skipped, saved=saved, estimated=estimated)

    def what_next(self) -> answers.WhatNext:
        """List what to hear next and again: `atlas.what_next().ready[0]`."""
        profile = self._profile()
        return quizzes.what_next(self.graph, profile.known, profile.heard)

    def journeys(self) -> "Rows[Journey]":
        """List the curated journeys: `atlas.plan(*atlas.journeys()[0].goals)`."""
        return Rows(shipped.journeys_on(self.graph))

    def journey(self, name: str) -> "Journey":
        """Return a named journey: `atlas.journey("ship-a-model")`."""
        if journey := shipped.journey_named(self.graph, name):
            return journey
        names = [j.name for j in shipped.journeys_on(self.graph)]
        raise UnknownName("journey", name, suggest(name, names) or sorted(names)[:3])

    def first_goals(self, limit: int = 6) -> Rows[Neighbour]:
        """List goals to begin with: `atlas.first_goals()[0].why`."""
        graph, goals = self.graph, shipped.first_goals(self.graph)[:limit]
        if own := not goals:  # first come episodes that ask for others, unasked
            asking, asked = ({getattr(edge, end) for edge in graph.listen_after} for end in ("source", "target"))
            episodes = sorted(graph.episode, key=lambda e: (e not in asking, e in asked, e))
            explained = sorted(graph.teachers, key=lambda c: (-len(graph.teachers[c]), c))
            goals = (*explained[:24], *episodes[:24])
        named = {graph.name_of(id_).casefold(): id_ for id_ in reversed(goals)}  # the first of namesakes
        plans = [(id_, self.plan(id_)) for id_ in goals if named[graph.name_of(id_).casefold()] == id_]
        plans.sort(key=lambda found: own and -len(found[1].steps))
        return Rows(Neighbour(id_, graph.name_of(id_), why=plan.amount) for id_, plan in plans[:limit])

    def checklist(self, plan: answers.Plan) -> answers.Checklist:
        """Tick off what was heard: `atlas.checklist(plan)`."""
        from torchatlas.graph.planning.plan import make_plan

        profile = self._profile()
        if not profile.heard:
            return quizzes.checklist(plan.steps, (), ())
        goals = [id_ for meant in plan.understood for id_ in meant.ids]
        whole = make_plan(self.graph, goals, profile.known, depth=plan.depth, speed=plan.speed)
        return quizzes.checklist(plan.steps, whole.steps, profile.heard)

    def search(self, text: str, limit: int = 10) -> Rows[answers.Hit]:
        """Find concepts and episodes, best first: `atlas.search("memory")`."""
        errors.check_least("the limit", limit, 1)
        return Rows(questions.search(self._resolver, _as_text(text), limit))

    def related(self, episode: Name, limit: int = 10) -> Rows[answers.Related]:
        """List the nearest episodes: `atlas.related("Strides")[0]`."""
        from torchatlas.graph.related import related

        errors.check_least("the limit", limit, 1)
        return Rows(related(self.graph, self.id_of(episode, "episode"), limit))

    def concept(self, name: str) -> views.ConceptCard:
        """Show all that is known of a concept: `atlas.concept("vmap").needs`."""
        return views.concept_card(self.graph, self.id_of(name, "concept"))

    def episode(self, name: Name) -> views.EpisodeCard:
        """Show all that is known of an episode: `atlas.episode(61).teaches`."""
        return views.episode_card(self.graph, self.id_of(name, "episode"))

    def neighbourhood(self, name: Name, radius: int = 1) -> "NeighbourhoodSvg":
        """Draw what is around a node: `atlas.neighbourhood("vmap").svg`."""
        from torchatlas.ui.drawing import neighbourhood_svg

        errors.check_least("the radius", radius, 1)
        return neighbourhood_svg(self.graph, self.id_of(name), radius)

    def explain(self, earlier: Name, later: Name) -> answers.Explanation:
        """Say why `earlier` comes first: `atlas.explain("view", "vmap")`."""
        graph, ends = self.graph, [self.id_of(earlier), self.id_of(later)]
        chain, reverse = views.chain(graph, *ends), views.chain(graph, *reversed(ends))
        return answers.Explanation(*((id_, graph.name_of(id_)) for id_ in ends), chain=chain, reverse=reverse)

    def concepts(self, *names: str) -> Rows[Concept]:
        """List the named concepts, or all, by id: `atlas.concepts("vmap")`."""
        wanted = {self.id_of(name, "concept") for name in names} or self.graph.concept.keys()
        return Rows(self.graph.concept[id_] for id_ in sorted(wanted))

    def shows(self) -> Rows[views.ShowRow]:
        """List all shows on the map, by title: `atlas.shows()[0].title`."""
        return Rows(views.show_rows(self.whole_graph))

    def gaps(self) -> answers.Gaps:
        """List what the map lacks: `atlas.gaps().untaught[0].name`."""
        return views.find_gaps(self.graph)

    @property
    def profile(self) -> Profile:
        """The concepts that the person knows and the episodes that they have heard."""
        return load_profile(self.settings)

    def know(self, *names: str, forget: bool = False) -> tuple[str, ...]:
        """Change or list known concepts: `atlas.know("dispatcher")`."""
        return self._remember("known", self._ids("concept", names), forget=forget)

    def heard(self, *names: Name, forget: bool = False) -> tuple[str, ...]:
        """Change or list heard episodes: `atlas.heard(2, "Strides")`."""
        return self._remember("heard", self._ids("episode", names), forget=forget)

    def know_subjects(self, *episodes: Name) -> None:
        """Mark episodes' subjects known: `atlas.know_subjects(61)`."""
        found = [c for id_ in self._ids("episode", episodes) for c in main_subjects(self.graph, id_)]
        self._remember("known", found)

    def begin(self, *goals: Name) -> Profile:
        """Remember the goals under way: `atlas.begin("vmap").goals`."""
        ids = self._goals(goals)[1]
        return change_profile(self.settings, lambda profile: replace(profile, goals=ids))

    def _remember(self, fact: Fact, ids: list[str], *, forget: bool = False) -> tuple[str, ...]:
        if ids:
            change_profile(self.settings, lambda p: p.lacking(fact, ids) if forget else p.having(fact, ids))
        return tuple(ids or getattr(self.profile, fact))

    def _profile(self, known: Names = (), heard: Names = ()) -> Profile:
        """Return the profile with more facts; other shows' episodes as subjects."""
        graph, knows = self.graph, self._ids("concept", known)
        whole = self.of_shows() if self._only else self
        ids = []
        for name in [heard] if isinstance(heard, str | int) else heard:
            try:
                ids += whole._ids("episode", name)
            except UnknownName:  # of several shows, perhaps: take the one of these
                ids += self._ids("episode", name)
        profile = self.profile.within(whole.graph).having("heard", ids)
        elsewhere = (e for e in profile.heard if e not in graph.episode)
        subjects = (c for id_ in elsewhere for c in main_subjects(whole.graph, id_))
        return profile.within(graph).having("known", (*knows, *subjects))

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> answers.Table:
        """Ask the graph in Cypher: `atlas.query("RETURN 1 AS n").rows`."""
        check_limits(rows, seconds)
        if not self._fresh:
            self.refresh()
        return self.store.query(cypher, parameters, rows=rows, seconds=seconds)

    def ask(
        self, name: str, values: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> answers.Table:
        """Ask a saved question: `atlas.ask("before", {"concept": "vmap"})`."""
        question, given = self._fitting(shipped.find_question(name))[0], values or {}
        if any(p.type in ("concept", "episode", "area") for p in question.parameters):
            given = question.resolve(given, self._resolver)
        return self.query(question.cypher, question.bind(given), rows=rows, seconds=seconds)

    def questions(self) -> "Rows[Question]":
        """List the saved questions: `atlas.questions()[0].title`."""
        return self._fitting(*shipped.load_questions())

    def _fitting(self, *saved: "Question") -> "Rows[Question]":
        own = not load_sources(self.settings).shipped
        return Rows(queries.with_own_examples(saved, self.graph) if own else saved)

    def choices(self, parameter: "Parameter") -> dict[str, str]:
        """List values, {}: any: `atlas.choices(atlas.questions()[0].parameters[0])`."""
        kind, example, found = parameter.type, parameter.example, dict[str, str]()
        if kind == "area":
            found |= {area: area for area in self.graph.areas}
        elif kind == "concept" or kind == "episode":
            found |= self.graph.concept_names if kind == "concept" else self.graph.episode_names
            with suppress(UnknownName):
                example = self._ids(kind, example)[0]
        return {id_: found[id_] for id_ in (example, *found) if id_ in found}

    def schema(self) -> views.Census:
        """Count what Cypher can ask for: `atlas.schema().nodes[0]`."""
        return views.census(self.whole_graph)

    def nodes(self, table: answers.Table) -> tuple[str, ...]:
        """Return rows' ids: `atlas.nodes(atlas.query("RETURN 'vmap' AS id"))`."""
        if not (found := queries.nodes_in(table, self.graph)):
            shows = f" of {listed([show.title for show in self.graph.shows])}" if self._only else ""
            rows = counted(len(table.rows), "row")
            raise QueryError(f"no concept and no episode{shows} in {rows}: RETURN nodes, or their ids")
        return found

    @staticmethod
    def new(folder: str | Path, title: str = "") -> Path:
        """Create a map's sources.toml: `atlas.new("owls", "Owls")`."""
        import tomlkit

        file = Path(folder).expanduser().absolute() / "sources.toml"
        text = _NEW.format(title=tomlkit.item(title or file.parent.name).as_string())
        return write_file(file, text.encode("utf-8", "replace"), new=True)

    @property
    def subject(self) -> str:
        """Name what the map is of, in words. Raises DataError."""
        return load_sources(self.settings).subject

    def build(self, *, offline: bool = False, jobs: int | None = None, on: str = "") -> Built:
        """Read all anew, feeds unless `offline`, and build the graph if it changes.

        `jobs`: processes that read, None: the best number; `on`: a Dask scheduler.
        Example: `len(atlas.build(offline=True).graph.episodes)`
        """
        with builds.reading(jobs, on) as readers:
            with self.progressing() as progress:
                lines = [] if offline else list(origins.refresh(self.settings, progress))
            log(*lines)
            before = frozenset[str]()
            with suppress(AtlasError):  # the build mends what is damaged
                before = frozenset(self.store.snapshot().episode if self.store.fingerprint() else ())
            self.refresh(readers, again=True)
            new = {e.id: e.title for e in self.whole_graph.episodes if before and e.id not in before}
            if new:  # in own feeds, for a new version of the program brings episodes too
                curated = builds.correct_curated(builds.curated_inputs(self.settings)).catalogue.episodes
                new = {id_: new[id_] for id_ in sorted(new.keys() - {e.id for e in curated})}
            self._change_news(lambda last: News(date.today().isoformat(), since=last.built, episodes=tuple(new)))
            return Built(self.whole_graph, new=tuple(new.values()))

    def news(self, *, seen: bool = False) -> tuple[str, Rows[Episode]]:
        """Return what is new in own feeds, and since when, until it is `seen`: `atlas.news()[1]`."""
        last, graph = load(self.settings.home / "news.toml", News), self.whole_graph
        if seen:
            last = self._change_news(lambda last: replace(last, episodes=()))
        return last.since, Rows(graph.episode[id_] for id_ in last.episodes if id_ in graph.episode)

    def _change_news(self, to: Callable[[News], News]) -> News:
        return change(self.settings.home / "news.toml", News, to, "What your last build found. A build writes it anew.")

    def add(self, *feeds: str, jobs: int | None = None, on: str = "") -> Built:
        """Add feeds or OPML lists. Raises SourceError. Example: `atlas.add("a.xml")`"""
        if not feeds:
            raise SourceError("no feed is named: give its address or file, or an OPML list")
        with builds.reading(jobs, on) as readers:
            with self.progressing() as progress:
                lines, failures = attempt(feeds, lambda feed: origins.remember(self.settings, feed, progress))
            log(*chain.from_iterable(lines))
            failed = _failed(failures, feeds)
            self.refresh(readers, again=True)
            return Built(self.whole_graph, failed)

    def import_pages(self, *pages: str, dry_run: bool = False) -> Imported:
        """Add saved pages unless `dry_run`: `atlas.import_pages("a.html")`."""
        if not pages:
            raise SourceError("no page is named: give the file of a saved page")
        opened, failures = attempt(pages, origins.open_page)
        failed = _failed(failures, pages)
        documents = tuple(dict(opened).items())  # each page once
        rows = Rows(builds.import_report(builds.read_inputs(self.settings), documents))
        if not dry_run:
            origins.keep_pages(self.settings, documents)
        return Imported(rows, None if dry_run else self.refresh(), failed)

    def sources(self) -> Rows[Source]:
        """List feeds and pages: `[s.trouble for s in atlas.sources()]`."""
        return Rows(origins.known_sources(self.settings))

    def feed_of(self, show: str) -> str | None:
        """Return a show's feed address: `atlas.feed_of("Widget Radio")`."""
        own = {s.title: s.address for s in self.sources() if s.kind == "feed"}
        return ({shipped.SHOW.title: shipped.SHOW.feed_url} | own).get(show)

    def remove_source(self, address: str, *, only_left: bool = False) -> tuple[str, ...]:
        """Forget a source, or only what has left it; return the ids that went so.

        Raises SourceError. Example: `atlas.remove_source("a.xml")`
        """
        gone = origins.forget(self.settings, address, only_left=only_left)
        change_profile(self.settings, lambda profile: profile.lacking("heard", gone))
        self._fresh = False
        return gone

    def accept(self, term: str, *, name: str = "", definition: str = "", area: str = "") -> str:
        """Add a term; return its id. Raises DataError. Example: `atlas.accept("owls")`"""
        import tomlkit

        term, name, definition, area = map(one_line, (term, name, definition, area))
        if not (id_ := concept_id(name or term)):
            raise DataError(f"{term!r} makes no id; add a name with a letter (a-z) or a digit")
        aliases = [term] if name and name != term else []
        entries = {"name": name or term, "area": area, "definition": definition, "aliases": aliases}
        topics, path = tomlkit.table(is_super_table=True), self.settings.corrections
        topics.add(id_, {key: value for key, value in entries.items() if value})
        with changing(path):
            inputs = replace(builds.curated_inputs(self.settings), episodes=(), resources=())
            before = inputs.corrections
            if f"\n[topic.{id_}]" in f"\n{before}":
                raise DataError(f"{path}: there is a topic {id_!r} already; give another name")
            texts = (before, f"{before.rstrip()}\n\n{tomlkit.dumps({'topic': topics})}".lstrip())
            had, has = (builds.correct_curated(replace(inputs, corrections=text)).problems for text in texts)
            for problem in (problem for place, problem in has.items() if place not in had):
                raise DataError(f"{term!r} is not added: {problem}")
            write_whole(path, texts[1].encode())
        self._fresh = False
        return id_

    def corrections(self) -> Rows[CorrectionStatus]:
        """List corrections: `[c.problem for c in atlas.corrections()]`."""
        inputs = builds.read_inputs(self.settings)
        if not (found := builds.parsed_corrections(inputs)):
            return Rows()
        with self.progressing() as progress:
            problems = builds.build(inputs, progress=progress)[1]
        return Rows(CorrectionStatus(c.place, str(c), problems.get(c.place)) for c in found)

    def changes(self, *notes: str) -> "Rows[Dated]":
        """Propose dated notes from the releases in your feeds: `atlas.changes()`.

        `notes`: addresses or files of feeds or changelogs to read instead.
        """
        from torchatlas.extract.changes import changes, read_notes
        from torchatlas.extract.fetch import fetch
        from torchatlas.extract.pipeline import Extractor

        inputs, graph = builds.read_inputs(self.settings), self.graph
        own = origins.read_feeds(inputs.feeds, inputs.feed_entries, inputs.histories)[0] if not notes else ()
        given = (read_notes(*fetch(name, self.settings.cache)[:2]) for name in notes)
        read = [*(e for e in own if e.episode.kind == "release"), *chain.from_iterable(given)]
        curated = replace(builds.curated_inputs(self.settings), episodes=(), resources=())
        find = Extractor(builds.correct_curated(curated).vocabulary.concepts).mentions
        found = chain.from_iterable(changes(entry, graph, find) for entry in read)
        return Rows({(row.concept, row.note): row for row in found}.values())

    def extract(
        self, *feeds: str, vocabularies: Iterable[str] = (), jobs: int | None = None, on: str = ""
    ) -> FeedFindings:
        """Find concepts, also of `vocabularies`, links and statements; store nothing.
        Example: `next(atlas.extract("feed.xml").extractions).mentions`
        """
        from torchatlas.extract.feeds import parse
        from torchatlas.extract.fetch import fetch
        from torchatlas.extract.pipeline import Extractor

        if not feeds:
            raise SourceError("no feed is named: give its address or file")
        most = load_sources(self.settings).feed_entries

        def entries_of(feed: str) -> "tuple[Entry, ...]":
            fetched = fetch(feed, self.settings.cache)
            parsed = parse(fetched.data, fetched.address, most)
            log(*filter(None, [fetched.note]), *(f"skipped: {e}" for e in parsed.skipped))
            return parsed.entries

        read, failures = attempt(feeds, entries_of)
        failed, entries = _failed(failures, feeds), tuple(chain.from_iterable(read))
        curated = replace(builds.curated_inputs(self.settings, vocabularies), episodes=(), resources=())
        known = builds.correct_curated(curated).vocabulary

        def extracted() -> "Iterator[Extraction]":
            titles = (entry.episode.title for entry in entries)
            with builds.reading(jobs, on) as readers:
                yield from Extractor(known.concepts, titles, readers=readers).extract(entries)

        return FeedFindings(extracted(), known, failed)

    def candidates(self, *feeds: str) -> "Rows[TermCandidate]":
        """List new terms in feeds, or all sources: `atlas.candidates()[0]`."""
        from torchatlas.extract.candidates import CandidateFinder

        refused = load_sources(self.settings).refused
        if not feeds:
            inputs = builds.read_inputs(self.settings)
            with self.doing("Reading episodes") as progress, ExtractionCache(inputs.cache) as cache:
                texts = builds.Corpus(inputs, cache)
                return Rows(CandidateFinder(texts.curated.vocabulary, refused).rank(texts.extract(progress=progress)))
        found = self.extract(*feeds)
        log(*filter(None, [found.failed]))
        with self.doing("Reading episodes"):
            return Rows(CandidateFinder(found.vocabulary, refused).rank(found.extractions))

    def draft(self, path: str | Path, *feeds: str, limit: int = 40, area: str = "") -> "Rows[Draft]":
        """Draft a new vocabulary: `atlas.draft("mine.toml")[0]`."""
        from torchatlas.extract.candidates import drafts, written

        file = Path(path).expanduser().absolute()
        with suppress(OSError):  # a name that is too long is refused later
            if file.exists():
                raise DataError(f"{file}: is there already; name another place")
        candidates, inputs = self.candidates(*feeds), builds.read_inputs(self.settings)
        found = drafts(candidates, (c.id for c in builds.correct_curated(inputs).vocabulary.concepts), limit)
        if not found:
            raise DataError("no candidate is left to draft; add more feeds")
        own = (str(file), written(area := area or self.subject, found))
        with self.doing("Finding prerequisites"):
            drafted = builds.build(replace(inputs, concepts=(*inputs.concepts, own)))[0]
        needs = {d.id: drafted.required_by.get(d.id, ()) for d in found}
        write_file(file, written(area, found, needs).encode("utf-8", "replace"), new=True)
        change_sources(self.settings, lambda s: s.adding(vocabularies=str(file)))
        return Rows(found)

    def plan_text(self, plan: answers.Plan, style: str, start: date | None = None) -> str:
        """Format a plan: `atlas.plan_text(plan, "rss")`."""
        from torchatlas.ui.plans import on_secrets, playlist, text_in, without_audio

        found = playlist(self.graph, plan, start)
        lines = without_audio(found) if style == "rss" else "", on_secrets((i.episode for i in found.items), style)
        log(*filter(None, lines))
        return text_in(style, found)

    def write_plan(self, plan: answers.Plan, target: Path | str, style: str = "", start: date | None = None) -> Path:
        """Save a plan: `atlas.write_plan(plan, "p.xml")`."""
        from torchatlas.ui.plans import ENDINGS

        path = Path(target)
        style = style or style_of(path, styles=ENDINGS)
        return write_file(path, self.plan_text(plan, style, start).encode())

    def export(self, target: Path | str, style: str | None = None) -> tuple[Path, ...]:
        """Write the graph to files, but over no person's note: `atlas.export("atlas.graphml")`."""
        from torchatlas.graph.export import is_kept

        contents = self.exported(style := style_of(target := Path(target), style))
        if kept := [name for name in contents if style == "obsidian" and is_kept(target / name)]:
            log(f"kept {counted(len(kept), 'note')} that you wrote or changed: {listed(kept, 20)}")
        new = [name for name in contents if name not in kept]
        return tuple(write_file(target / name, contents[name], forced=len(new) == 1) for name in new)

    def exported(self, style: str) -> dict[str, bytes]:
        """Return the graph as files: `atlas.exported("graphml")[""]`."""
        from torchatlas.extract.fetch import is_private
        from torchatlas.graph import export

        if style == "csv":
            return export.csv_files(self.graph)
        if style in ("graphml", "gexf"):
            return {"": export.graph_xml(self.graph, style)}
        if style == "obsidian":
            return export.obsidian_notes(self.graph, is_private)
        if style == "anki":
            return {"": export.anki_cards(self.graph, is_private)}
        return {"": (export.node_link if style == "json" else export.cypher_script)(self.graph)}

    def network(self) -> "nx.MultiDiGraph[str]":
        """Return the graph for networkx: `atlas.network().nodes`."""
        from torchatlas.graph.export import to_network

        return to_network(self.graph)

    def diff(self, old: Path | str, new: Path | str | None = None) -> answers.Differences:
        """Compare two graphs: `atlas.diff(atlas.export("old.json")[0])`."""
        from torchatlas.graph.planning.plan import plan_changes

        before = self._graph_at(str(old))
        after = self.graph if new is None else self._graph_at(str(new))
        with self.doing("Comparing plans"):
            plans, compared = plan_changes(before, after)
        return answers.Differences(plans, views.changes(before, after), compared=compared)

    def _graph_at(self, place: str) -> Snapshot:
        place = self.settings.address(place)
        if any(re.fullmatch(engine.pattern, place, re.DOTALL) for engine in ENGINES):
            with open_store(place) as store:
                if store.fingerprint() is None:
                    raise DataError(f"{store.address} holds no graph of this version; name another store, or build it")
                return store.snapshot()
        from torchatlas.graph.export import read_node_link

        remedy = "name a file of `torchatlas export FILE.json`, or a store"
        return read_node_link(read_text(Path(place).expanduser(), remedy).encode(), place)


def _as_text(name: Name) -> str:
    """Return a name, or the number of an episode, as text. Raises AtlasError."""
    if isinstance(name, int):
        errors.check_least("the number of an episode", name, 0)
    elif len(name) > LONGEST:
        raise AtlasError(f"a question has at most {LONGEST:,} characters; keep the last lines, where the error stands")
    return str(name)


def _failed(failures: list[SourceError], names: tuple[str, ...]) -> str:
    """Log failures; return how many, in words. Raises SourceError if all fail."""
    if failures and len(names) == 1:
        raise failures[0]
    log(*map(str, failures))
    if failures and len(failures) == len(names):
        raise SourceError(f"none of the {len(names)} could be read")
    return f"{len(failures)} of {len(names)} could not be read" if failures else ""
