"""spaCy's command line, left out of `import spacy`: with requests, httpx and its other needs it takes a third of that.

spaCy imports it for one function, `spacy.info`, which loads it once it is called. Only for processes of our own: others
may count on `spacy.cli` after `import spacy`.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_NAME = "spacy.cli.info"


def defer() -> None:
    """Let the next `import spacy` leave its command line out; `import spacy.cli` loads it as ever.

    Example: `defer()`
    """
    if "spacy" not in sys.modules:
        sys.modules[_NAME] = _Info(_NAME)


class _Info(ModuleType):
    """The place of spaCy's module, until spaCy has taken `info` from it."""

    def __getattr__(self, name: str) -> Any:
        if name != "info":
            raise AttributeError(name)
        if sys.modules.get(_NAME) is self:
            del sys.modules[_NAME]
        return _info


def _info(*arguments: Any, **options: Any) -> Any:
    return import_module(_NAME).info(*arguments, **options)
