"""The command that says why one thing comes before another: explain."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, format_option, print_answer, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.answers import Explanation


@click.command()
@click.argument("earlier")
@click.argument("later")
@format_option("text", "json")
@atlas_option
def explain(atlas: "Atlas", earlier: str, later: str, style: str) -> None:
    """Say why EARLIER comes before LATER.

    Both are concepts or episodes. The answer is the chain of edges between them, or that nothing says so.

    Example: torchatlas explain {earlier} {later}
    """
    found = atlas.explain(earlier, later)
    print_answer(found, style, _lines(found))


def _lines(found: "Explanation") -> Iterable[str]:
    yield found.verdict
    for edge in found.chain or found.reverse:
        yield wrapped(f"{edge.source_name} {edge.verb} {edge.target_name}: {edge.words}  ({edge.evidence})")
