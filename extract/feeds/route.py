"""The connections of one GET: all of them end at one deadline, and each goes to an address that was checked."""

import queue
import socket
import threading
import time
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, ProxyManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError, NameResolutionError, NewConnectionError
from urllib3.util.connection import create_connection

from torchatlas.graph.values.errors import SourceError

_NAT64 = ip_network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the internet, not to this computer or a network of its own.

    An IPv6 address that stands for an IPv4 address counts as that one.

    >>> [is_public(a) for a in ("8.8.8.8", "127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "::ffff:127.0.0.1")]
    [True, False, False, False, False, False]
    """
    parsed = ip_address(address.partition("%")[0])
    meant = (_inner(parsed) or parsed) if isinstance(parsed, IPv6Address) else parsed
    return meant.is_global and not meant.is_multicast


def _inner(address: IPv6Address) -> IPv4Address | None:
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)


class Route:
    """The way of one GET through redirects.

    `local`: whether it may lead to this computer and its network; None lets the first connection decide, so that an
    address that a person typed is asked wherever it lies, and no server on the internet can send the program inside.
    """

    def __init__(self, seconds: float, local: bool | None) -> None:
        self.local = local
        self._ends = time.monotonic() + seconds
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self._open: list[socket.socket] = []
        self._lock = threading.Lock()
        self._over = False

    def __enter__(self) -> "Route":
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
        for watched in self._open:
            watched.close()

    @property
    def over(self) -> bool:
        """Whether the deadline has passed."""
        return self._over or time.monotonic() > self._ends

    def addresses(self, host: str, port: int) -> Sequence[str]:
        """Return the IP addresses of a host. Raises OSError, SourceError where the route may not lead there."""
        answer: queue.SimpleQueue[list[str] | OSError] = queue.SimpleQueue()
        # A thread of its own, because nothing can end a look-up.
        threading.Thread(target=_look_up, args=(host, port, answer), daemon=True).start()
        try:
            found = answer.get(timeout=max(0.0, self._ends - time.monotonic()))
        except queue.Empty:
            raise TimeoutError(f"no address was found for {host} in time") from None
        if isinstance(found, OSError):
            raise found
        if self.local is False and not all(map(is_public, found)):
            raise SourceError(
                f"{host} lies on this computer or in its network; only a feed that a server there has sent may name it"
            )
        return found

    def connect(self, to: HTTPConnection) -> socket.socket:
        """Connect to one of the checked addresses. Raises OSError, SourceError."""
        port = to.port or to.default_port
        if to.proxy:  # chosen by the person; what it may be asked for is checked before
            return self._watched(self._socket(to, to.host, port))
        failure: OSError = OSError(f"{to.host} has no address")
        for address in self.addresses(to.host, port):
            try:
                connected = self._socket(to, address, port)
            except OSError as e:
                failure = e
                continue
            if self.local is None:
                self.local = not is_public(address)
            return self._watched(connected)
        raise failure

    def _socket(self, to: HTTPConnection, address: str, port: int) -> socket.socket:
        left = self._ends - time.monotonic()
        if left <= 0:
            raise TimeoutError("the deadline has passed")
        patience = min(left, to.timeout) if isinstance(to.timeout, int | float) else left
        return create_connection((address, port), patience, socket_options=to.socket_options)

    def _watched(self, connected: socket.socket) -> socket.socket:
        """Note a second handle of the connection: TLS takes the first one over."""
        with self._lock:
            self._open.append(connected.dup())
            if self._over:
                _shut(connected)
        return connected

    def _end(self) -> None:
        with self._lock:
            self._over = True
            for watched in self._open:
                _shut(watched)


def _shut(connected: socket.socket) -> None:
    try:
        connected.shutdown(socket.SHUT_RDWR)
    except OSError:  # it has ended by itself
        return


def _look_up(host: str, port: int, answer: "queue.SimpleQueue[list[str] | OSError]") -> None:
    try:
        found = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
        answer.put(list(dict.fromkeys(str(address[0]) for *_, address in found)))
    except UnicodeError:
        answer.put(OSError(f"{host} is not a valid host name"))
    except OSError as e:
        answer.put(e)


class RouteAdapter(HTTPAdapter):
    """Connects for requests by a route, through proxies too.

    Example: session.mount("https://", RouteAdapter(route))
    """

    def __init__(self, route: Route) -> None:
        self._route = route
        super().__init__()

    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        self.poolmanager.pool_classes_by_scheme = _pools(self._route)

    def proxy_manager_for(self, *args: Any, **options: Any) -> ProxyManager:
        manager: ProxyManager = super().proxy_manager_for(*args, **options)
        manager.pool_classes_by_scheme = _pools(self._route)
        return manager

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        if requests.utils.select_proxy(request.url or "", options.get("proxies") or {}):
            self._check_behind_proxy(request.url or "")
        return super().send(request, *args, **options)

    def _check_behind_proxy(self, url: str) -> None:
        """Check a host that the proxy will look up. A name that only the proxy knows is the proxy's to judge."""
        host = urlsplit(url).hostname or ""
        try:
            found = self._route.addresses(host, 0)
        except OSError:
            found = ()
        if self._route.local is None:
            self._route.local = bool(found) and not any(map(is_public, found))


def _pools(route: Route) -> dict[str, Any]:
    def connect(self: HTTPConnection) -> socket.socket:
        try:
            return route.connect(self)
        except socket.gaierror as e:
            raise NameResolutionError(self.host, self, e) from e
        except TimeoutError as e:
            raise ConnectTimeoutError(self, f"connection to {self.host} timed out") from e
        except OSError as e:
            raise NewConnectionError(self, f"no connection: {e}") from e

    # As urllib3's own connections through SOCKS do it (urllib3/contrib/socks.py).
    plain = type("RoutedConnection", (HTTPConnection,), {"_new_conn": connect})
    secure = type("RoutedSecureConnection", (HTTPSConnection,), {"_new_conn": connect})
    return {
        "http": type("RoutedPool", (HTTPConnectionPool,), {"ConnectionCls": plain}),
        "https": type("RoutedSecurePool", (HTTPSConnectionPool,), {"ConnectionCls": secure}),
    }
