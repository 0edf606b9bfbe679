"""The tools themselves: what a list leaves out is told, the atlas is loaded once, and the page starts what there is."""

import json
import shlex
from dataclasses import replace
from pathlib import Path

from tests.atlas import snapshot
from tests.doc_sessions import ROOT, blocks
from tests.ui.assistant.conftest import tools
from tests.ui.cli.commands import COMMANDS
from torchatlas.atlas import Atlas
from torchatlas.graph.answers import Hit, Plan, Route, Understood
from torchatlas.graph.planning.plan import make_plan
from torchatlas.graph.views import concept_card
from torchatlas.settings import load_settings
from torchatlas.ui.mcp import PlanAnswer, Tools, address

WHOLE = snapshot()
PLAN = make_plan(WHOLE, ["aotautograd"])


def plan_answer(plan: Plan) -> PlanAnswer:
    return tools(WHOLE, plan=plan).plan(("aotautograd",))


def test_what_a_plan_leaves_out_is_told_list_by_list() -> None:
    first, _, *others = PLAN.steps
    long = replace(first, teaches=first.teaches[:1] * 8, caveats=("Moved.",) * 4)
    goals = Understood("", tuple(f"goal-{n}" for n in range(12)), how="name")
    routes = (Route("shortest", "x", steps=()),) * 11
    plan = replace(PLAN, steps=(long, replace(long, number=2), *others), routes=routes, understood=(goals,))
    answer = plan_answer(plan)
    assert answer.left_out == (
        "Left out: 4 more explained concepts, 2 more notes, 1 more other route and 2 more linked goals."
    )
    assert len(answer.steps[0].explains) == 6 and len(answer.steps[0].notes) == 3 and len(answer.other_routes) == 10
    assert plan_answer(PLAN).left_out == ""


def test_source_files_that_are_left_out_of_a_concept_are_told() -> None:
    card = replace(concept_card(WHOLE, "view"), source_paths=tuple(f"aten/{n}.cpp" for n in range(13)))
    answer = tools(WHOLE, concept=card).concept("view")
    assert len(answer.source_files) == 10 and answer.left_out == "Left out: 3 more source files."


def test_a_search_names_an_episode_by_number_and_title() -> None:
    ids = {"concept": "view", "episode": "show-view"}
    hits = [Hit(kind, id_, name="", matched="", score=1.0) for kind, id_ in ids.items()]
    found = tools(WHOLE, search=hits).search("view", 2).found
    assert [row.name for row in found] == ["__torch_function__", "#3 On view"]


def test_an_address_leaves_as_it_was_given() -> None:
    given = "https://example.org/wiki/Tape_(film)?tag=[a]*'b'&c=%C3%A9+d"
    step = replace(PLAN.steps[0], url=given)
    assert plan_answer(replace(PLAN, steps=(step,))).steps[0].episode == given
    broken = replace(step, url="https://example.org/a b\n\x1bc")
    assert plan_answer(replace(PLAN, steps=(broken,))).steps[0].episode == "https://example.org/a%20b%0Ac"


def test_a_graph_is_loaded_once_also_where_it_was_built_first(tmp_path: Path) -> None:
    (tmp_path / "sources.toml").write_text("shipped = false\n", "utf-8")
    item = "<item><title>Gears</title><guid>1</guid></item>"
    (tmp_path / "hum.xml").write_text(f"<rss version='2.0'><channel><title>Hum</title>{item}</channel></rss>", "utf-8")
    settings = load_settings(environment={"TORCHATLAS_HOME": str(tmp_path)})
    with Atlas(settings) as atlas:
        current = Tools(atlas, 8501)
        first = current.atlas.graph
        assert current.atlas.graph is first and not first.episodes
        with Atlas(settings) as other:
            other.add(str(tmp_path / "hum.xml"))
        second = current.atlas.graph
        assert current.atlas.graph is second is not first
        assert [episode.title for episode in second.episodes] == ["Gears"]


def test_every_configuration_starts_the_command_or_names_its_address() -> None:
    (port,) = (option.default for option in COMMANDS["mcp"].params if option.name == "port")
    page = (ROOT / "docs" / "assistant.md").read_text("utf-8")
    found = [json.loads(text) for _, text in blocks(page, "json")]
    assert [set(configuration) for configuration in found] == [{"mcpServers"}, {"servers"}, {"mcpServers"}]
    for entry in (entry for configuration in found for servers in configuration.values() for entry in servers.values()):
        assert entry.get("url") == address(port) or [entry["command"], *entry["args"]] == ["torchatlas", "mcp"]
    ((_, shell),) = blocks(page, "sh")
    assert shlex.split(shell)[-3:] == ["--", "torchatlas", "mcp"]
