"""Which episodes a plan holds, in which order and why."""

from dataclasses import replace
from typing import Any

import pytest

from tests.graph.builds import graph
from tests.graph.plans import GRAPH, changed, plan, told
from torchatlas.graph.answers import Primer
from torchatlas.graph.errors import CycleError, UnknownName
from torchatlas.graph.model import Episode, Need, Requires

BELOW = "before Base, before Middle"
TRACED = "Compiler needs Tracing: it compiles what was traced."
BESIDE = "middle tracing views ~detail"  # Middle explains Views as well


def test_a_plan_holds_what_is_needed_before_the_goal_and_what_deepens_it_and_each_step_says_why() -> None:
    found = plan("compiler")
    assert told(found) == f"{BELOW}, goal Goal, deepens Deep" and found.minutes == 75 and found.goals == ("Compiler",)
    assert found.primer == (Primer("nobody", "Nobody", definition="What nobody is.", origin="curated"),)
    assert not found.gaps and not found.unmet and not found.notes
    assert [step.why for step in found.steps] == [
        "Tracing needs Views: traces are full of views.",
        TRACED,
        "This episode is about Compiler.",
        "Partitioner builds on Compiler.",
    ]
    _, middle, goal, _ = found.steps
    assert [(n.id, n.source) for n in goal.needs] == [("tracing", "middle"), ("views", "base")]
    assert [(t.id, t.at) for t in middle.teaches] == [("tracing", 0), ("detail", 60)]


@pytest.mark.parametrize(
    ("goals", "changes", "steps"),
    [
        # what is known is not planned, and neither is what lies below it or is a part of it
        ("compiler", {"known": "tracing"}, "goal Goal, deepens Deep"),
        ("partitioner", {"known": "whole"}, "goal Deep"),
        # what was heard makes its subject known, but not the parts of its subject
        ("compiler", {"heard": "again"}, "before Middle, goal Goal, deepens Deep"),
        ("partitioner", {"heard": "aside", "teaches": "aside island whole"}, "before Goal, goal Deep"),
        # who asks for something does not know it from what is above it, nor has heard it
        ("tracing", {"known": "compiler"}, "goal Middle"),
        ("tracing", {"known": "tracing"}, ""),
        ("tracing", {"known": "compiler", "heard": "goal middle"}, ""),
        ("tracing", {"heard": "goal"}, "goal Middle"),
        ("views", {"heard": "base"}, "goal Again"),
        # what a goal itself needs is met by an episode devoted to it; further below, by the fewest minutes
        ("compiler", {"teaches": "goal compiler tracing"}, f"{BELOW}, goal Goal"),
        ("compiler", {"teaches": BESIDE}, "before Middle, goal Goal, deepens Deep"),
        # of two as short, the one devoted to the concept is taken
        (
            "tracing",
            {
                "episodes": [Episode("also", "A", show="Show", number=-1, minutes=10), *GRAPH.episodes],
                "teaches": "also island views",
            },
            "before Base, goal Middle",
        ),
        ("middle", {}, "before Base, goal Middle"),
        # a part counts only where no episode has it as its subject
        ("detail", {}, "goal Middle"),
        # a declared order is never broken
        ("compiler", {"listen_after": "base middle"}, "before Middle, before Base, goal Goal, deepens Deep"),
        # what is worth it to the side subject of an episode is a sentence
        ("goal", {"requires": "compiler views worth", "teaches": "goal compiler island"}, "before Base, goal Goal"),
        ("goal", {"requires": "island views worth", "teaches": "goal compiler island"}, "goal Goal"),
    ],
)
def test_what_a_plan_holds_depends_on_what_is_known_heard_and_taught(
    goals: str, changes: dict[str, Any], steps: str
) -> None:
    assert told(plan(goals, **changes)) == steps


def test_who_knows_a_concept_need_not_know_what_a_statistic_puts_below_it() -> None:
    guess = Requires("compiler", "island", need="bridge", reason="named first", origin="inferred", confidence=0.8)
    for edge, steps in ((guess, "before Aside, goal Deep"), (replace(guess, origin="curated"), "goal Deep")):
        needs = [edge, Requires("partitioner", "island", need="hear", reason="r")]
        assert told(plan("partitioner", requires=needs, known="compiler")) == steps


def test_steps_lean_on_what_is_known() -> None:
    found = plan("compiler", known="tracing")
    assert found.known == ("Tracing",)
    assert [(n.id, n.source) for n in found.steps[0].needs] == [("tracing", "known"), ("views", "known")]


@pytest.mark.parametrize(
    ("goals", "changes", "title", "why"),
    [
        # a step tells of the need that only it meets
        *(
            ("compiler", {"teaches": "base views tracing, middle tracing detail", "requires": requires}, title, why)
            for requires in ["+ compiler detail: it is in it"]
            for title, why in (
                ("Base", "Tracing needs Views: traces are full of views."),
                ("Middle", "Compiler needs Detail: it is in it."),
            )
        ),
        ("detail", {"teaches": "middle tracing detail"}, "Middle", "This episode is about Detail."),
        # a step that meets a need of its own subject is there for the subject
        ("compiler", {"teaches": BESIDE}, "Middle", TRACED),
        # a need is a better reason than what a text asks for
        ("compiler", {"listen_after": "goal middle: earlier"}, "Middle", TRACED),
        ("middle", {}, "Middle", "You asked for this episode."),
        ("detail", {}, "Middle", "No episode is about Detail; this episode explains Detail beside its main subject."),
        ("whole", {}, "Goal", "No episode explains Whole; this episode explains Compiler, a part of Whole."),
    ],
)
def test_reasons(goals: str, changes: dict[str, Any], title: str, why: str) -> None:
    assert {step.title: step.why for step in plan(goals, **changes).steps}[title] == why


def test_what_a_plan_is_about_stands_before_the_other_subjects_of_an_episode() -> None:
    assert [t.id for t in plan("detail").steps[0].teaches] == ["detail", "tracing"]


@pytest.mark.parametrize(
    ("goals", "changes", "notes"),
    [
        (
            "compiler",
            {"heard": "goal"},
            "You have heard the episodes that explain Compiler; only episodes that deepen Compiler are left.",
        ),
        ("compiler", {"known": "compiler"}, "Compiler is already known, so the plan has no step for Compiler."),
        ("tracing", {"heard": "goal", "teaches": "middle"}, "You have heard the episodes that build on Tracing."),
        ("tracing", {"heard": "goal"}, ""),
        ("goal", {"heard": "goal"}, "You have heard Goal, so the plan has no step for Goal."),
        ("lost", {}, "No episode explains Lost; the steps lead up to Lost."),
        (
            "compiler",
            {"heard": "base again middle goal deep aside", "budget": 5},
            "You have heard the episodes that explain Compiler.",
        ),
    ],
)
def test_the_notes_say_what_was_heard_is_known_or_is_explained_by_nobody(
    goals: str, changes: dict[str, Any], notes: str
) -> None:
    found = plan(goals, **changes)
    assert "".join(found.remarks) == notes
    if "heard the episodes that explain" in notes:
        assert told(found) == ("deepens Deep" if "left" in notes else "") and not found.gaps and not found.routes


def test_a_post_is_no_step_of_a_plan() -> None:
    posts = [replace(e, kind="post") if e.id == "base" else e for e in GRAPH.episodes]
    assert told(plan("compiler", episodes=posts)).startswith("before Again")
    assert not plan("compiler", episodes=[replace(e, kind="post") for e in posts]).steps


def test_what_no_episode_teaches_is_a_gap_that_blocks_nothing() -> None:
    found = plan("lost")
    assert told(found) == BELOW and [g.id for g in found.gaps] == ["lost"]


@pytest.mark.parametrize(("need", "gaps", "primer"), [("hear", ["nobody"], []), ("worth", [], ["nobody"])])
def test_what_must_be_heard_and_has_no_episode_is_a_gap_and_what_is_worth_it_is_a_sentence(
    need: Need, gaps: list[str], primer: list[str]
) -> None:
    found = plan("compiler", requires=f"compiler nobody {need}, compiler tracing, tracing views")
    assert ([g.id for g in found.gaps], [p.id for p in found.primer]) == (gaps, primer)


def test_where_nobody_teaches_the_goal_the_closest_episode_stands_in() -> None:
    assert [(s.title, s.badge) for s in plan("whole").steps] == [
        ("Base", "before"),
        ("Middle", "before"),
        ("Goal", "nearest"),
    ]


@pytest.mark.parametrize(
    "relation",
    ["lost PART_OF detail", "lost EXTENDS detail", "detail IMPLEMENTED_WITH lost", "lost ALTERNATIVE_TO nobody"],
)
def test_what_nobody_teaches_is_met_where_its_kin_is_explained(relation: str) -> None:
    """The kin need not be what the episode is about in the first place; another relation must lead to a subject."""
    taught = "middle tracing nobody ~detail"
    assert told(plan("lost", teaches=taught, requires="", concept_relations=relation)) == "goal Middle"


def test_what_the_goal_requires_comes_first_in_the_primer() -> None:
    """Two steps take Common for granted, and no step is about what needs it; the goal itself requires Nobody."""
    found = plan("compiler", concepts="+ common", assumes="base common, middle common")
    assert [p.id for p in found.primer] == ["nobody", "common"]


def test_an_outdated_fact_and_a_bare_title_are_caveats() -> None:
    bare = Episode("goal", "Goal", show="Show", number=3, minutes=30, basis="title", dated=("Says X; now Y.",))
    step = plan("compiler", episodes=[e if e.id != bare.id else bare for e in GRAPH.episodes]).steps[2]
    assert step.caveats == ("Says X; now Y.", "the map knows this episode only by its title")


@pytest.mark.parametrize(
    ("asked", "kind"),
    [
        ({"goals": "nowhere"}, "concept or episode"),
        ({"goals": "views", "known": "nowhere"}, "concept"),
        ({"goals": "views", "heard": "nowhere"}, "episode"),
    ],
)
def test_what_is_unknown_is_refused(asked: dict[str, Any], kind: str) -> None:
    with pytest.raises(UnknownName, match=f"no {kind} .*nowhere"):
        plan(**asked)


def test_a_circle_is_refused() -> None:
    with pytest.raises(CycleError):
        plan("views", requires="+ views compiler bridge")


ASKS = "b a: Listen to it first., c b: Listen to it first., d c: Listen to it first."
SHOW = graph("locks", "a:10 b:10 c:10 d:10", listen_after=ASKS)


@pytest.mark.parametrize(
    ("goals", "changes", "steps"),
    [
        ("b", {}, "before A, goal B"),
        ("b", {"depth": "brief"}, "goal B"),
        # what that asks for in turn comes too, and no more
        ("d", {}, "before B, before C, goal D"),
        # what was heard or is known is not asked for again
        ("b", {"heard": "a"}, "goal B"),
        ("b", {"teaches": "a locks"}, "before A, goal B"),
        ("b", {"teaches": "a locks", "known": "locks"}, "goal B"),
        # a post is no step
        ("b", {"episodes": [Episode("a", "A", show="Show", kind="post"), *SHOW.episodes[1:]]}, "goal B"),
    ],
)
def test_what_an_episode_asks_to_hear_first_comes_before_it_without_any_vocabulary(
    goals: str, changes: dict[str, Any], steps: str
) -> None:
    found = plan(goals, SHOW, **changes)
    assert told(found) == steps
    for before, after in zip(found.steps, found.steps[1:], strict=False):
        assert before.why == f'{after.title} asks to hear {before.title} first: "Listen to it first".'


@pytest.mark.parametrize(
    ("goals", "changes", "title", "followed"),
    [
        # a goal follows what an episode about the goal asks for, and not one that only touches on the goal
        ("tracing", {"listen_after": "middle aside"}, "Aside", True),
        ("detail", {"listen_after": "middle aside"}, "Aside", False),
        ("compiler", {"listen_after": "middle aside"}, "Aside", False),  # on the way to it, Middle is heard as well
        ("island", {"refers_to": "aside listen_first deep: the one on parts"}, "Deep", True),
        ("island", {"refers_to": "aside continues deep: the one on parts"}, "Deep", False),
        ("island", {"refers_to": "aside more_in deep: the one on parts"}, "Deep", False),
    ],
)
def test_what_is_asked_for_is_followed_from_the_episodes_about_the_goal(
    goals: str, changes: dict[str, Any], title: str, followed: bool
) -> None:
    assert (title in told(plan(goals, **changes))) is followed


@pytest.mark.parametrize(("untaught", "reason"), [(False, "it is the heart of it"), (False, ""), (True, "so it is")])
def test_the_parts_of_a_whole_follow_it_with_what_they_need(untaught: bool, reason: str) -> None:
    """A part that no episode teaches is looked into for parts of its own."""
    between = "nobody" if untaught else "whole"
    found = plan(
        "whole",
        teaches="overview whole",
        episodes="+ overview:10",
        requires="compiler tracing, tracing views, partitioner compiler",
        concept_relations=f"compiler PART_OF {between}: {reason}, nobody PART_OF whole",
    )
    assert sorted(told(found).split(", ")) == ["before Base", "before Middle", "deepens Goal", "goal Overview"]
    assert told(found).index("Overview") < told(found).index("Goal")
    whole = "Nobody" if untaught else "Whole"
    assert found.steps[-1].why == f"Compiler is a part of {whole}{reason and ': '}{reason}."


@pytest.mark.parametrize(
    ("goals", "relations", "changes", "steps"),
    [
        # of what is inside an untaught part, the least demanding is taken
        (
            "island",
            "compiler PART_OF nobody, tracing PART_OF nobody, nobody PART_OF island",
            {},
            "goal Aside, before Base, deepens Middle",
        ),
        # what calls for no further episode is taken from inside: that on Partitioner explains what Partitioner needs
        (
            "island",
            "views PART_OF nobody, partitioner PART_OF nobody, nobody PART_OF island",
            {"teaches": "deep partitioner detail", "requires": "partitioner detail"},
            "goal Aside, deepens Deep, deepens Base",
        ),
        # a whole comes before its parts, also where an episode's side subject needs the part
        ("island", "views PART_OF island", {}, "goal Aside, deepens Base"),
        ("island", "views PART_OF island", {"teaches": "aside island tracing"}, "goal Aside, deepens Base"),
        # what a part needs is no part beside it
        (
            "island",
            "tracing PART_OF island, whole PART_OF island, views PART_OF whole",
            {},
            "goal Aside, before Base, deepens Middle",
        ),
        # what is worth it to a component is worth it to the whole, and what is worth it to that is a sentence
        (
            "island",
            "compiler PART_OF island",
            {"requires": "compiler tracing worth, tracing views worth"},
            "goal Aside, before Middle, deepens Goal",
        ),
        # a part that no episode teaches is not planned
        ("island", "nobody PART_OF island", {}, "goal Aside"),
        # a component that an episode is about beside: Deep is devoted to Partitioner, nothing to Detail
        (
            "goal",
            "partitioner PART_OF compiler",
            {"requires": "", "teaches": "goal compiler partitioner"},
            "goal Goal, deepens Deep",
        ),
        ("goal", "detail PART_OF compiler", {"requires": "", "teaches": "goal compiler detail"}, "goal Goal"),
        # what deepens a side subject of a goal's episode is not heard
        ("aside", "partitioner DEEPENS detail", {"teaches": "aside island detail"}, "goal Aside"),
        ("detail", "partitioner DEEPENS detail", {"teaches": "aside island detail"}, "goal Aside, deepens Deep"),
    ],
)
def test_what_deepens_a_goal_follows_it(goals: str, relations: str, changes: dict[str, Any], steps: str) -> None:
    found = plan(goals, concept_relations=relations, **changes)
    assert told(found) == steps and not found.gaps


def test_a_part_gets_an_episode_beside_those_of_the_goal() -> None:
    """Middle is about Views first, and about the goal as well."""
    found = plan("island", teaches="middle views island", concept_relations="views PART_OF island")
    assert [s.title for s in found.steps if s.role == "deepens"] == ["Base"]


def test_what_needs_a_goal_to_which_no_episode_is_devoted_deepens_the_goal() -> None:
    """Middle is about Tracing first, then about the goal; Aside's subject needs the goal, but not as its first one."""
    unloved = changed(teaches="middle tracing detail, aside island lost", concept_relations="")
    found = plan("detail", unloved, requires="lost detail worth: it hides there")
    assert told(found) == "goal Middle, deepens Aside"
    assert found.steps[1].why == "Lost builds on Detail: it hides there."
    for changes in (
        {"requires": "lost detail bridge"},
        {"requires": "lost detail worth, lost views"},  # calls for Base
        {"requires": "lost detail worth", "teaches": "deep detail"},
    ):
        assert "Aside" not in told(plan("detail", unloved, **changes))


def test_the_kinds_of_a_goal_deepen_it_where_no_episode_is_devoted_to_the_goal() -> None:
    """Views has an episode of its own; Lost is a side subject of Aside."""
    kinds = changed(teaches="aside island lost", requires="")
    found = plan("detail", kinds, concept_relations="views EXTENDS detail: so it is, lost EXTENDS detail")
    assert told(found) == "goal Middle, deepens Base"
    assert found.steps[1].why == "Views extends Detail: so it is."
    assert told(plan("detail", kinds, concept_relations="views EXTENDS detail declared")) == "goal Middle"
    assert told(plan("detail", kinds, teaches="again detail", concept_relations="views EXTENDS detail")) == "goal Again"


@pytest.mark.parametrize(
    ("need", "beside", "deepens"),
    [("hear", "~views", True), ("worth", "~views", False), ("bridge", "~views", False), ("hear", "", False)],
)
def test_an_episode_that_takes_the_goal_up_again_deepens_it_where_its_subject_must_be_heard_after(
    need: str, beside: str, deepens: bool
) -> None:
    found = told(plan("views", requires=f"island views {need}", teaches=f"aside island {beside}"))
    assert ("Aside" in found) is deepens and "Again" in found and "Base" in found


def test_what_a_person_judged_to_deepen_a_goal_follows_it_and_calls_for_nothing_else() -> None:
    """Partitioner needs Compiler, which needs Tracing: a sentence on each is enough, but not in a thorough plan."""
    judged = changed(concept_relations="partitioner DEEPENS island: it is its best example")
    found = plan("island", judged)
    assert told(found) == "goal Aside, deepens Deep" and [p.name for p in found.primer] == ["Compiler"]
    assert found.steps[-1].why == "Partitioner deepens Island: it is its best example."
    assert told(plan("island", judged, depth="brief")) == "goal Aside"
    assert told(plan("island", judged, known="partitioner")) == "goal Aside"
    assert told(plan("partitioner", judged)) == f"{BELOW}, before Goal, goal Deep"


TRACES = "compiler tracing worth: it compiles what was traced"
WORTH = changed(requires=f"tracing views, {TRACES}, partitioner compiler worth")


def test_what_is_worth_it_to_the_goal_is_heard_first_with_all_that_it_needs() -> None:
    found = plan("compiler", WORTH)
    assert told(found).startswith(f"{BELOW}, goal Goal")
    assert found.steps[1].why == "Tracing helps with Compiler: it compiles what was traced."


def test_what_is_worth_it_only_to_something_on_the_way_is_a_sentence() -> None:
    found = plan("partitioner", WORTH)
    assert told(found) == "before Goal, goal Deep" and [p.id for p in found.primer][:1] == ["tracing"]
    assert told(plan("partitioner", WORTH, depth="thorough")) == f"{BELOW}, before Goal, goal Deep"


def test_a_brief_plan_has_the_own_episodes_only_and_a_sentence_for_what_they_need() -> None:
    found = plan("compiler", depth="brief")
    assert told(found) == "goal Goal" and {"tracing", "views"} <= {p.id for p in found.primer}
    assert (found.depth, plan("compiler").depth) == ("brief", "usual")


def test_a_thorough_plan_has_also_what_deepens_the_goal_and_calls_for_more() -> None:
    """Deep calls for Aside, which no usual plan takes for the sake of what deepens it."""
    more = changed(requires="+ partitioner island")
    assert told(plan("compiler", more)) == f"{BELOW}, goal Goal"
    assert {"Deep", "Aside"} <= {s.title for s in plan("compiler", more, depth="thorough").steps}


def test_a_deeper_plan_keeps_the_episodes_of_the_one_before_where_others_would_be_shorter() -> None:
    """Again teaches Views and Island, and alone takes less time than Base and Aside."""
    more = changed(teaches="again views island", requires="+ tracing island worth")
    usual, thorough = ({s.title for s in plan("compiler", more, depth=depth).steps} for depth in ("usual", "thorough"))
    assert usual < thorough
