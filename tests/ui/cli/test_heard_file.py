"""`torchatlas heard --file NUMBERS`: many episodes from a text file."""

from pathlib import Path

import pytest

from tests.ui.cli.commands import answer, run

pytestmark = pytest.mark.slow


def test_the_episodes_of_a_file_are_heard_and_taken_back(home: Path) -> None:
    file = home / "heard.txt"
    file.write_bytes("\ufeff7 2\r\n\r\n3,Strides\r\n".encode())
    done = run(home, "heard", "--file", str(file))
    assert done.exit_code == 0 and not done.stderr
    assert [line.split()[1] for line in done.stdout.splitlines()] == ["#7", "#2", "#3", "#62"]
    heard = answer(home, "heard")
    assert (
        isinstance(heard, list) and len(heard) == 4 and heard == answer(home, "heard", "--file", str(file), "--forget")
    )
    assert run(home, "heard", "--file", "-", given=b"7").stdout == "Remembered: #7 Functionalization\n"
    assert answer(home, "heard") == heard[:1]


@pytest.mark.parametrize(
    ("content", "arguments", "code", "says"),
    [
        (b"1\n2, 1-40\n", (), 1, "line 2: no episode is called '1-40'"),
        (b"1\n\xff\n", (), 1, "line 2: it is not a text in UTF-8"),
        (b"\n \n", (), 1, "it names no episode; write a number or a title on each line"),
        (b"1", ("2",), 2, "name episodes, or a file with --file, not both"),
    ],
)
def test_a_mistake_is_one_clear_line_and_nothing_is_changed(
    home: Path, content: bytes, arguments: tuple[str, ...], code: int, says: str
) -> None:
    (home / "heard.txt").write_bytes(content)
    done = run(home, "heard", "--file", str(home / "heard.txt"), *arguments)
    assert done.exit_code == code and says in done.stderr.splitlines()[-1]
    assert not (home / "profile.toml").exists()


def test_a_file_that_is_not_there_is_one_clear_line(home: Path) -> None:
    done = run(home, "heard", "--file", "/no/such/file")
    assert done.exit_code == 2 and "'/no/such/file': No such file or directory" in done.stderr.splitlines()[-1]
