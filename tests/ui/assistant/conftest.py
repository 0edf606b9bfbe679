"""An assistant: the SDK's own client."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.types import CallToolResult, TextContent

from torchatlas.atlas import Atlas
from torchatlas.graph.model import Snapshot
from torchatlas.settings import load_settings
from torchatlas.ui.mcp import AssistantServer, Tools


class Given(Atlas):
    """An atlas of a graph that no store holds, of a person without a profile; `answers` replace its own, by method."""

    def __init__(self, graph: Snapshot, **answers: object) -> None:
        super().__init__(load_settings("memory:", environment={"TORCHATLAS_HOME": str(Path(__file__).parent / "none")}))
        self._graph = graph
        for method, answer in answers.items():
            setattr(self, method, lambda *_, _answer=answer, **_options: _answer)

    def refresh(self, *_: object, **_options: object) -> None:
        """Keep the graph that was given."""


def tools(graph: Snapshot, **answers: object) -> Tools:
    """The tools over a graph; `answers`: what the methods of its atlas return instead of their own."""
    return Tools(Given(graph, **answers), 8501)


class Assistant:
    """A connected client whose calls wait for the answer; its loop runs in a thread of its own."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal, self.client = portal, client

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: self.portal.call(getattr(self.client, name), *arguments)

    def ask(self, tool: str, **arguments: object) -> dict[str, Any]:
        """The structured answer of a tool; the client has checked it against the tool's schema."""
        answer: CallToolResult = self.call_tool(tool, arguments)
        assert not answer.is_error, text_of(answer)
        return dict(answer.structured_content or {})

    def refused(self, tool: str, **arguments: object) -> str:
        """The line that a tool answers where it fails."""
        answer: CallToolResult = self.call_tool(tool, arguments)
        assert answer.is_error and answer.structured_content is None
        return text_of(answer)

    def give_up(self, tool: str, **arguments: object) -> None:
        """Call a tool, and cancel the call before it is answered."""

        async def called() -> None:
            with anyio.move_on_after(1):
                await self.client.call_tool(tool, arguments)

        self.portal.call(called)

    def ask_within(self, seconds: float, tool: str, **arguments: object) -> dict[str, Any]:
        """The structured answer of a tool. Raises TimeoutError where it takes longer."""

        async def called() -> CallToolResult:
            with anyio.fail_after(seconds):
                return await self.client.call_tool(tool, arguments)

        return dict(self.portal.call(called).structured_content or {})


def text_of(answer: CallToolResult) -> str:
    (content,) = answer.content
    assert isinstance(content, TextContent) and len(content.text.splitlines()) == 1
    return content.text


@contextmanager
def connected(server: Any) -> Iterator[Assistant]:
    """A client of a server: itself, its address, or the parameters of a process."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(Client(server)) as client:
        yield Assistant(portal, client)


@pytest.fixture(scope="session")
def assistant(environment: dict[str, str]) -> Iterator[Assistant]:
    """A client of a server in this process, of the small graph with a hostile episode in it."""
    with (
        Atlas(load_settings(environment=environment)) as atlas,
        connected(AssistantServer(Tools(atlas, 8501))) as found,
    ):
        yield found
