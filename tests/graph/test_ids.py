import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from torchatlas.graph.names import LONGEST, episode_id


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("AOTAutograd", "aotautograd"),
        ("__torch_function__", "torch-function"),
        ("Binding C++ objects to Python", "binding-cpp-objects-to-python"),
        ("PyTorch 2.0: what’s new?", "pytorch-2-0-what-s-new"),
        ("Дисперсия и ёлка", "дисперсия-и-ёлка"),
        ("हिन्दी", "हिन्दी"),
        ("ﬁne ＡＢＣ", "fine-abc"),
    ],
)
def test_slug(title: str, expected: str) -> None:
    assert episode_id("PyTorch Developer Podcast", title) == f"pytorch-developer-podcast/{expected}"


@given(st.text(), st.text())
@example("0", "0" * (LONGEST + 1))
def test_a_slug_has_two_parts_and_is_its_own_slug(show: str, title: str) -> None:
    first, second = episode_id(show, title).split("/")
    assert 0 < len(first) <= LONGEST and 0 < len(second) <= LONGEST
    assert episode_id(first, second) == f"{first}/{second}" or "untitled" in first + second


def test_titles_of_marks_alone_stay_apart() -> None:
    assert episode_id("s", "???") != episode_id("s", "!!!")
