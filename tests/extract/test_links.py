from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extract.links import find_links, url_spans
from extract.text import Text, to_text


def urls(markup: str) -> list[str]:
    return [link.url for link in find_links(to_text(markup))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see https://x.invalid/a.", ["https://x.invalid/a"]),
        ("( https://x.invalid/a ).", ["https://x.invalid/a"]),
        ("(https://x.invalid/a)", ["https://x.invalid/a"]),
        ("https://x.invalid/w_(b)", ["https://x.invalid/w_(b)"]),
        ("(https://x.invalid/w_(b))", ["https://x.invalid/w_(b)"]),
        ("https://x.invalid/a…", ["https://x.invalid/a"]),
        ("https://x.invalid/a?b=c&d=e#f.g,", ["https://x.invalid/a?b=c&d=e#f.g"]),
        ("https://x.invalid/#torch.Tensor.add_", ["https://x.invalid/#torch.Tensor.add_"]),
        ("“https://x.invalid/a”, 'https://x.invalid/b'", ["https://x.invalid/a", "https://x.invalid/b"]),
        ("https://x.invalid/a and https://x.invalid/a", ["https://x.invalid/a"]),
        ("www.x.invalid/a, http:// https://", ["www.x.invalid/a"]),
        ("guidehttps://x.invalid/a", ["https://x.invalid/a"]),
        ("no link at all: me@www.x", []),
        ('<a href="https://x.invalid/b">words</a>', ["https://x.invalid/b"]),
        ('<a href="https://x.invalid/b">https://x.invalid/b</a>', ["https://x.invalid/b"]),
        ('<a href="javascript:alert(1)">a</a><a href="mailto:a@b.c">b</a><a href="#top">c</a>', []),
    ],
)
def test_urls_as_printed_once_each(text: str, expected: list[str]) -> None:
    assert urls(text) == expected


@pytest.mark.parametrize(
    ("markup", "label"),
    [
        ("Further reading. Old notes about widgets https://x.invalid/a", "Old notes about widgets"),
        ("Intro.\n  • The porting guide: https://x.invalid/a", "The porting guide"),
        ("A taxonomy ( https://x.invalid/a )", "A taxonomy"),
        ('<p>Read <a href="https://x.invalid/a">the  manual</a>.</p>', "the manual"),
        ("https://x.invalid/a", ""),
    ],
)
def test_labels(markup: str, label: str) -> None:
    assert find_links(to_text(markup))[0].label == label


def test_a_second_address_shares_the_label() -> None:
    links = find_links(to_text("Both parts https://x.invalid/1 and https://x.invalid/2"))
    assert [link.label for link in links] == ["Both parts", "Both parts"]


def test_a_link_carries_its_type_and_normal_form() -> None:
    link = find_links(Text("https://github.com/pytorch/pytorch/pull/130935/files"))[0]
    assert (link.type, link.id) == ("github_pr", "pytorch/pytorch#130935")


@given(
    st.text()
    | st.lists(st.sampled_from(["https://", "www.", "x", ".", "(", ")", "/", "…", " ", "'", "]", "["])).map("".join)
)
def test_spans_are_ordered_and_hold_no_white_space(text: str) -> None:
    spans = url_spans(text)
    assert spans == sorted(spans)
    assert all(a < b and not any(c.isspace() for c in text[a:b]) for a, b in spans)
    assert all(b <= c for (_, b), (c, _) in pairwise(spans))
    for link in find_links(Text(text)):
        assert link.url in text
