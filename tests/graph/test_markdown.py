from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from torchatlas.graph.values.answers import Needed, Plan, Primer, Step, Taught, Unmet
from torchatlas.graph.values.markdown import plan_markdown

STEP = Step(
    episode_id="s/a", number=21, title="__torch_function__", minutes=17, estimated=True, role="before",
    teaches=(Taught("tf", "__torch_function__", at=266),), needs=(Needed("d", "dispatcher", source="known"),),
    why="it explains [hooks]", caveats=("old *news*",), url="https://example.org/21",
)  # fmt: skip
PLAN = Plan(
    ("subclasses",),
    ("dispatcher",),
    minutes=17,
    steps=(STEP,),
    primer=(Primer("gil", "GIL", definition="One lock.", link=None),),
    gaps=(),
    unmet=(Unmet("vmap", 75),),
)


def test_markdown_shows_names_as_they_are() -> None:
    text = plan_markdown(PLAN)
    assert r"\_\_torch\_function\_\_" in text and r"\[hooks\]" in text and r"old \*news\*" in text
    assert "at 4:26" in text and "~17 min" in text and "1 h 15 min more" in text and "**GIL**" in text


MARKS = [*"ab _*`[]()<>&;$\\#+-.!|~:=1/\"'@^{}\n\t", "&lt;", "&#60;"]


@given(st.lists(st.sampled_from(MARKS), min_size=1, max_size=40).map("".join))
def test_names_in_a_file_are_shown_as_they_are(name: str) -> None:
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(plan_markdown(Plan((), (name,), minutes=0, steps=())))
    known = next(t for t in tokens if t.content.startswith("Known already: "))
    assert {c.type for c in known.children or ()} <= {"text", "text_special"}
    assert "".join(c.content for c in known.children or ()) == f"Known already: {' '.join(name.split())}."


def test_a_link_in_a_file_goes_to_the_web_and_ends_where_it_should() -> None:
    bad = [
        Primer("x", "x", definition="d", link=url)
        for url in ("javascript:alert(1)", "https://x.org/> <img src=x onerror=y>")
    ]
    text = plan_markdown(Plan((), (), minutes=0, steps=(), primer=tuple(bad)))
    assert "javascript" not in text and "<img" not in text and "<https://x.org/%3E%20%3Cimg" in text
