"""The library, what a person writes in a notebook: names, lists, a profile, quizzes, and a map of some shows alone."""

from dataclasses import replace
from pathlib import Path

import pytest

import torchatlas
from tests.atlas import of_two_shows, snapshot, stored
from tests.extract.cases import rows
from tests.graph.builds import edges, graph
from torchatlas.atlas import Atlas
from torchatlas.extract.candidates import TermCandidate
from torchatlas.graph.cypher import Parameter
from torchatlas.graph.errors import QueryError, UnknownName
from torchatlas.graph.model import EDGE_GROUPS, Concept, Episode, Requires, Show, Snapshot, Teaches
from torchatlas.graph.views import concept_card, episode_card, episode_rows, part_of_shows, show_named
from torchatlas.profile import Profile, change_profile
from torchatlas.queries import complete
from torchatlas.settings import load_settings
from torchatlas.ui.cli.hear import _quiz_lines
from torchatlas.ui.plans import rows_markdown


@pytest.fixture
def atlas(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Atlas:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return torchatlas.open()


def fixed(graph: Snapshot, profile: Profile | None = None) -> Atlas:
    """An atlas of a graph that no store holds."""
    kind = type("Fixed", (Atlas,), {"graph": graph, "profile": profile or Profile()})
    return kind(load_settings("memory:"))


def test_names_are_resolved_and_values_come_out(atlas: Atlas) -> None:
    with atlas:
        plan = atlas.plan("VIEW", known=["strides"], budget=60)
        assert plan.steps[-1].episode_id == "show-view" and plan == atlas.plan("view", known="strides", budget=60)
        assert "# Listening path" in plan._repr_markdown_()
        assert atlas.related("On view") == atlas.related("3") == atlas.related(3)
        assert atlas.plan(3, heard=[2]) == atlas.plan("show-view", heard="On strides") == atlas.plan(3, heard=2)
        assert atlas.concept("views").id == "view" and atlas.search("strides")[0].id == "strides"
        assert atlas.explain("tensor", "strides").chain and not atlas.explain("strides", "tensor").chain
        assert atlas.query("MATCH (c:Concept {id: $id}) RETURN c.area", {"id": "view"}).rows == (("Tensors",),)
        assert atlas.nodes(atlas.query("MATCH (c:Concept {id: 'view'}) RETURN c")) == ("view",)
        assert atlas.schema().nodes and atlas.gaps() and atlas.questions()
    with pytest.raises(AttributeError, match="nothing"):
        torchatlas.nothing  # noqa: B018


NOTHING = """plan() => a plan needs a goal: name a concept or an episode
    plan('view', budget=0) => the budget in minutes must be at least 1, not 0
    plan(-1) => the number of an episode must be at least 0, not -1
    begin(-1) => the number of an episode must be at least 0, not -1
    related('On view', -1) => the limit must be at least 1, not -1
    query('RETURN 1', rows=0) => the limit of rows must be at least 1, not 0
    query('RETURN 1', seconds=-1) => the limit of seconds must be at least 0.001, not -1
    ask('before', {'concept': None}) => the question before wants a value for concept
    ask('before', {'concept': ''}) => the question before wants a value for concept
    add() => no feed is named: give its address or file, or an OPML list
    import_pages() => no page is named: give the file of a saved page
    extract() => no feed is named: give its address or file
    concept('nobody at all') => no concept is called 'nobody at all'"""


@pytest.mark.parametrize(("call", "says"), rows(NOTHING))
def test_an_argument_that_asks_for_nothing_is_an_error(atlas: Atlas, call: str, says: str) -> None:
    with atlas, pytest.raises(torchatlas.AtlasError) as raised:
        eval(f"atlas.{call}", {"atlas": atlas})
    assert str(raised.value).startswith(says)


def test_what_a_budget_leaves_out_of_a_quiz_is_not_saved(atlas: Atlas) -> None:
    nothing = atlas.quiz("aotautograd", budget=30)
    assert nothing.plan.minutes <= 30 < atlas.plan("aotautograd").minutes and nothing.saved == 0
    for limits in ({"budget": 30}, {"split": "2x20m"}):
        limited = atlas.quiz("aotautograd", yes="On strides", **limits)
        assert limited.saved == atlas.quiz("aotautograd", yes="On strides").saved > 0


@pytest.mark.parametrize(
    ("unknown", "saved", "asked"),
    [("show-strides", 9, False), ("show-dispatcher", 18, True), ("show-aotautograd", 18, False)],
)
def test_the_minutes_of_a_quiz_are_estimated_where_a_length_is_unknown(unknown: str, saved: int, asked: bool) -> None:
    episodes = tuple(replace(e, minutes=None if e.id == unknown else 9) for e in snapshot().episodes)
    atlas = fixed(replace(snapshot(), episodes=episodes))
    found = atlas.quiz("aotautograd", yes="On strides")
    assert found.saved == saved and not found.estimated
    assert found.check and found.check.id == "show-dispatcher" and found.check.estimated == asked
    (line,) = (line for line in _quiz_lines(found, atlas.graph.episode_names, None) if line.startswith("That saves "))
    assert line == f"That saves {saved} min of 1 h 03 min."


def test_what_a_person_knows_is_kept_and_counts(atlas: Atlas) -> None:
    assert "tensor idea" in fixed(snapshot(), Profile(known=("tensor",))).plan("strides").known
    assert atlas.know("tensor") == ("tensor",) and atlas.profile.known == ("tensor",)
    assert "tensor idea" in atlas.plan("strides").known
    assert atlas.know(forget=True) == atlas.know() == ("tensor",)
    assert atlas.know("tensor", forget=True) == ("tensor",) and not atlas.profile.known


def test_lists_are_in_one_order_and_begin_with_the_example_of_a_question(atlas: Atlas) -> None:
    assert list(atlas.graph.episode_names)[:2] == ["show-tensor", "show-strides"]
    assert atlas.graph.episode_names["show-view"] == "#3 On view" and atlas.graph.areas[0] == "Autograd"
    assert list(atlas.graph.concept_names.values()) == sorted(atlas.graph.concept_names.values(), key=str.casefold)
    named = Parameter("episode", "episode", example="3", description="")
    assert list(atlas.choices(named))[:2] == ["show-view", "show-tensor"]
    assert next(iter(atlas.choices(replace(named, type="concept", example="VIEWS")))) == "view"
    assert atlas.choices(replace(named, type="area")) == {area: area for area in atlas.graph.areas}
    assert list(atlas.choices(replace(named, example="nope"))) == list(atlas.graph.episode_names)
    assert atlas.choices(replace(named, type="string")) == {}
    assert [text for text, *_ in complete("MATCH (c {id: 'stri", atlas.graph)] == ["strides", "show-strides"]


def test_lists_are_short_enough_to_read_in_a_notebook(atlas: Atlas) -> None:
    questions, found = atlas.questions()._repr_markdown_(), atlas.search("strides")
    assert questions.startswith("| name | title | parameters |\n") and "MATCH" not in questions
    assert "| before | " in questions and " | concept=aotautograd |" in questions
    assert "| x |" not in atlas.concepts("view")._repr_markdown_() and "| kind | id |" in found._repr_markdown_()
    candidate = TermCandidate("lamp", 2, score=1.0, episodes=("e",), field="title", start=0, end=4, quote="Lamps")
    assert rows_markdown([candidate]).startswith("| text | count | score | episodes | quote |\n")


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


def test_a_notebook_shows_a_card_as_facts_and_tables() -> None:
    found = graph(
        (Concept("view", "view", area="Tensors", aliases=("as_strided", "slice")),),
        (Episode("a/y", "Views", show="Show A", number=8),),
        teaches=(Teaches("a/y", "view", depth="main", at=66),),
    )
    concept, episode = concept_card(found, "view")._repr_markdown_(), episode_card(found, "a/y")._repr_markdown_()
    table = "| name | why |\n| --- | --- |\n| {} | main subject, explained at 1:06 |"
    assert r"- aliases: as\_strided; slice" in concept and f"**Explained in**\n\n{table.format('#8 Views')}" in concept
    assert "- facts: Show A; episode 8; length unknown" in episode and table.format("view") in episode


def test_a_card_leaves_out_what_repeats_a_relation_and_has_the_reason_of_a_need_before_its_degree() -> None:
    needs = edges("requires", "d o bridge: an operator has many kernels")
    found = graph(
        requires=(*needs, Requires("d", "k", need="bridge", reason="")),
        concept_relations="d USES k: D uses K, d USES o: each operator has a table of kernels",
    )
    others = [(row.name, row.why) for row in concept_card(found, "d").others]
    assert others == [("K", "uses"), ("O", "uses; each operator has a table of kernels")]
    assert concept_card(found, "k").others[0].why == "used by"
    degrees = {"O": "an operator has many kernels (a sentence is enough)", "K": "a sentence is enough"}
    assert {row.name: row.why for row in concept_card(found, "d").needs} == degrees


@pytest.mark.parametrize(
    ("episodes", "names"),
    [  # title, show, number, day, season: alike in two shows, without a number or with one twice, of two seasons
        ("Strides B -, Strides A 7, Views A 8", "#7 Strides (A), #8 Views, Strides (B)"),
        ("Ada S - 2024-03-01, Bo S - 2024-01-01, Cy S 1 2025-01-01, Di S 1 2024-02-01", "Bo, Ada, #1 Di, #1 Cy"),
        ("T S 1 - 2, T S 2 - 1, T S 1 - 1", "S1 E1 T (S), S1 E2 T (S), S2 E1 T (S)"),
    ],
)
def test_episodes_are_told_apart_and_stand_in_one_order(episodes: str, names: str) -> None:
    made = []
    for n, row in enumerate(episodes.split(", ")):
        title, show, number, day, season = [None if word == "-" else word for word in [*row.split(), "-", "-"][:5]]
        facts = {"number": int(number) if number else None, "season": int(season) if season else None}
        made.append(Episode(str(n), str(title), show=str(show), published=day, **facts))
    assert ", ".join(Snapshot(episodes=tuple(made)).episode_names.values()) == names


OTHER = {"show-more-0", "show-more-1", "show-more-2", "show-hostile"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return stored(tmp_path_factory.mktemp("home"), of_two_shows())


@pytest.fixture
def shows(place: dict[str, str]) -> Atlas:
    """An atlas of two shows."""
    return Atlas(load_settings(environment=place))


def test_a_part_is_a_graph_of_its_own_with_every_concept_at_its_place() -> None:
    graph = of_two_shows()
    part = part_of_shows(graph, ["other-show"])
    assert set(part.episode) == OTHER and part.concepts == graph.concepts and part.requires == graph.requires
    assert [link.id for link in part.links] == ["bad"] and [show.id for show in part.shows] == ["other-show"]
    assert not part.listen_after and not part.refers_to and not part.related_to
    assert part_of_shows(graph, ["other-show", "the-show"]) == graph
    kept = {"requires": graph.requires, "concept_relations": graph.concept_relations}
    assert part_of_shows(graph, []) == Snapshot(graph.concepts, **kept)
    assert all(set(getattr(part, group)) <= set(getattr(graph, group)) for group in EDGE_GROUPS)


def test_plans_lists_and_searches_of_a_show_know_no_other_episodes_and_the_graph_is_loaded_once(shows: Atlas) -> None:
    with shows:
        other, whole = shows.of_shows("other-show"), shows.of_shows()
        assert other.whole_graph is shows.whole_graph and other.store is shows.store and whole.graph is shows.graph
        assert other.shows() == shows.shows()
        assert set(other.graph.episode_names) == {row.id for row in episode_rows(other.graph)} == OTHER
        assert [step.episode_id for step in other.plan("extra 1").steps] == ["show-more-0"]
        assert not other.plan("aotautograd idea").steps and shows.plan("aotautograd idea").steps
        assert {hit.id for hit in other.search("On view") if hit.kind == "episode"} <= OTHER
        assert {row.episode_id for row in other.related("More 1")} <= OTHER
        with pytest.raises(UnknownName):
            other.episode("show-view")
        assert [kind.count for kind in other.schema().nodes] == [kind.count for kind in shows.schema().nodes]
        assert other.of_shows("the-show").graph.episode.keys().isdisjoint(OTHER)


def test_episodes_of_other_shows_can_be_named_as_heard_and_count_by_what_they_taught(shows: Atlas) -> None:
    with shows:
        show, other = shows.of_shows("The Show"), shows.of_shows("other-show")
        assert "show-tracing" in [step.episode_id for step in show.plan("show-aotautograd").steps]
        change_profile(shows.settings, lambda profile: profile.having("heard", ["show-more-0"]))
        assert show.plan("extra 1").known == ("extra 1",)
        ready = [s.name for s in shows.what_next().ready if s.id not in OTHER]
        assert [s.name for s in show.what_next().ready] == ready
        change_profile(shows.settings, lambda profile: profile.lacking("heard", ["show-more-0"]))
        for name in (20, "More 0", "show-more-0"):
            assert show.plan("extra 1", heard=name).known == ("extra 1",)
            assert other.plan("tensor idea", heard=[name, 1]).known == ("tensor idea",)
        with pytest.raises(UnknownName, match="no episode is called 'More 77'"):
            show.plan("extra 1", heard="More 77")
        assert 2 not in {step.number for step in show.plan("aotautograd idea", heard=[20, 2]).steps}


def test_a_name_that_several_shows_have_means_an_episode_of_the_one_that_is_chosen(tmp_path: Path) -> None:
    graph = of_two_shows()
    alike = tuple(replace(e, title="On view", number=3) if e.id == "show-more-0" else e for e in graph.episodes)
    with Atlas(load_settings(environment=stored(tmp_path, replace(graph, episodes=alike)))) as atlas:
        for name in (3, "On view"):
            assert atlas.of_shows("other-show").plan("extra 1", heard=name).steps == ()
            assert atlas.of_shows("The Show").plan("extra 1", heard=name).known == ()


def test_rows_without_an_episode_of_the_chosen_show_name_the_show(shows: Atlas) -> None:
    with shows:
        show = shows.of_shows("The Show")
        rows = show.query("MATCH (e:Episode {id: 'show-more-0'}) RETURN e")
        assert shows.nodes(rows) == ("show-more-0",)
        with pytest.raises(QueryError, match="no concept and no episode of The Show in 1 row:"):
            show.nodes(rows)


def test_a_show_goes_by_id_title_or_a_part_that_one_has_and_a_title_without_a_letter_is_that_title_alone() -> None:
    marks = Snapshot(shows=(Show("marks", "!!!"), Show("hum", "Hum")))
    for whole, name, meant in (
        *((of_two_shows(), name, "the-show") for name in ("the-show", "The Show", "the SHOW", "THE show!")),
        (of_two_shows(), "onerror", "other-show"),
        (marks, " !!! ", "marks"),
    ):
        assert show_named(whole, name) == meant
    for whole, name in (*((of_two_shows(), name) for name in ("", "o", "another podcast")), (marks, "???")):
        with pytest.raises(UnknownName, match="no show is called"):
            show_named(whole, name)
