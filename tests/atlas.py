"""A small graph made by hand, with names that try to be HTML, Markdown, maths and script."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.graph.builds import edges
from torchatlas.graph import model
from torchatlas.graph.layout import overview
from torchatlas.graph.model import Concept, Episode, Requires, Snapshot, Teaches

HOSTILE = '<img src=x onerror="window.hacked=1"> __init__ $a_b$ [x](javascript:window.hacked=1) </script>'
CHAIN = ("tensor", "strides", "view", "autograd", "dispatcher", "functionalization", "tracing", "aotautograd")


def from_rows(tables: Mapping[str, Sequence[Mapping[str, Any]]]) -> Snapshot:
    """The snapshot of these rows; a missing property is null, and one that the schema does not know is left out."""
    columns = {}
    for name, table in model.TABLES.items():
        ends = () if isinstance(table, model.NodeTable) else ("source", "target")
        names = (*ends, *(column.name for column in table.columns))
        columns[name] = {column: [row.get(column) for row in tables[name]] for column in names}
    return model.from_columns(columns)


def placed(graph: Snapshot) -> Snapshot:
    """The same with every node at its place on the map."""
    where = overview(graph)
    groups = {name: getattr(graph, name) for name in ("concepts", "episodes")}
    moved = {n: tuple(replace(v, x=where[v.id][0], y=where[v.id][1]) for v in values) for n, values in groups.items()}
    return replace(graph, **moved)


def snapshot() -> Snapshot:
    """30 concepts in three areas, 12 episodes: a chain of eight needs, each taught by one episode, and neighbours."""
    areas = ("Tensors", "Autograd", "Compilation")
    concepts = [Concept(f"extra-{n:02}", f"extra {n}", areas[n % 3]) for n in range(21)]
    concepts.append(Concept("hostile", HOSTILE, "Tensors", HOSTILE, (HOSTILE,)))
    for n, i in enumerate(CHAIN):
        name, aliases = "__torch_function__" if i == "view" else f"{i} idea", ["taping"] if i == "autograd" else []
        concepts.append(Concept(i, name, areas[n // 3], f"What {i} is.", (f"{i}s", *aliases), (f"aten/{i}.cpp",)))
    episodes = [
        Episode(
            f"show-{i}", f"On {i}", show="The Show", guid=f"g{n}", number=n, published="2021-05-11", minutes=10 + n,
            url=f"https://example.org/{n}", audio_url=f"https://example.org/{n}.mp3", summary=f"All of {i}.",
            questions=(f"What is {i}?",), dated=(f"{i} has moved.",), guests=("Ada",), basis="transcript",
        )
        for n, i in enumerate(CHAIN, 1)
    ]  # fmt: skip
    episodes += [Episode(f"show-more-{n}", f"More {n}", "The Show", number=20 + n, basis="title") for n in range(3)]
    hostile: Any = dict.fromkeys(("questions", "dated", "guests"), (HOSTILE,)) | {"summary": HOSTILE}
    script = "javascript:window.hacked=1"
    episodes.append(Episode("show-hostile", HOSTILE, show="The Show", number=99, url=script, **hostile))
    site, doc = "https://example.org", "https://example.org/doc"
    addresses = {"url": f"{site}/show", "image_url": f"{site}/art.png", "feed_url": f"{site}/rss?token=***"}
    return placed(
        Snapshot(
            tuple(concepts),
            tuple(episodes),
            shows=(model.Show("the-show", "The Show", author=HOSTILE, **addresses),),
            links=(model.Link(doc, doc, "docs", label="Manual"), model.Link("bad", script, "other", label=HOSTILE)),
            teaches=(
                *(Teaches(f"show-{i}", i, depth="main", at=266) for i in CHAIN),
                Teaches("show-tensor", "extra-00", depth="part", weight=0.4, at=300),
                Teaches("show-strides", "extra-00", depth="part", weight=0.4),
                Teaches("show-hostile", "hostile", depth="main", at=5),
                Teaches("show-more-0", "extra-01", depth="main"),
            ),
            assumes=(
                model.Assumes("show-aotautograd", "autograd", how="silent", at=30, why="Saved tensors come up."),
                model.Assumes("show-hostile", "tensor", how="silent", why=HOSTILE),
            ),
            requires=(
                *edges("requires", ", ".join(f"{b} {a}: {b} stands on {a}." for a, b in pairwise(CHAIN))),
                Requires("hostile", "tensor", need="bridge", reason=HOSTILE),
            ),
            listen_after=edges("listen_after", "show-strides show-tensor: hear that first"),
            refers_to=(model.RefersTo("show-view", "show-tensor", relation="mentions", at=12),),
            related_to=(model.RelatedTo("show-view", "show-strides", score=0.8, reasons=("both explain extra 0",)),),
            in_show=tuple(model.InShow(e.id, "the-show", quote="The Show") for e in episodes),
            cites=(model.Cites("show-tensor", doc), model.Cites("show-hostile", "bad")),
            concept_relations=edges("concept_relations", "view PART_OF tensor: A view is one."),
        )
    )


def of_two_shows() -> Snapshot:
    """The same graph, of which three episodes and the hostile one are in another show, whose title is hostile."""
    graph, other = snapshot(), {"target": "other-show", "quote": HOSTILE}
    moved = (replace(e, **other) if "-more" in e.source or "hostile" in e.source else e for e in graph.in_show)
    return replace(graph, shows=(*graph.shows, model.Show("other-show", HOSTILE)), in_show=tuple(moved))


def stored(home: Path, graph: Snapshot | None = None) -> dict[str, str]:
    """Write that graph to a store in `home`, as what is bundled would have been; returns the environment to use it."""
    from torchatlas.build import read_inputs
    from torchatlas.graph.stores.base import open_store
    from torchatlas.settings import load_settings

    environment = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": f"ladybug:{home / 'atlas.lbug'}"}
    settings = load_settings(environment=os.environ | environment)
    with open_store(settings.store) as store:
        store.replace(graph or snapshot(), read_inputs(settings).fingerprint)
    return environment
