from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.links import find_links, url_spans
from torchatlas.extract.text import Text, to_text


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
        ("https://x.invalid/a,https://x.invalid/b", ["https://x.invalid/a", "https://x.invalid/b"]),
        ("https://x.invalidhttps://y.invalid", ["https://x.invalid", "https://y.invalid"]),
        (
            "https://x.invalid/web/https://y.invalid/?u=https://z.invalid",
            ["https://x.invalid/web/https://y.invalid/?u=https://z.invalid"],
        ),
        (
            "[guide](https://x.invalid/a_(b)), **https://x.invalid/c**",
            ["https://x.invalid/a_(b)", "https://x.invalid/c"],
        ),
        ("_https://x.invalid/a_ and <https://x.invalid/b>", ["https://x.invalid/a", "https://x.invalid/b"]),
        ("https://x.invalid/a—the guide, https://x.invalid/b•", ["https://x.invalid/a", "https://x.invalid/b"]),
        ("https://x.invalid/C++ and https://x.invalid/ü?", ["https://x.invalid/C++", "https://x.invalid/ü"]),
        ("github.com/a/b/pull/1, arxiv.org/abs/1410.0759.", ["github.com/a/b/pull/1", "arxiv.org/abs/1410.0759"]),
        ("not-github.com/a x@github.com/b ./pytorch.org/c github.com", []),
        ('<a href="https://x.invalid/long/way">https://x.invalid/lo…</a>', ["https://x.invalid/long/way"]),
        ('<a href="https://x.invalid/a">www.x.invalid/a</a>', ["https://x.invalid/a"]),
        ('<a href="https://x.invalid/a">https://y.invalid/b</a>', ["https://y.invalid/b", "https://x.invalid/a"]),
        ('<iframe src="https://x.invalid/embed/1"></iframe>', ["https://x.invalid/embed/1"]),
        ('&lt;p&gt;&lt;a href="https://x.invalid/b"&gt;words&lt;/a&gt;&lt;/p&gt;', ["https://x.invalid/b"]),
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
        (f"{'quilting owls ' * 12}https://x.invalid/a", "owls " + " ".join(["quilting owls"] * 8)),
        (f"{'x' * 200} https://x.invalid/a", "x" * 120),
        ("https://x.invalid/a", ""),
        ("Read [the guide](https://x.invalid/a) first", "the guide"),
        ("[1]: https://x.invalid/a", ""),
        ("• https://x.invalid/a - the guide. And more", "the guide"),
        ("https://x.invalid/a (a paper)", "a paper"),
        ('<p>The talk: <a href="https://x.invalid/a">https://x.invalid/a</a></p>', "The talk"),
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


@pytest.mark.parametrize(
    "text", ["(" * 99_000 + "https://x.invalid/" + ")" * 99_000, "https://" * 24_000, "www." * 50_000]
)
def test_hostile_texts_are_read_once(text: str) -> None:
    assert len(find_links(Text(text))) <= 1


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
