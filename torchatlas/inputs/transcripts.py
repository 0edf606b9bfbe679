"""The documents that feeds name, transcripts and chapters: fetched once each, kept as long as the feed names them."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from torchatlas.extract.feeds import Entry, http_host
from torchatlas.extract.fetch import FetchLimits, Unreachable, copy_name
from torchatlas.extract.transcripts import best_transcript
from torchatlas.graph.errors import SourceError
from torchatlas.graph.model import Progress
from torchatlas.graph.whole_files import write_whole

LIMITS = FetchLimits(size=16_000_000)
MOST = 400_000_000
"""Bytes that are kept of what one feed names."""

_PATIENCE = 3  # times without an answer, after which a server is left alone until the next time


def fetch_named(
    entries: Iterable[Entry], folder: Path, progress: Progress | None = None, *, local: bool = False
) -> Iterator[str]:
    """Fetch what is not yet in the folder, remove what is named no longer; yield a line for each that cannot be had.

    A kept document is not asked for again: transcripts are written once, and a show has hundreds. Raises OSError.
    `local`: whether a server on this computer or in its network sent the feed, so that what it names may lie there too.

    Example: list(fetch_named(parse(document, address).entries, Path("named")))
    """
    from torchatlas.extract.fetch import fetch
    from torchatlas.extract.transcripts import readers

    wanted = {url: read for entry in entries for url, read in readers(entry).items()}
    missing, size = _tidied(wanted, folder)
    failed: dict[str, int] = {}
    for done, url in enumerate(missing):
        if progress:
            progress("Fetching transcripts", done, len(missing))
        host = http_host(url)
        if failed.get(host, 0) >= _PATIENCE:
            continue
        try:
            found = fetch(url, None, LIMITS, local=local)
            wanted[url](found.data, found.address)
        except Unreachable as e:
            failed[host] = failed.get(host, 0) + 1
            yield str(e)
            if failed[host] == _PATIENCE:
                yield f"{host}: its other transcripts are left for the next `torchatlas build`"
            continue
        except SourceError as e:
            yield str(e)
            continue
        size += len(found.data)
        if size > MOST:
            yield f"{host}: the feed names more than {MOST:,} bytes of transcripts; the rest is left out"
            return
        write_whole(folder / copy_name(url), found.data)


def has_transcript(entry: Entry, folder: Path) -> bool:
    """Return whether the entry's transcript is kept.

    Example: has_transcript(entry, Path("named"))
    """
    best = best_transcript(entry.transcripts)
    return best is not None and (folder / copy_name(best.url)).exists()


def _tidied(wanted: Iterable[str], folder: Path) -> tuple[list[str], int]:
    """Remove what is not wanted; return the wanted addresses without a kept document, and the bytes that are kept."""
    names = {copy_name(url): url for url in wanted}
    kept = {path.name: path.stat().st_size for path in folder.glob("[0-9a-f]*")}  # not what another process is writing
    for name in kept.keys() - names.keys():
        (folder / name).unlink()
    missing = [url for name, url in names.items() if name not in kept]
    return missing, sum(size for name, size in kept.items() if name in names)
