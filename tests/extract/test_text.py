"""Markup becomes text with its links, whatever its encoding; an address has a type and a normal form."""

import re

import pytest

from tests.extract.cases import TEXTS, cases, claims, each, pairs
from torchatlas.extract.links import find_links, link_type, normal, url_spans
from torchatlas.extract.text import Text, decoded, to_text

HUB = "https://github.com/pytorch/pytorch"
LISTS = [
    ("  • one\n    • two", "• one\n    • two"),
    ("<ul><li>one<ul><li>two</li></ul></li></ul>", "  • one\n    • two"),
    ("<p>  • one</p><p>    • two</p>", "  • one\n    • two"),
]
CUT = [
    ("Intro.\n  • The porting guide: https://x.invalid/a", "The porting guide"),
    (f"{'quilting owls ' * 12}https://x.invalid/a", "owls " + " ".join(["quilting owls"] * 8)),
    (f"{'x' * 200} https://x.invalid/a", "x" * 120),
]
SAME = [(" ".join(pair), True) for pair in pairs(TEXTS["addresses of one thing"])]
HOSTILE = ["(" * 99_000 + "https://x.invalid/" + ")" * 99_000, "https://" * 24_000, "www." * 50_000]
PULL = f"{HUB}/pull/130935/files"
ANCHOR = '<p>See <a href="https://x.invalid/?a=1&amp;b=2"> the  <b>guide</b></a>, or <a name="q">this</a>.</p>'


def plain(written: str) -> str:
    return re.sub(r"\\(?:[nr]|x..|u....)", lambda m: m[0].encode().decode("unicode_escape"), written)


def completed(link: str) -> str:
    base, href = link.split(" ")
    return to_text(f'<a href="{href}">c</a>', base=base).anchors[0].href


def anchors(markup: str) -> list[tuple[str, str]]:
    source = to_text(markup)
    return [(a.href, source.text[a.start : a.end].strip()) for a in source.anchors]


test_values = claims(
    {
        "markup": (lambda m: to_text(m).text, [*LISTS, *([*map(plain, pair)] for pair in pairs(TEXTS["markup"]))]),
        "anchors know their words": (anchors, [(ANCHOR, [("https://x.invalid/?a=1&b=2", "the guide")])]),
        "relative links are completed": (completed, [(" b", "b"), *pairs(TEXTS["relative links"])]),
        "links as printed once each": (lambda m: " ".join(k.url for k in find_links(to_text(m))), TEXTS["links"]),
        "labels": (lambda m: ", ".join(k.label for k in find_links(to_text(m))), [*CUT, *pairs(TEXTS["labels"])]),
        "types": (link_type, each(TEXTS["types of links"])),
        "two addresses of one thing": (lambda two: len({*map(normal, two.split())}) == 1, SAME),
        "a link has them": (
            lambda url: [(k.type, k.id) for k in find_links(Text(url))],
            [(PULL, [("github_pr", "pytorch/pytorch#130935")])],
        ),
        "read once": (lambda text: len(find_links(Text(text))) <= 1, [(text, True) for text in HOSTILE]),
        "very many brackets": (url_spans, [("https://x.invalid/" + ")" * 190_000, [(0, len("https://x.invalid/"))])]),
    }
)


def test_different_things_stay_apart() -> None:
    pages = ["issues/5", "issues/6", "blob/main/a.h", "wiki/a"]
    others = ["https://x.invalid/?p=1", "https://x.invalid/?p=2", "https://x.invalid:8080/?p=2"]
    addresses = [HUB, *(f"{HUB}/{page}" for page in pages), *others]
    assert len({normal(a) for a in addresses}) == len(addresses)


DECLARED = [(declared, encoding, "Größe → ты Ünö") for encoding, declared in each(TEXTS["encodings that are declared"])]
DECLARED += [(declared, "utf-8", "Größe → ты Ünö") for declared in cases(TEXTS["encodings that are declared of UTF-8"])]
DECLARED += [(encoding, encoding, text) for encoding, text in each(TEXTS["encodings of texts"])]
DECLARED += [(d, encoding, f"{t}</t><t>{t}") for t, encoding in pairs(TEXTS["undeclared"]) for d in ("", "utf-8")]


@pytest.mark.parametrize(("declared", "encoding", "text"), DECLARED)
def test_a_declared_encoding_is_followed_unless_the_text_is_in_another(declared: str, encoding: str, text: str) -> None:
    document = f"<?xml version='1.0' {declared and f'encoding={declared!r}'}?><t>{text}</t>"
    assert decoded(document.encode(encoding)) == document


def test_what_is_stated_counts_where_nothing_is_declared_and_a_byte_that_fits_nowhere_costs_one_letter() -> None:
    document = "Тензор".encode("koi8-r")
    assert decoded(document, "koi8-r") == decoded("Тензор".encode(), "koi8-r") == "Тензор"
    assert decoded(b"caf\xe9", "nonsense") == decoded(b"caf\xe9") == "café"
    assert "Тензор" in decoded("<meta charset=windows-1251>Тензор".encode("cp1251"), "koi8-r")
    assert decoded("\ufeff<?xml version='1.0' encoding='windows-1251'?>é".encode()).endswith("é")  # the mark decides
    assert decoded("Größe – Ünö – é".encode().replace("–".encode(), b"\x96")) == "Größe – Ünö – é"
    assert decoded(b"<?xml version='1.0' encoding='iso-8859-1'?>\x93q\x94").endswith("“q”")
    assert decoded(b"\xed\xa0\xbd\xed\xb8\x80 \xed\xa0\xbd x") == "😀 \ufffd x"  # halves of characters are joined
