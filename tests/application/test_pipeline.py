"""From a feed and corrections to a graph, through every stage of a build; a second build needs no spaCy."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from torchatlas.build import Inputs, build, read_inputs
from torchatlas.extract.catalogue import load_vocabulary
from torchatlas.extract.fetch import copy_name
from torchatlas.graph.model import Requires, Snapshot
from torchatlas.graph.stores.memory import MemoryStore
from torchatlas.settings import load_settings
from torchatlas.shipped import bundled, bundled_file

pytestmark = pytest.mark.slow

ADDRESS = "https://e.org/hum.vtt"
FEED = f"""<?xml version="1.0"?><rss version="2.0" xmlns:podcast="https://podcastindex.org/namespace/1.0"><channel>
<title>Invented</title><item><title>A hum</title><guid>a</guid><description>Vmap uses functorch.</description>
<podcast:transcript url="{ADDRESS}" type="text/vtt"/></item></channel></rss>""".encode()
SAID = b"WEBVTT\n\n00:00.000 --> 00:09.000\nToday we explain vmap. What is vmap? So vmap is a transform.\n"


def given(home: Path) -> Inputs:
    found = read_inputs(load_settings(environment=os.environ | {"TORCHATLAS_HOME": str(home)}))
    return replace(found, episodes=(), feeds=(("a.xml", FEED),), named=((copy_name(ADDRESS), SAID),))


def test_the_second_build_makes_the_same_graph_without_spacy(tmp_path: Path) -> None:
    plain = build(replace(given(tmp_path), cache=None))
    assert build(given(tmp_path)) == plain
    assert build(given(tmp_path)) == plain and plain.graph.mentions and plain.graph.teaches
    code = (
        "import sys; from pathlib import Path; from tests.application.test_pipeline import *; "
        "build(given(Path(sys.argv[1]))); print('spacy' in sys.modules)"
    )
    run = [sys.executable, "-c", code, str(tmp_path)]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "False\n"


def test_a_changed_text_has_no_curated_file_read_and_neither_places_nor_nearest_episodes_found_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = replace(given(tmp_path), feeds=(("a.xml", FEED.replace(b"Vmap uses", b"Today, vmap uses")),))
    plain, kept = MemoryStore(), MemoryStore()
    build(replace(changed, cache=None), plain)
    build(given(tmp_path), kept)
    before = kept.snapshot()
    for name in (
        "extract.catalogue.load_vocabulary",
        "graph.build.layout.overview",
        "graph.answers.related.Nearness",
    ):
        monkeypatch.delattr(f"torchatlas.{name}")
    build(changed, kept)
    assert before != kept.snapshot() == plain.snapshot()


TOPICS = """
[topic.night-shift-scheduler]
name = "Night Shift scheduler"
definition = "It sits behind Inductor and waits until the GPU is idle. Nobody has run it on XLA."

[topic.lantern-pass]
name = "Lantern pass"
definition = "An imaginary pass that leaves the lights on."

[topic.owl-cache]
name = "Owl cache"
definition = "A cache that sleeps by day."
bridge.dispatcher = "it is asked whenever an operator is called"
"""
TOPICS_FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Invented Internals</title>
<item><title>Lights on</title><guid>lights</guid><description>Tea first. The Lantern pass is built on AOTAutograd. Vmap
was on the radio. The Lantern pass and TorchScript were in one room.</description></item>
<item><title>Owls</title><guid>owls</guid><description>The Owl cache uses Dynamo.</description></item>
</channel></rss>"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    home = tmp_path_factory.mktemp("home")
    found = read_inputs(load_settings(environment=os.environ | {"TORCHATLAS_HOME": str(home)}))
    return build(replace(found, episodes=(), feeds=(("a.xml", TOPICS_FEED),), corrections=TOPICS)).graph


def edges(graph: Snapshot, concept: str) -> dict[str, Requires]:
    return {r.target: r for r in graph.requires if r.source == concept}


def test_a_definition_gives_prerequisites_with_its_first_sentence(graph: Snapshot) -> None:
    found = edges(graph, "night-shift-scheduler")
    assert "inductor" in found
    assert "pytorch-xla" not in found
    assert {r.origin for r in found.values()} == {"inferred"}
    assert found["inductor"].quote == "It sits behind Inductor and waits until the GPU is idle."


def test_notes_give_what_a_topic_is_built_on_and_not_what_stands_beside_it(graph: Snapshot) -> None:
    found = edges(graph, "lantern-pass")
    assert set(found) == {"aotautograd"}
    said = found["aotautograd"]
    assert (said.quote, said.episode) == ("The Lantern pass is built on AOTAutograd.", "invented-internals/lights-on")


def test_what_the_user_said_is_all_there_is_where_he_said_something(graph: Snapshot) -> None:
    assert {(r.target, r.origin) for r in edges(graph, "owl-cache").values()} == {("dispatcher", "curated")}


def test_the_shipped_concepts_keep_what_was_curated(graph: Snapshot) -> None:
    shipped = load_vocabulary(bundled("concepts", ".toml"), bundled_file("unplaced.toml"))
    own = {"night-shift-scheduler", "lantern-pass", "owl-cache"}
    assert {r for r in graph.requires if r.source not in own} == set(shipped.requires)


def test_corrections_reach_the_episodes_of_feeds(tmp_path: Path) -> None:
    found = read_inputs(load_settings(environment=os.environ | {"TORCHATLAS_HOME": str(tmp_path)}))
    drop = '[[drop]]\nfrom = "Lights on"\ntype = "MENTIONS"\nto = "AOTAutograd"\n'
    edge = '[[edge]]\nfrom = "owls"\ntype = "LISTEN_AFTER"\nto = "Lights on"\nreason = "light comes first"\n'
    wrong = '[[drop]]\nfrom = "Nights"\ntype = "MENTIONS"\nto = "vmap"\n'
    made = build(replace(found, episodes=(), feeds=(("a.xml", TOPICS_FEED),), corrections=drop + edge + wrong))
    lights, owls = "invented-internals/lights-on", "invented-internals/owls"
    mentioned = {m.target for m in made.graph.mentions if m.source == lights}
    assert "vmap" in mentioned and "aotautograd" not in mentioned
    assert [(e.source, e.target) for e in made.graph.listen_after] == [(owls, lights)]
    assert [problem[:29] for problem in made.problems.values()] == ["no episode is called 'Nights'"]
