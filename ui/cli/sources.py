"""Commands about feeds and texts, such as new, add, import, build, changes, candidates."""

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import partial
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from torchatlas.extract.fetch import without_secrets
from torchatlas.files import write_file
from torchatlas.graph.errors import SourceError
from torchatlas.graph.formatting import counted, listed
from torchatlas.graph.names import excerpt, one_line
from torchatlas.graph.views import show_rows
from torchatlas.sources import Sources, change_sources, listed_as, load_sources
from torchatlas.ui.cli.program import Printed, command, limit_option, readers_options, tell, wrapped
from torchatlas.ui.plans import dumps

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas, Built
    from torchatlas.extract.candidates import TermCandidate
    from torchatlas.graph.findings import Extraction
    from torchatlas.graph.views import Rows
_LONGEST = 71  # characters of an entry's text that name it where it has no title


@command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--title", default="", metavar="TEXT", help="What the map is about.  [default: the folder's name]")
def new(atlas: "Atlas", folder: Path, title: str) -> None:
    """Begin a map of your own in FOLDER.

    It has none of the concepts and episodes that ship with torchatlas.

    Example: torchatlas new databases --title "Database internals"
    """
    tell(home := str(atlas.new(folder, title).parent))
    tell(f"use it: TORCHATLAS_HOME={shlex.quote(home)} torchatlas add FEED", err=True)


@command()
@click.argument("feeds", nargs=-1, metavar="FEED...")
@click.option("--pack", type=click.Choice(["pytorch"]), metavar="NAME", help="Add a shipped list of public feeds.")
@readers_options
def add(atlas: "Atlas", feeds: tuple[str, ...], pack: str | None, jobs: int | None, on: str) -> None:
    """Remember FEEDs, and build the map with their episodes.

    A FEED is an address, a file, or an OPML list of feeds. Transcripts and chapters that it names are fetched too.
    `torchatlas extract FEED` shows what the map would find in one, and `torchatlas candidates` what it does not know.

    Example: torchatlas add {feed}
    """
    listed = (str(files("torchatlas.data") / "packs" / f"{pack}.opml"),) if pack else ()
    _report(atlas, atlas.add(*feeds, *listed, jobs=jobs, on=on))


@command("text", "json")
@click.option("--remove", "removed", multiple=True, metavar="ADDRESS", help="Forget this feed or page. Repeatable.")
@click.option(
    "--forget", "forgotten", multiple=True, metavar="ADDRESS", help="Drop what has left this feed. Repeatable."
)
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--shows", "alone", is_flag=True, help="Only the podcasts and blogs on the map.")
def sources(atlas: "Atlas", removed: tuple[str, ...], forgotten: tuple[str, ...], yes: bool, alone: bool) -> Printed:
    """List your feeds and pages, and the shows on the map.

    What has left a feed is kept, up to 50 MB and `feed_entries` in sources.toml (20,000). --forget drops it.

    Example: torchatlas sources --remove https://example.org/feed.xml
    """
    for address in removed:
        atlas.remove_source(address)
    for address in forgotten:
        shown = without_secrets(listed_as(atlas.settings, address))
        if yes or click.confirm(f"Drop what has left {one_line(shown)}, and your marks on it?", abort=True, err=True):
            tell(f"dropped: {counted(len(atlas.remove_source(address, only_left=True)), 'entry', 'entries')}", err=True)
    known = () if alone else atlas.sources()
    shows = atlas.shows() if alone else () if removed or forgotten else show_rows(atlas.store.snapshot())
    yield shows if alone else [asdict(s) | {"address": s.shown, "target": without_secrets(s.target)} for s in known]
    for source in known:
        yield source.shown
        if source.title:
            yield f"  {source.title}: {source.holds}"
        if source.trouble:
            yield f"  {source.trouble}"
    for show in shows:
        yield f"{show.title}  [{show.id}]"
        yield f"  {counted(show.episodes, 'episode')}{f', by {show.author}' if show.author else ''}"
        yield from (f"  {words}: {url}" for words, url in (("page", show.url), ("feed", show.feed_url)) if url)


@command()
@click.option("--offline", is_flag=True, help="Use the last good copies of your feeds; do not use the network.")
@readers_options
def build(atlas: "Atlas", offline: bool, jobs: int | None, on: str) -> None:
    """Read all sources again and build the graph anew.

    Example: torchatlas build
    """
    built = atlas.build(offline=offline, jobs=jobs, on=on)
    if built.new:
        tell(f"New since your last build: {listed(built.new, 5)}")
    if left := sum(source.left for source in atlas.sources()):
        tell(f"{counted(left, 'entry', 'entries')} of your feeds kept that are no longer in them")
    _report(atlas, built)


def _report(atlas: "Atlas", built: "Built") -> None:
    click.echo(built.graph.size)
    click.echo(f"written to {atlas.store.address}", err=True)
    if built.failed:
        raise SourceError(built.failed)


@command("text", "json", name="import")
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option("--dry-run", is_flag=True, help="Show what would be added, merged and left out; change nothing.")
def import_(atlas: "Atlas", pages: tuple[str, ...], dry_run: bool) -> Printed:
    """Remember PAGEs that you saved, and build the map with them.

    A PAGE is text or HTML: a directory's episode page (such as Player FM's), its best-of page (such as Goodpods'),
    a numbered listing, a blog's index; captions (SRT, VTT or Whisper's JSON) named after their episode; or a video's
    .info.json of yt-dlp.

    Example: torchatlas import playerfm.html goodpods.txt --dry-run
    """
    imported = atlas.import_pages(*pages, dry_run=dry_run)
    yield [
        {
            "page": row.page,
            "title": row.entry.title,
            "text": excerpt(row.entry.text, _LONGEST),
            "outcome": row.outcome,
            "episode_id": row.episode and row.episode.id,
            "episode": row.episode and row.episode.title,
            "evidence": row.evidence,
        }
        for row in imported.rows
    ]
    for page, group in groupby(imported.rows, key=lambda row: row.page):
        rows = list(group)
        counts = Counter(row.outcome for row in rows)
        yield f"{page}: {counts['new']} new, {counts['merged']} merged, {counts['not placed']} not placed"
        for row in rows:
            said = row.entry.title or f'"{excerpt(row.entry.text, _LONGEST)}"'
            meant = f" = {row.episode.title}" if row.episode and row.episode.title != said else ""
            why = f" ({'; '.join(row.evidence)})" if row.evidence else ""
            yield f"  {row.outcome}: {said}{meant}{why}"
    if imported.graph:
        tell(f"{imported.graph.size}, written to {atlas.store.address}", err=True)
    elif not dry_run:
        tell("the map has all of it already", err=True)
    if imported.failed:
        raise SourceError(imported.failed)


@command("jsonl", "json", "text")
@click.argument("feeds", nargs=-1, required=True, metavar="FEED...")
@click.option("--candidates", is_flag=True, help="Also terms that the vocabulary does not know, the best first.")
@click.option("--vocabulary", "vocabularies", multiple=True, metavar="FILE", help="Know these concepts as well (TOML).")
@readers_options
def extract(atlas: "Atlas", feeds: tuple[str, ...], style: str, candidates: bool, **options: Any) -> None:
    """Print the concepts, links and statements in FEEDs.

    A FEED is an address, a file, or - for standard input.

    Example: torchatlas extract feed.xml --candidates --format jsonl
    """
    from torchatlas.extract.candidates import CandidateFinder
    from torchatlas.extract.pipeline import to_json

    found = atlas.extract(*feeds, **options)
    names = {concept.id: concept.name for concept in found.vocabulary.concepts}
    finder = CandidateFinder(found.vocabulary, load_sources(atlas.settings).refused) if candidates else None
    read = ((each, finder.rank([each]) if finder else None) for each in found.extractions)
    if style == "json":
        click.echo(dumps([to_json(each, names, new) for each, new in read]))
    for extraction, new in read:
        if style == "text":
            tell("\n".join(_found_lines(extraction, names, new or ())))
        else:
            click.echo(dumps(to_json(extraction, names, new), indent=None))
    if found.failed:
        raise SourceError(found.failed)


def _found_lines(extraction: "Extraction", names: dict[str, str], new: "Iterable[TermCandidate]") -> Iterator[str]:
    from torchatlas.extract.pipeline import named, stated

    def times(found: Iterable[tuple[str, int]]) -> str:
        return ", ".join(f"{name} ({count})" if count > 1 else name for name, count in found)

    name = named(extraction, names)
    yield extraction.episode.title
    yield f"  concepts: {times(Counter(name[m.concept_id] for m in extraction.mentions).most_common())}"
    yield from (f"  {link.type}: {link.url}" for link in extraction.links)
    yield from (f"  {s.subject} {s.relation} {s.object}: {s.quote!r}" for s in stated(extraction, names))
    if terms := times((c.text, c.count) for c in new):
        yield f"  new terms: {terms}"


@command("text", "json")
@click.argument("feeds", nargs=-1, metavar="[FEED]...")
@limit_option(40, "How many to list.")
@click.option("--accept", metavar="TERM", help="Make this a topic of yours, in your corrections.")
@click.option("--name", default="", metavar="NAME", help="What an accepted term is called; the term becomes its alias.")
@click.option("--definition", default="", metavar="TEXT", help="What an accepted term is, in a sentence.")
@click.option("--area", default="", metavar="AREA", help="The area of accepted or drafted terms.")
@click.option("--draft", type=click.Path(path_type=Path), metavar="FILE", help="Begin a vocabulary with the terms.")
@click.option("--reject", multiple=True, metavar="TERM", help="Never list this term again. May be repeated.")
def candidates(
    atlas: "Atlas",
    feeds: tuple[str, ...],
    limit: int,
    accept: str | None,
    draft: Path | None,
    reject: tuple[str, ...],
    **words: str,
) -> Printed:
    """List terms that the vocabulary does not know, best first.

    It looks in FEEDs, or without them in your sources and the catalogue.

    With --accept or --reject it lists nothing; the next command builds the graph with what you accepted. Rejected
    terms stand in sources.toml under `refused`.

    Example: torchatlas candidates --accept "{term}" --area {area}
    """
    name, area = words["name"], words["area"]
    if accept is None and (name or words["definition"] or (area and draft is None)):
        raise click.UsageError("--name, --definition and --area belong to --accept TERM")
    if accept is not None and draft is not None:
        raise click.UsageError("choose one of --accept TERM and --draft FILE")
    drafts = atlas.draft(draft, *feeds, limit=limit, area=area) if draft else ()
    id_ = atlas.accept(accept, **words) if accept is not None else ""
    for term in reject:
        change_sources(atlas.settings, partial(Sources.adding, refused=one_line(term)))
    if draft:
        yield drafts
        yield f"{counted(len(drafts), 'draft')} in {draft}: reword them; the next command builds the map with them"
    elif accept is not None:
        tell(f"written to {atlas.settings.corrections}; the next command builds the graph with it", err=True)
        yield {"id": id_, "name": name or accept}
        yield f"{name or accept} [{id_}]"
    elif reject:
        yield reject
    else:
        yield from _listed(atlas.candidates(*feeds), limit)


def _listed(found: "Rows[TermCandidate]", limit: int) -> Printed:
    yield found[:limit]
    for c in found[:limit]:
        times = "once" if c.count == 1 else f"{c.count} times in {counted(len(c.episodes), 'episode')}"
        yield f"{c.text}: {times}, score {c.score:g}"
        yield wrapped(f'"{" ".join(c.quote.split())}" ({c.episodes[0]})')
    if not found:
        tell("no candidate: the vocabulary has all that is named often", err=True)
    if len(found) > limit:
        tell(f"{len(found) - limit} more: --limit {len(found)}", err=True)


@command("text", "json", "toml")
@click.argument("notes", nargs=-1, metavar="[NOTES]...")
@click.option("--write", type=click.Path(path_type=Path), metavar="FILE", help="Write them as corrections (TOML).")
def changes(atlas: "Atlas", notes: tuple[str, ...], style: str, write: Path | None) -> None:
    """Propose notes on what has changed since episodes came out.

    It reads what releases deprecate, remove or break: those in your feeds, or NOTES, which are addresses or files of
    a feed or a changelog. Nothing changes until you move what is right into your corrections.

    Example: torchatlas changes CHANGELOG.md --write notes.toml
    """
    import tomlkit

    found = atlas.changes(*notes)
    rows = [{"concept": row.concept, "note": row.note, "episodes": list(row.episodes)} for row in found]
    toml = tomlkit.dumps({"dated": rows})
    if write:
        file = write_file(write, toml.encode(), new=True)
        tell(f"{len(rows)} in {file}: move what is right into {atlas.settings.corrections}", err=True)
    elif style == "text":
        for row in found:
            tell(f"{row.note}\n{wrapped(listed([atlas.graph.label_of(id_) for id_ in row.episodes], 5))}")
    else:
        click.echo(dumps(rows) if style == "json" else toml)
