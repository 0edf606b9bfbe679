import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
import tomlkit
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.catalogue import KeyPath, line_of
from torchatlas.shipped import bundled

TEXT = """title = "at = 1" # at = 2
at = 3

[a]
at = 5
"quoted key".at = 6
list = [
    { at = 8, why = "at" }, # at = 9
    { why = '''
at = 10
}''', at = 11 },
    1.5, 2021-05-04 07:00:00, "]",
]

[[a.rows]]
at = 16

[[a.rows]]
why = \"\"\"
at = "19\\\"\"\"\"
at = 21
[a.rows.deep]
at = 23
[[a.rows.more]]
[[a.rows.more]]
at = 26
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("at",), 2),
        (("a",), 4),
        (("a", "at"), 5),
        (("a", "quoted key", "at"), 6),
        (("a", "list"), 7),
        (("a", "list", 0, "at"), 8),
        (("a", "list", 1), 9),
        (("a", "list", 1, "at"), 11),
        (("a", "list", 2), 12),
        (("a", "list", 4), 12),
        (("a", "rows", 0, "at"), 16),
        (("a", "rows", 1), 18),
        (("a", "rows", 1, "at"), 21),
        (("a", "rows", 1, "deep", "at"), 23),
        (("a", "rows", 1, "more", 0), 24),
        (("a", "rows", 1, "more", 1, "at"), 26),
        (("a", "rows", 0, "missing", "key"), 15),
        (("missing",), 1),
    ],
)
def test_the_line_of_a_value(path: KeyPath, line: int) -> None:
    assert line_of(TEXT, path) == line


def paths(value: Any, path: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    yield path, value
    if isinstance(value, dict | list):
        for key, held in value.items() if isinstance(value, dict) else enumerate(value):
            yield from paths(held, (*path, key))


@pytest.mark.parametrize("kind", ["concepts", "episodes"])
def test_every_shipped_key_stands_in_its_line(kind: str) -> None:
    for _, text in bundled(kind, ".toml")[:12]:
        lines = text.split("\n")
        for path, value in paths(tomllib.loads(text)):
            line = lines[line_of(text, path) - 1].replace("\\", "")
            if path and (isinstance(path[-1], str) or isinstance(value, str)):
                assert (path[-1] if isinstance(path[-1], str) else value.split("\n")[0]) in line


VALUES = st.recursive(
    st.integers() | st.text(max_size=9) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4))
def test_the_line_holds_a_mark_that_stands_once(content: dict[str, Any]) -> None:
    text = tomlkit.dumps({**content, "last": {"rows": [{"a": 1}, {"mark": "M" * 20}]}})
    assert "M" * 20 in text.split("\n")[line_of(text, ("last", "rows", 1, "mark")) - 1]
