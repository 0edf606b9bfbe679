"""`torchatlas heard --from FILE`: what a podcast app says was heard."""

import json
from pathlib import Path

import pytest

from tests.ui.cli.commands import answer, run

pytestmark = pytest.mark.slow

PAGE = "https://pytorch-dev-podcast.simplecast.com/episodes/functionalization-t_HiJlOu"


def test_what_an_app_exports_is_heard_and_taken_back(home: Path) -> None:
    actions = [{"action": "play", "episode": address} for address in (PAGE, "https://elsewhere.invalid/1.mp3")]
    file = home / "actions.json"
    file.write_text(json.dumps(actions), "utf-8")
    done = run(home, "heard", "--from", str(file))
    assert done.stdout == "Remembered: #7 Functionalization\n"
    assert done.stderr == f"{file}: not on the map: https://elsewhere.invalid/1.mp3\n"
    again = run(home, "heard", "--from", str(file))
    assert again.exit_code == 0 and "nothing new in it that is on the map" in again.stdout
    heard = [{"id": "pytorch-developer-podcast/functionalization", "name": "Functionalization"}]
    assert answer(home, "heard") == heard == answer(home, "heard", "--from", str(file), "--forget")
    assert answer(home, "heard") == []


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("--from", "/no/such/file"), 1, "'/no/such/file' cannot be read (No such file or directory)"),
        (("--from", "~nobody/export.db"), 1, "'~nobody/export.db' cannot be read"),
        (("--from", "/"), 1, "cannot be read (Is a directory); name the file of an export"),
        (("--from", __file__), 1, "holds no listening history in a known format"),
        (("--from", __file__, "2"), 2, "name episodes, or a file with --from, not both"),
    ],
)
def test_a_mistake_is_one_clear_line_and_nothing_is_changed(
    home: Path, arguments: tuple[str, ...], code: int, says: str
) -> None:
    done = run(home, "heard", *arguments)
    assert done.exit_code == code and says in done.stderr.splitlines()[-1]
    assert not (home / "profile.toml").exists()
