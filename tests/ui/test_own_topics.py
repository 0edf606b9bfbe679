"""From a corrections file and a feed to inferred prerequisites, through every part that a build goes through."""

import os
from dataclasses import replace

import pytest

from torchatlas.bundled import bundled, bundled_file
from torchatlas.extract.curated.vocabulary import load_vocabulary
from torchatlas.graph.values.model import Requires, Snapshot
from torchatlas.inputs import read_inputs
from torchatlas.pipeline import assemble
from torchatlas.settings import load_settings

pytestmark = pytest.mark.slow

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
FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Invented Internals</title>
<item><title>Lights on</title><guid>lights</guid><description>Tea first. The Lantern pass is built on AOTAutograd. Vmap
was on the radio. The Lantern pass and TorchScript were in one room.</description></item>
<item><title>Owls</title><guid>owls</guid><description>The Owl cache uses Dynamo.</description></item>
</channel></rss>"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    home = tmp_path_factory.mktemp("home")
    given = read_inputs(load_settings(environment=os.environ | {"TORCHATLAS_HOME": str(home)}))
    return assemble(replace(given, episodes=(), feeds=(("a.xml", FEED),), corrections=TOPICS)).graph


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
