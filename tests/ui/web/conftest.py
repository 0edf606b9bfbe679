"""The app without a browser, over a small graph in a store of its own."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

from tests.ui.walks import Steps

APP = str(Path(__file__).parents[3] / "ui" / "web" / "app.py")
PAGES = ("explore", "episode", "path", "cypher", "sources")
Open = Callable[..., Any]


def shown(app: Any) -> str:
    assert not app.exception, app.exception
    kinds = (
        app.markdown, app.caption, app.header, app.subheader, app.title, app.info, app.warning, app.error, app.success,
        app.code, app.toast,
    )  # fmt: skip
    told = [str(e.value) for kind in kinds for e in kind] + [e.proto.text for e in app.get("progress")]
    return "\n".join(told + [e.label for kind in (app.button, app.expander) for e in kind])


def links(app: Any) -> dict[str, Any]:
    return {link.proto.label: link.proto for link in app.get("page_link")}


def press(app: Any, label: str) -> Any:
    """Click on the first button whose label or key begins so."""
    return next(b for b in app.button if b.label.startswith(label) or str(b.key).startswith(label)).click().run()


def widgets(app: Any, key: str) -> list[Any]:
    kinds = app.selectbox, app.text_input, app.text_area, app.button_group, app.date_input
    return [each for each in chain(*kinds) if each.key == key]


def picture(app: Any) -> dict[str, Any]:
    """What the browser gets: the state, and the picture that it fetches by its revision."""
    from torchatlas.ui.web import server

    assert not app.exception, app.exception
    found = next(part.proto.json for part in app.get("bidi_component") if "picture" in part.proto.json)
    state: dict[str, Any] = json.loads(found)
    return state | dict(server.pictures.get(state["picture"], {}))


@pytest.fixture
def home(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that pages and this process find in the environment."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    return Path(environment["TORCHATLAS_HOME"])


@pytest.fixture
def profile(home: Path) -> Iterator[Path]:
    """The file of the person's facts; it is empty before and after."""
    path = home / "profile.toml"
    path.unlink(missing_ok=True)
    yield path
    path.unlink(missing_ok=True)


@pytest.fixture
def visit(home: Path) -> Open:
    """Open a page: visit("path?goal=view", budget="15")."""
    from streamlit.testing.v1 import AppTest

    def opened(address: str = "explore", **parameters: Any) -> Any:
        page, _, query = address.partition("?")
        app = AppTest.from_file(APP, default_timeout=60)
        if page != "explore":
            app.run()
            app.switch_page(f"screens/{page}.py")
        for name, value in {**parse_qs(query), **parameters}.items():
            app.query_params[name] = value
        return app.run()

    return opened


def walk(visit: Open, profile: Path, steps: Steps) -> None:
    """Take steps: an address, "> BUTTON", "WIDGET = VALUE" (- for none) or "profile: TOML"."""
    app: Any = None
    for step, then in steps:
        key, sets, value = step.partition(" = ")
        if step.startswith("profile: "):
            profile.write_text(step.removeprefix("profile: "), "utf-8")
        elif step.partition("?")[0] in PAGES:
            app = visit(step)
        elif step.startswith("> "):
            app = press(app, step[2:])
        else:
            assert sets, step
            (box,) = widgets(app, key)
            app = box.set_value(None if value == "-" else value).run()
        missing = [each for each in then if not holds(app, profile, each)]
        assert not missing, f"{step}: {missing}\n{shown(app)}"


def holds(app: Any, profile: Path, what: str) -> bool:
    """Whether the page has a text, or with "!" has it not, or what stands behind these signs; "=" wants that alone.

    ?NAME=VALUES in the address; #PART of the picture has IDS; @WIDGET, @WIDGET=VALUE, @WIDGET has OPTION; [LINK]QUERY;
    *KEY=VALUES of the profile; $COLUMN VALUES of a table; %SECOND where the audio begins. A text without backslashes
    is sought without them.
    """
    sign, rest = what[0], what[1:]
    key, sets, value = rest.partition("=")
    wanted = [each for each in value.split(",") if each]
    if sign == "!":
        return not holds(app, profile, rest)
    if sign == "?":
        given = app.query_params.get(key, [])
        return ([given] if isinstance(given, str) else given) == wanted
    if sign == "*":
        return list(tomllib.loads(profile.read_text("utf-8"))[key]) == wanted
    if sign == "#":
        name, ids = re.split("[= ]", rest, maxsplit=1)
        found = picture(app)[name]
        found = found if isinstance(found, list) else [found]
        held = {each["id"] if isinstance(each, dict) else each for each in found if each}
        return held == set(ids.split()) if sets else held >= set(ids.split())
    if sign == "@" and " has " in rest:
        key, _, option = rest.partition(" has ")
        return any(option in each for box in widgets(app, key) for each in box.options)
    if sign == "@":
        boxes = widgets(app, key)
        return len(boxes) == 1 and (not sets or str(boxes[0].value or "") == value.replace("\\n", "\n"))
    if sign == "[":
        label, _, query = rest.partition("]")
        return label in links(app) and (not query or parse_qs(links(app)[label].query_string) == parse_qs(query))
    if sign == "%":
        held = [json.loads(part.proto.json or "{}") for part in app.get("bidi_component")]
        return [str(each["at"]) for each in held if "src" in each] == rest.split()
    if sign == "$":
        name, *cells = [*rest.split(), ""]
        tables = [table.value[name].tolist() for table in app.dataframe if name]
        return tables == [cells[:-1]] if cells[:-1] else bool(tables) == bool(name) == bool(app.dataframe)
    text = shown(app)
    return what in (text if "\\" in what else text.replace("\\", ""))
