"""The process that asks a Neo4j server."""

import sys

from torchatlas.graph.stores.query_process import serve


def main() -> None:
    """Answer until standard input ends.

    Example: `subprocess.Popen(command("torchatlas.graph.stores.neo4j.process"))`
    """
    # The driver loads them where they are installed, which takes longer than all the rest; no value here needs them.
    # None says that a module is not to be had.
    sys.modules.update(dict.fromkeys(("numpy", "pandas", "pyarrow")))  # type: ignore[arg-type]
    from torchatlas.graph.stores.neo4j.asking import answering

    with answering() as answer:
        serve(answer)
