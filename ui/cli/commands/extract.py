"""The command that prints the findings in texts: extract."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import click

from torchatlas.ui.cli.options import atlas_option, finish, format_option, readers_options, tell
from torchatlas.ui.plans import dumps

if TYPE_CHECKING:
    from torchatlas.atlas import Atlas
    from torchatlas.extract.candidates.ranking import TermCandidate
    from torchatlas.graph.findings import Extraction


@click.command()
@click.argument("feeds", nargs=-1, required=True, metavar="FEED...")
@click.option("--candidates", is_flag=True, help="Also terms that the vocabulary does not know, the best first.")
@click.option("--vocabulary", "vocabularies", multiple=True, metavar="FILE", help="Know these concepts as well (TOML).")
@readers_options
@format_option("jsonl", "json", "text")
@atlas_option
def extract(
    atlas: "Atlas", feeds: tuple[str, ...], candidates: bool, vocabularies: tuple[str, ...],
    jobs: int | None, on: str, style: str,
) -> None:  # fmt: skip
    """Print the concepts, links and statements in FEEDs.

    A FEED is an address, a file, or - for standard input.

    Example: torchatlas extract feed.xml --candidates --format jsonl
    """
    from torchatlas.extract.findings_json import to_json

    found = atlas.extract(*feeds, candidates=candidates, vocabularies=vocabularies, jobs=jobs, on=on)
    if style == "json":
        rows = (to_json(x, found.names, new) for x, new in found.extractions)
        click.echo(dumps(list(rows)))
    else:
        for extraction, new in found.extractions:
            if style == "text":
                tell(_text(extraction, found.names, new or ()))
            else:
                click.echo(dumps(to_json(extraction, found.names, new), indent=None))
    finish(found.failed)


def _text(extraction: "Extraction", names: Mapping[str, str], new: "Iterable[TermCandidate]") -> str:
    """Return the findings of an episode for people: each concept once, with how often it is named."""
    from torchatlas.extract.findings_json import named, stated

    name = named(extraction, names)
    times = Counter(name[mention.concept_id] for mention in extraction.mentions)
    lines = [extraction.episode.title, "  concepts: " + ", ".join(_times(c, n) for c, n in times.most_common())]
    lines += [f"  {link.type}: {link.url}" for link in extraction.links]
    lines += [f"  {s.subject} {s.relation} {s.object}: {s.quote!r}" for s in stated(extraction, names)]
    if terms := [_times(c.text, c.count) for c in new]:
        lines.append("  new terms: " + ", ".join(terms))
    return "\n".join(lines)


def _times(name: str, count: int) -> str:
    return f"{name} ({count})" if count > 1 else name
