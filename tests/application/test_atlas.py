"""The library: what a person writes in a notebook."""

from dataclasses import replace
from typing import Any

import pytest

import torchatlas
from tests.atlas import snapshot
from torchatlas.atlas import Atlas
from torchatlas.extract.candidates import TermCandidate
from torchatlas.graph.cypher import Parameter
from torchatlas.profile import Profile
from torchatlas.queries import complete
from torchatlas.settings import load_settings
from torchatlas.ui.cli.hear import _quiz_lines
from torchatlas.ui.plans import rows_markdown


@pytest.fixture
def atlas(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Atlas:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return torchatlas.open()


def test_names_are_resolved_and_values_come_out(atlas: Atlas) -> None:
    with atlas:
        plan = atlas.plan("VIEW", known=["strides"], budget=60)
        assert plan.steps[-1].episode_id == "show-view"
        assert "# Listening path" in plan._repr_markdown_()
        assert atlas.related("On view") == atlas.related("3") == atlas.related(3)
        assert atlas.plan(3, heard=[2]) == atlas.plan("show-view", heard=["On strides"])
        assert atlas.concept("views").id == "view" and atlas.search("strides")[0].id == "strides"
        assert atlas.explain("tensor", "strides").chain and not atlas.explain("strides", "tensor").chain
        assert atlas.query("MATCH (c:Concept {id: $id}) RETURN c.area", {"id": "view"}).rows == (("Tensors",),)
        assert atlas.nodes(atlas.query("MATCH (c:Concept {id: 'view'}) RETURN c")) == ("view",)
        assert atlas.schema().nodes and atlas.gaps() and atlas.questions()
        assert "| kind | id |" in atlas.search("strides")._repr_markdown_()


@pytest.mark.parametrize(
    ("method", "arguments", "limits", "says"),
    [
        ("plan", (), {}, "a plan needs a goal: name a concept or an episode"),
        ("plan", ("view",), {"budget": 0}, "the budget in minutes must be at least 1, not 0"),
        ("plan", (-1,), {}, "the number of an episode must be at least 0, not -1"),
        ("begin", (-1,), {}, "the number of an episode must be at least 0, not -1"),
        ("related", ("On view", -1), {}, "the limit must be at least 1, not -1"),
        ("search", ("view", 0), {}, "the limit must be at least 1, not 0"),
        ("most_explained", (0,), {}, "the limit must be at least 1, not 0"),
        ("query", ("RETURN 1",), {"rows": 0}, "the limit of rows must be at least 1, not 0"),
        ("query", ("RETURN 1",), {"seconds": -1}, "the limit of seconds must be at least 0.001, not -1"),
        ("ask", ("before", {"concept": "view"}), {"rows": 0}, "the limit of rows must be at least 1, not 0"),
        ("add", (), {}, "no feed is named: give its address or file, or an OPML list"),
        ("import_pages", (), {}, "no page is named: give the file of a saved page"),
        ("extract", (), {}, "no feed is named: give its address or file"),
    ],
)
def test_an_argument_that_asks_for_nothing_is_an_atlas_error(
    atlas: Atlas, method: str, arguments: tuple[Any, ...], limits: dict[str, Any], says: str
) -> None:
    with atlas, pytest.raises(torchatlas.AtlasError) as raised:
        getattr(atlas, method)(*arguments, **limits)
    assert str(raised.value) == says


def test_a_single_name_stands_for_a_list_of_one(atlas: Atlas) -> None:
    assert atlas.plan("view", known="strides") == atlas.plan("view", known=["strides"])
    assert atlas.plan("view", heard="On strides") == atlas.plan("view", heard=2) == atlas.plan("view", heard=[2])


@pytest.mark.parametrize("missing", [None, "", " "])
def test_a_question_asks_for_the_value_that_is_missing(atlas: Atlas, missing: str | None) -> None:
    with pytest.raises(torchatlas.AtlasError, match="wants a value for concept"):
        atlas.ask("before", {"concept": missing})


def test_what_a_budget_leaves_out_of_a_quiz_is_not_saved(atlas: Atlas) -> None:
    nothing = atlas.quiz("aotautograd", budget=30)
    assert nothing.plan.minutes <= 30 < atlas.plan("aotautograd").minutes and nothing.saved == 0
    for limits in ({"budget": 30}, {"split": "2x20m"}):
        limited = atlas.quiz("aotautograd", yes="On strides", **limits)
        assert limited.saved == atlas.quiz("aotautograd", yes="On strides").saved > 0


def test_an_atlas_of_any_graph_tells_its_graph_and_profile() -> None:
    class Fixed(Atlas):
        graph = snapshot()
        profile = Profile(known=("tensor",))

    fixed = Fixed(load_settings("memory:"))
    assert fixed.search("VIEWS")[0].id == "view" and "tensor idea" in fixed.plan("strides").known


@pytest.mark.parametrize(("unknown", "saved", "asked"), [("show-strides", True, False),
                                                         ("show-dispatcher", False, True),
                                                         ("show-aotautograd", False, False)])  # fmt: skip
def test_the_minutes_of_a_quiz_are_estimated_where_a_length_is_unknown(unknown: str, saved: bool, asked: bool) -> None:
    class Fixed(Atlas):
        graph = replace(
            snapshot(), episodes=tuple(replace(e, minutes=None if e.id == unknown else 9) for e in snapshot().episodes)
        )
        profile = Profile()

    fixed = Fixed(load_settings("memory:"))
    found = fixed.quiz("aotautograd", yes="On strides")
    assert found.saved == 18 and found.estimated == saved
    assert found.check and found.check.id == "show-dispatcher" and found.check.estimated == asked
    (line,) = (line for line in _quiz_lines(found, fixed.episode_names(), None) if line.startswith("That saves "))
    assert line == f"That saves {'~' if saved else ''}18 min of ~1 h 12 min."


def test_a_part_of_a_list_is_a_list_that_a_notebook_shows(atlas: Atlas) -> None:
    found = atlas.search("strides")
    assert found[:1]._repr_markdown_().count("\n") == 2 and found[0] == found[:1][0]


def test_lists_of_questions_and_concepts_are_short_enough_to_read(atlas: Atlas) -> None:
    questions = atlas.questions()._repr_markdown_()
    assert questions.startswith("| name | title | parameters |\n") and "MATCH" not in questions
    assert "| before | " in questions and " | concept=aotautograd |" in questions
    assert "| x |" not in atlas.concepts("view")._repr_markdown_()
    candidate = TermCandidate("lamp", 2, score=1.0, episodes=("e",), field="title", start=0, end=4, quote="Lamps")
    assert rows_markdown([candidate]).startswith("| text | count | score | episodes | quote |\n")


def test_what_a_person_knows_is_kept_and_counts(atlas: Atlas) -> None:
    assert atlas.know("tensor") == ("tensor",) and atlas.profile.known == ("tensor",)
    assert "tensor idea" in atlas.plan("strides").known
    assert atlas.know(forget=True) == atlas.know() == ("tensor",)
    assert atlas.know("tensor", forget=True) == ("tensor",) and not atlas.profile.known


def test_lists_are_in_one_order_and_begin_with_the_example_of_a_question(atlas: Atlas) -> None:
    assert list(atlas.episode_names())[:2] == ["show-tensor", "show-strides"]
    assert atlas.episode_names()["show-view"] == "#3 On view" and atlas.graph.areas[0] == "Autograd"
    assert list(atlas.concept_names().values()) == sorted(atlas.concept_names().values(), key=str.casefold)
    assert atlas.most_explained(1)[0].why == "explained in 2 episodes"
    named = Parameter("episode", "episode", example="3", description="")
    assert list(atlas.choices(named))[:2] == ["show-view", "show-tensor"]
    assert next(iter(atlas.choices(replace(named, type="concept", example="VIEWS")))) == "view"
    assert atlas.choices(replace(named, type="area")) == {area: area for area in atlas.graph.areas}
    assert list(atlas.choices(replace(named, example="nope"))) == list(atlas.episode_names())
    assert atlas.choices(replace(named, type="string")) == {}
    assert [c.text for c in complete("MATCH (c {id: 'stri", atlas.graph)] == ["strides", "show-strides"]


def test_the_inputs_are_read_at_the_first_question_only(atlas: Atlas) -> None:
    with atlas:
        assert atlas.query("RETURN 1 AS n").rows == ((1,),)
        atlas.settings.sources_list.write_text("title = 3", "utf-8")
        try:
            assert atlas.query("RETURN 2 AS n").rows == ((2,),)
            with pytest.raises(torchatlas.AtlasError, match="must be a text"):
                Atlas(atlas.settings).query("RETURN 1 AS n")
        finally:
            atlas.settings.sources_list.unlink()


def test_a_wrong_name_is_an_atlas_error(atlas: Atlas) -> None:
    with pytest.raises(torchatlas.AtlasError, match="no concept is called"):
        atlas.concept("nobody at all")


def test_the_package_offers_only_what_it_names() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        torchatlas.nothing  # noqa: B018
