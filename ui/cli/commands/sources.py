"""The commands that bring texts in: extract, add, sources, build."""

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from torchatlas.exports import dumps
from torchatlas.graph.values.errors import SourceError
from torchatlas.settings import Settings
from torchatlas.ui.cli.options import format_option, progress, settings_option, tell

if TYPE_CHECKING:
    from torchatlas.extract.feeds.entries import Entry


@click.command()
@click.argument("feeds", nargs=-1, required=True, metavar="FEED...")
@click.option("--candidates", is_flag=True, help="Terms that the vocabulary does not know as well, the best first.")
@click.option("--vocabulary", "vocabularies", multiple=True, metavar="FILE", help="Know these concepts as well (TOML).")
@click.option("--model", metavar="NAME", help="Your own spaCy pipeline: an installed package, or a folder.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes that read. [default: as many as pay]")
@format_option("jsonl", "json", "text")
@settings_option
def extract(
    settings: Settings,
    feeds: tuple[str, ...],
    candidates: bool,
    vocabularies: tuple[str, ...],
    model: str | None,
    jobs: int | None,
    style: str,
) -> None:
    """Print the concepts, links and statements in FEEDs (address, file, or - for standard input), episode by episode.

    Example: torchatlas extract feed.xml --candidates --format jsonl
    """
    from torchatlas.extract.cached_extractor import CachedExtractor
    from torchatlas.extract.candidates.ranking import CandidateFinder
    from torchatlas.extract.extractor_config import ExtractorConfig
    from torchatlas.extract.findings_json import to_json
    from torchatlas.inputs import vocabulary
    from torchatlas.profile import load_profile

    profile = load_profile(settings.profile)
    entries, failed = read_entries(settings, feeds)
    known = vocabulary(settings, vocabularies)
    names = {c.id: c.name for c in known.concepts}
    finder = CandidateFinder(known, profile.refused) if candidates else None
    titles = tuple(entry.episode.title for entry in entries)
    extractor = CachedExtractor(ExtractorConfig(known.concepts, titles, model=model or profile.model), jobs=jobs)
    rows = (to_json(found, names, finder.rank([found]) if finder else None) for found in extractor.extract(entries))
    if style == "json":
        click.echo(dumps(list(rows)))
    else:
        for row in rows:
            if style == "jsonl":
                click.echo(dumps(row, indent=None))
            else:
                tell(_text(row))
    if failed:
        raise SourceError(failed)


def read_entries(settings: Settings, feeds: tuple[str, ...]) -> tuple[list["Entry"], str]:
    """What the feeds hold, and how many of them could not be read. Raises SourceError where that is all of them."""
    from torchatlas.extract.feeds.feed import parse
    from torchatlas.extract.feeds.fetch import fetch

    entries: list[Entry] = []
    failures: list[SourceError] = []
    for feed in feeds:
        try:
            fetched = fetch(feed, settings.cache)
            parsed = parse(fetched.data, fetched.address)
        except SourceError as e:
            failures.append(e)
            continue
        entries += parsed.entries
        for line in (*filter(None, [fetched.note]), *(f"skipped: {entry}" for entry in parsed.skipped)):
            tell(line, err=True)
    return entries, _failed(failures, len(feeds))


def _failed(failures: list[SourceError], total: int) -> str:
    """Say what failed, a line each, and return how many did; a single failure is raised as it is."""
    if failures and total == 1:
        raise failures[0]
    for failure in failures:
        tell(str(failure), err=True)
    if len(failures) == total:
        raise SourceError(f"none of the {total} could be read")
    return f"{len(failures)} of {total} could not be read" if failures else ""


def _text(row: dict[str, Any]) -> str:
    """What was found in an episode, for people: each concept once, with how often it is named."""
    named = Counter(m["concept"] for m in row["mentions"])
    lines = [row["title"], "  concepts: " + ", ".join(f"{c} ({n})" if n > 1 else c for c, n in named.most_common())]
    lines += [f"  {link['type']}: {link['url']}" for link in row["links"]]
    lines += [f"  {s['subject']} {s['relation']} {s['object']}: {s['quote']!r}" for s in row["statements"]]
    if new := [f"{c['text']} ({c['count']})" if c["count"] > 1 else c["text"] for c in row.get("candidates", ())]:
        lines.append("  new terms: " + ", ".join(new))
    return "\n".join(lines)


@click.command()
@click.argument("feeds", nargs=-1, required=True, metavar="FEED...")
@settings_option
def add(settings: Settings, feeds: tuple[str, ...]) -> None:
    """Remember FEEDs (address, file, or an OPML list of feeds) and build the map with their episodes.

    Transcripts and chapters that a feed names are fetched as well.

    Example: torchatlas add https://feeds.simplecast.com/OB5FkIl8
    """
    from torchatlas.feeds import remember

    failures: list[SourceError] = []
    lines: list[str] = []
    with progress() as report:
        for feed in feeds:
            try:
                lines += remember(settings, feed, report)
            except SourceError as e:
                failures.append(e)
    for line in lines:
        tell(line, err=True)
    failed = _failed(failures, len(feeds))
    _build(settings, refresh=False)
    if failed:
        raise SourceError(failed)


@click.command()
@click.option("--remove", "removed", multiple=True, metavar="ADDRESS", help="Forget this feed or page. Repeatable.")
@format_option("text", "json")
@settings_option
def sources(settings: Settings, removed: tuple[str, ...], style: str) -> None:
    """List the feeds that were added and the pages that were imported: what each has, and what went wrong last time.

    Example: torchatlas sources --remove https://example.org/feed.xml
    """
    from torchatlas.feeds import forget, remembered
    from torchatlas.saved_pages import imported

    for address in removed:
        forget(settings, address)
    known = (*remembered(settings), *imported(settings))
    if style == "json":
        click.echo(dumps([asdict(source) | {"address": source.shown} for source in known]))
        return
    for source in known:
        tell(source.shown)
        if source.title:
            tell(f"  {source.title}: {source.holds}")
        if source.trouble:
            tell(f"  {source.trouble}")


@click.command()
@click.option("--offline", is_flag=True, help="Use the last good copies of your feeds; ask no network.")
@settings_option
def build(settings: Settings, offline: bool) -> None:
    """Read everything again (vocabulary, catalogue, your feeds) and build the graph anew.

    Example: torchatlas build
    """
    _build(settings, refresh=not offline)


def _build(settings: Settings, refresh: bool) -> None:
    from torchatlas.feeds import refresh as refreshed
    from torchatlas.stored_graph import open_graph, rebuild

    if refresh:
        with progress() as report:
            lines = list(refreshed(settings, report))
        for line in lines:
            tell(line, err=True)
    with open_graph(settings) as store, progress() as report:
        graph = rebuild(store, settings, report)
    click.echo(
        f"{len(graph.episodes)} episodes, {len(graph.concepts)} concepts, {len(graph.requires)} prerequisites, "
        f"{len(graph.links)} links"
    )
    click.echo(f"written to {store.address}", err=True)
