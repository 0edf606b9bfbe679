"""The application as one object: all that a user can do, with values in and out and no screen."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.graph.stores.contract import ROWS, SECONDS, check_limits
from torchatlas.graph.values.errors import QueryError
from torchatlas.graph.values.formatting import counted
from torchatlas.graph.values.table import Table
from torchatlas.graph.values.wording import NEEDS
from torchatlas.map_of_shows import MapOfShows
from torchatlas.map_reader import as_list
from torchatlas.notes import note
from torchatlas.players import Players
from torchatlas.presentation.rows import Rows
from torchatlas.settings import load_settings
from torchatlas.text_reader import TextReader
from torchatlas.understanding import Name
from torchatlas.user_files.profile import Fact, Profile, change_profile, load_profile
from torchatlas.user_files.profile_change import ProfileChange
from torchatlas.user_files.sources import load_sources

if TYPE_CHECKING:
    import networkx as nx

    from torchatlas.graph.answers.census import Census
    from torchatlas.graph.cypher.questions import Question
    from torchatlas.graph.stores.neo4j.server import Server
    from torchatlas.graph.values.differences import Differences


def open_atlas(store: str | None = None) -> "Atlas":
    """Return the atlas whose graph is kept at `store`, by default where the command line keeps it.

    Nothing is read yet. The first question builds the graph if it is missing or out of date.

    Example: torchatlas.open().plan("AOTAutograd", budget=60).steps[0].title
    """
    return Atlas(load_settings(store))


class Atlas(MapOfShows, Players, TextReader):
    """A map of concepts and episodes, the person who uses it, and the sources that it is made of.

    Answers come from the graph as it was at the first question; `build`, `add` and the like bring a new one. Every
    expected failure is an AtlasError.

    Example: torchatlas.open().related("Strides")[0].title
    """

    @property
    def profile(self) -> Profile:
        """The concepts that the person knows and the episodes that they have heard, as the file says now."""
        return load_profile(self.settings)

    @property
    def subject(self) -> str:
        """Name what the map is of, in words. Raises DataError where sources.toml cannot be read."""
        return load_sources(self.settings).subject

    @property
    def title(self) -> str:
        """The title that the person gave the map, "" where there is none. Raises DataError."""
        return load_sources(self.settings).title

    def stamp(self) -> str:
        """Return a text that changes whenever the stored graph does, at little cost.

        Example: atlas.stamp() == atlas.stamp()
        """
        return self.store.stamp()

    def query(
        self, cypher: str, parameters: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> Table:
        """Ask the stored graph in Cypher: reading statements only, for so many rows and seconds at the most.

        Raises QueryError for what is refused, wrong or takes too long, AtlasError for a limit that lets nothing pass.

        Example: atlas.query("MATCH (c:Concept {id: $id})-[:REQUIRES]->(p) RETURN p.name", {"id": "vmap"}).rows
        """
        check_limits(rows, seconds)
        self._ensure_fresh()
        return self.store.query(cypher, parameters, rows=rows, seconds=seconds)

    def ask(
        self, name: str, values: Mapping[str, object] | None = None, *, rows: int = ROWS, seconds: float = SECONDS
    ) -> Table:
        """Ask a saved question by its name; its values name concepts and episodes as people do.

        Raises UnknownName for a question, a concept or an episode that is not there, QueryError for a missing value.

        Example: atlas.ask("before", {"concept": "AOTAutograd"}).rows
        """
        from torchatlas.queries.saved_questions import find_question

        question = self._fitting(find_question(name))[0]
        given: Mapping[str, object] = values or {}
        if any(p.type in ("concept", "episode", "area") for p in question.parameters):
            given = question.resolve(given, self.resolver)
        return self.query(question.cypher, question.bind(given), rows=rows, seconds=seconds)

    def questions(self) -> "Rows[Question]":
        """List the saved questions, with the values that each wants, and examples from this map.

        Example: [question.title for question in atlas.questions()]
        """
        from torchatlas.queries.saved_questions import load_questions

        return Rows(self._fitting(*load_questions()))

    def nodes(self, table: Table) -> tuple[str, ...]:
        """Return the ids of the concepts and episodes in the rows of a query. Raises QueryError where there are none.

        Example: atlas.plan(*atlas.nodes(atlas.query("MATCH (c:Concept {area: 'Autograd'}) RETURN c")))
        """
        if not (found := self.nodes_in(table)):
            rows = counted(len(table.rows), "row")
            raise QueryError(f"no concept and no episode{self.of_chosen} in {rows}: RETURN nodes, or their ids")
        return found

    def nodes_in(self, table: Table) -> tuple[str, ...]:
        """Return the same ids as `nodes`, and () where there are none.

        Example: atlas.nodes_in(atlas.query("RETURN 1"))
        """
        from torchatlas.queries.nodes_in_rows import nodes_in

        return nodes_in(table, self.graph)

    def nodes_by_row(self, table: Table) -> tuple[tuple[str, ...], ...]:
        """Return the ids of the concepts and episodes in each row of a query.

        Example: atlas.nodes_by_row(atlas.query("MATCH (c:Concept) RETURN c LIMIT 2"))[1]
        """
        from torchatlas.queries.nodes_in_rows import nodes_by_row

        return nodes_by_row(table, self.graph)

    def schema(self) -> "Census":
        """Count what there is to ask in Cypher: labels, relationship types and properties, with examples.

        Example: atlas.schema().nodes[0].pattern
        """
        from torchatlas.graph.answers.census import census

        return census(self.whole_graph)

    def know(self, *names: str, forget: bool = False) -> tuple[str, ...]:
        """Remember (or `forget`) that the person knows these concepts; return their ids.

        Without names, change nothing and return all that are known. Raises UnknownName before anything is changed.

        Example: atlas.know("dispatcher", "autograd")
        """
        return self._change("known", [self._concept(name) for name in names], forget=forget)

    def heard(self, *names: Name, forget: bool = False) -> tuple[str, ...]:
        """Remember (or `forget`) that the person has heard these episodes; return their ids.

        Without names, change nothing and return all that were heard. Raises UnknownName before anything is changed.

        Example: atlas.heard(2, "Functionalization")
        """
        return self._change("heard", [self._episode(name) for name in names], forget=forget)

    def know_subjects(self, *episodes: Name) -> tuple[str, ...]:
        """Remember that the person knows what these episodes are about; return the ids of the concepts.

        Example: atlas.know_subjects("Strides")
        """
        from torchatlas.graph.planning.knowledge import main_subjects

        subjects = (c for name in episodes for c in main_subjects(self.graph, self._episode(name)))
        return self._change("known", list(dict.fromkeys(subjects)), forget=False)

    def names_of(self, ids: Iterable[str]) -> dict[str, str | None]:
        """Return the name or title of each concept and episode by its id, None for an id that this graph lacks.

        Example: atlas.names_of(atlas.know())
        """
        known = self.graph.concept.keys() | self.graph.episode.keys()
        return {id_: self.graph.name_of(id_) if id_ in known else None for id_ in ids}

    def requirements(self, concept: str) -> tuple[str, ...]:
        """Return what a concept requires, a line for each: whether it is worth an episode, its name, and the reason.

        Example: atlas.requirements("vmap")[0]
        """
        graph, id_ = self.graph, self._concept(concept)
        required = graph.required_by.get(id_, ())
        return tuple(f"{NEEDS[r.need]}: {graph.name_of(r.target)}: {r.reason}" for r in required)

    def set_profile(self, fact: Fact, ids: str | Iterable[str]) -> Profile:
        """Make exactly these what the person knows, or has heard, of this graph; ids of other graphs stay.

        Example: atlas.set_profile("known", ["dispatcher"])
        """

        def change(profile: Profile) -> Profile:
            others = profile.lacking(fact, getattr(profile.within(self.graph), fact))
            return others.having(fact, as_list(ids))

        return change_profile(self.settings, change)

    def undo(self, change: ProfileChange) -> Profile:
        """Take a change of the profile back; what was changed since stays.

        Example: atlas.undo(torchatlas.user_files.profile_change.ProfileChange(atlas.profile, atlas.profile))
        """
        return change_profile(self.settings, change.undone)

    def begin(self, *goals: Name) -> Profile:
        """Remember the goals of the path that the person hears now; without goals, forget them. Raises UnknownName.

        Example: atlas.begin().goals
        """
        ids = tuple(dict.fromkeys(id_ for meant in self._goals(goals) for id_ in meant.ids))
        return change_profile(self.settings, lambda profile: replace(profile, goals=ids))

    def export(self, target: Path | str, style: str | None = None) -> tuple[Path, ...]:
        """Write the graph for other programs and return the files.

        `style`: graphml, gexf, json (node-link), cypher, or csv (a folder); by default what the name ends in. Raises
        DataError where it cannot be told or written.

        Example: atlas.export("atlas.graphml")
        """
        from torchatlas.presentation.graph_files import write_graph

        return write_graph(self.graph, Path(target), style)

    def exported(self, style: str) -> bytes:
        """Return the graph as the content of one file, in any style of `export` but csv. Raises DataError.

        Example: atlas.exported("graphml")
        """
        from torchatlas.presentation.graph_files import graph_bytes, style_of

        return graph_bytes(self.graph, style_of(Path("-"), style))

    def diff(self, old: Path | str, new: Path | str | None = None) -> "Differences":
        """Tell what changes from one graph to another, and which plans; `new` is by default the present one.

        A graph is a JSON file of `export` or the address of a store. The plans are those of somebody who knows nothing.
        Raises DataError where there is no graph.

        Example: atlas.diff(atlas.export("before.json")[0]).plans
        """
        from torchatlas.other_graphs import differences, graph_at

        before = graph_at(self.settings.address(str(old)))
        return differences(before, self.graph if new is None else graph_at(self.settings.address(str(new))))

    def network(self) -> "nx.MultiDiGraph[str]":
        """Return the graph for networkx: nodes such as "Concept:vmap", edges with their type as key and `kind`.

        Example: atlas.network().nodes["Concept:vmap"]["area"]
        """
        from torchatlas.graph.export.network import to_network

        return to_network(self.graph)

    def start_server(self, port: int | None = None) -> "Server":
        """Start a Neo4j server of the user's own, on this computer only, or return the one that runs.

        `port`: for Bolt, by default 17687 where it is free. Raises StoreError where the server does not start.

        Example: atlas.start_server().uri
        """
        from torchatlas.graph.stores.neo4j import server

        return server.start(self.settings.server, note, port=port, stay=True)

    def server(self) -> "Server | None":
        """Return the Neo4j server of the user's own, None where it does not run. Raises StoreError.

        Example: atlas.server() is None
        """
        from torchatlas.graph.stores.neo4j import server

        return server.status(self.settings.server)

    def stop_server(self) -> bool:
        """End the Neo4j server of the user's own and say whether it ran; the graph in it stays.

        Example: atlas.stop_server()
        """
        from torchatlas.graph.stores.neo4j import server

        return server.stop(self.settings.server)

    def _change(self, fact: Fact, ids: list[str], *, forget: bool) -> tuple[str, ...]:
        if ids:
            change_profile(self.settings, lambda p: p.lacking(fact, ids) if forget else p.having(fact, ids))
            return tuple(ids)
        known: tuple[str, ...] = getattr(self.profile, fact)
        return known
