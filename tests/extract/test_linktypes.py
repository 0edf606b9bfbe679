import pytest
from hypothesis import given
from hypothesis import strategies as st

from torchatlas.extract.links import link_type, normal

HUB = "https://github.com/pytorch/pytorch"


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        (f"{HUB}/issues/1", "github_issue"),
        (f"{HUB}/issues/1#issuecomment-2", "github_issue"),
        (f"{HUB}/pull/1/files", "github_pr"),
        (f"{HUB}/blob/main/README.md", "github_code"),
        (f"{HUB}/tree/main/torch", "github_code"),
        (f"{HUB}/tree/main", "github_repo"),
        (f"{HUB}", "github_repo"),
        (f"{HUB}/", "github_repo"),
        (f"{HUB}/wiki/A", "github_wiki"),
        (f"{HUB}/discussions/3", "forum"),
        ("https://github.com/pytorch/rfcs/pull/19", "rfc"),
        ("https://github.com/pytorch/rfcs/blob/master/R.md", "rfc"),
        ("https://numpy.org/neps/nep-0018.html", "rfc"),
        ("https://numpy.org/doc/stable/", "docs"),
        ("https://pytorch.org/docs/stable/a.html", "docs"),
        ("https://pytorch.org/tutorials/a.html", "docs"),
        ("https://pytorch.org/blog/a/", "blog"),
        ("https://pytorch.org", "other"),
        ("https://jax.readthedocs.io/en/latest/", "docs"),
        ("https://docs.google.com/document/d/abc/edit", "google_doc"),
        ("https://docs.nvidia.com/cuda/", "docs"),
        ("https://developer.nvidia.com/blog/a/", "blog"),
        ("http://blog.invalid/2020/05/a/", "blog"),
        ("https://dev-discuss.pytorch.org/t/a/1", "forum"),
        ("https://stackoverflow.com/questions/1", "forum"),
        ("https://arxiv.org/abs/1410.0759", "paper"),
        ("https://a.invalid/~b/c.pdf", "paper"),
        ("https://youtu.be/abc", "video"),
        ("https://twitter.com/somebody", "profile"),
        ("https://twitter.com/somebody/status/1", "other"),
        ("https://www.linkedin.com/in/somebody/", "profile"),
        ("https://hachyderm.io/@somebody", "profile"),
        ("https://github.com/somebody", "profile"),
        ("https://www.youtube.com/watch?v=abc", "video"),
        ("https://a-show.simplecast.com/episodes/vmap", "episode"),
        ("https://www.amazon.com/dp/1", "other"),
        ("http://[", "other"),
        ("www.stackoverflow.com/q/1", "forum"),
        (f"{HUB}/pull/1/files#r1", "github_pr"),
        (f"{HUB}/commit/abc", "github_code"),
        ("https://gist.github.com/a/b", "github_code"),
        (f"{HUB}.wiki.git", "github_wiki"),
        ("https://docs.scipy.org/doc/numpy/neps/nep-0018.html", "rfc"),
        ("https://www.python.org/dev/peps/pep-0484/", "rfc"),
        ("https://legacy.python.org/dev/peps/pep-0008/", "rfc"),
        ("https://tools.ietf.org/html/rfc2616", "rfc"),
        ("https://pytorch.org/docs/main/generated/torch.compile.html", "docs"),
        ("https://docs.pytorch.org/docs/stable/index.html", "docs"),
        ("https://www.tensorflow.org/api_docs/python/tf", "docs"),
        ("https://cmake.org/cmake/help/latest/command/project.html", "docs"),
        ("https://labs.quansight.org/blog/2021/04/x", "blog"),
        ("https://ai.googleblog.com/2017/", "blog"),
        ("https://a.invalid/2023/Mar/1/x/", "blog"),
        ("https://mail.python.org/archives/list/x", "forum"),
        ("https://ar5iv.org/abs/1410.0759", "paper"),
        ("https://www.google.com/url?q=https%3A%2F%2Fgithub.com%2Fa%2Fb%2Fpull%2F5&sa=D", "github_pr"),
        ("https://x.invalid:99999/", "other"),
        ("github.com/a/b/issues/1", "github_issue"),
    ],
)
def test_type(url: str, kind: str) -> None:
    assert link_type(url) == kind


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (f"{HUB}/issues/5", "http://www.github.com/PyTorch/pytorch/pull/5/files#diff"),
        (f"{HUB}/blob/main/c10/a.h#L3", f"{HUB}/blob/0123abc/c10/a.h"),
        ("https://arxiv.org/abs/1410.0759v2", "http://arxiv.org/pdf/1410.0759.pdf"),
        (
            "https://docs.google.com/document/d/0123456789ab/edit#heading=h.1",
            "https://docs.google.com/document/d/0123456789ab",
        ),
        ("https://youtu.be/abcdefg?si=1", "https://www.youtube.com/watch?v=abcdefg&t=3"),
        ("https://x.invalid/a/?utm_source=y#z", "http://x.invalid/a"),
        ("https://pytorch.org/docs/main/notes/a.html", "https://docs.pytorch.org/docs/2.1/notes/a.html#b"),
        ("https://www.google.com/url?q=https%3A%2F%2Fgithub.com%2Fa%2Fb%2Fpull%2F5&sa=D", "github.com/A/b/issues/5"),
        ("https://stackoverflow.com/q/123", "https://stackoverflow.com/questions/123/a-title"),
        ("https://m.youtube.com/watch?v=abcdefg", "https://www.youtube-nocookie.com/embed/abcdefg"),
        ("https://ar5iv.labs.arxiv.org/html/1410.0759", "https://arxiv.org/abs/1410.0759"),
        ("https://x.invalid:443/a", "http://x.invalid:80/a"),
    ],
)
def test_two_addresses_of_one_thing(a: str, b: str) -> None:
    assert normal(a) == normal(b)


def test_different_things_stay_apart() -> None:
    addresses = [
        f"{HUB}/issues/5",
        f"{HUB}/issues/6",
        f"{HUB}/blob/main/a.h",
        f"{HUB}/wiki/a",
        HUB,
        "https://x.invalid/?p=1",
        "https://x.invalid/?p=2",
        "https://x.invalid:8080/?p=2",
    ]
    assert len({normal(a) for a in addresses}) == len(addresses)
    assert normal(f"{HUB}/pull/130935") == "pytorch/pytorch#130935"


@given(st.text().map(lambda t: "https://" + t))
def test_any_address_has_a_type_and_a_form(url: str) -> None:
    assert link_type(url) and isinstance(normal(url), str)
