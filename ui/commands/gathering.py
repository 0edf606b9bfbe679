"""The commands that bring texts in: extract, add, build."""

from collections import Counter
from typing import Any

import click

from ui.command import format_option, progress, settings_option, tell
from ui.exports import dumps
from ui.settings import Settings


@click.command()
@click.argument("feed")
@format_option("jsonl", "json", "text")
@settings_option
def extract(settings: Settings, feed: str, style: str) -> None:
    """Print the concepts, links and statements in a FEED (address, file, or - for standard input), episode by episode.

    Example: torchatlas extract feed.xml --format jsonl
    """
    from extract.feed import parse
    from extract.pipeline import Extractor
    from extract.report import to_json
    from extract.source import fetch
    from ui.gather import vocabulary

    fetched = fetch(feed, settings.home / "http")
    parsed = parse(fetched.data, fetched.address)
    for line in (*filter(None, [fetched.note]), *(f"skipped: {entry}" for entry in parsed.skipped)):
        tell(line, err=True)
    concepts = vocabulary(settings).concepts
    names = {c.id: c.name for c in concepts}
    extractor = Extractor(concepts, [entry.episode.title for entry in parsed.entries])
    rows = (to_json(found, names) for found in extractor.extract(parsed.entries))
    if style == "json":
        click.echo(dumps(list(rows)))
        return
    for row in rows:
        if style == "jsonl":
            click.echo(dumps(row, indent=None))
        else:
            tell(_text(row))


def _text(row: dict[str, Any]) -> str:
    """What was found in an episode, for people: each concept once, with how often it is named."""
    named = Counter(m["concept"] for m in row["mentions"])
    lines = [row["title"], "  concepts: " + ", ".join(f"{c} ({n})" if n > 1 else c for c, n in named.most_common())]
    lines += [f"  {link['type']}: {link['url']}" for link in row["links"]]
    lines += [f"  {s['subject']} {s['relation']} {s['object']}: {s['quote']!r}" for s in row["statements"]]
    return "\n".join(lines)


@click.command()
@click.argument("feeds", nargs=-1, required=True, metavar="FEED...")
@settings_option
def add(settings: Settings, feeds: tuple[str, ...]) -> None:
    """Remember a FEED (address or file) and build the map with its episodes.

    Example: torchatlas add https://feeds.simplecast.com/OB5FkIl8
    """
    from ui.gather import remember

    for feed in feeds:
        tell(f"{feed}: {remember(settings, feed)} entries", err=True)
    _build(settings, refresh=False)


@click.command()
@click.option("--offline", is_flag=True, help="Use the last good copies of your feeds; ask no network.")
@settings_option
def build(settings: Settings, offline: bool) -> None:
    """Read everything again (vocabulary, catalogue, your feeds) and build the graph anew.

    Example: torchatlas build
    """
    _build(settings, refresh=not offline)


def _build(settings: Settings, refresh: bool) -> None:
    from ui.atlas import open_graph, rebuild
    from ui.gather import refresh_sources

    if refresh:
        for line in refresh_sources(settings):
            tell(line, err=True)
    with open_graph(settings) as store, progress() as report:
        graph = rebuild(store, settings, report)
    click.echo(
        f"{len(graph.episodes)} episodes, {len(graph.concepts)} concepts, {len(graph.requires)} prerequisites, "
        f"{len(graph.links)} links"
    )
    click.echo(f"written to {store.address}", err=True)
