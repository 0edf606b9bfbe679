"""The command that says why one thing comes before another: explain."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from torchatlas.exports import dumps
from torchatlas.graph.values.formatting import clock
from torchatlas.graph.values.wording import ORDERS
from torchatlas.ui.cli.options import atlas_option, format_option, tell, wrapped

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.graph.values.answers import ChainEdge


@click.command()
@click.argument("earlier")
@click.argument("later")
@format_option("text", "json")
@atlas_option
def explain(atlas: "Atlas", earlier: str, later: str, style: str) -> None:
    """Say why EARLIER comes before LATER (concepts or episodes): the chain of edges, or that nothing says so.

    Example: torchatlas explain strides AOTAutograd
    """
    found = atlas.explain(earlier, later)
    (first, a), (then, b) = found.earlier, found.later
    if style == "json":
        told = {"earlier": first, "later": then, "chain": [asdict(step) for step in found.chain]}
        click.echo(dumps(told | {"reverse": [asdict(step) for step in found.reverse]}))
    elif found.chain:
        tell(f"{a} comes before {b}:")
        tell("\n".join(_chain(found.chain)))
    elif found.reverse:
        tell(f"It is the other way round: {b} comes before {a}:")
        tell("\n".join(_chain(found.reverse)))
    else:
        tell(f"Nothing says that {a} comes before {b}, or {b} before {a}.")


def _chain(because: "Iterable[ChainEdge]") -> Iterable[str]:
    for step in because:
        at = "" if step.at is None else f", at {clock(step.at)}"
        sure = f", confidence {step.confidence:.2f}" if step.confidence < 1 else ""
        yield wrapped(
            f"{step.source_name} {ORDERS[step.kind]} {step.target_name}: {step.words}  ({step.origin}{sure}{at})", "  "
        )
