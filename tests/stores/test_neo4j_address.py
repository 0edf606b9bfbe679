import pytest

from torchatlas.graph.errors import StoreError
from torchatlas.graph.stores.base import open_store
from torchatlas.graph.stores.neo4j import _located


@pytest.mark.parametrize(
    ("address", "environment", "expected"),
    [
        ("bolt://h", {}, ("bolt://h", None, None)),
        ("bolt://h:7688", {"NEO4J_PASSWORD": "p"}, ("bolt://h:7688", ("neo4j", "p"), None)),
        ("neo4j+s://u:p%40q@h/db", {"NEO4J_PASSWORD": "no"}, ("neo4j+s://h", ("u", "p@q"), "db")),
        (
            "neo4j://h",
            {"NEO4J_USERNAME": "u", "NEO4J_PASSWORD": "p", "NEO4J_DATABASE": "d"},
            ("neo4j://h", ("u", "p"), "d"),
        ),
        ("neo4j+ssc://[::1]:7687", {}, ("neo4j+ssc://[::1]:7687", None, None)),
        ("neo4j://h?policy=x", {}, ("neo4j://h?policy=x", None, None)),
    ],
)
def test_user_and_database_come_from_the_address_or_the_environment(address, environment, expected) -> None:
    assert _located(address, environment) == expected


@pytest.mark.parametrize("address", ["bolt://", "bolt://h:port", "bolt://h:99999"])
def test_an_address_without_a_host_or_with_an_odd_port_is_told(address: str) -> None:
    with pytest.raises(StoreError, match=r"host|port"):
        open_store(address)
