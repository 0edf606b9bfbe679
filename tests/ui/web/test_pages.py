"""Every page without a browser: what it says, what a click or a choice does to it, and what the address remembers."""

import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from tests.atlas import HOSTILE, snapshot, stored
from tests.doc_sessions import ROOT
from tests.ui.cli.commands import done
from tests.ui.walks import Steps, walks
from tests.ui.web.conftest import Open, links, picture, press, shown, walk
from torchatlas.atlas import Atlas
from torchatlas.extract import catalogue
from torchatlas.graph.errors import DataError
from torchatlas.graph.findings import Journey
from torchatlas.graph.model import Episode, RelatedTo, Snapshot
from torchatlas.settings import load_settings
from torchatlas.sources import load_sources
from torchatlas.ui.plans import FORMATS
from torchatlas.ui.web import cache, objections, parts
from torchatlas.ui.web.state import page_title

EXPLORE = r"""
The panel of a map at rest speaks of what is shown
explore?show=episodes&order=time => 12 episodes, from left to right as they came out | !Blue dots | click a square

The first page asks for a goal and draws the route to it
explore => What do you want to understand? | 12 podcast episodes | [autograd idea · 50 min]path=autograd
goal_box = taping => ?path=autograd | #route=show-tensor show-strides show-view show-autograd
=> "taping" is another name of autograd idea
> Leave the route => What do you want to understand?
goal_box = show-more-0 => ?node=show-more-0 | Related episodes | !Leave the route

A path that is begun comes first
profile: goals = ["view"]
explore => 0 of 3 heard, 0 min of 36 min on the way to

The address chooses the concept
explore?node=autograd => #selected=autograd | #lit=autograd view dispatcher show-autograd | autograd idea
=> What autograd is | Needs first | Leads to | explained at 4:26

A neighbourhood is a picture of its own
explore?node=view&radius=1 => #centre=view | #lit= | #nodes view strides autograd tensor show-view
=> What it needs lies below

What the address does not know is ignored
explore?node=nothing&area=nowhere&show=<b>&radius=7&path=nowhere => #selected= | #route= | #nodes show-view view
=> “nothing” | in this graph

The box finds concepts and episodes
explore => @search_box has On strides | @search_box has strides idea
search_box = show-view => ?node=show-view | @search_box= | Related episodes | #lit show-strides

Lists beside the map name episodes by number and title
explore?find=All of strides. => \#2 On strides
explore?node=show-view => \#2 On strides
explore?find=On strides => ▶ \#2 On strides

Other words are searched for and hits say what they are
explore?find=stridess => Found for | What strides is | #lit strides
> Concepts and episodes:strides:0 => ?node=strides
> Back to what was found => Found for | ?node=
explore?find=zzzzqqqq => Nothing

What was searched for stays in the box until the search ends
explore?find=stridess => @search_box=stridess
search_box = autograd => ?node=autograd | ?find= | @search_box=
explore?find=stridess
> Clear the search => ?find= | @search_box=
explore?find=stridess
search_box = - => ?find= | How to read the map | [Add a podcast, blog or channel]

A hit that no episode touches is on the map
explore?find=extra 20 => #lit extra-20 | #nodes extra-20

A choice outside of the filters is told and can be shown
explore?node=autograd&area=Tensors => autograd idea is outside of what is shown
> Show it => ?area= | !outside of what is shown

A route follows its plan and can be left
explore?path=view => #route=show-tensor show-strides show-view | 3 episodes, 36 min | !Map of
=> 1.** \#1 On | 2.** \#2 On | 3.** \#3 On
> stop:show-strides => #selected=show-strides | Route to __torch_function__, stop 2 of 3 | All of strides
> stop:Next => ?node=show-view | stop 3 of 3 | On strides ›
> route_list => ?node= | 3 episodes, 36 min
> Leave the route => #route= | ?path=
profile: heard = ["show-strides"]
explore?path=view => #route=show-strides show-view | check: \#2 On strides | 1.** \#3 On

The first page leads on to the page whose query it got
explore?goal=view&goal=strides&picture=map => strides idea | ?goal=view,strides | @url_picture=map
"""
EPISODES = r"""
The list is filtered by words, area and what is heard
profile: heard = ["show-strides"]
episode => 12 episodes | [Add a podcast, blog or channel] | !@url_podcast | 18 min* *Compilation* *11 May 2021* | –* *–*
url_words = WHAT strides => ?words=WHAT strides | 1 episode | [**\#2 On strides**]
episode?area=Autograd => 4 episodes
episode?heard=no => 11 episodes
episode?heard=yes => 1 episode
episode?words=zzzz => No episode passes

An episode tells what it teaches, assumes and what has changed
episode?episode=show-aotautograd => On aotautograd | 11 May 2021 | 18 min | What has changed since
=> aotautograd has moved | What is aotautograd? | Saved tensors come up | with Ada

Words open an episode
episode?episode=what is strides? => My best guess for "what is strides" is the episode "On strides" | All of strides

Audio starts where the concept is explained, and nothing is fetched from elsewhere before somebody asks
episode?episode=show-view => %
> play:show-view:266:__torch_function__ => ?at=266 | %266
episode?episode=show-view&play=show-view&at=9e9 => %
path?goal=view => %
> play:show-strides:266:strides idea => ?play=show-strides | ?at=266 | %266 | *goals=view

At the end of an episode the next one of the path begins
path?goal=view
> play:show-tensor:0:Play => %0 | *goals=view | Mark as heard, next: On strides | 4:26 tensor idea | !of 3 episodes
> heard_next => *heard=show-tensor | ?play=show-strides | %0 | Mark as heard, next: On view
> player_close => ?play= | %

An episode without audio says how to get it
episode?episode=show-more-0 => [No audio here. Add the show's feed]
path?goal=extra-01 => 0 of 1 episodes have audio here.

Heard is kept and taken back
episode?episode=show-view
> heard:show-view => Marked as heard: On view. | *heard=show-view
> heard:show-view => Mark as heard | *heard=

An address that names nothing says so
episode?episode=nope => There is no “nope” in this graph
cypher?question=nope => There is no “nope” in this graph
path?goal=nope => There is no “nope” in this graph
"""
PATHS = r"""
Other names are offered with the concept that they mean
path => @add_goal has autograd idea · taping | @add_goal has ▶ #3 On view
add_goal = taping => ?goal=taping | "taping" is another name of autograd idea | 4 episodes, 50 min
> chip:goal:0:taping => ?goal= | Goals to begin with

Words are a goal and another reading is a click away
path?goal=how do functionalizations go => I took "how do functionalizations go" to mean functionalization idea
=> 6 episodes | Other readings:
> instead:how do functionalizations go:0 => ?goal=show-functionalization | !I took

A change of one goal keeps the others
path?goal=view&goal=how do functionalizations go
> instead:how do functionalizations go:0 => ?goal=view,show-functionalization
path?goal=view&goal=how do functionalizations go
> chip:goal:1:how do functionalizations go => ?goal=view
path?goal=view&goal=how do functionalizations go
> chip:goal:0:view => ?goal=how do functionalizations go

Words that mean nothing bring the nearest names as buttons
path?goal=extra => There is no “extra” in this graph. Did you mean:
> meant:extra: => extra  | !There is no

An empty page offers goals with their minutes
path => What do you want to understand? | [**autograd idea**]goal=autograd | 4 episodes, 50 min

A path is in order
path?goal=view => 3 episodes, 36 min | [*1* **On tensor**] | [*2* **On strides**] | [*3* **On view**]

A budget says what it leaves out and a button raises it
path?goal=autograd&goal=view&budget=15 => @url_budget has 15 min | Left out | +9 min: \#1 On tensor
> more:12 => ?budget=27 | 2 episodes, 27 min | !Left out
path?goal=autograd&budget=5 => autograd idea takes 14 min, you have 5 min. | !What this opens up
> more:9 => ?budget=14 | 1 episode, 14 min

What a step needs is known by a click and the rest is planned again
path?goal=view => needs | strides idea** :blue[I know this]
> know:3:strides => *known=strides | 1 episode, 13 min | [*1* **On view**] | !needs | You know strides idea.

The depth, the sessions and the speed of a path stand in the address
path?goal=autograd&depth=brief => 1 episode
url_depth = usual => 4 episodes | ?depth=
path?goal=autograd&split=2x20m&speed=2 => 4 episodes, 26 min at 2x | Session 1, | Session 2,
url_split = - => !Session 1 | ?split=
url_speed = - => 4 episodes, 50 min

What is heard stays struck through and is counted and undone
path?goal=autograd
> heard:show-tensor => *heard=show-tensor | *goals=autograd | ~~On tensor~~ | Marked as heard: On tensor.
=> 1 of 4 heard, 11 min of 50 min
> undo => !~~ | !of 4 heard | *heard=
> heard:show-tensor
> heard:show-tensor => !~~ | *heard= | Marked as not heard: On tensor.
> undo => 1 of 4 heard

When all is heard one sentence says so and what it opens
profile: heard = ["show-tensor", "show-strides", "show-view", "show-autograd"]
path?goal=autograd => !0 episodes | !Nothing is left | What this opens up | [**dispatcher idea**]goal=dispatcher

Any name of a concept can be known and taken back
path?goal=view => @add_known has autograd idea · taping
add_known = strides idea => *known=strides | 1 episode, 13 min | You know strides idea.
> chip:known:0:strides => *known=
> undo => *known=strides

A broken profile is one line and no traceback
profile: heard = 3
path?goal=view => must be a list
profile: heard = []
path?goal=view
profile: heard = 3
> Mark as heard => must be a list

A quiz asks a question at a time and the plan loses what is known
path?goal=autograd => Quiz me
path?goal=autograd&quiz=on&can=show-strides => You skip 2 episodes and save 23 min: \#1 On tensor, \#2 On strides
path?goal=autograd&quiz=on&can=show-strides&cannot=show-view => Remember that I know this | 2 episodes, 27 min
path?goal=autograd&quiz=on&can=not-here => !You skip
path?goal=autograd&quiz=on => What is view? | Yes, skip it | 4 episodes, 50 min
> quiz_can => ?can=show-view | What is autograd?
> quiz_cannot => ?cannot=show-autograd | Ask again
> quiz_again => ?can= | What is view?
"""
CYPHER = r"""
An empty page offers the saved questions by job
cypher => What comes first | Schema: 5 kinds of nodes | [**What does this rest on?**]question=before | $

A text runs
cypher
> run => $area
draft = MATCH (c:Concept {id: 'view'}) RETURN c.name AS name
> run => $name __torch_function__

An address with a text and its values is answered on load
cypher?text=MATCH (e:Episode)-[:TEACHES]->(c:Concept {id: $which}) RETURN e, c.id AS id => Give a value for which | $
value::which = view => ?v.which=view | #nodes=view show-view | [Plan a path to all 2]goal=show-view&goal=view
url_picture = none => $id view | Select rows to open them

A saved question keeps its value and becomes a text when it is changed
cypher?question=before&v.concept=view => $ | #nodes=view strides tensor | relationships, drawn from prerequisite
url_picture = none => $id strides tensor
value:before:concept = strides => ?v.concept=strides | $id tensor
draft = MATCH (c:Concept {id: $concept}) RETURN c.id AS id
> run => ?question= | $id strides

A question is kept under a name, found by its words and removed
cypher
draft = MATCH (e:Episode) RETURN e.title
name = what / plays
> save_it => [**what plays**]text=MATCH (e:Episode) RETURN e.title | what plays is saved
wanted = zebra => !Yours
wanted = PLAYS
> remove:what plays => !Yours

A plan of a query is text
cypher?text=EXPLAIN MATCH (c:Concept) RETURN c.name => RESULT_COLLECTOR | !rows

Nodes of an answer bring their neighbours along
cypher?question=before&v.concept=view&open=tensor => #nodes view strides tensor show-tensor | [Open tensor idea]

A pattern is inserted, and a question is found by its words
cypher
> insert:REQUIRES => @draft=MATCH (a:Concept)-[r:REQUIRES]->(b:Concept)\nRETURN a LIMIT 20
wanted = lean on => [**What does this open up?**]question=after | !What comes first
"""


@walks(EXPLORE, EPISODES, PATHS, CYPHER)
def test_step_by_step(visit: Open, profile: Path, steps: Steps) -> None:
    walk(visit, profile, steps)


@pytest.mark.parametrize(
    ("text", "value", "says"),
    [
        ("CREATE (c:Concept {id: 'x'})", "", "may only read"),
        ("RETURN $x AS x", "9223372036854775808", "write a longer number as text, with quotes"),
        ("RETURN $x AS x", "9" * 5000, "write a longer number as text, with quotes"),
        ("RETURN interval('178956970 years') AS x, $x AS y", "1", "return it as text"),
        (f"RETURN {'(' * 300}$x{')' * 300} AS x", "1", "nested deeper than 100 levels"),
    ],
)
def test_a_text_or_value_that_is_refused_is_one_line_on_the_page(visit: Open, text: str, value: str, says: str) -> None:
    app = visit("cypher")
    app.text_area(key="draft").input(text)
    press(app, "run")
    if value:
        app.text_input(key="value::x").input(value).run()
    assert not app.exception and says in app.error[0].value.replace("\\", "")


def on(monkeypatch: pytest.MonkeyPatch, home: Path, graph: Snapshot) -> None:
    """Let pages find this graph."""
    for name, value in stored(home, graph).items():
        monkeypatch.setenv(name, value)


def test_the_map_is_fed_with_every_concept_and_episode_at_its_place_and_filters_move_none(visit: Open) -> None:
    assert len(picture(visit())["nodes"]) == 23  # what no episode touches waits behind "All"
    data = picture(app := visit("explore?show=all"))
    assert "How to read the map" in shown(app)
    assert len(data["nodes"]) == 42 and data["selected"] is None and data["lit"] == []
    assert data["options"]["physics"] == {"enabled": False}
    autograd = next(n for n in data["nodes"] if n["id"] == "autograd")
    assert autograd["group"] == "concept" and autograd["area"] == "Autograd" and isinstance(autograd["x"], int)
    assert {e["kind"] for e in data["edges"]} == {"REQUIRES", "TEACHES", "RELATED_TO", "PART_OF", "LISTEN_AFTER"}
    assert {"from": "strides", "to": "view"}.items() <= next(e for e in data["edges"] if e["to"] == "view").items()
    whole = {n["id"]: (n["x"], n["y"]) for n in data["nodes"]}
    for query, key, kept in ("area=Autograd", "area", "Autograd"), ("show=episodes", "group", "episode"):
        nodes = picture(visit(f"explore?{query}"))["nodes"]
        assert {n[key] for n in nodes} == {kept} and all(whole[n["id"]] == (n["x"], n["y"]) for n in nodes)


def test_a_map_without_concepts_says_how_to_get_some(visit: Open, tmp_path: Path, monkeypatch) -> None:
    on(monkeypatch, tmp_path, Snapshot(episodes=(Episode("kettle", "Kettles", show="Tea"),)))
    app = visit()
    assert "1 episode of" in shown(app) and "no concepts yet" in shown(app) and "0 concepts" not in shown(app)
    (command,) = (code for code in app.code if code.value.startswith("torchatlas"))
    assert command.value == "torchatlas candidates --draft vocabulary.toml" and command.proto.wrap_lines


def test_a_long_list_shows_its_beginning_and_says_so(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "These are the first" not in shown(whole := visit("episode"))
    monkeypatch.setattr(parts, "MOST_ROWS", 3)
    app = visit("episode")
    assert "12 episodes" in shown(app) and "These are the first 3." in shown(app)
    assert len(links(whole)) - len(links(app)) == 12 - 3
    assert "These are the first" not in shown(visit("episode?words=strides"))


def test_what_can_be_heard_can_be_taken_along_in_each_format(visit: Open) -> None:
    app = visit("path?goal=autograd")
    assert [button.proto.label for button in app.get("download_button")][1:] == [
        kind.label for kind in FORMATS.values()
    ]
    app.date_input(key="calendar_start").set_value(None).run()
    buttons = {button.proto.label: button.proto.disabled for button in app.get("download_button")}
    assert buttons["Calendar"] and not buttons["Podcast feed"]


def test_the_path_of_a_feed_alone_says_how_sure_it_is(visit: Open, tmp_path: Path, monkeypatch) -> None:
    done(tmp_path, "new", str(tmp_path), "--title", "Baking bread")
    done(tmp_path, "add", str(ROOT / "docs" / "bread.xml"))
    monkeypatch.setenv("TORCHATLAS_HOME", str(tmp_path))
    monkeypatch.delenv("TORCHATLAS_STORE", raising=False)
    assert "**Oven spring**" in links(visit("path"))
    said = shown(visit("path?goal=Oven spring")).replace("\\", "")
    assert "Before · 21 min · declared" in said and "How sure: declared" in said
    assert "Your goal · 16 min" in said


def test_feeds_and_files_come_and_go_and_cancelled_ones_leave_nothing(visit: Open, tmp_path: Path, monkeypatch) -> None:
    on(monkeypatch, tmp_path, Snapshot())
    monkeypatch.setattr(parts.Job, "start", parts.Job.run)  # ends before the page goes on
    (tmp_path / "sources.toml").write_text("shipped = false\n", "utf-8")
    job = parts.Job(str(feed := ROOT / "docs" / "bread.xml"))
    job.stopped = True
    job.run()
    assert job.wrong.endswith("you cancelled") and not list((tmp_path / "sources").iterdir())
    app = visit("sources")
    app.text_input[0].input(f" {feed} ")
    said = shown(press(app, "Add")).replace("\\", "")
    assert "The feed is in the map: 5 episodes" in said and f"- {feed}: 5 episodes" in said and "**The Crumb**" in said
    said = shown(press(app, "remove_0")).replace("\\", "")
    assert "The feed is removed: 0 episodes" in said and "Nothing is added yet" in said
    for name, data in ("../a.xml", feed.read_bytes()), ("b.xml", b"no feed"):
        app.file_uploader[0].set_value((name, data, "text/xml"))
        press(app, "Add").run()
    (kept,) = (tmp_path / "uploads").iterdir()
    assert load_sources(load_settings()).sources == (str(kept),)
    parts._jobs.clear()


def test_an_edge_that_a_person_finds_wrong_leaves_the_map_until_they_take_that_back(
    tmp_path: Path, monkeypatch
) -> None:
    (tmp_path / "sources.toml").write_text(f"shipped = false\nsources = ['{ROOT / 'docs' / 'bread.xml'}']\n", "utf-8")
    (file := tmp_path / "corrections.toml").write_text('[topic.own]\nname = "own"', "utf-8")
    monkeypatch.setenv("TORCHATLAS_HOME", str(tmp_path))
    monkeypatch.delenv("TORCHATLAS_STORE", raising=False)
    with Atlas(settings := load_settings()) as atlas:
        atlas.build()
        edge, *others = (graph := atlas.graph).listen_after
    assert objections.edge_between(graph, "Hear first", edge.source, edge.target) == edge
    assert objections.edge_between(graph, "Related episodes", "a", "b").kind == "RELATED_TO"
    said = objections.issue(graph, edge, why := "Not\nso.").splitlines()
    assert said[1] == f"({edge.source})-[:LISTEN_AFTER]->({edge.target})" and said[3] == "Wrong because: Not so."
    assert " ".join(edge.quote.split()) in said[2] and said[4].startswith("torchatlas ")
    both = RelatedTo(edge.source, edge.target, score=1.0, reasons=("same show", "same guest"))
    assert "The map says: same show; same guest\n" in objections.issue(graph, both, "")
    objections.drop(settings, edge, why)
    assert file.read_text("utf-8").startswith('[topic.own]\nname = "own"\n\n# Not so.\n[[drop]]\nfrom = ')
    job = parts.Job(str(file), adds=None)
    job.run()
    with Atlas(settings) as atlas:
        assert job.came and atlas.graph.listen_after == tuple(others) and str(file) in job.lines[0]
    file.write_text("[[drop", "utf-8")
    with pytest.raises(DataError, match="not valid TOML"):
        objections.drop(settings, edge, "")
    assert file.read_text("utf-8") == "[[drop"


def test_a_heard_step_and_the_sums_say_where_a_length_is_estimated(visit: Open, tmp_path: Path, monkeypatch) -> None:
    episodes = tuple(replace(e, minutes=None) if e.id == "show-tensor" else e for e in snapshot().episodes)
    on(monkeypatch, tmp_path, replace(snapshot(), episodes=episodes))
    (tmp_path / "profile.toml").write_text('heard = ["show-tensor"]', "utf-8")
    said = shown(visit("path?goal=view")).replace("\\", "")
    assert "*✓* ~~On tensor~~ :small[length unknown]" in said
    assert "1 of 3 heard, length unknown of 25 min, 1 of unknown length" in said


def test_the_path_page_offers_the_journeys_whose_goals_are_on_the_map(visit: Open, monkeypatch) -> None:
    here = Journey("views", "All about [views]", about="See how *views* work.", goals=("view", "show-strides"))
    elsewhere = Journey("away", "Somewhere else", about="Of another map.", goals=("view", "not-here"))
    monkeypatch.setattr(catalogue, "load_journeys", lambda _: (here, elsewhere))
    cards = links(app := visit("path"))
    assert not any("Somewhere else" in label for label in cards) and "See how \\*views\\* work" in shown(app)
    assert visit("path?goal=view&goal=show-strides").title[0].value == r"All about \[views\]"
    assert parse_qs(cards[r"**All about \[views\]**"].query_string) == {"goal": ["view", "show-strides"]}


def test_each_run_tells_the_browser_what_the_address_says(visit: Open) -> None:
    """What one run said is lost where the connection breaks; the widget's default would then replace the address."""
    proto = visit("path?goal=view&picture=map").run().button_group(key="url_picture").proto
    assert proto.set_value and list(proto.raw_values) == ["Map"]


def test_hostile_names_are_escaped_on_every_page(visit: Open) -> None:
    page = "explore?node=hostile explore?node=show-hostile episode?episode=show-hostile path?goal=hostile"
    for text in map(shown, map(visit, page.split())):
        assert "\\_\\_init\\_\\_" in text
        assert not [bare for bare in ("<img", "$a", "[x", "__init") if re.search(rf"(?<!\\){re.escape(bare)}", text)]
    assert HOSTILE in {n["label"] for n in picture(visit())["nodes"]}  # a canvas draws text, and can draw nothing else


def test_a_question_is_asked_of_the_graph_that_is_shown_whatever_has_changed_since(home: Path) -> None:
    corrections = home / "corrections.toml"
    corrections.write_text("this is no TOML", "utf-8")  # a build would fail
    try:
        assert cache.rows("MATCH (c:Concept {id: 'view'}) RETURN c.area AS area", {}).rows == (("Tensors",),)
    finally:
        corrections.unlink()


def test_a_filter_of_a_list_is_no_title() -> None:
    assert page_title("episode", {"area": ["Autograd"]}, snapshot(), {}) == "Episodes"


@pytest.mark.slow
def test_a_build_in_the_middle_of_a_run_changes_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on(monkeypatch, tmp_path, snapshot())
    app = AppTest.from_function(counting, default_timeout=60).run()
    assert not app.exception and [text.value for text in app.text] == ["12", "12"]
    assert [text.value for text in app.run().text] == ["1", "1"]


def counting() -> None:
    """Count the episodes twice in one run of a page; the first run replaces the graph in between."""
    import time

    import streamlit as st

    from torchatlas.atlas import Atlas
    from torchatlas.graph.model import Episode, Snapshot
    from torchatlas.graph.stores.base import open_store
    from torchatlas.settings import load_settings
    from torchatlas.ui.web import cache

    cache.look()
    st.text(len(cache.atlas().graph.episodes))
    if "replaced" not in st.session_state:
        with open_store(load_settings().store) as store:
            store.replace(Snapshot(episodes=(Episode("new", "New", show="S"),)), str(store.fingerprint()))
        st.session_state["replaced"] = True
        time.sleep(2.5)  # longer than a look at the store counts
    st.text(next(kind.count for kind in cache.ask(Atlas.schema).nodes if "Episode" in kind.pattern))
