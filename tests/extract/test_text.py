import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import cases, each, pairs
from torchatlas.extract.text import LONGEST, decoded, to_text

BRIEF = r"""
    I talk ( https://x.invalid/a ). - The guide - Another => I talk ( https://x.invalid/a ). - The guide - Another
    List<int> and a < b && c > d => List<int> and a < b && c > d
    fish &amp; chips &#x27;n&#39; peas => fish & chips 'n' peas
    one\r\ntwo\rthree => one\ntwo\nthree | <p>a  b\n c</p><p>d</p> => a b c\nd | <p>x<br>y<br/>z</p> => x\ny\nz
    <p>a&nbsp;b</p> => a b | <p>a</p><script>b</script><style>c</style><!-- d --> => a | <pre>a\n  b</pre> => a\n  b
    <p>a<b>b</b>c</p> => abc | a\x00b\x1b[31mc\u202ed\u200be => ab[31mcde | <p>&#x202e;a&#x1b;</p> => a | =>
    \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 => \u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645
    <p>if a<b and List<int></p> => if a<b and List | if a<b then => if a<b then | <!-- a <b>c</b> -->d<br> => d
    &lt;p&gt;twice&lt;/p&gt;&lt;p&gt;escaped&lt;/p&gt; => twice\nescaped
    write &lt;b&gt; for bold => write <b> for bold
"""
LISTS = [
    ("  • one\n    • two", "• one\n    • two"),
    ("<ul><li>one<ul><li>two</li></ul></li></ul>", "  • one\n    • two"),
    ("<p>  • one</p><p>    • two</p>", "  • one\n    • two"),
]


@pytest.mark.parametrize(("markup", "text"), [*LISTS, *pairs(BRIEF)])
def test_text(markup: str, text: str) -> None:
    def plain(written: str) -> str:
        return re.sub(r"\\(?:[nr]|x..|u....)", lambda m: m[0].encode().decode("unicode_escape"), written)

    assert to_text(plain(markup)).text == plain(text)


def test_anchors_know_their_words() -> None:
    source = to_text(
        '<p>See <a href="https://x.invalid/?a=1&amp;b=2"> the  <b>guide</b></a>, or <a name="q">this</a>.</p>'
    )
    assert [(a.href, source.text[a.start : a.end].strip()) for a in source.anchors] == [
        ("https://x.invalid/?a=1&b=2", "the guide")
    ]


HREFS = """https://x.invalid/a/ b => https://x.invalid/a/b | https://x.invalid/ //y.invalid/b => https://y.invalid/b
    https://x.invalid/a #b => #b | https://x.invalid/a mailto:b@x.invalid => mailto:b@x.invalid
    https://x.invalid/ //[ => //["""


@pytest.mark.parametrize(("link", "full"), [(" b", "b"), *pairs(HREFS)])
def test_relative_links_are_completed(link: str, full: str) -> None:
    base, href = link.split(" ")
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


ENCODED = """utf-8: utf-8 utf-8-sig utf-16 utf-32 | iso-8859-1: utf-8-sig | utf-16: utf-16-le utf-16-be
    utf-7: utf-7 | gb2312: gb18030"""
WRONG = """iso-8859-1 | windows-1252 | windows-1251 | us-ascii | shift_jis | utf-16 | x-user-defined | zlib | hex | idna
    undefined | unicode_escape | rot13 | punycode"""
FOLLOWED = """Программирование: koi8-r windows-1251 | テンソルの話: shift_jis euc-jp iso-2022-jp | Zażółć: iso-8859-2
    張量與視圖: big5 | 텐서와: euc-kr | טנזור: windows-1255 | Tensor: cp037 | Größe: iso-8859-1"""
DECLARED = [(declared, encoding, "Größe → ты Ünö") for encoding, declared in each(ENCODED)]
DECLARED += [(declared, "utf-8", "Größe → ты Ünö") for declared in cases(WRONG)]
DECLARED += [(encoding, encoding, text) for encoding, text in each(FOLLOWED)]


@pytest.mark.parametrize(("declared", "encoding", "text"), DECLARED)
def test_a_declared_encoding_is_followed_unless_the_text_is_in_another(declared: str, encoding: str, text: str) -> None:
    document = f"<?xml version='1.0' encoding='{declared}'?><t>{text}</t>"
    assert decoded(document.encode(encoding)) == document


@pytest.mark.parametrize("declared", ["", "encoding='utf-8'"])
@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("koi8-r", "Сегодня мы говорим о том, как устроены тензоры и почему шаги важны для памяти"),
        ("euc-jp", "今日はテンソルのストライドとメモリの配置について話します。"),
        ("big5", "今天我們討論張量的步幅和記憶體佈局，以及為什麼這很重要。"),
        ("iso-8859-1", "Größe über Straßen, café à la carte, señor"),
    ],
)
def test_an_undeclared_encoding_is_recognised(declared: str, encoding: str, text: str) -> None:
    document = f"<?xml version='1.0' {declared}?><rss><title>{text}</title><description>{text}</description></rss>"
    assert text in decoded(document.encode(encoding))


def test_what_is_stated_counts_where_nothing_is_declared() -> None:
    document = "Тензор".encode("koi8-r")
    assert decoded(document, "koi8-r") == decoded("Тензор".encode(), "koi8-r") == "Тензор"
    assert decoded(b"caf\xe9", "nonsense") == "café"
    assert "Тензор" in decoded("<meta charset=windows-1251>Тензор".encode("cp1251"), "koi8-r")
    assert decoded("\ufeff<?xml version='1.0' encoding='windows-1251'?>é".encode()).endswith("é")  # the mark decides


def test_a_byte_that_fits_nowhere_costs_one_letter() -> None:
    assert decoded("Größe – Ünö – é".encode().replace("–".encode(), b"\x96")) == "Größe – Ünö – é"
    assert decoded(b"caf\xe9") == "café"
    assert decoded(b"<?xml version='1.0' encoding='iso-8859-1'?>\x93q\x94").endswith("“q”")


def test_halves_of_characters_are_joined() -> None:
    assert decoded(b"\xed\xa0\xbd\xed\xb8\x80 \xed\xa0\xbd x") == "😀 \ufffd x"


@given(
    st.binary() | st.tuples(st.sampled_from([b"\xff\xfe", b"\xef\xbb\xbf", b"<\0", b"\0<"]), st.binary()).map(b"".join)
)
def test_any_bytes_are_a_text_that_can_be_written(document: bytes) -> None:
    decoded(document).encode()


@given(st.text())
def test_utf_8_reads_back(text: str) -> None:
    assert decoded(f"<t>Größe Ünö {text}".encode()) == f"<t>Größe Ünö {text}"
