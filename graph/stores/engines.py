"""The table of engines. A new engine is a package with an `open_store` and one entry here."""

import re
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from torchatlas.graph.errors import StoreError, shortened

if TYPE_CHECKING:
    from torchatlas.graph.stores.contract import Store


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine: the `form` of its addresses for people, the `pattern` of a whole address, and its module.

    `module` has an `open_store(address, say)`; `packages` are the import names of what must be installed.

    Example: `Engine("toy:NAME", r"toy:.+", module="toys.store")`
    """

    form: str
    pattern: str
    _: KW_ONLY
    module: str
    packages: tuple[str, ...] = ()


_NEO4J = f"{__package__}.neo4j.store"
ENGINES = (
    Engine("memory:", r"memory:", module=f"{__package__}.memory.store"),
    Engine("ladybug:PATH", r"ladybug:.+", module=f"{__package__}.ladybug.store", packages=("ladybug", "pyarrow")),
    Engine("bolt://HOST:PORT (also +s, +ssc)", r"bolt(\+s|\+ssc)?://.*", module=_NEO4J, packages=("neo4j",)),
    Engine("neo4j://HOST (also +s, +ssc)", r"neo4j(\+s|\+ssc)?://.*", module=_NEO4J, packages=("neo4j",)),
    Engine("neo4j+local:[FOLDER]", r"neo4j\+local:.*", module=_NEO4J, packages=("neo4j",)),
)


def forms() -> str:
    """Return the forms of all addresses, for help and errors.

    >>> forms()
    'memory:, ladybug:PATH, bolt://HOST:PORT (also +s, +ssc), neo4j://HOST (also +s, +ssc), neo4j+local:[FOLDER]'
    """
    return ", ".join(engine.form for engine in ENGINES)


def open_store(address: str, say: Callable[[str], None] | None = None) -> "Store":
    """Open the store at an address, which has one of the `forms`. Its engine is imported now.

    `say` is given a line about whatever takes long (starting a server, waiting for another build).
    Raises StoreError for another form of address, a missing package and a server that does not answer.

    >>> open_store("memory:").snapshot().concepts
    ()
    """
    for engine in ENGINES:
        if "\0" not in address and re.fullmatch(engine.pattern, address, re.DOTALL):
            if missing := [name for name in engine.packages if find_spec(name) is None]:
                raise StoreError(f"{engine.form} needs the package {missing[0]}; remedy: pip install {missing[0]}")
            store: Store = import_module(engine.module).open_store(address, say)
            return store
    head, at, host = address.rpartition("@")
    shown = f"{head.partition('//')[0]}//...@{host}" if at else address  # without a password
    raise StoreError(f"{shortened(shown)!r} is not the address of a store; use one of: {forms()}")
