"""The scripts of the map as one script, for a page that lies in a file: a browser loads no modules from there."""

import re
from collections.abc import Mapping
from graphlib import TopologicalSorter

_IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|const) (\w+)", re.MULTILINE)


def bundle(modules: Mapping[str, str], entry: str) -> str:
    """Return one script that runs the module `entry` and all that it imports, each in a scope of its own.

    `modules`: name -> text. Imports are `import { a, b } from "./name.js";` and exports stand before `function` or
    `const`. What lies outside of the folder, such as vis-network, is there before. Raises CycleError where modules
    import one another in a circle, KeyError for one that is missing.

    >>> print(bundle({"a.js": "export const A = 1;", "b.js": 'import { A } from "./a.js";\\nalert(A);'}, "b.js"))
    const modules = {};
    modules["a.js"] = (() => {
    const A = 1;
    return { A };
    })();
    modules["b.js"] = (() => {
    const { A } = modules["a.js"];
    alert(A);
    return {  };
    })();
    """
    needs: dict[str, list[str]] = {}
    todo = [entry]
    while todo:
        name = todo.pop()
        if name not in needs:
            needs[name] = [path[2:] for _, path in _IMPORT.findall(modules[name]) if path.startswith("./")]
            todo += needs[name]
    order = TopologicalSorter({name: sorted(of) for name, of in sorted(needs.items())}).static_order()
    return "\n".join(("const modules = {};", *(_scoped(name, modules[name]) for name in order)))


def _scoped(name: str, text: str) -> str:
    exported = ", ".join(found for _, found in _EXPORT.findall(text))
    body = _EXPORT.sub(r"\1 \2", _IMPORT.sub(_taken, text)).strip("\n")
    return f'modules["{name}"] = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();'


def _taken(found: re.Match[str]) -> str:
    names, path = found.groups()
    return f'const {names} = modules["{path[2:]}"];\n' if names else ""
