"""The answers that come from a loaded graph and a person's profile. Names are resolved here, for every front end."""

from collections.abc import Iterable

from torchatlas.cards import ConceptCard, EpisodeCard, concept_card, episode_card, namesakes
from torchatlas.graph.answers.resolution import resolve_concept, resolve_episode, resolve_goal
from torchatlas.graph.values.answers import Explanation, Gaps, Hit, Plan, Related
from torchatlas.graph.values.model import Concept, Snapshot
from torchatlas.profile import Profile
from torchatlas.rows import Rows


class MapReader:
    """A graph that answers questions by any of its names.

    Concepts go by id, name or alias, episodes by number, id or title; a typo is forgiven where one name is clearly
    meant. Every method raises UnknownName, with suggestions, for a name that means nothing or several things.

    >>> from torchatlas.graph.values.model import Concept, Snapshot
    >>> reader = MapReader(Snapshot(concepts=(Concept("vmap", "vmap", area="Transforms"),)))
    >>> reader.search("VMAP")[0].id
    'vmap'
    """

    def __init__(self, graph: Snapshot | None = None, profile: Profile | None = None) -> None:
        self._graph, self._profile = graph, profile

    @property
    def graph(self) -> Snapshot:
        """The whole graph as values."""
        return self._graph or Snapshot()

    @property
    def profile(self) -> Profile:
        """The concepts that the person knows, and the episodes that they have heard."""
        return self._profile or Profile()

    def plan(
        self, *goals: str, known: Iterable[str] = (), heard: Iterable[str] = (), budget: int | None = None
    ) -> Plan:
        """Plan which episodes to hear, in which order and why, to understand the goals (concepts or episodes).

        `known` and `heard` add to the profile; `budget`: minutes at the most.

        Example: atlas.plan("AOTAutograd", known=["dispatcher"], budget=60).steps[0].title
        """
        from torchatlas.graph.planning.plan import make_plan

        graph, profile = self.graph, self.profile
        knows = {resolve_concept(graph, name).id for name in known} | (set(profile.known) & graph.concept.keys())
        has_heard = {resolve_episode(graph, name).id for name in heard} | (set(profile.heard) & graph.episode.keys())
        ids = dict.fromkeys(resolve_goal(graph, name).id for name in goals)
        return make_plan(graph, list(ids), knows, has_heard, budget)

    def related(self, episode: str, limit: int = 10) -> Rows[Related]:
        """List the episodes nearest to an episode, best first, each with its reasons.

        Example: atlas.related("Strides", limit=5)[0].reasons
        """
        from torchatlas.graph.answers.related import related

        return Rows(related(self.graph, resolve_episode(self.graph, episode).id, limit))

    def search(self, text: str, limit: int = 10) -> Rows[Hit]:
        """Find concepts, aliases, identifiers, episodes and the questions that they answer, best first.

        Example: atlas.search("why is my memory not freed")[0].name
        """
        from torchatlas.graph.answers.search import search

        return Rows(search(self.graph, text, limit))

    def concept(self, name: str) -> ConceptCard:
        """Show all that is known of a concept: its definition, where it is explained, what it needs and leads to.

        Example: atlas.concept("functionalization").needs
        """
        return concept_card(self.graph, resolve_concept(self.graph, name).id)

    def episode(self, name: str) -> EpisodeCard:
        """Show all that is known of an episode: what it teaches and when, what it assumes, what it cites.

        Example: atlas.episode("61").teaches
        """
        return episode_card(self.graph, resolve_episode(self.graph, name).id)

    def concepts(self, *names: str) -> Rows[Concept]:
        """List the named concepts, or all, by id.

        Example: atlas.concepts("vmap", "functorch")
        """
        wanted = {resolve_concept(self.graph, name).id for name in names} or self.graph.concept.keys()
        return Rows(self.graph.concept[id_] for id_ in sorted(wanted))

    def explain(self, earlier: str, later: str) -> Explanation:
        """Say why one thing comes before another (concepts or episodes): the chain of edges, or its reverse.

        Example: atlas.explain("strides", "AOTAutograd").chain
        """
        from torchatlas.graph.answers.chain import chain

        graph = self.graph
        first, then = resolve_goal(graph, earlier), resolve_goal(graph, later)
        return Explanation(
            (first.id, graph.name_of(first.id)),
            (then.id, graph.name_of(then.id)),
            chain=chain(graph, first.id, then.id),
            reverse=chain(graph, then.id, first.id),
        )

    def namesakes(self) -> dict[str, str]:
        """Return the show of each episode whose title another one has as well, by id.

        Example: atlas.namesakes().get("pytorch-developer-podcast/vmap", "")
        """
        return namesakes(self.graph)

    def gaps(self) -> Gaps:
        """List what the map lacks: concepts that no episode teaches, thin evidence, orphans, superseded subjects.

        Example: atlas.gaps().untaught[0].name
        """
        from torchatlas.graph.answers.gaps import find_gaps

        return find_gaps(self.graph)
