from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import each, pairs
from torchatlas.extract.links import find_links, link_type, normal, url_spans
from torchatlas.extract.text import Text, to_text


def urls(markup: str) -> list[str]:
    return [link.url for link in find_links(to_text(markup))]


URLS = """
    see https://x.invalid/a. => https://x.invalid/a | ( https://x.invalid/a ). => https://x.invalid/a
    (https://x.invalid/a) => https://x.invalid/a | https://x.invalid/w_(b) => https://x.invalid/w_(b)
    (https://x.invalid/w_(b)) => https://x.invalid/w_(b) | https://x.invalid/a… => https://x.invalid/a
    https://x.invalid/a?b=c&d=e#f.g, => https://x.invalid/a?b=c&d=e#f.g
    https://x.invalid/#torch.Tensor.add_ => https://x.invalid/#torch.Tensor.add_
    “https://x.invalid/a”, 'https://x.invalid/b' => https://x.invalid/a https://x.invalid/b
    https://x.invalid/a and https://x.invalid/a => https://x.invalid/a
    www.x.invalid/a, http:// https:// => www.x.invalid/a | guidehttps://x.invalid/a => https://x.invalid/a
    no link at all: me@www.x => | not-github.com/a x@github.com/b ./pytorch.org/c github.com =>
    https://x.invalid/a,https://x.invalid/b => https://x.invalid/a https://x.invalid/b
    https://x.invalidhttps://y.invalid => https://x.invalid https://y.invalid
    https://x.invalid/web/https://y.invalid/?u=http://z => https://x.invalid/web/https://y.invalid/?u=http://z
    [guide](https://x.invalid/a_(b)), **https://x.invalid/c** => https://x.invalid/a_(b) https://x.invalid/c
    _https://x.invalid/a_ and <https://x.invalid/b> => https://x.invalid/a https://x.invalid/b
    https://x.invalid/a—the guide, https://x.invalid/b• => https://x.invalid/a https://x.invalid/b
    https://x.invalid/C++ and https://x.invalid/ü? => https://x.invalid/C++ https://x.invalid/ü
    github.com/a/b/pull/1, arxiv.org/abs/1410.0759. => github.com/a/b/pull/1 arxiv.org/abs/1410.0759
    <a href="https://x.invalid/long/way">https://x.invalid/lo…</a> => https://x.invalid/long/way
    <a href="https://x.invalid/a">www.x.invalid/a</a> => https://x.invalid/a
    <a href="https://x.invalid/a">https://y.invalid/b</a> => https://y.invalid/b https://x.invalid/a
    <iframe src="https://x.invalid/embed/1"></iframe> => https://x.invalid/embed/1
    &lt;p&gt;&lt;a href="https://x.invalid/b"&gt;words&lt;/a&gt;&lt;/p&gt; => https://x.invalid/b
    <a href="https://x.invalid/b">words</a> => https://x.invalid/b
    <a href="https://x.invalid/b">https://x.invalid/b</a> => https://x.invalid/b
    <a href="javascript:alert(1)">a</a><a href="mailto:a@b.c">b</a><a href="#top">c</a> =>
"""


@pytest.mark.parametrize(("text", "expected"), pairs(URLS))
def test_urls_as_printed_once_each(text: str, expected: str) -> None:
    assert urls(text) == expected.split()


def test_an_address_with_very_many_brackets_takes_no_longer_than_its_letters() -> None:
    assert url_spans("https://x.invalid/" + ")" * 190_000) == [(0, len("https://x.invalid/"))]


LABELS = """
    Further reading. Old notes about widgets https://x.invalid/a => Old notes about widgets
    A taxonomy ( https://x.invalid/a ) => A taxonomy | https://x.invalid/a => | [1]: https://x.invalid/a =>
    <p>Read <a href="https://x.invalid/a">the  manual</a>.</p> => the manual | https://x.invalid/a (a paper) => a paper
    Read [the guide](https://x.invalid/a) first => the guide | • https://x.invalid/a - the guide. And more => the guide
    <p>The talk: <a href="https://x.invalid/a">https://x.invalid/a</a></p> => The talk
    Both parts https://x.invalid/1 and https://x.invalid/2 => Both parts, Both parts
"""
CUT = [
    ("Intro.\n  • The porting guide: https://x.invalid/a", "The porting guide"),
    (f"{'quilting owls ' * 12}https://x.invalid/a", "owls " + " ".join(["quilting owls"] * 8)),
    (f"{'x' * 200} https://x.invalid/a", "x" * 120),
]


@pytest.mark.parametrize(("markup", "label"), [*CUT, *pairs(LABELS)])
def test_labels(markup: str, label: str) -> None:
    assert ", ".join(link.label for link in find_links(to_text(markup))) == label


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


HUB = "https://github.com/pytorch/pytorch"


TYPES = f"""
    github_issue: {HUB}/issues/1 {HUB}/issues/1#issuecomment-2 github.com/a/b/issues/1
    github_pr: {HUB}/pull/1/files {HUB}/pull/1/files#r1
    github_pr: https://www.google.com/url?q=https%3A%2F%2Fgithub.com%2Fa%2Fb%2Fpull%2F5&sa=D
    github_code: {HUB}/blob/main/README.md {HUB}/tree/main/torch {HUB}/commit/abc https://gist.github.com/a/b
    github_repo: {HUB}/tree/main {HUB} {HUB}/
    github_wiki: {HUB}/wiki/A {HUB}.wiki.git
    forum: {HUB}/discussions/3 https://dev-discuss.pytorch.org/t/a/1 https://stackoverflow.com/questions/1
    forum: www.stackoverflow.com/q/1 https://mail.python.org/archives/list/x
    rfc: https://github.com/pytorch/rfcs/pull/19 https://github.com/pytorch/rfcs/blob/master/R.md
    rfc: https://numpy.org/neps/nep-0018.html https://docs.scipy.org/doc/numpy/neps/nep-0018.html
    rfc: https://www.python.org/dev/peps/pep-0484/ https://legacy.python.org/dev/peps/pep-0008/
    rfc: https://tools.ietf.org/html/rfc2616
    docs: https://numpy.org/doc/stable/ https://pytorch.org/docs/stable/a.html https://pytorch.org/tutorials/a.html
    docs: https://jax.readthedocs.io/en/latest/ https://docs.nvidia.com/cuda/ https://www.tensorflow.org/api_docs/python/tf
    docs: https://pytorch.org/docs/main/generated/torch.compile.html https://docs.pytorch.org/docs/stable/index.html
    docs: https://cmake.org/cmake/help/latest/command/project.html
    google_doc: https://docs.google.com/document/d/abc/edit
    blog: https://pytorch.org/blog/a/ https://developer.nvidia.com/blog/a/ http://blog.invalid/2020/05/a/
    blog: https://labs.quansight.org/blog/2021/04/x https://ai.googleblog.com/2017/ https://a.invalid/2023/Mar/1/x/
    paper: https://arxiv.org/abs/1410.0759 https://a.invalid/~b/c.pdf https://ar5iv.org/abs/1410.0759
    video: https://youtu.be/abc https://www.youtube.com/watch?v=abc
    profile: https://twitter.com/somebody https://www.linkedin.com/in/somebody/ https://hachyderm.io/@somebody
    profile: https://github.com/somebody https://www.patreon.com/somebody
    paper: https://www.usenix.org/conference/a/presentation/b https://link.springer.com/article/1
    forum: https://a.invalid/forum/1
    episode: https://a-show.simplecast.com/episodes/vmap
    other: https://pytorch.org https://twitter.com/somebody/status/1 https://www.amazon.com/dp/1 http://[
    other: https://x.invalid:99999/
"""


@pytest.mark.parametrize(("url", "kind"), each(TYPES))
def test_type(url: str, kind: str) -> None:
    assert link_type(url) == kind


SAME = f"""
    {HUB}/issues/5 => http://www.github.com/PyTorch/pytorch/pull/5/files#diff
    {HUB}/blob/main/c10/a.h#L3 => {HUB}/blob/0123abc/c10/a.h
    https://arxiv.org/abs/1410.0759v2 => http://arxiv.org/pdf/1410.0759.pdf
    https://docs.google.com/document/d/0123456789ab/edit#heading=h.1 => https://docs.google.com/document/d/0123456789ab
    https://youtu.be/abcdefg?si=1 => https://www.youtube.com/watch?v=abcdefg&t=3
    https://x.invalid/a/?utm_source=y#z => http://x.invalid/a | https://x.invalid:443/a => http://x.invalid:80/a
    https://pytorch.org/docs/main/notes/a.html => https://docs.pytorch.org/docs/2.1/notes/a.html#b
    https://www.google.com/url?q=https%3A%2F%2Fgithub.com%2Fa%2Fb%2Fpull%2F5&sa=D => github.com/A/b/issues/5
    https://stackoverflow.com/q/123 => https://stackoverflow.com/questions/123/a-title
    https://m.youtube.com/watch?v=abcdefg => https://www.youtube-nocookie.com/embed/abcdefg
    https://ar5iv.labs.arxiv.org/html/1410.0759 => https://arxiv.org/abs/1410.0759
"""


@pytest.mark.parametrize(("a", "b"), pairs(SAME))
def test_two_addresses_of_one_thing(a: str, b: str) -> None:
    assert normal(a) == normal(b)


def test_different_things_stay_apart() -> None:
    pages = ["issues/5", "issues/6", "blob/main/a.h", "wiki/a"]
    others = ["https://x.invalid/?p=1", "https://x.invalid/?p=2", "https://x.invalid:8080/?p=2"]
    addresses = [HUB, *(f"{HUB}/{page}" for page in pages), *others]
    assert len({normal(a) for a in addresses}) == len(addresses)
    assert normal(f"{HUB}/pull/130935") == "pytorch/pytorch#130935"


@given(st.text().map(lambda t: "https://" + t))
def test_any_address_has_a_type_and_a_form(url: str) -> None:
    assert link_type(url) and isinstance(normal(url), str)
