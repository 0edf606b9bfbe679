import pytest

from torchatlas.extract.feeds import day, named_day


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("May 9, 2022", "2022-05-09"),
        ("Mon, September 1st 2025 at 8:00", "2025-09-01"),
        ("lun., 09 mai 2022 10:00:00 +0000", "2022-05-09"),
        ("mar. 12 juil. 2022", "2022-07-12"),
        ("1er août 2022", "2022-08-01"),
        ("14 juin 2022", "2022-06-14"),
        ("9. März 2022", "2022-03-09"),
        ("Di, 06 Dez 2022 08:00:00 GMT", "2022-12-06"),
        ("9 de enero de 2022", "2022-01-09"),
        ("09-out-2022", "2022-10-09"),
        ("31 giugno 2022", None),
        ("31 Brumaire 1970", None),
        ("05/06/2022", None),
        ("episode 12 may follow 2022", None),
        ("May 9, 1066", None),
        ("", None),
    ],
)
def test_months_are_read_by_their_names(text: str, found: str | None) -> None:
    assert named_day(text) == found


def test_days_that_are_none() -> None:
    assert day(2024, 2, 29) == "2024-02-29"
    assert [day(2023, 2, 29), day(0, 1, 1), day(2023, 13, 1), day(10**30, 1, 1)] == [None] * 4
