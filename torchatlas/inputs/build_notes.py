"""Lines that a build told beside its graph, kept with its findings: they can be told again without a build."""

from collections.abc import Sequence

from torchatlas.extract.extraction_cache import ExtractionCache, key
from torchatlas.inputs.inputs import Inputs


def keep_notes(inputs: Inputs, lines: Sequence[str]) -> None:
    """Keep what a build of these inputs told. The next build of other inputs forgets the lines.

    Example: keep_notes(inputs, build(inputs, store).notes)
    """
    with ExtractionCache(inputs.cache) as cache:
        cache.put(_key(inputs), list(lines))


def notes_of(inputs: Inputs) -> tuple[str, ...] | None:
    """Return what the last build told, None where that was not of these inputs or is not kept.

    Example: notes_of(read_inputs(settings))
    """
    with ExtractionCache(inputs.cache) as cache:
        lines = cache.get(_key(inputs))
    return None if lines is None else tuple(lines)


def _key(inputs: Inputs) -> bytes:
    return key("notes", inputs.fingerprint)
