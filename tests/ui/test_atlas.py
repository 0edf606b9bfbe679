"""The library: what a person writes in a notebook."""

import pytest

import torchatlas
from torchatlas.atlas import Atlas


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
        assert atlas.related("On view") == atlas.related("3")
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


def test_a_wrong_name_is_an_atlas_error(atlas: Atlas) -> None:
    with pytest.raises(torchatlas.AtlasError, match="no concept is called"):
        atlas.concept("nobody at all")


def test_the_package_offers_only_what_it_names() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        torchatlas.nothing  # noqa: B018
