"""No password and no token is shown, however an address is written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.extract.cases import cases
from torchatlas.extract.fetch import FetchLimits, fetch, without_secrets
from torchatlas.graph.errors import SourceError

SECRET = "SEKRETpw"
SIGNS = st.text(
    st.sampled_from("[]:@%/?#\\\\ \"'<>{}|^`~!$&*()+,;=\t\n\r\0\u2100\uff0f\u202e\ud800\xe9aZ1."), max_size=4
)
BEGIN = st.sampled_from(
    ["http://", "https://", "HTTP://", "http:/", "http:", "http:\\\\", "http:///", " http://", "ht tp://", "ftp://",
     "feed://", "//", "", "http://http://", "\thttp://", "http+x://", "1http://"]
)  # fmt: skip
HOST = st.sampled_from(["[::1", "::1]", "[", "]", "x.invalid", "x.invalid:99999999", "x.invalid:a", "", "[::1]:x",
                        "a b", "x.inv\u2100lid", "%zz", "x\\y", "-", "..", "[v1.x]", "127.0.0.1:9"])  # fmt: skip


@given(BEGIN, SIGNS, SIGNS, HOST, st.sampled_from(["", "/x", "/x?y#z", "?y", "#z", "/a b"]))
def test_no_malformed_address_shows_its_password(begin: str, before: str, after: str, host: str, rest: str) -> None:
    address = f"{begin}me:{SECRET}{before}{after}@{host}{rest}"
    assert SECRET not in without_secrets(address)
    with pytest.raises(SourceError) as told:
        fetch(address, None, FetchLimits(connect=0.1, silence=0.1, total=0.2), local=False)
    assert SECRET not in str(told.value)


def assert_masked(address: str, secret: str) -> None:
    """The secret is masked where it is shown, and is in no message."""
    assert without_secrets(address.format(secret)) == without_secrets(address.format("***")) == address.format("***")
    with pytest.raises(SourceError) as told:
        fetch(address.format(secret), None, FetchLimits(total=0.2), local=False)
    assert secret not in str(told.value)


NAMED = """token={} | a=b&access_token={} | key={} | apiKey={} | auth={} | X-Amz-Signature={} | sig={} | secret={}
    password={}&a=b | a=b;pass={} | %74oken={} | jwt={} | session_id={}"""


@pytest.mark.parametrize("query", cases(NAMED))
def test_tokens_are_masked_by_their_names(query: str) -> None:
    assert_masked("https://x.invalid/feed?" + query, SECRET)
    assert without_secrets(f"https://x.invalid/feed?{query.format('abc')}").endswith(query.format("***"))


TOKENS = cases("f3a9c1d07be24c55a1b2 | q7-Xk2_9aZbC4dEfGhIjKl | PhnwGkLqRtYzXcVbNmAsDfGhJkLpOiUy")
TOKENS.append("9" * 24)
LONG = cases("0b9c2d14-7f3e-4c1a-9b7d-2f60c1a8e5d3 | eyJhbGciOiJIUzI1NiJ9.eyJ1IjoxMn0.k3Jx9Pq2LmN4Rt8Zw")


@pytest.mark.parametrize("query", ["u={}", "{}", "a=b&{}", "a=1#{}"])
@pytest.mark.parametrize("value", TOKENS)
def test_long_random_values_are_masked(query: str, value: str) -> None:
    assert without_secrets("https://x.invalid/f?" + query.format(value)) == "https://x.invalid/f?" + query.format("***")


@pytest.mark.parametrize("token", TOKENS + LONG)
@pytest.mark.parametrize("path", ["/{}", "/feeds/{}/rss", "/show/{}.xml?page=2", "/a/{}#top"])
def test_long_random_segments_of_a_path_are_masked(path: str, token: str) -> None:
    address = "https://x.invalid" + path
    assert_masked(address, token)
    assert token not in without_secrets(address.format(token).replace("//", "/"))


SHOWN = """f?page=2 | f?format=rss | f?keyword=pytorch | f?author=me | f?design=1 | f?q=the-pytorch-developer-podcast
    f?channel_id=UCWN3xxRkmTPmbKwht9FuE5A | f?feed=podcast&lang=en | f?passage=3 | OB5FkIl8 | ADL9840290619
    kubernetes-1-19-accentuate-the-paw-sitive | the-year-2024-in-review/rss.xml | s/1e4a0eac/podcast/rss
    users/soundcloud:users:221605249/sounds.rss | pytorchdeveloperpodcast2024 | 3d-printing-for-4k-beginners-2024
    2026/11/22/a-week-of-releases-and-more | podcast.feed.for.everybody.xml"""


FILE = "/home/me/0b9c2d14-7f3e-4c1a-9b7d-2f60c1a8e5d3/feed.xml"


@pytest.mark.parametrize("address", [FILE, *(f"https://x.invalid/{path}" for path in cases(SHOWN))])
def test_what_is_no_secret_is_shown(address: str) -> None:
    assert without_secrets(address) == address
