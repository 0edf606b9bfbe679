"""The ports of this computer on which front ends listen."""

import socket


def is_taken(port: int) -> bool:
    """Return whether something listens on that port of this machine already.

    Example: is_taken(8501)
    """
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
