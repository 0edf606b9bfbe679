"""The places where things are kept: the store's address and the user's folders."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

_LOCAL = "neo4j+local:"  # the address of a server of the user's own


@dataclass(frozen=True, slots=True)
class Settings:
    """A user's places: `store` (an address), `home` (a folder), `profile` (a file)."""

    store: str
    home: Path
    profile: Path

    @property
    def server(self) -> Path:
        """The folder of the user's Neo4j server: the store's, or one in `home`."""
        scheme, _, folder = self.address(self.store).partition(":")
        return Path(folder).expanduser().absolute() if f"{scheme}:" == _LOCAL else self.home / "neo4j"

    def address(self, place: str) -> str:
        """Return an address with its folder: `settings.address("neo4j+local:")`."""
        return f"{place}{self.home / 'neo4j'}" if place == _LOCAL else place

    @property
    def cache(self) -> Path:
        """The folder of what servers answered, so that they can say "unchanged"."""
        return self.home / "http"

    @property
    def sources_list(self) -> Path:
        """The file that lists what the graph is made of, beside the profile."""
        return self.profile.with_name("sources.toml")

    @property
    def corrections(self) -> Path:
        """The file in which the user corrects the graph, beside the profile."""
        return self.profile.with_name("corrections.toml")


def load_settings(store: str | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings: `load_settings("memory:")`, else the environment's store."""
    if own := environment.get("TORCHATLAS_HOME"):  # one folder for everything
        home = config = Path(own).expanduser().absolute()
    else:
        import platformdirs

        home = Path(platformdirs.user_data_dir("torchatlas", appauthor=False))
        config = Path(platformdirs.user_config_dir("torchatlas", appauthor=False))
    address = store or environment.get("TORCHATLAS_STORE") or environment.get("NEO4J_URI")
    return Settings(address or f"ladybug:{home / 'atlas.lbug'}", home, config / "profile.toml")
