"""torchatlas: a map of PyTorch internals, and the shortest listening path through it.

Example: `torchatlas.open().plan("AOTAutograd")`. A name loads when first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.atlas import open_atlas as open
    from torchatlas.graph.errors import AtlasError
__all__ = ["Atlas", "AtlasError", "open"]
__version__: str


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("torchatlas")
    if name not in __all__:
        raise AttributeError(f"module 'torchatlas' has no attribute {name!r}")
    return getattr(import_module("torchatlas.atlas"), "open_atlas" if name == "open" else name)
