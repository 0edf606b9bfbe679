"""What a cluster hears and says: a real server is asked by routing, and a line between forges a change of leader."""

from collections.abc import Iterator

import pytest

from tests.bolt_line import BoltLine
from tests.stores.graphs import OTHER, SMALL
from torchatlas.graph.stores.base import Store, open_store

pytestmark = pytest.mark.neo4j
BEGIN, RUN, READS = b"\xb1\x11", b"\xb3\x10", b"mode\x81r"
NO_LEADER = "Neo.ClientError.Cluster.NotALeader"


@pytest.fixture
def line(empty_server: str) -> Iterator[BoltLine]:
    made = BoltLine(int(empty_server.rpartition(":")[2]))
    yield made
    made.close()


@pytest.fixture
def store(empty_server: str, line: BoltLine) -> Iterator[Store]:
    """A store at an address that begins with neo4j://, at the other end of the line."""
    login = empty_server.removeprefix("bolt://").rpartition("@")[0]
    with open_store(f"neo4j://{login}@127.0.0.1:{line.port}") as opened:
        yield opened


def failure(code: str) -> bytes:
    """The message of Bolt 5.7 and later by which a server refuses."""
    facts = {"neo4j_code": code, "message": "m", "gql_status": "50N42", "description": "d"}
    texts = (text.encode() for pair in facts.items() for text in pair)
    packed = b"\xb1\x7f\xa4" + b"".join(b"\xd0%c%b" % (len(text), text) for text in texts)
    return len(packed).to_bytes(2) + packed + b"\0\0"


def begins_writing(said: bytes) -> bool:
    return said[2:4] == BEGIN and READS not in said


@pytest.mark.slow
def test_a_check_and_a_load_outlive_changes_of_the_leader(store: Store, line: BoltLine) -> None:
    writes = refused = 0

    def refuse(said: bytes) -> bytes:
        nonlocal writes, refused
        if not begins_writing(said):
            return b""
        writes += 1
        if writes not in (1, 3, 5):
            return b""
        refused += 1
        return failure(NO_LEADER)

    line.stand_in = refuse
    store.check()
    store.replace(SMALL, "one")
    assert refused == 3 and store.fingerprint() == "one" and store.snapshot() == SMALL


def test_readers_ask_for_a_reader_and_wait_for_what_they_have_written(store: Store, line: BoltLine) -> None:
    said: list[bytes] = []
    store.replace(SMALL, "one")
    store.replace(OTHER, "two")
    line.look = said.append
    assert store.fingerprint() == "two" and store.snapshot() == OTHER
    assert store.query("MATCH (c:Concept) RETURN count(c)").rows == ((len(OTHER.concepts),),)
    asked = [each for each in said if b"MATCH" in each or each[2:4] == BEGIN]
    transactions = [each for each in asked if each[2:4] == BEGIN or b"EXPLAIN" in each]
    assert len(transactions) == 3
    assert all(READS in each and b"bookmarks" in each for each in transactions)


def test_a_store_opens_and_reads_where_there_is_no_leader(empty_server: str, line: BoltLine, store: Store) -> None:
    store.replace(SMALL, "one")
    said: list[bytes] = []
    line.look = said.append
    line.stand_in = lambda each: failure(NO_LEADER) if begins_writing(each) else b""
    with open_store(store.address.replace("//", f"//{empty_server[7:].rpartition('@')[0]}@")) as reader:
        assert reader.snapshot() == SMALL
    # What is said outside of a transaction, or before one, would need the leader too.
    assert READS in next(each for each in said if each[2:4] in (BEGIN, RUN))
