"""The library: what a person writes in a notebook."""

from dataclasses import replace

import pytest

import torchatlas
from torchatlas.atlas import Atlas
from torchatlas.graph.cypher.questions import Parameter


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
        with pytest.raises(torchatlas.AtlasError, match="at least 1 minute, not 0"):
            atlas.plan("view", budget=0)
        assert atlas.concept("views").id == "view" and atlas.search("strides")[0].id == "strides"
        assert atlas.explain("tensor", "strides").chain and not atlas.explain("strides", "tensor").chain
        assert atlas.query("MATCH (c:Concept {id: $id}) RETURN c.area", {"id": "view"}).rows == (("Tensors",),)
        assert atlas.nodes(atlas.query("MATCH (c:Concept {id: 'view'}) RETURN c")) == ("view",)
        assert atlas.schema().nodes and atlas.gaps() and atlas.questions()
        assert "| kind | id |" in atlas.search("strides")._repr_markdown_()


def test_what_a_person_knows_is_kept_and_counts(atlas: Atlas) -> None:
    assert atlas.know("tensor") == ("tensor",) and atlas.profile.known == ("tensor",)
    assert "tensor idea" in atlas.plan("strides").known
    assert atlas.know("tensor", forget=True) == ("tensor",) and not atlas.profile.known


def test_lists_are_in_one_order_and_begin_with_the_example_of_a_question(atlas: Atlas) -> None:
    assert list(atlas.episode_names())[:2] == ["show-tensor", "show-strides"]
    assert atlas.episode_names()["show-view"] == "#3 On view" and atlas.areas()[0] == "Autograd"
    assert list(atlas.concept_names().values()) == sorted(atlas.concept_names().values(), key=str.casefold)
    assert atlas.most_explained(1)[0].why == "explained in 2 episodes"
    named = Parameter("episode", "episode", example="3", description="")
    assert list(atlas.choices(named))[:2] == ["show-view", "show-tensor"]
    assert next(iter(atlas.choices(replace(named, type="concept", example="VIEWS")))) == "view"
    assert atlas.choices(replace(named, type="area")) == {area: area for area in atlas.areas()}
    assert list(atlas.choices(replace(named, example="nope"))) == list(atlas.episode_names())
    assert atlas.choices(replace(named, type="string")) == {}
    assert [c.text for c in atlas.complete("MATCH (c {id: 'stri")] == ["strides", "show-strides"]


def test_the_inputs_are_read_at_the_first_question_only(atlas: Atlas) -> None:
    with atlas:
        assert atlas.query("RETURN 1 AS n").rows == ((1,),)
        atlas.settings.sources_list.write_text("model = 3", "utf-8")
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
