"""What the audit says where pip-audit itself would say that all is well."""

import pytest

from tests.audit import verdict

GOOD = {"name": "a", "version": "1", "vulns": []}
BAD = {
    "name": "b",
    "version": "2",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["3"]}, {"id": "X", "fix_versions": []}],
}
UNKNOWN = {"name": "c", "skip_reason": "Dependency not found on PyPI and could not be audited: c (1)"}


@pytest.mark.parametrize(
    ("packages", "code", "line"),
    [
        ([GOOD], 0, "1 packages were looked up: no known vulnerability"),
        ([GOOD, BAD], 1, "b 2: PYSEC-1, mended in 3"),
        ([GOOD, UNKNOWN], 2, "1 of 2 packages could not be looked up: ask where the database answers"),
        ([BAD, UNKNOWN], 1, "1 of 2 packages could not be looked up: ask where the database answers"),
    ],
)
def test_only_packages_that_were_all_looked_up_are_well(packages: list, code: int, line: str) -> None:
    found, lines = verdict(packages)
    assert found == code and line in lines


def test_no_answer_is_no_good_news() -> None:
    assert verdict([])[0] == 2
