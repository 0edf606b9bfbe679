"""Commands on some shows of a map that has several."""

from pathlib import Path

import pytest

from tests.atlas import HOSTILE, of_two_shows, stored
from tests.ui.cli.commands import done, run


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    stored(home, of_two_shows())
    return home


def test_shows_are_listed_with_what_is_known_of_them(home: Path) -> None:
    assert run(home, "shows").stdout.splitlines() == [
        f"{HOSTILE}  [other-show]",
        "  4 episodes",
        "The Show  [the-show]",
        f"  8 episodes, by {HOSTILE}",
        "  page: https://example.org/show",
        "  feed: https://example.org/rss?token=***",
    ]


@pytest.mark.parametrize(
    ("command", "there", "elsewhere"),
    [
        (("plan", "extra 1"), "More 0", ()),
        (("search", "More 1", "--limit", "30"), "show-more-1", ("show-view", "show-strides")),
        (("related", "More 1"), "", ("On view", "On strides")),
        (("next",), "More 0", ("On tensor",)),
    ],
)
def test_a_command_on_a_show_knows_no_other_episodes(
    home: Path, command: tuple[str, ...], there: str, elsewhere: tuple[str, ...]
) -> None:
    said = done(home, *command, "--show", "other-show", "--show", "other-show").stdout
    assert there in said and not any(title in said for title in elsewhere)


def test_several_shows_are_together(home: Path) -> None:
    both = run(home, "plan", "aotautograd idea", "--show", "the-show", "--show", "onerror")
    assert both.stdout == run(home, "plan", "aotautograd idea").stdout


def test_a_page_to_send_holds_the_shows_that_are_named(home: Path, tmp_path: Path) -> None:
    done(home, "share", str(tmp_path / "a.html"), "--show", "other-show")
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "show-more-1" in page and "show-view" not in page
