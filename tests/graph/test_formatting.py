"""Text of unknown origin stays text, and what people read has its usual form."""

from collections.abc import Mapping
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from torchatlas.graph import formatting, model
from torchatlas.graph.formatting import clock, counted, day, esc, escaped, is_web, length, link, listed, web_address

MARKS = st.text(st.sampled_from("ab _*`[]()<>&;$\\#+-.!|~:=1/\"'@^{}\n\t"), min_size=1, max_size=40)


@given(MARKS)
def test_escaped_text_is_rendered_as_itself(text: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(esc(text))
    words = " ".join(text.split())
    assert [t.type for t in tokens] == (["paragraph_open", "inline", "paragraph_close"] if words else [])
    if words:
        assert {c.type for c in tokens[1].children or ()} <= {"text", "text_special"}
        assert "".join(c.content for c in tokens[1].children or ()) == words


@given(MARKS, MARKS)
def test_a_link_goes_to_the_web_or_is_no_link(label: str, rest: str) -> None:
    url = f"https://example.org/{rest.strip()}"
    tokens = MarkdownIt().parse(link(label, url))
    opened = [c for t in tokens for c in t.children or () if c.type == "link_open"]
    assert all(str(c.attrGet("href")).startswith("https://example.org/") for c in opened)


def test_only_web_addresses_are_linked() -> None:
    for bad in (
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "//x",
        "https://",
        "http://[",
        "",
        None,
    ):
        assert not is_web(bad) and link("a_b", bad) == "a\\_b"
    assert link("a", "https://x.org/b(c) d") == "[a](https://x.org/b%28c%29%20d)"


def test_days() -> None:
    assert day("2022-05-09") == "9 May 2022" and day("2022-13-09") == "2022-13-09" and day(None) == ""


@pytest.mark.parametrize(("seconds", "shown"), [(0, "0:00"), (266, "4:26"), (3661, "1:01:01")])
def test_clock(seconds: int, shown: str) -> None:
    assert clock(seconds) == shown


@pytest.mark.parametrize(("minutes", "estimated", "shown"), [(9, False, "9 min"), (75, True, "~1 h 15 min")])
def test_length(minutes: int, estimated: bool, shown: str) -> None:
    assert length(minutes, estimated=estimated) == shown


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (counted(1, "episode"), "1 episode"),
        (counted(1730, "concept"), "1,730 concepts"),
        (counted(0, "entry", "entries"), "0 entries"),
        (listed(["vmap", "GIL", "JAX"]), "vmap, GIL and JAX"),
        (listed(["vmap"]), "vmap"),
        (escaped("a_b <img>"), "a\\_b \\<img\\>"),
        (link("vmap", "https://example.org/vmap"), "[vmap](https://example.org/vmap)"),
        (web_address("https://example.org/1.mp3?a=(b)"), "https://example.org/1.mp3?a=(b)"),
        (web_address("https://example.org/a b"), "https://example.org/a%20b"),
        (web_address("x"), None),
        (formatting.certainty("drafted"), f"How sure: drafted; {formatting.CERTAINTIES['drafted']}"),
        (formatting.certainty("curated"), ""),
    ],
)
def test_small_things(found: str | None, expected: str | None) -> None:
    assert found == expected


@pytest.mark.parametrize(
    ("table", "kinds"),
    [
        (formatting.ORDERS, model.OrderKind),
        (formatting.RELATIONS, model.ConceptRelationKind),
        (formatting.REFERENCES, model.Reference),
        (formatting.NEEDS, model.Need),
        (formatting.DEPTHS, model.Depth),
        (formatting.BASES, model.Basis),
        (formatting.ORIGINS, model.Origin),
        (formatting.CERTAINTIES, model.Origin),
        (formatting.PLAN_DEPTHS, model.PlanDepth),
    ],
)
def test_every_kind_has_words(table: Mapping[str, Any], kinds: Any) -> None:
    assert set(table) == set(get_args(kinds))


def test_every_table_is_tested_for_that() -> None:
    tables = [name for name, value in vars(formatting).items() if name.isupper() and isinstance(value, dict)]
    (mark,) = test_every_kind_has_words.pytestmark  # type: ignore[attr-defined]
    assert len(tables) == len(mark.args[1])
