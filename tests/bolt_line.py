"""A line to a Neo4j server that shows what a client says, and can fall silent or be cut at any moment."""

import socket
import threading
from collections.abc import Callable
from contextlib import suppress


class BoltLine:
    """Listens on `port` and passes everything on; `look` is shown what a client says before the server hears it.

    What `stand_in` returns for something that a client says, unless it is empty, is answered in place of the server.
    """

    def __init__(self, server_port: int) -> None:
        self.look: Callable[[bytes], None] = ignore
        self.stand_in: Callable[[bytes], bytes] = lambda _: b""  # the server answers
        self._server_port, self._open = server_port, list[socket.socket]()
        self._requests, self._answers = threading.Event(), threading.Event()
        self.release()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def hold(self) -> None:
        """Pass nothing on in either direction, on new connections neither; nothing is closed."""
        self._requests.clear()
        self.deafen()

    def deafen(self) -> None:
        """Let the server hear everything, and the client nothing."""
        self._answers.clear()

    def release(self) -> None:
        """Pass everything on again, what was held first."""
        self._requests.set()
        self._answers.set()

    def cut(self) -> None:
        """Close every connection, and lose what was held; new ones are taken."""
        for end in self._open:
            _hang_up(end)
        self._open.clear()
        self.release()

    def close(self) -> None:
        _hang_up(self._listening)
        self._listening.close()
        self.cut()

    def _accept(self) -> None:
        with suppress(OSError):  # closed
            while True:
                client, _ = self._listening.accept()
                try:
                    server = socket.create_connection(("127.0.0.1", self._server_port))
                except ConnectionError:  # the server is down: so is the line
                    client.close()
                    continue
                self._open += (client, server)
                for ends in ((client, server, self._requests), (server, client, self._answers)):
                    threading.Thread(target=self._pass, args=ends, daemon=True).start()

    def _pass(self, speaker: socket.socket, listener: socket.socket, flows: threading.Event) -> None:
        with suppress(OSError):  # one of the ends hangs up
            while said := speaker.recv(1 << 20):
                if flows is self._requests:
                    self.look(said)
                    if answer := self.stand_in(said):
                        speaker.sendall(answer)
                        continue
                flows.wait()
                listener.sendall(said)
        _hang_up(speaker)
        _hang_up(listener)


def _hang_up(end: socket.socket) -> None:
    with suppress(OSError):  # closed already
        end.shutdown(socket.SHUT_RDWR)


def ignore(_said: bytes) -> None:
    """Do nothing with what a client says."""
