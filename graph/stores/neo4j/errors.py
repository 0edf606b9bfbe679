"""The errors of the Neo4j driver as one line each: what is wrong, where, and the remedy."""

import re
import socket
import ssl
from collections.abc import Iterator

from neo4j.exceptions import (
    ConfigurationError,
    ConnectionAcquisitionTimeoutError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    UnsupportedServerProduct,
)

from torchatlas.graph.stores.neo4j.hints import explain

_OLDEST = 5
_SUPPORTED = f"Neo4j {_OLDEST} or later is needed (tested with 5.26 and 2026.09)"
_EMBEDDED = "use the embedded store, ladybug:PATH"
_NO_LEADER = (
    "the part of {where} that answers takes no writes (a read-only replica, or not the leader); "
    "give the cluster's own address, neo4j://HOST or neo4j+s://HOST, which finds the leader"
)
_BY_CODE = {
    "Neo.ClientError.Security.Unauthorized": "{where} refuses this user or password; "
    "set NEO4J_USERNAME and NEO4J_PASSWORD, or write them into the address: bolt://user:password@host",
    "Neo.ClientError.Security.AuthenticationRateLimit": "{where} has seen too many wrong passwords; "
    "wait some seconds, then try again with the right one in NEO4J_PASSWORD",
    "Neo.ClientError.Security.CredentialsExpired": "{where} wants its first password changed; "
    "sign in once with cypher-shell or Neo4j Browser, then set NEO4J_PASSWORD to the new one",
    "Neo.ClientError.Security.Forbidden": "this user of {where} may not do that; "
    "give it the roles that read and write (reader, publisher, architect), or name another in NEO4J_USERNAME",
    "Neo.ClientError.Security.TokenExpired": "the sign-in at {where} has expired; try again",
    "Neo.ClientError.Database.DatabaseNotFound": "{where} has no database {database!r}; "
    "see SHOW DATABASES there, and set NEO4J_DATABASE",
    "Neo.ClientError.Transaction.LockClientStopped": "another program has kept {where} from being written "
    "for too long, perhaps a torchatlas that hangs; end that program, then try again: nothing is half written",
    "Neo.ClientError.Cluster.NotALeader": _NO_LEADER,
    "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase": _NO_LEADER,
    "Neo.ClientError.General.WriteOnReadOnlyAccessDatabase": _NO_LEADER,
    "Neo.DatabaseError.Transaction.TransactionLogError": "{where} cannot write its log, most likely because its disk "
    "is full; make room there and restart it; the old graph is still whole",
    "Neo.TransientError.General.DatabaseUnavailable": "the database of {where} is not available now; "
    "start it (START DATABASE), or see why it stopped: SHOW DATABASES",
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError": "{where} has too little memory for this; "
    f"raise its dbms.memory.transaction.total.max and its heap, or {_EMBEDDED}",
    "Neo.TransientError.General.OutOfMemoryError": "{where} has run out of memory; "
    f"raise its server.memory.heap.max_size, or {_EMBEDDED}",
}
_FULL_DISK = re.compile(r"no space left|disk.{0,20}full|not enough space|disk quota", re.IGNORECASE)


def explained(error: DriverError | Neo4jError, address: str, database: str | None, doing: str) -> str:
    """Return one line for an error of the driver at `address` (without password) while `doing` something.

    >>> explained(SessionExpired("x"), "bolt://h:7687", None, "writing")
    'the connection to Neo4j at bolt://h:7687 broke while writing; try again: nothing is half written'
    """
    where = f"Neo4j at {address}"
    causes = list(_causes(error))
    if any(_FULL_DISK.search(str(cause)) for cause in causes):
        return f"the disk of {where} is full; make room there; the old graph is still whole"
    if "needs to be restarted" in str(error):
        return f"{where} has stopped after an error of its own, such as a full disk; restart it and look at its log"
    if isinstance(error, Neo4jError) and (line := _BY_CODE.get(error.code or "")):
        return line.format(where=where, database=database or "neo4j")
    if isinstance(error, ConfigurationError):
        return f"{address} cannot be used: {explain(str(error))}"
    if isinstance(error, UnsupportedServerProduct):
        return f"what answers at {address} is not a Neo4j server of a version that is understood; {_SUPPORTED}"
    if isinstance(error, IncompleteCommit):
        safe = ", nothing is doubled" if doing == "writing" else ""
        return f"the connection to {where} broke while {doing}; try again{safe}"
    if isinstance(error, (ServiceUnavailable, SessionExpired, ConnectionAcquisitionTimeoutError)):
        return _unreachable(causes, address, doing)
    return f"{where} failed while {doing}: {explain(getattr(error, 'message', None) or str(error))}"


def silent(address: str, doing: str) -> str:
    """Return the line about a server that says nothing any more while `doing` something.

    >>> silent("bolt://h:7687", "reading")
    'Neo4j at bolt://h:7687 has fallen silent while reading; see whether it runs, then try again'
    """
    return f"Neo4j at {address} has fallen silent while {doing}; see whether it runs, then {_again(doing)}"


def too_old(agent: str) -> str | None:
    """Return the line about a server that calls itself `agent`, None where its version will do.

    >>> too_old("Neo4j/5.26.30"), too_old("Neo4j/4.4.1")
    (None, 'Neo4j/4.4.1, which is too old; Neo4j 5 or later is needed (tested with 5.26 and 2026.09)')
    """
    found = re.match(r"Neo4j/v?(\d+)\.\d", agent)
    return f"{agent}, which is too old; {_SUPPORTED}" if found and int(found[1]) < _OLDEST else None


def _unreachable(causes: list[BaseException], address: str, doing: str) -> str:
    said = " ".join(str(cause) for cause in causes)
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return f"no computer has the name in {address}; check the name, and the network"
    if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
        remedy = "write +ssc instead of +s if the server signs its certificate itself"
        return f"the certificate of Neo4j at {address} cannot be trusted; {remedy}"
    if any(isinstance(cause, ssl.SSLError) for cause in causes):
        return f"Neo4j at {address} does not encrypt its connections; write the address without +s or +ssc"
    if "looks like HTTP" in said:
        return f"the port in {address} is for web pages, not for Bolt, whose port is 7687 by default: bolt://HOST:7687"
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes):
        return f"no Neo4j server answers at {address}; start it, or {_EMBEDDED}"
    late = any(isinstance(cause, (TimeoutError, ConnectionAcquisitionTimeoutError)) for cause in causes)
    if doing != "connecting" and late:
        return silent(address, doing)
    if doing != "connecting":
        return f"the connection to Neo4j at {address} broke while {doing}; {_again(doing)}"
    if any(isinstance(cause, ConnectionResetError) for cause in causes) or "incomplete handshake" in said:
        remedy = "if the server encrypts its connections, write bolt+s:// or neo4j+s:// (own certificates: +ssc)"
        return f"what listens at {address} hangs up; {remedy}"
    if late:
        return f"nothing answers in time at {address}; is the server still starting, or a firewall between?"
    return f"no Neo4j server answers at {address}; start it, or {_EMBEDDED}"


def _again(doing: str) -> str:
    return "try again" + (": nothing is half written" if doing == "writing" else "")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield the error, its cause, the cause of that, and so on; the members of a group too."""
    yield error
    for inner in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from _causes(inner)
    if error.__cause__ is not None:
        yield from _causes(error.__cause__)
