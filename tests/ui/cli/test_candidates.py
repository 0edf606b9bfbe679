"""`torchatlas candidates`: new terms are listed, accepted into the corrections, or refused for good."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from torchatlas.ui.cli.program import main

pytestmark = pytest.mark.slow

FEED = """<rss version="2.0"><channel><title>Invented</title>
<item><title>The lantern pass</title><guid>a</guid>
<description>The lantern pass runs behind vmap, in GlowWorm.</description></item>
<item><title>Lights</title><guid>b</guid><description>A lantern pass again. With owl::nest\x1b[31m!</description></item>
</channel></rss>"""


def run(home: Path, *arguments: str) -> Result:
    environment = {"TORCHATLAS_HOME": str(home), "TORCHATLAS_STORE": None, "NEO4J_URI": None, "COLUMNS": "200"}
    return CliRunner().invoke(main, arguments, env=environment)


@pytest.fixture
def feed(tmp_path: Path) -> str:
    path = tmp_path / "feed.xml"
    path.write_text(FEED.replace("\x1b", "&#x202e;"), "utf-8")
    return str(path)


def rows(home: Path, *arguments: str) -> list[dict[str, object]]:
    done = run(home, "candidates", *arguments, "--format", "json")
    assert done.exit_code == 0, done.output
    body = json.loads(done.stdout)
    assert isinstance(body, list)
    return body


def test_terms_of_a_feed_are_listed_best_first_with_counts_and_a_quote(tmp_path: Path, feed: str) -> None:
    found = rows(tmp_path, feed)
    assert found[0]["text"] == "lantern pass"
    assert {"GlowWorm", "owl::nest"} <= {row["text"] for row in found}
    assert found[0]["count"] == 3 and len(found[0]["episodes"]) == 2  # type: ignore[arg-type]
    assert set(found[0]) == {"text", "count", "score", "episodes", "field", "start", "end", "quote"}
    assert len(rows(tmp_path, feed, "--limit", "1")) == 1
    told = run(tmp_path, "candidates", feed)
    assert "lantern pass: 3 times in 2 episodes" in told.stdout
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", told.output)


def test_an_accepted_term_is_a_topic_that_the_next_extraction_knows(tmp_path: Path, feed: str) -> None:
    own = tmp_path / "corrections.toml"
    own.write_text('# mine\n[topic.owl]  # first\nname = "Owl"\n[[rename]]\nconcept = "Dynamo"\nname = "Dyno"', "utf-8")
    arguments = ("--name", "Lantern Pass", "--definition", 'It "glows".', "--area", "Light")
    done = run(tmp_path, "candidates", "--accept", "lantern pass", *arguments)
    assert done.exit_code == 0 and done.stdout == "Lantern Pass [lantern-pass]\n"
    text = own.read_text("utf-8")
    assert text.startswith("# mine\n[topic.owl]  # first\n")
    topic = {"name": "Lantern Pass", "area": "Light", "definition": 'It "glows".', "aliases": ["lantern pass"]}
    assert tomllib.loads(text)["topic"]["lantern-pass"] == topic
    assert "lantern pass" not in {row["text"] for row in rows(tmp_path, feed)}
    shown = json.loads(run(tmp_path, "extract", feed, "--format", "json").stdout)
    assert "lantern-pass" in {m["concept_id"] for m in shown[0]["mentions"]}


@pytest.mark.parametrize("term", ["vmap", "VMAP", "the owl's nest", "Dyno", "!!!", "owl"])
def test_what_is_a_name_already_is_refused_and_nothing_is_written(tmp_path: Path, term: str) -> None:
    own = tmp_path / "corrections.toml"
    before = '[topic.owl]\nname = "Owl"\naliases = ["the owl\'s nest"]\n[[rename]]\nconcept = "Dynamo"\nname = "Dyno"\n'
    own.write_text(before, "utf-8")
    done = run(tmp_path, "candidates", "--accept", term)
    assert done.exit_code == 1 and done.stderr.startswith("Error: ") and done.stderr.count("\n") == 1
    assert own.read_text("utf-8") == before


def test_a_rejected_term_is_not_listed_again(tmp_path: Path, feed: str) -> None:
    assert run(tmp_path, "candidates", "--reject", "Lantern-Pass", "--reject", "GlowWorm").exit_code == 0
    assert {"lantern pass", "GlowWorm"}.isdisjoint(str(row["text"]) for row in rows(tmp_path, feed))
    assert tomllib.loads((tmp_path / "sources.toml").read_text("utf-8"))["refused"] == ["Lantern-Pass", "GlowWorm"]


def test_json_is_printed_of_what_is_done_too(tmp_path: Path, feed: str) -> None:
    done = run(tmp_path, "candidates", "--accept", "lantern pass", "--name", "Lantern Pass", "--format", "json")
    assert json.loads(done.stdout) == {"id": "lantern-pass", "name": "Lantern Pass"}
    assert json.loads(run(tmp_path, "candidates", "--reject", "owl::nest", "--format", "json").stdout) == ["owl::nest"]
    drafted = json.loads(
        run(tmp_path, "candidates", feed, "--draft", str(tmp_path / "own.toml"), "--format", "json").stdout
    )
    assert {"id": "glowworm", "name": "GlowWorm"}.items() <= drafted[0].items()
    both = run(tmp_path, "candidates", "--accept", "owl", "--draft", str(tmp_path / "more.toml"))
    assert both.exit_code == 2 and "choose one of --accept TERM and --draft FILE" in both.stderr


def test_without_a_feed_the_sources_and_the_catalogue_are_read(tmp_path: Path, feed: str) -> None:
    assert run(tmp_path, "add", feed).exit_code == 0
    found = rows(tmp_path, "--limit", "500")
    assert "lantern pass" in {row["text"] for row in found}
    assert any(row["field"] == "summary" for row in found)


def test_candidates_are_in_the_extraction_only_where_asked_for(tmp_path: Path, feed: str) -> None:
    first = json.loads(run(tmp_path, "extract", feed, "--candidates").stdout.splitlines()[0])
    assert first["candidates"][0].items() >= {"text": "lantern pass", "count": 2}.items()
    assert "candidates" not in json.loads(run(tmp_path, "extract", feed).stdout.splitlines()[0])


def test_a_vocabulary_of_ones_own_is_used_by_option_and_by_profile(tmp_path: Path, feed: str) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        'area = "Light"\n[beacon]\nname = "beacon"\naliases = ["lantern pass"]\ndefinition = "It glows."\n', "utf-8"
    )

    def concepts(*arguments: str) -> set[str]:
        done = run(tmp_path, "extract", feed, "--format", "json", *arguments)
        assert done.exit_code == 0, done.output
        return {m["concept_id"] for row in json.loads(done.stdout) for m in row["mentions"]}

    assert "beacon" not in concepts()
    assert {"beacon", "vmap"} <= concepts("--vocabulary", str(own))
    (tmp_path / "sources.toml").write_text(f"vocabularies = ['{own}']\n", "utf-8")
    assert {"beacon", "vmap"} <= concepts()
    own.unlink()
    assert "own.toml" in run(tmp_path, "extract", feed).stderr
