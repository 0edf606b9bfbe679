"""Release notes become notes for the older episodes that teach what they deprecate, remove or break."""

import re
from dataclasses import replace

import pytest

from torchatlas.extract.changes import changes, read_notes
from torchatlas.extract.pipeline import Extractor
from torchatlas.graph.model import Concept, Episode, Snapshot, Teaches

NAMES = {"torchscript": "TorchScript", "dtensor": "DTensor", "lr": "LRScheduler", "triton": "Triton", "rank": "rank"}
OLD, LATE = (Episode(f"show/{day[:4]}", day, show="Show", published=day) for day in ("2025-05-01", "2026-06-01"))
TAUGHT = tuple(Teaches(e.id, id_, depth="main") for id_ in NAMES for e in (OLD, LATE))
GRAPH = Snapshot(tuple(Concept(id_, name, "Area") for id_, name in NAMES.items()), (OLD, LATE), teaches=TAUGHT)
NOTES = """# Toy 2.9 (2026-05-05)
## Deprecations
- Deprecate `TorchScript` in favor of DTensor (#11)
- Rename an argument of `LRScheduler.step_all()`. DTensor has none ([#12](https://example.org/12))
- Drop support for Triton < 3.0 (#13)
- Rename rank (#14)
- Clean up around DTensor
## New features
- Support ragged shapes in DTensor (#15)
- Deprecated DTensor
```
- Deprecate TorchScript (#20)
```
"""
HTML = re.sub(r"(?m)^(#+) (.*)$", lambda h: f"<h{len(h[1])}>{h[2]}</h{len(h[1])}>", NOTES)
HTML = re.sub(r"(?m)^- (.*)$", r"<li>\1</li>", re.sub(r"```([^`]*)```", r"<pre>\1</pre>", HTML))


@pytest.mark.parametrize("notes", [NOTES, HTML])
def test_notes_are_proposed_for_older_episodes_that_do_not_have_them(notes: str) -> None:
    (entry,), find = read_notes(notes.encode(), "CHANGES.md"), Extractor(GRAPH.concepts).mentions
    found = [*changes(entry, GRAPH, find)]
    assert {(row.concept, row.note, row.episodes) for row in found} == {
        ("torchscript", "Toy 2.9: Deprecate TorchScript in favor of DTensor (#11)", (OLD.id,)),
        ("lr", "Toy 2.9: Rename an argument of LRScheduler.step_all(). (#12)", (OLD.id,)),
        ("dtensor", "Toy 2.9: Deprecated DTensor", (OLD.id,)),
    }
    noted = replace(GRAPH, episodes=(replace(OLD, dated=tuple(row.note for row in found)), LATE))
    assert [*changes(entry, noted, find)] == []
