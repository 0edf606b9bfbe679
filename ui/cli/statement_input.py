"""The Cypher console of a terminal: reads statements, with history and completion, and shows their rows."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from torchatlas.graph.cypher import split_statements, tokens
from torchatlas.graph.errors import QueryError

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from torchatlas.queries import Completion

Complete = Callable[[str], "Sequence[Completion]"]
"""From the text before the cursor to the ways to go on."""

HELP = """A statement ends with ; or an empty line. It only reads. Tab completes, arrow keys bring earlier ones back.
  :schema            what there is to ask
  :questions         the saved questions
  :ask NAME k=v ...  ask one of them
  :param NAME VALUE  a value for $NAME; alone, list them
  :format STYLE      table, json, csv or sheet
  :quit              or Ctrl-D; Ctrl-C leaves a statement, or ends one that runs"""


def is_whole(text: str) -> bool:
    """Return whether a text is to be run: a command, or a statement with a semicolon or an empty line behind it.

    >>> is_whole("RETURN 1;"), is_whole("RETURN ';"), is_whole(":help")
    (True, False, True)
    """
    stripped = text.strip()
    if not stripped or stripped.startswith(":") or text.endswith("\n"):
        return True
    try:
        return tokens(stripped)[-1:] != () and tokens(stripped)[-1].text == ";"
    except QueryError:  # a string that goes on
        return False


def statements(lines: Iterable[str]) -> Iterator[str]:
    """Yield the statements and commands in the lines of a file or a pipe.

    >>> list(statements(["RETURN\\n", "1;\\n", ":help\\n"]))
    ['RETURN\\n1;', ':help']
    """
    text = ""
    for line in lines:
        text += line
        if text.strip() and is_whole(text.rstrip("\n") + ("\n" if not line.strip() else "")):
            yield from _split(text)
            text = ""
    if text.strip():
        yield from _split(text)


def _split(text: str) -> Iterator[str]:
    """Yield the statements of a text; a command, and a text that cannot be read, stays whole."""
    try:
        yield from [text.strip()] if text.lstrip().startswith(":") else tuple(split_statements(text))
    except QueryError:
        yield text.strip()


def typed(history: Path, complete: Complete) -> Iterator[str]:
    """Yield the statements that a person types at a terminal, until Ctrl-D."""
    session = _session(history, complete)
    while True:
        try:
            text = session.prompt("cypher> ").strip()
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        yield from statements(text.splitlines(keepends=True))


def _session(history: Path, complete: Complete) -> "PromptSession[str]":
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer
    from prompt_toolkit.completion import Completion as Offer
    from prompt_toolkit.history import FileHistory
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    class Offers(Completer):
        def get_completions(self, document: "Document", _event: "CompleteEvent") -> "Iterable[Offer]":
            for c in complete(document.text_before_cursor):
                yield Offer(c.text, -c.replaces, display_meta=c.about)

    keys = KeyBindings()

    @keys.add("enter")
    def _enter(event: KeyPressEvent) -> None:
        text = event.current_buffer.text
        if is_whole(text):
            event.current_buffer.validate_and_handle()
        else:
            event.current_buffer.insert_text("\n")

    history.parent.mkdir(parents=True, exist_ok=True)
    return PromptSession(
        history=FileHistory(str(history)),
        completer=Offers(),
        complete_while_typing=False,
        multiline=True,
        key_bindings=keys,
        prompt_continuation="   ...> ",
    )


def at_a_terminal() -> bool:
    """Return whether a person types; otherwise statements come from a file or a pipe."""
    return sys.stdin.isatty() and sys.stdout.isatty()
