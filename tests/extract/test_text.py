import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.text import LONGEST, to_text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            "Today I talk ( https://x.invalid/a ). - The guide - Another",
            "Today I talk ( https://x.invalid/a ). - The guide - Another",
        ),
        ("  • one\n    • two", "• one\n    • two"),
        ("List<int> and a < b && c > d", "List<int> and a < b && c > d"),
        ("one\r\ntwo\rthree", "one\ntwo\nthree"),
        ("fish &amp; chips &#x27;n&#39; peas", "fish & chips 'n' peas"),
        ("<p>a  b\n c</p><p>d</p>", "a b c\nd"),
        ("<p>x<br>y<br/>z</p>", "x\ny\nz"),
        ("<ul><li>one<ul><li>two</li></ul></li></ul>", "  • one\n    • two"),
        ("<p>  • one</p><p>    • two</p>", "  • one\n    • two"),
        ("<p>a&nbsp;b</p>", "a b"),
        ("<p>a</p><script>b</script><style>c</style><!-- d -->", "a"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<p>a<b>b</b>c</p>", "abc"),
        ("a\x00b\x1b[31mc\u202ed\u200be", "ab[31mcde"),
        ("<p>&#x202e;a&#x1b;</p>", "a"),
        ("می‌خواهم", "می‌خواهم"),
        ("", ""),
        ("<p>if a<b and List<int></p>", "if a<b and List"),
        ("if a<b then", "if a<b then"),
        ("&lt;p&gt;twice&lt;/p&gt;&lt;p&gt;escaped&lt;/p&gt;", "twice\nescaped"),
        ("write &lt;b&gt; for bold", "write <b> for bold"),
        ("<!-- a <b>c</b> -->d<br>", "d"),
    ],
)
def test_text(markup: str, text: str) -> None:
    assert to_text(markup).text == text


def test_anchors_know_their_words() -> None:
    source = to_text(
        '<p>See <a href="https://x.invalid/?a=1&amp;b=2"> the  <b>guide</b></a>, or <a name="q">this</a>.</p>'
    )
    assert [(a.href, source.text[a.start : a.end].strip()) for a in source.anchors] == [
        ("https://x.invalid/?a=1&b=2", "the guide")
    ]


@pytest.mark.parametrize(
    ("href", "base", "full"),
    [
        ("b", "https://x.invalid/a/", "https://x.invalid/a/b"),
        ("//y.invalid/b", "https://x.invalid/", "https://y.invalid/b"),
        ("#b", "https://x.invalid/a", "#b"),
        ("mailto:b@x.invalid", "https://x.invalid/a", "mailto:b@x.invalid"),
        ("b", "", "b"),
        ("//[", "https://x.invalid/", "//["),
    ],
)
def test_relative_links_are_completed(href: str, base: str, full: str) -> None:
    assert to_text(f'<a href="{href}">c</a>', base=base).anchors[0].href == full


@pytest.mark.slow
@pytest.mark.parametrize(
    "part", ["<div>", "<b>", "<a href=x>y", "<ul><li>", "<table>", "<", "&", "<p>&#", "<svg><desc>", "<font x=1><p>"]
)
def test_hostile_markup_is_bounded(part: str) -> None:
    source = to_text(part * (LONGEST // len(part) + 10))
    assert len(source.text) <= 4 * LONGEST


@given(
    st.text()
    | st.lists(
        st.sampled_from(["<p>", "</p>", "<li>", "<a href=u>", "</a>", "x ", " ", "\n", "<pre>", "&amp;", "<br>"])
    ).map("".join)
)
def test_anchors_lie_in_the_text_and_it_can_be_written(markup: str) -> None:
    source = to_text(markup)
    source.text.encode()
    assert "\r" not in source.text and "\x00" not in source.text
    for anchor in source.anchors:
        assert 0 <= anchor.start <= anchor.end
