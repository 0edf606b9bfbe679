"""The command that prints the findings in texts: extract."""

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from torchatlas.presentation.answer_json import dumps
from torchatlas.ui.cli.options import atlas_option, finish, format_option, tell

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas


@click.command()
@click.argument("feeds", nargs=-1, required=True, metavar="FEED...")
@click.option("--candidates", is_flag=True, help="Terms that the vocabulary does not know as well, the best first.")
@click.option("--vocabulary", "vocabularies", multiple=True, metavar="FILE", help="Know these concepts as well (TOML).")
@click.option("--model", default="", metavar="NAME", help="Your own spaCy pipeline: an installed package, or a folder.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes that read. [default: as many as pay]")
@format_option("jsonl", "json", "text")
@atlas_option
def extract(
    atlas: "Atlas", feeds: tuple[str, ...], candidates: bool, vocabularies: tuple[str, ...], model: str,
    jobs: int | None, style: str,
) -> None:  # fmt: skip
    """Print the concepts, links and statements in FEEDs.

    A FEED is an address, a file, or - for standard input.

    Example: torchatlas extract feed.xml --candidates --format jsonl
    """
    from torchatlas.extract.findings_json import to_json

    found = atlas.extract(*feeds, candidates=candidates, vocabularies=vocabularies, model=model, jobs=jobs)
    rows = (to_json(extraction, found.names, new) for extraction, new in found.extractions)
    if style == "json":
        click.echo(dumps(list(rows)))
    elif style == "jsonl":
        for row in rows:
            click.echo(dumps(row, indent=None))
    else:
        for row in rows:
            tell(_text(row))
    finish(found.failed)


def _text(row: dict[str, Any]) -> str:
    """Return the findings of an episode for people: each concept once, with how often it is named."""
    named = Counter(m["concept"] for m in row["mentions"])
    lines = [row["title"], "  concepts: " + ", ".join(_times(c, n) for c, n in named.most_common())]
    lines += [f"  {link['type']}: {link['url']}" for link in row["links"]]
    lines += [f"  {s['subject']} {s['relation']} {s['object']}: {s['quote']!r}" for s in row["statements"]]
    if new := [_times(c["text"], c["count"]) for c in row.get("candidates", ())]:
        lines.append("  new terms: " + ", ".join(new))
    return "\n".join(lines)


def _times(name: str, count: int) -> str:
    return f"{name} ({count})" if count > 1 else name
