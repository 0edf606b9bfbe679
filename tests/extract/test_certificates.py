"""An encrypted connection counts only where somebody vouches for the server's certificate."""

import shutil
import ssl
import subprocess
import threading
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from torchatlas.extract.fetch import fetch
from torchatlas.graph.errors import SourceError


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")
def test_a_server_whose_certificate_nobody_vouches_for_is_refused(tmp_path: Path) -> None:
    made = "req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
    where = ("-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "cert"))
    subprocess.run(["openssl", *made.split(), *where], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    with HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as server:
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with pytest.raises(SourceError, match=r"its certificate cannot be verified$"):
            fetch(f"https://localhost:{server.server_address[1]}/")
        server.shutdown()
