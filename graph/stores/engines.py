"""The table of engines. A new engine is a package with an `open_store` and one entry here."""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from importlib import import_module
from importlib.util import find_spec

from torchatlas.graph.stores.contract import Store
from torchatlas.graph.values.errors import StoreError


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine and the `form` of its addresses; `module` holds `open_store(address, say)`.

    In a form, capitals stand for what the user fills in, and what is in brackets may be left out.
    `packages` are import names; `endings` may follow the scheme, which is what stands before the first colon.
    """

    form: str
    module: str
    _: KW_ONLY
    packages: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()

    def accepts(self, address: str) -> bool:
        """Return whether an address has this engine's form.

        >>> Engine("toy:NAME", "toys.store").accepts("toy:bear"), Engine("toy:NAME", "toys.store").accepts("toy:")
        (True, False)
        """
        scheme, _, place = self.form.partition(":")
        given, colon, rest = address.partition(":")
        if not colon or given not in {scheme, *(scheme + ending for ending in self.endings)}:
            return False
        if place.startswith("//"):
            return rest.startswith("//")
        return place.startswith("[") or bool(rest) == bool(place)


_HERE = __package__
_SECURED = ("+s", "+ssc")
ENGINES = (
    Engine("memory:", f"{_HERE}.memory.store"),
    Engine("ladybug:PATH", f"{_HERE}.ladybug.store", packages=("ladybug", "pyarrow")),
    Engine("bolt://HOST:PORT", f"{_HERE}.neo4j.store", packages=("neo4j",), endings=_SECURED),
    Engine("neo4j://HOST", f"{_HERE}.neo4j.store", packages=("neo4j",), endings=_SECURED),
    Engine("neo4j+local:[FOLDER]", f"{_HERE}.neo4j.store", packages=("neo4j",)),
)


def forms() -> str:
    """Return the forms of all addresses, for help and errors.

    >>> forms()
    'memory:, ladybug:PATH, bolt://HOST:PORT (also +s, +ssc), neo4j://HOST (also +s, +ssc), neo4j+local:[FOLDER]'
    """
    return ", ".join(e.form + (f" (also {', '.join(e.endings)})" if e.endings else "") for e in ENGINES)


def open_store(address: str, say: Callable[[str], None] | None = None) -> Store:
    """Open the store at an address, which has one of the `forms`. Its engine is imported now.

    `say` is given a line about whatever takes long (starting a server, waiting for another build).
    Raises StoreError for another form of address, a missing package and a server that does not answer.

    >>> open_store("memory:").snapshot().concepts
    ()
    """
    for engine in ENGINES:
        if engine.accepts(address):
            if missing := [name for name in engine.packages if find_spec(name) is None]:
                raise StoreError(f"{engine.form} needs the package {missing[0]}; remedy: pip install {missing[0]}")
            store: Store = import_module(engine.module).open_store(address, say)
            return store
    raise StoreError(f"{_without_password(address)!r} is no address of a store; use one of: {forms()}")


def _without_password(address: str) -> str:
    head, at, host = address.rpartition("@")
    return f"{head.partition('//')[0]}//...@{host}" if at else address
