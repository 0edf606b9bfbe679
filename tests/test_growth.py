"""A short part of `make bench-growth`: every stage runs, and what it does grows with the number of episodes."""

import cProfile
import pickle
import pstats
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks.growth import Cost, exponent, run, table
from benchmarks.growth_feeds import SHOW, feeds
from benchmarks.growth_home import make_home, run_command, settings
from benchmarks.growth_stages import EPISODES, GOALS, SEARCHES, STAGES, Stage, Workspace, made_inputs, stages
from torchatlas.extract import workers
from torchatlas.extract.feeds import parse
from torchatlas.graph.answers import related
from torchatlas.graph.values.model import Concept
from torchatlas.inputs.inputs import Inputs
from torchatlas.user_files.sources import load_sources

SIZES = (30, 60, 120)
COLOURS = ["amber", "azure", "coral", "ivory", "olive", "pearl", "plum", "rust", "slate", "teal", "umber", "violet"]
THINGS = ["anchor", "basket", "candle", "engine", "feather", "harbour", "ladder", "lantern", "mirror", "saddle"]
NAMES = tuple(f"{colour} {thing}" for colour in COLOURS for thing in THINGS)
CONCEPTS = tuple(Concept(name.replace(" ", "-"), name, area=name.split()[0].capitalize()) for name in NAMES)
VOCABULARY = "\n".join(
    f'[{c.id}]\nname = "{c.name}"\naliases = []\ndefinition = "A made thing, number {n}."\nsource = ["made.py"]\n'
    for n, c in enumerate(CONCEPTS)
)
INPUTS = Inputs(
    code="", concepts=(("made.toml", f'area = "Made"\n{VOCABULARY}'),), unplaced=("none.toml", ""), episodes=(),
    corrections="",
)  # fmt: skip
EXTRACT = "extract, in one process"
COUNTED = [
    "read and parse the feeds", "join", "layout", "related episodes of all", f"plan, {GOALS} goals",
    f"search, {SEARCHES} questions", f"related episodes of {EPISODES}", "what the map page sends",
]  # fmt: skip
"""Stages whose calls are counted. The others begin with seconds of loading, or leave their work to an engine."""

Made = dict[str, Any]


def calls(stage: Stage, place: Workspace, made: Made) -> int:
    """How many functions a stage calls. What it makes is added to what others `made`."""
    profile = cProfile.Profile()
    made[stage.makes] = profile.runcall(stage.work, place, *(made[name] for name in stage.needs))
    return int(pstats.Stats(profile).total_calls)  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def largest(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """What the first two stages make of the largest feed; the feeds of the other sizes are its beginnings."""
    inputs, place = made_inputs(SIZES[-1], INPUTS), Workspace(tmp_path_factory.mktemp("growth"))
    texts = stages()[COUNTED[0]].work(place, inputs)
    return {"inputs": inputs, "texts": texts, "extractions": stages()[EXTRACT].work(place, texts)}


@pytest.fixture(scope="module")
def counted(largest: Made, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[int]]:
    """The calls of each stage at each size."""
    place, found = Workspace(tmp_path_factory.mktemp("growth")), dict[str, list[int]]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(related, "EVERY", 0)
        for size in (SIZES[0], *SIZES):  # in the first round, modules are imported
            made = {"inputs": made_inputs(size, INPUTS), "extractions": largest["extractions"][:size]}
            for name in COUNTED:
                found.setdefault(name, []).append(calls(stages()[name], place, made))
    return {name: counts[1:] for name, counts in found.items()}


def test_texts_are_read_in_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "PAYS", 0)
    monkeypatch.setattr(workers, "cores", lambda: 2)
    monkeypatch.delattr(workers.Workers, "_shared")
    texts = stages()[COUNTED[0]].work(Workspace(tmp_path), made_inputs(30, INPUTS))
    assert len(stages()[EXTRACT].work(Workspace(tmp_path), texts)) == 30


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTED)
def test_what_a_stage_does_grows_with_the_number_of_episodes(counted: dict[str, list[int]], name: str) -> None:
    one, two, four = counted[name]
    assert four - two <= 2.3 * (two - one) + one // 20, counted  # 2 is linear, 4 is the square


@pytest.mark.slow
def test_what_one_stage_makes_is_kept_for_the_next(largest: Made, tmp_path: Path) -> None:
    for name, made in largest.items():
        (tmp_path / name).write_bytes(pickle.dumps(made))
    wanted = [stage for stage in STAGES if not stage.whole and stage.name != EXTRACT]
    costs = {stage.name: run(stage, Workspace(tmp_path)) for stage in wanted}
    assert all(cost.cpu >= 0 and cost.megabytes > 10 for cost in costs.values())
    assert (costs["what the map page sends"].size or 0) > 10_000
    found = table({40: costs, 400: costs})
    assert [row[0] for row in found.rows] == [stage.name for stage in wanted]
    assert any(note.startswith("what the map page sends: ") for note in found.notes)


def test_a_command_runs_in_a_home_of_made_feeds(tmp_path: Path) -> None:
    make_home(tmp_path / "home", feeds(SHOW + 20, CONCEPTS))
    assert run_command(tmp_path / "home", "sources") > 1e7
    assert [Path(name).stat().st_size > 10_000 for name in load_sources(settings(tmp_path / "home")).sources] == [
        True
    ] * 2
    with pytest.raises(subprocess.CalledProcessError):
        run_command(tmp_path / "home", "plan")


def test_the_exponent_says_by_which_power_cost_grows() -> None:
    assert exponent((100, 2.0), (1_000, 20.0)) == pytest.approx(1)
    costs = {100: {"join": Cost(1, 1, 50)}, 1_000: {"join": Cost(14.2, 15, 60)}, 10_000: {"join": Cost(142, 15, 60)}}
    assert table(costs).rows == (("join", "1.00, 50", "14.20, 60", "142.00, 60", "**1.15**", "1.00", "1.08"),)


def test_the_same_size_gives_the_same_feeds() -> None:
    assert feeds(90, CONCEPTS) == feeds(90, CONCEPTS) != feeds(90, CONCEPTS, seed=1)
    read = [parse(document, address) for address, document in feeds(SHOW + 20, CONCEPTS)]
    assert [len(feed.entries) for feed in read] == [SHOW, 20] and not any(feed.skipped for feed in read)
    notes = [entry.notes for feed in read for entry in feed.entries]
    assert 350 < sum(map(len, notes)) / len(notes) < 500  # what many notes of a small vocabulary share is left out
    assert 0.3 < sum("https://" in text for text in notes) / len(notes) < 0.5
    assert 0.1 < sum(" first." in text for text in notes) / len(notes) < 0.2
    assert GOALS == 40
