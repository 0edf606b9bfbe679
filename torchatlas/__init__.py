"""torchatlas: a map of PyTorch internals, and the shortest listening path through it.

Example:
    import torchatlas

    atlas = torchatlas.open()
    atlas.plan("AOTAutograd", budget=60)
    atlas.related("Strides")
    atlas.query("MATCH (c:Concept) RETURN c.area AS area, count(*) AS concepts")

Nothing else is loaded until one of these names is used.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.atlas import open_atlas as open
    from torchatlas.graph.errors import AtlasError

__all__ = ["Atlas", "AtlasError", "open"]

_HOMES = {
    "Atlas": ("torchatlas.atlas", "Atlas"),
    "AtlasError": ("torchatlas.graph.errors", "AtlasError"),
    "open": ("torchatlas.atlas", "open_atlas"),
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'torchatlas' has no attribute {name!r}")
    from importlib import import_module

    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
