"""The command of a helper process, which finds the same modules as its parent."""

import sys
from importlib.resources import files
from pathlib import Path

# As in multiprocessing's "spawn", the child gets the parent's import path, but behind its own: a file signal.py beside
# a notebook must not be taken for the standard library's.
_CODE = """import sys
sys.path[:0] = [place for place in [{root!r}] if place not in sys.path]
sys.path += [place for place in {places!r} if place not in sys.path]
from {module} import main
main()"""


def command(module: str, *arguments: str) -> list[str]:
    """Return the command that runs `main()` of `module` in a process of its own, in any working directory.

    Example: `subprocess.Popen(command("torchatlas.graph.stores.ladybug.process"))`
    """
    root = str(Path(str(files("torchatlas"))).parent)  # a module's own path would lead through a checkout's links
    places = [str(Path(place).absolute()) for place in sys.path if place]
    return [sys.executable, "-P", "-c", _CODE.format(root=root, places=places, module=module), *arguments]
