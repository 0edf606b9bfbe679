"""The configurations that the page shows start what there is."""

import json
import shlex
from pathlib import Path

from tests.doc_sessions import blocks
from tests.ui.cli.commands import COMMANDS
from torchatlas.ui.mcp import address

PAGE = (Path(__file__).parents[3] / "docs" / "assistant.md").read_text("utf-8")


def test_every_configuration_starts_the_command_or_names_its_address() -> None:
    (port,) = (option.default for option in COMMANDS["mcp"].params if option.name == "port")
    found = [json.loads(text) for _, text in blocks(PAGE, "json")]
    entries = [
        entry for configuration in found for (servers,) in [configuration.values()] for entry in servers.values()
    ]
    assert [set(configuration) for configuration in found] == [{"mcpServers"}, {"servers"}, {"mcpServers"}]
    for entry in entries:
        assert entry.get("url") == address(port) or [entry["command"], *entry["args"]] == ["torchatlas", "mcp"]
    ((_, shell),) = blocks(PAGE, "sh")
    assert shlex.split(shell)[-3:] == ["--", "torchatlas", "mcp"]
