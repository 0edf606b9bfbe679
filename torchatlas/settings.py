"""Where things are kept: the store's address and the user's folder, from options, the environment, or defaults."""

import os
from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass
from pathlib import Path

import platformdirs


@dataclass(frozen=True, slots=True)
class Settings:
    """`store`: the address of the graph. `home`: the user's folder for everything of ours that is not a setting."""

    store: str
    home: Path
    _: KW_ONLY
    profile: Path

    @property
    def sources(self) -> Path:
        """The folder of the last good copies of the user's feeds."""
        return self.home / "sources"

    @property
    def cache(self) -> Path:
        """The folder of what servers answered, so that they can say "unchanged"."""
        return self.home / "http"

    @property
    def corrections(self) -> Path:
        """The file in which the user corrects the graph, beside the profile."""
        return self.profile.with_name("corrections.toml")


def load_settings(store: str | None = None, environment: Mapping[str, str] = os.environ) -> Settings:
    """Settings by precedence: `store`, TORCHATLAS_STORE, NEO4J_URI, then the embedded default in the user's folder.

    TORCHATLAS_HOME moves that folder, and the profile with it; otherwise the platform's own folders are used.
    """
    if own := environment.get("TORCHATLAS_HOME"):
        home = Path(own).expanduser().absolute()
        profile = home / "profile.toml"
    else:
        home = Path(platformdirs.user_data_dir("torchatlas", appauthor=False))
        profile = Path(platformdirs.user_config_dir("torchatlas", appauthor=False)) / "profile.toml"
    address = store or environment.get("TORCHATLAS_STORE") or environment.get("NEO4J_URI")
    return Settings(address or f"ladybug:{home / 'atlas.lbug'}", home, profile=profile)
