"""torchatlas diff: between files, stores and the present map; and a line that says why not."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from tests.atlas import snapshot, stored
from tests.strategies import snapshots, times
from tests.ui.cli.commands import answer, done, run
from torchatlas.graph.errors import DataError
from torchatlas.graph.export import node_link, read_node_link
from torchatlas.graph.model import Snapshot


@settings(max_examples=times(25))
@given(snapshots())
def test_what_export_writes_as_json_is_read_back(graph: Snapshot) -> None:
    assert read_node_link(node_link(graph), "graph.json") == graph


@pytest.mark.parametrize(
    "content",
    [
        b"", b"\xff", b"[]", b"{}", b'{"nodes": [{"id": "X:a", "label": "X"}], "edges": []}',
        b'{"nodes": [{"id": "Concept:a", "label": "Concept", "name": 5, "area": "x"}], "edges": []}',
        b'{"nodes": [{"id": "Concept:a", "label": "Concept", "aliases": 5}], "edges": []}',
        b'{"nodes": [], "edges": [{"source": "Concept:a", "target": "Concept:b", "kind": "REQUIRES"}]}',
    ],
)  # fmt: skip
def test_a_file_that_is_no_graph_is_one_line(content: bytes) -> None:
    with pytest.raises(DataError, match=r"^a\.json is no graph in JSON; name a file"):
        read_node_link(content, "a.json")


def test_two_files_a_store_and_the_present_map(small: Path) -> None:
    old, new, other = str(small / "old.json"), small / "new.json", small / "other"
    done(small, "export", old)
    assert run(small, "diff", old).stdout == "nothing has changed\n"
    graph = replace(snapshot(), listen_after=())
    new.write_bytes(node_link(graph))
    other.mkdir()
    address = stored(other, graph)["TORCHATLAS_STORE"]
    name = "#2 On strides goes after #1 On tensor"
    assert f"LISTEN_AFTER: 1 removed\n  removed: {name}\n" in run(small, "diff", old, str(new)).stdout
    (change,) = answer(small, "diff", old, address)["changes"]
    ends = {"table": "LISTEN_AFTER", "ids": ["show-strides", "show-tensor"]}
    assert change == {"how": "removed", **ends, "name": name, "properties": []}


def test_a_long_list_is_cut_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(node_link(Snapshot()))
    (tmp_path / "b.json").write_bytes(node_link(snapshot()))
    shown = run(tmp_path, "diff", str(tmp_path / "a.json"), str(tmp_path / "b.json")).stdout
    assert "Concept: 30 added\n" in shown and "  and 22 more; --format json has them all\n" in shown
    assert "<img" in shown and "\x1b" not in shown


@pytest.mark.parametrize("place", ["nowhere.json", "memory:", "ladybug:nothing.lbug", "a\0b"])
def test_where_there_is_no_graph_a_line_says_what_to_name(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(tmp_path, "diff", place, place)
    assert done.exit_code == 1 and "name a" in done.output and done.output.count("\n") == 1
    assert "Errno" not in done.output and "lbug: holds" not in done.output and done.output.count("nowhere.json") <= 1
