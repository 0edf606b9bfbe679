"""Addresses of the map's pages, at which a person goes on."""

from dataclasses import dataclass
from urllib.parse import urlencode

from torchatlas.graph.values.model import Snapshot


@dataclass(frozen=True, slots=True)
class Links:
    """The pages of the map that runs on a port of this computer.

    >>> Links(8501).concept("view")
    'http://127.0.0.1:8501/?node=view'
    """

    port: int

    def concept(self, id_: str) -> str:
        """Return the address of the map with a concept chosen, for example `links.concept("view")`."""
        return self._address("", {"node": id_})

    def episode(self, id_: str) -> str:
        """Return the address of an episode's page, for example `links.episode("show/view")`."""
        return self._address("episode", {"episode": id_})

    def subject(self, graph: Snapshot, id_: str) -> str:
        """Return the address of a concept or an episode, for example `links.subject(graph, "view")`."""
        return self.episode(id_) if id_ in graph.episode else self.concept(id_)

    def path(self, goals: tuple[str, ...]) -> str:
        """Return the address of the path to some goals, for example `links.path(("view",))`."""
        return self._address("path", {"goal": goals})

    def _address(self, page: str, query: dict[str, str | tuple[str, ...]]) -> str:
        return f"http://127.0.0.1:{self.port}/{page}?{urlencode(query, doseq=True)}"
