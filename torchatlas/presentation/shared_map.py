"""All that a page to send around says: the graph, the card of each node on its map, and a plan."""

from dataclasses import KW_ONLY, dataclass

from torchatlas.graph.answers import Plan
from torchatlas.graph.drawing import concepts_in_episodes
from torchatlas.graph.model import Snapshot
from torchatlas.presentation.cards import ConceptCard, EpisodeCard, concept_card, episode_card


@dataclass(frozen=True, slots=True)
class SharedMap:
    """A graph and `nodes`, the ids on the map, with a card each.

    `subject`: what the map is of, in words; `plan`: None where no goal is named.
    """

    graph: Snapshot
    nodes: frozenset[str]
    _: KW_ONLY
    subject: str
    cards: tuple[ConceptCard | EpisodeCard, ...]
    plan: Plan | None = None

    @property
    def title(self) -> str:
        """The plan's goals, or the subject of the whole map."""
        return f"The way to {', '.join(self.plan.goals)}" if self.plan else f"Map of {self.subject}"


def shared_map(graph: Snapshot, subject: str, plan: Plan | None = None) -> SharedMap:
    """Return what episodes touch, and the goals of the plan where they touch none of them.

    Example: shared_map(atlas.graph, atlas.subject, atlas.plan("AOTAutograd")).title
    """
    goals = {id_ for meant in plan.understood for id_ in meant.ids} if plan else set()
    met = concepts_in_episodes(graph) | goals & set(graph.concept)
    concepts = (concept_card(graph, id_) for id_ in sorted(met))
    episodes = (episode_card(graph, id_) for id_ in graph.episode)
    nodes = met | frozenset(graph.episode)
    return SharedMap(graph, nodes, subject=subject, cards=(*concepts, *episodes), plan=plan)
