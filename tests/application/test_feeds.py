"""The user's feeds over a real server: what is fetched, kept, asked for again, and said."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from tests.pages import listing
from tests.ui.cli.commands import answer, done, run
from torchatlas import sources
from torchatlas.atlas import Atlas
from torchatlas.build import read_inputs
from torchatlas.extract.feeds import feed_addresses
from torchatlas.extract.fetch import copy_name
from torchatlas.graph.errors import SourceError
from torchatlas.settings import Settings, load_settings
from torchatlas.sources import forget, kept_copies, known_sources, load_sources, read_feeds, refresh, remember

pytestmark = pytest.mark.slow
FEED = """<rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel><title>Widget Radio</title>
<item><title>One</title><guid>1</guid><podcast:transcript url="{at}/one.vtt" type="text/vtt"/>
<podcast:transcript url="{at}/one.html" type="text/html"/></item>
<item><title>Two</title><guid>2</guid><podcast:transcript url="{at}/gone.vtt" type="text/vtt"/>
<podcast:chapters url="{at}/two.json" type="application/json+chapters"/></item>
<item><title>Three</title><guid>3</guid><podcast:transcript url="file://{file}" type="text/vtt"/></item>
</channel></rss>"""
VTT = (
    "WEBVTT\n\n00:00:05.000 --> 00:00:09.000\n"
    "Today we talk about vmap. So what is vmap? It is functorch on the dispatcher, below autograd and TensorIterator\n"
)
CHAPTERS = json.dumps({"version": "1.2.0", "chapters": [{"startTime": 61, "title": "Strides"}]})
JSON_FEED = '{"items": [{"id": "j", "title": "On strides"}]}'


class Site(ThreadingHTTPServer):
    """`pages`: path -> body; `asked`: the paths that were asked for, in order."""

    daemon_threads = True
    pages: dict[str, str]
    asked: list[str]

    @property
    def at(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        body = self.server.pages.get(self.path, "").encode()
        moved = self.path.startswith("/moved")
        self.send_response(301 if moved else 200 if body else 503 if "busy" in self.path else 404)
        self.send_header("Location", "/feed" if moved else "")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    server = Site(("127.0.0.1", 0), Handler)
    secret = tmp_path / "secret.vtt"
    secret.write_text(VTT, "utf-8")
    server.pages = {"/feed": FEED.format(at=server.at, file=secret), "/one.vtt": VTT, "/two.json": CHAPTERS}
    server.asked = []
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(environment={"TORCHATLAS_HOME": str(tmp_path / "home")})


@pytest.fixture
def page(settings: Settings, tmp_path: Path) -> Path:
    """A saved page of two entries that has been imported."""
    page = tmp_path / "list.txt"
    page.write_text(listing([("Kettles", "On kettles."), ("Spouts", "On spouts.")]), "utf-8")
    sources.keep_pages(settings, [sources.open_page(str(page))])
    return page


def opml(*addresses: str) -> str:
    return "<opml><body>" + "".join(f'<outline xmlUrl="{a}"/>' for a in addresses) + "</body></opml>"


def copies(settings: Settings, ending: str) -> list[Path]:
    return list((settings.home / "sources").glob(f"*.{ending}"))


def test_a_feed_brings_the_documents_that_it_names(site: Site, settings: Settings) -> None:
    reports: list[str] = []
    lines = remember(settings, f"{site.at}/feed", lambda what, done, total: reports.append(f"{what} {total}"))
    assert lines[0] == f"{site.at}/feed: 3 episodes, 1 transcript"
    assert len(lines) == 2 and f"{site.at}/gone.vtt answers 404" in lines[1]
    assert sorted(site.asked) == ["/feed", "/gone.vtt", "/one.vtt", "/two.json"]
    assert set(reports) == {"Fetching transcripts 3"}
    kept = {copy_name(f"{site.at}/one.vtt"): VTT.encode(), copy_name(f"{site.at}/two.json"): CHAPTERS.encode()}
    assert dict(kept_copies(settings)["named"]) == kept
    (source,) = known_sources(settings)
    assert (source.title, source.entries, source.transcripts, source.trouble) == ("Widget Radio", 3, 1, "")


def test_what_is_kept_is_not_asked_for_again_and_what_is_named_no_longer_goes(site: Site, settings: Settings) -> None:
    remember(settings, f"{site.at}/feed")
    before = read_inputs(settings).fingerprint
    site.asked.clear()
    site.pages["/feed"] = site.pages["/feed"].replace("two.json", "new.json")
    site.pages["/new.json"] = CHAPTERS
    assert len(list(refresh(settings))) == 1
    assert sorted(site.asked) == ["/feed", "/gone.vtt", "/new.json"]
    named = {copy_name(f"{site.at}/{page}") for page in ("one.vtt", "new.json")}
    assert {name for name, _ in kept_copies(settings)["named"]} == named
    assert read_inputs(settings).fingerprint != before


def test_a_document_that_cannot_be_read_is_not_kept(site: Site, settings: Settings) -> None:
    site.pages |= {"/gone.vtt": "no transcript", "/two.json": "{}"}
    said = "\n".join(remember(settings, f"{site.at}/feed"))
    assert "gone.vtt holds no cue" in said and "two.json holds no chapters" in said
    assert len(kept_copies(settings)["named"]) == 1


def test_a_server_that_fails_again_and_again_is_left_alone(site: Site, settings: Settings) -> None:
    item = "<item><title>{0}</title><podcast:transcript url='{1}/busy{0}.vtt' type='text/vtt'/></item>"
    items = "".join(item.format(n, site.at) for n in range(9))
    site.pages["/feed"] = FEED.partition("<item>")[0] + items + "</channel></rss>"
    lines = remember(settings, f"{site.at}/feed")
    assert len(site.asked) == 1 + 3 and "next `torchatlas build`" in lines[-1]


def test_last_good_copies_stay(site: Site, settings: Settings) -> None:
    remember(settings, f"{site.at}/feed")
    before = kept_copies(settings)
    site.pages["/feed"] = "no feed any more"
    (line,) = refresh(settings)
    assert "is not a feed" in line and "copy of last time" in line and kept_copies(settings) == before
    site.pages["/feed"] = FEED.partition("<item><title>Three")[0]
    (line,) = refresh(settings)
    assert "breaks off: 2 entries" in line and "copy of last time" in line
    assert kept_copies(settings)["feeds"] == before["feeds"]
    (source,) = known_sources(settings)
    assert source.trouble == line and source.entries == 3


def test_a_list_brings_its_feeds_and_a_line_for_each_that_fails(site: Site, settings: Settings) -> None:
    site.pages["/list"] = opml(f"{site.at}/feed", f"{site.at}/nothing", "file:///etc/passwd")
    lines = remember(settings, f"{site.at}/list")
    assert sum("/nothing answers 404" in line for line in lines) == 1 and not any("passwd" in line for line in lines)
    assert load_sources(settings).sources == (f"{site.at}/feed",)


def test_nothing_is_remembered_of_what_cannot_be_read(site: Site, settings: Settings) -> None:
    site.pages |= {"/list": opml(f"{site.at}/nothing"), "/page": "<html><link rel=alternate type='x/rss' href='/feed'>"}
    for page, words in (("nothing", "404"), ("list", "none of its 1 feeds"), ("page", f"its feed is {site.at}/feed")):
        with pytest.raises(SourceError, match=words):
            remember(settings, f"{site.at}/{page}")
    assert not settings.home.joinpath("sources").exists() and not settings.sources_list.exists()


def test_a_feed_and_a_page_are_forgotten_with_their_copies(site: Site, settings: Settings, page: Path) -> None:
    remember(settings, f"{site.at}/feed")
    assert f"{page}\n  numbered listing: 2 entries\n" in run(settings.home, "sources").stdout
    rows = {row["kind"]: (row["address"], row["entries"]) for row in answer(settings.home, "sources")}
    assert rows == {"feed": (f"{site.at}/feed", 3), "page": (str(page), 2)}
    with pytest.raises(SourceError, match="none of your feeds"):
        forget(settings, f"{site.at}/other")
    forget(settings, f"{site.at}/feed")
    assert done(settings.home, "sources", "--remove", str(page)).stdout == ""
    assert known_sources(settings) == () == kept_copies(settings)["feeds"] == kept_copies(settings)["named"]
    assert {path.suffix for path in settings.home.rglob("*") if path.is_file()} <= {".lock", ".toml"}


def test_a_password_and_a_token_are_kept_for_fetching_and_not_shown(site: Site, settings: Settings) -> None:
    address = site.at.replace("http://", "http://me:secret@") + "/feed"
    shown = f"{site.at}/feed"
    assert "secret" not in str(remember(settings, address))
    assert load_sources(settings).sources == (address,)
    assert [s.shown for s in known_sources(settings)] == [shown]
    listed = run(settings.home, "sources").output + run(settings.home, "sources", "--format", "json").output
    assert "secret" not in listed and shown in listed
    forget(settings, shown)
    assert known_sources(settings) == ()
    site.pages |= {f"/private?token={n}": site.pages["/feed"] for n in "12"}
    lines = remember(settings, f"{site.at}/private?token=1")
    (source,) = known_sources(settings)
    assert source.address.endswith("token=1") and source.shown.endswith("token=***")
    assert lines[0].startswith(f"{site.at}/private?token=***: ")
    assert list(refresh(settings)) == [line for line in lines if "gone.vtt" in line]
    remember(settings, f"{site.at}/private?token=2")
    with pytest.raises(SourceError, match="stands for 2 feeds"):
        forget(settings, source.shown)
    forget(settings, source.address)
    forget(settings, source.shown)
    assert known_sources(settings) == ()


def test_a_copy_that_cannot_be_read_costs_its_episodes_and_a_line(site: Site, settings: Settings, page: Path) -> None:
    remember(settings, f"{site.at}/feed")
    for (path,) in copies(settings, "feed"), copies(settings, "page"):
        path.write_text("something else", "utf-8")
    built = done(settings.home, "build", "--offline")
    assert built.stdout.startswith("83 episodes")
    assert "/feed is not a feed" in built.stderr and "list.txt is no page" in built.stderr
    assert {"list.txt is no page"} & {source.trouble[:19] for source in known_sources(settings)}


def test_a_copy_that_the_system_does_not_give_is_one_line(site: Site, settings: Settings, page: Path) -> None:
    remember(settings, f"{site.at}/feed")
    (feed,), (saved,), (folder,) = (copies(settings, ending) for ending in ("feed", "page", "named"))
    for copy in (feed, saved, *folder.iterdir()):
        kept = copy.read_bytes()
        copy.unlink()
        copy.mkdir()
        told = run(settings.home, "plan", "vmap")
        assert told.exit_code == 1 and f"{copy}: cannot be read (" in told.stderr and told.stderr.count("\n") == 1
        copy.rmdir()
        copy.write_bytes(kept)
    for copy, name in (feed, f"{site.at}/feed"), (saved, str(page)):
        copy.unlink()
        copy.mkdir()
        assert copy == feed or f"{copy}: cannot be read" in done(settings.home, "sources").stdout
        told = run(settings.home, "sources", "--remove", name)
        assert told.exit_code == 1 and "; remove it yourself" in told.stderr
    assert done(settings.home, "sources").stdout == ""


def test_several_feeds_at_once_and_what_was_heard_in_them(site: Site, settings: Settings, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(JSON_FEED, "utf-8")
    told = run(settings.home, "add", f"{site.at}/feed", str(tmp_path / "none.xml"), str(other))
    assert told.exit_code == 1 and "none.xml" in told.stderr and "1 of 3 could not be read" in told.stderr
    listed = [(s["title"], s["entries"], s["transcripts"]) for s in answer(settings.home, "sources")]
    assert listed == [("Widget Radio", 3, 1), ("untitled show", 1, 0)]
    asked = "MATCH (e:Episode)-[t:TEACHES]->(c:Concept) WHERE e.guid IN ['1', '2'] RETURN c.id, t.at ORDER BY c.id"
    rows = answer(settings.home, "query", asked)["rows"]
    assert ["strides", 61] in rows and any(id_ == "vmap" and 5 <= at <= 9 for id_, at in rows)
    assert str(other) in run(settings.home, "sources").stdout
    assert str(other) not in run(settings.home, "sources", "--remove", str(other)).stdout


def test_several_feeds_are_extracted_and_the_broken_one_is_said(settings: Settings, tmp_path: Path) -> None:
    a, b = tmp_path / "a.xml", tmp_path / "b.xml"
    a.write_text(FEED.format(at="https://x.invalid", file=""), "utf-8")
    b.write_text("broken", "utf-8")
    told = run(settings.home, "extract", str(a), str(b), "-", given=JSON_FEED.encode())
    assert [json.loads(line)["id"] for line in told.stdout.splitlines()] == ["1", "2", "3", "j"]
    assert told.exit_code == 1 and "b.xml is not a feed" in told.stderr


def test_a_feed_that_no_server_here_sent_names_nothing_on_this_computer(site: Site, settings, tmp_path: Path) -> None:
    feed = tmp_path / "feed.xml"
    feed.write_text(FEED.format(at=site.at, file="x"), "utf-8")
    said = "127.0.0.1 lies on this computer or in its network; only a feed from there may name it"
    assert f"{said} (3 times)" in remember(settings, str(feed))
    assert site.asked == [] and kept_copies(settings)["named"] == ()


def window(days: Iterable[int], title: str = "Part") -> str:
    item = "<item><title>{1} {0}</title><guid>g{0}</guid><pubDate>{0} May 2022</pubDate></item>"
    return f"<rss><channel><title>Loops</title>{''.join(item.format(day, title) for day in days)}</channel></rss>"


def test_what_has_left_a_feed_stays_with_its_marks_until_it_is_forgotten(settings: Settings, tmp_path: Path) -> None:
    home, feed = settings.home, tmp_path / "feed.xml"
    feed.write_text(window([1, 2]), "utf-8")
    done(home, "add", str(feed))
    done(home, "heard", "Part 1", "Part 2")
    feed.write_text(window([2], "Renamed"), "utf-8")
    done(home, "build")
    feed.write_text(window(range(3, 10)), "utf-8")
    built = done(home, "build").stdout
    assert built.startswith("New since your last build: Part 3, Part 4, Part 5, Part 6, Part 7 and 2 more\n2 entries ")
    assert "7 episodes; 2 more have left the feed and are kept" in done(home, "sources").stdout
    assert done(home, "heard").stdout == "Part 1\nRenamed 2\n"
    assert "New" not in done(home, "build").stdout
    assert run(home, "sources", "--forget", str(feed), given=b"n\n").exit_code == 1
    assert done(home, "sources", "--forget", str(feed), "--yes").stdout == f"{feed}\n  Loops: 7 episodes\n"
    assert "left" not in done(home, "build").stdout and "said yet" in run(home, "heard").output


def test_what_a_build_finds_new_is_told_until_it_is_seen_or_the_next_build(site: Site, settings: Settings) -> None:
    for days, new in ([1], []), ([1], []), ([1, 2], ["Part 2"]), ([2, 3, 4], ["Part 3", "Part 4"]), ([4], []):
        site.pages["/feed"] = window(days)
        sources.change_sources(settings, lambda s: replace(s, shipped=days == [4]))  # noqa: B023
        done(settings.home, *(["build"] if site.asked else ["add", f"{site.at}/feed"]))
        with Atlas(settings) as atlas:
            assert [e.title for e in atlas.news()[1]] == new
            if "Part 3" in new:
                assert re.fullmatch(r"\d{4}-\d\d-\d\d", atlas.news(seen=True)[0]) and not atlas.news()[1]


def test_no_entry_of_a_thousand_windows_is_lost(settings: Settings, tmp_path: Path) -> None:
    chance, seen, feed = Random(7), dict[str, str](), tmp_path / "feed.xml"
    feed.write_text(window([1]), "utf-8")
    remember(settings, str(feed))
    for _ in range(1_000):
        days = chance.sample(range(1, 32), chance.randint(0, 9))
        feed.write_text(window(days, chance.choice(["Part", "News"])), "utf-8")
        assert list(refresh(settings)) == []
        inputs = read_inputs(settings)
        ids = {str(e.episode.guid): e.episode.id for e in read_feeds(inputs.feeds, 99, inputs.histories)[0]}
        assert {*ids} == {"g1", *seen, *(f"g{day}" for day in days)} and ids.items() >= seen.items()
        seen = ids


def test_more_than_is_kept_of_what_has_left_a_feed_is_told(settings: Settings, tmp_path: Path) -> None:
    feed = tmp_path / "feed.xml"
    sources.change_sources(settings, lambda s: replace(s, feed_entries=3))
    dropped = "1 of what has left it are dropped: feed_entries is 3 in your sources.toml"
    for days, said in ([1, 2], ""), ([3, 4], dropped):
        feed.write_text(window(days), "utf-8")
        assert said in "".join(remember(settings, str(feed))[1:])
    assert [source.left for source in known_sources(settings)] == [1]
    copies(settings, "history")[0].write_text("{", "utf-8")
    assert ".history cannot be read; remove it" in "".join(refresh(settings))


FRAMES = {
    "<entry>": """<feed xmlns="http://www.w3.org/2005/Atom" xmlns:yt="http://www.youtube.com/xml/schemas/2015"
 xmlns:media="http://search.yahoo.com/mrss/"><title>Owls</title><link href="https://github.com/o/w/releases"/>{}</feed>""",
    "<item>": """<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:discourse="http://www.discourse.org/"><channel><title>Owls</title><link>https://o.invalid</link>{}</channel></rss>""",
}
PUBLIC = {  # as in the test data of what is named, and of feed-rs; threads as in that of Discourse, papers in SHARE's
    "video": """<entry><id>yt:video:{n}</id><yt:videoId>{n}</yt:videoId><title>Owl {n}</title>
<link rel="alternate" href="https://www.youtube.com/watch?v={n}"/><published>2024-05-0{n}T10:00:00+00:00</published>
<media:group><media:content url="https://www.youtube.com/v/{n}?version=3" type="application/x-shockwave-flash"/>
<media:description>On strides.</media:description></media:group></entry>""",  # arminreiter/FeedReader
    "release": """<entry><id>tag:github.com,2008:Repository/7/v{n}</id><updated>2024-05-0{n}T23:49:41+02:00</updated>
<link rel="alternate" type="text/html" href="/o/w/releases/tag/v{n}"/><title>Owl {n}</title>
<content type="html">&lt;p&gt;On strides.&lt;/p&gt;</content></entry>""",  # rbren/rss-parser
    "thread": """<item><title>Owl {n}</title><description><![CDATA[ <p>On strides.</p>
<p><small>2 posts - 1 participant</small></p> <p><a href="https://o.invalid/t/owl/{n}">Read full topic</a></p> ]]></description><link>https://o.invalid/t/owl/{n}</link>
<pubDate>0{n} May 2024 21:00:11 +0000</pubDate><discourse:topicPinned>No</discourse:topicPinned>
<guid isPermaLink="false">o.invalid-topic-{n}</guid></item>""",  # XertroV/discourse-rss-auto-archive-linked-content
    "post": """<item><title><![CDATA[Owl {n}]]></title><description><![CDATA[Short]]></description>
<link>https://o.invalid/p/{n}</link><guid isPermaLink="true">https://o.invalid/p/{n}</guid>
<pubDate>0{n} May 2024 12:00:47 GMT</pubDate><enclosure url="https://c.invalid/a{n}.jpeg" length="0" type="image/jpeg"/>
<content:encoded><![CDATA[<p>On strides.</p>]]></content:encoded></item>""",  # clawdiard/clawler
    "paper": """<entry><id>http://arxiv.org/abs/240{n}.0000{n}v1</id><published>2024-05-0{n}T02:41:55Z</published><title>Owl
  {n}</title><summary>  On strides.
</summary><link href="http://arxiv.org/abs/240{n}.0000{n}v1" rel="alternate" type="text/html"/><link title="pdf"
href="http://arxiv.org/pdf/240{n}.0000{n}v1" rel="related"/></entry>""",  # ewan-m/ewan-m.github.io
}


@pytest.mark.parametrize("kind", PUBLIC)
def test_a_window_that_moves_over_feeds_of_public_places_loses_and_doubles_nothing(site, settings, kind: str) -> None:
    item = PUBLIC[kind]
    for window in "123", "234":
        site.pages["/feed"] = FRAMES[item[: item.index(">") + 1]].format("".join(item.format(n=n) for n in window))
        done(settings.home, "add", f"{site.at}/feed")
    asked = "MATCH (e:Episode {show: 'Owls'}) OPTIONAL MATCH (e)-->(c:Concept) OPTIONAL MATCH (e)-[:CITES]->(l:Link)"
    rows = answer(settings.home, "query", f"{asked} RETURN e.title, e.kind, e.published, c.name, l.url ORDER BY 1")[
        "rows"
    ]
    assert rows == [[f"Owl {n}", kind, f"2024-05-0{n}", "strides", None] for n in range(1, 5)]


def test_a_feed_in_another_spelling_or_behind_a_redirect_is_not_added_twice(site: Site, settings: Settings) -> None:
    address = f"{site.at}/feed"
    for other in address, f"{site.at}/moved", address.replace("http", "HTTP", 1), f"{address}/?utm_source=a":
        site.pages[other.removeprefix(site.at)] = site.pages["/feed"]
        assert ("you have this feed as" in remember(settings, other)[0]) is (other != address)
    assert load_sources(settings).sources == (address,)


def test_the_pack_lists_public_feeds() -> None:
    listed = feed_addresses((files("torchatlas.data") / "packs" / "pytorch.opml").read_bytes())
    assert listed and len(set(listed)) == 11 and all(a.startswith("https://") for a in listed)
