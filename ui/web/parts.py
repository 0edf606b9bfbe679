"""Parts that several pages are made of: lists and links, boxes to type in, the map, players, and a feed on its way."""

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.resources import files
from threading import Lock, Thread
from typing import Any, NamedTuple, TypeVar

import streamlit as st

from torchatlas.atlas import Atlas
from torchatlas.graph.answers import Understood
from torchatlas.graph.cards import EpisodeRow, Lesson, Neighbour
from torchatlas.graph.errors import AtlasError, UnknownName
from torchatlas.graph.formatting import clock, esc, is_web, listed
from torchatlas.graph.model import Episode, Progress, Snapshot
from torchatlas.graph.questions import Wanted
from torchatlas.profile import ProfileChange
from torchatlas.settings import load_settings
from torchatlas.ui.pictures import MapState, Payload
from torchatlas.ui.web import cache, state
from torchatlas.ui.web.server import BASE, keep

MOST_ROWS = 500
"""Rows of the list: a browser takes seconds for more."""

SHOWN = 6
"""How many of a list stand open; the rest waits behind "more"."""

EXPLORE, EPISODE, PATH, CYPHER = (f"screens/{name}.py" for name in ("explore", "episode", "path", "cypher"))
T = TypeVar("T")


def heading(words: str) -> None:
    """Draw a heading inside a page or panel: the second level, so that the outline has no gap."""
    st.header(esc(words), anchor=False)


def go(page: str, label: str, icon: str, **parameters: str | Sequence[str]) -> None:
    """Draw a link to another page, with its URL parameters."""
    st.page_link(page, label=label, icon=icon, query_params={**state.carried(), **parameters})


def fold(label: str, key: str, changed: int = 0) -> None:
    """Draw the box that unfolds, on a phone, what follows it in its row; a wider window shows all of it without a box.

    `changed`: how many of the folded controls say something else than usual; the label tells.
    """
    st.checkbox(f"{label} ({changed})" if changed else label, key=f"fold_{key}")


def continue_listening() -> None:
    """Draw the way back to the path that the person hears now, with the next episode and how far they are.

    Nothing where no path is under way.
    """
    now = cache.under_way(cache.atlas().profile)
    if now is None:
        return
    with st.container(border=True, key="continue"):
        label = cache.atlas().graph.label_of(now.next.episode_id)
        start = next((f" at {clock(taught.at)}" for taught in now.next.teaches if taught.at), "")
        go(PATH, f"**Continue: {esc(label + start)}**", ":material/resume:", goal=now.goals)
        st.progress(now.checklist.share, f"{esc(now.checklist.told)} on the way to {esc(listed(now.plan.goals))}")


def say_unknown(name: str, allowed: Collection[str]) -> None:
    """Warn where the page's address names something that this graph does not have."""
    if value := state.unknown(name, allowed):
        st.warning(f"There is no “{esc(value)}” in this graph; choose from the list.", icon=":material/link_off:")


def meanings(name: str, names: Collection[str], wanted: Wanted) -> dict[str, Understood]:
    """Return the words in the page's address that are no id, with their meaning; warn of those that have none."""
    found: dict[str, Understood] = {}
    for text in st.query_params.get_all(name):
        if text not in names:
            try:
                found[text] = cache.meaning(text, wanted)
            except UnknownName as e:
                say_nothing_found(text, e.suggestions, partial(_instead, name, text))
    return found


def _instead(name: str, text: str, other: str) -> None:
    state.replace_one(name, text, [other])


def say_nothing_found(text: str, suggestions: Sequence[str], take: Callable[[str], None]) -> None:
    """Warn that words mean nothing here, and draw a button for each name that may have been meant."""
    remedy = "Did you mean:" if suggestions else "Choose from the list."
    st.warning(f"There is no “{esc(text)}” in this graph. {remedy}", icon=":material/link_off:")
    if suggestions:
        with st.container(horizontal=True):
            for place, name in enumerate(suggestions):
                st.button(esc(name), key=f"meant:{text}:{place}", on_click=take, args=(name,))


def say_understood(meant: Understood, instead: Callable[[str, Sequence[str]], None]) -> None:
    """Draw how words were understood, and a button for each other reading; `instead` gets the words and the ids."""
    if not meant.sentence:
        return
    st.info(esc(meant.taken), icon=":material/info:")
    with st.container(horizontal=True, vertical_alignment="center"):
        if meant.alternatives:
            st.markdown("Other readings:", width="content")
        for place, reading in enumerate(meant.alternatives):
            st.button(
                esc(reading.described), key=f"instead:{meant.text}:{place}", on_click=instead,
                args=(meant.text, reading.ids),
            )  # fmt: skip


def leave_for(graph: Snapshot, id_: str | None) -> None:
    """Open the page of a node that was picked in a picture. For callbacks."""
    if id_ in graph.episode:
        state.leave(EPISODE, "episode", id_)
    elif id_ in graph.concept:
        state.leave(EXPLORE, "node", id_)


def cards(items: Sequence[T], across: int, draw: Callable[[T], None]) -> None:
    """Draw items as cards, so many beside one another."""
    for start in range(0, len(items), across):
        row = items[start : start + across]
        for column, item in zip(st.columns(across), row, strict=False):
            with column.container(border=True, height="stretch", gap="xsmall"):
                draw(item)


def bullets(title: str, lines: Sequence[str]) -> None:
    """Draw a list of lines that are Markdown already, nothing where there are none."""
    if lines:
        heading(title)
        st.markdown("\n".join(f"- {line}" for line in lines))


def episode_facts(row: EpisodeRow) -> str:
    """Return length, area and day, each emphasized: app.css sets them in columns.

    >>> episode_facts(EpisodeRow("e", "E", area="", length="9 min", day="5 Dec 2018"))
    '*9 min* *–* *5 Dec 2018*'
    """
    return " ".join(f"*{esc(fact)}*" for fact in (row.length or "–", row.area or "–", row.day) if fact)


def related_episodes(id_: str, pick: Callable[[str], None]) -> None:
    """Draw the list of the episodes nearest to an episode, with the reasons."""
    names = cache.episode_names()
    near = [Neighbour(r.episode_id, names[r.episode_id], why=r.why) for r in cache.related_to(id_)]
    choices("Related episodes", near, pick)


def choices(title: str, items: Sequence[Neighbour | Lesson], pick: Callable[[str], None]) -> None:
    """Draw a list under a heading: a click on a name picks it; below the name stands why. Nothing for no items."""

    def rows(part: Sequence[tuple[int, Neighbour | Lesson]]) -> None:
        with st.container(gap=None, key=f"list_{title}_{part[0][0]}"):
            for number, row in part:
                key = f"{title}:{row.id}:{number}"
                st.button(esc(row.name), key=key, type="tertiary", on_click=pick, args=(row.id,))
                if row.why:
                    st.caption(esc(row.why))

    if items:
        heading(title)
        with_more(list(enumerate(items)), rows, f"{title}:{items[0].id}")


def with_more(items: Sequence[T], draw: Callable[[Sequence[T]], None], key: str) -> None:
    """Draw the first items, and the others behind "more", where they are drawn only once somebody asks for them."""
    draw(items[:SHOWN])
    if rest := items[SHOWN:]:
        more = st.expander(f"{len(rest)} more", key=f"more:{key}", on_change="rerun")
        if more.open:
            with more:
                draw(rest)


def word_box(
    label: str,
    options: Mapping[str, str],
    key: str,
    hint: str,
    *,
    add: Callable[[str], None],
    held: str | None = None,
    labelled: bool = True,
) -> None:
    """Draw the box; `add` gets what was chosen or typed, and the box is empty again, or shows the words that it holds.

    `held`: these words; `add` gets "" when a person empties the box. Without a label it is read out.
    """

    def take() -> None:
        text = (st.session_state[key] or "").strip()
        st.session_state[key] = held
        if text or held:
            add(text)

    if st.session_state.get(key) != held:
        st.session_state[key] = held
    st.selectbox(
        label, list(options), index=None, key=key, on_change=take, format_func=lambda value: options.get(value, value),
        placeholder=hint, accept_new_options=True, label_visibility="visible" if labelled else "collapsed",
    )  # fmt: skip


def chips(chosen: Mapping[str, str], key: str, remove: Callable[[str], None]) -> None:
    """Draw value -> words as chips; a click on one removes it."""
    if chosen:
        with st.container(horizontal=True, gap="xsmall", key=f"chips_{key}"):
            for place, (value, words) in enumerate(chosen.items()):
                st.button(
                    esc(words), key=f"chip:{key}:{place}:{value}", icon=":material/close:", icon_position="right",
                    help=f"Remove {esc(words)}", on_click=remove, args=(value,),
                )  # fmt: skip


_SCRIPT = f"""
const {{ modules }} = await import(new URL("{BASE}/map.js", location.origin));
export default modules["mount.js"].mount;
"""


@functools.cache
def _renderer() -> Callable[..., Any]:
    """Return the mount command. The scripts come from the server, once; nothing is fetched from elsewhere."""
    own = files("torchatlas.ui.web").joinpath("map")
    html, style = (own.joinpath(name).read_text("utf-8") for name in ("map.html", "map.css"))
    return st.components.v2.component("torchatlas_map", html=html, css=style, js=_SCRIPT)


def show_map(
    picture: Payload,
    state: MapState = MapState(),  # noqa: B008 (a frozen value)
    *,
    key: str,
    on_pick: Callable[[str | None], None] | None = None,
    on_area: Callable[[str], None] | None = None,
) -> None:
    """Draw a picture and what stands out on it, as high as the picture asks for, or as the window leaves room for.

    The browser fetches the picture once; after that only `state` travels. `on_pick` gets the id that was clicked on,
    None for the empty ground; `on_area` the name of an area, where the picture hides nodes. A row of the page whose key
    is `step_N` and the route's stop N point at each other.

    Example: `show_map(cached.map_payload(), route_state(graph, plan, profile), key="route", on_pick=print)`
    """
    data = {"picture": keep(picture), "height": picture["height"]}

    # A run of another page that ends late takes the state of this one along (Streamlit 1.67): that click is lost.
    def picked() -> None:
        if on_pick and (sent := st.session_state.get(key)):
            on_pick(sent.picked or None)

    def opened() -> None:
        if on_area and (sent := st.session_state.get(key)) and sent.area:
            on_area(sent.area)

    _renderer()(data=data | asdict(state), key=key, on_picked_change=picked, on_area_change=opened)


_TROUBLE, _CHANGE = "trouble", "profile_change"


def save_change(change: Callable[[], object]) -> None:
    """Save a change and offer to take it back. Raises AtlasError."""
    atlas = cache.atlas()
    before = atlas.profile
    change()
    done = ProfileChange(before, atlas.profile)
    if done.told(atlas.graph):
        st.session_state[_CHANGE] = done


def remember(change: Callable[[], object]) -> None:
    """Do the same. For callbacks: a failure is told on the next run instead of raised."""
    try:
        save_change(change)
    except AtlasError as e:
        tell_trouble(str(e))


def tell_trouble(trouble: str) -> None:
    """Keep a failure for the next run. For callbacks."""
    st.session_state[_TROUBLE] = trouble


def trouble() -> str | None:
    """Return the failure of a callback, once."""
    wrong: str | None = st.session_state.pop(_TROUBLE, None)
    return wrong


def undo_bar() -> None:
    """Draw what the last change was, at the foot of the window, with the button that takes it back."""
    change: ProfileChange | None = st.session_state.get(_CHANGE)
    if not change:
        return
    said = change.told(cache.atlas().graph)
    with st.container(horizontal=True, vertical_alignment="center", key="undo_bar", width="content"):
        st.markdown(esc(said), width="content")
        st.button("Undo", key="undo", type="tertiary", icon=":material/undo:", on_click=_undo_change, args=(change,))
        st.button("Close", key="undo_close", type="tertiary", on_click=_forget_change)


def _undo_change(change: ProfileChange) -> None:
    remember(lambda: cache.atlas().undo(change))
    _forget_change()


def _forget_change() -> None:
    st.session_state.pop(_CHANGE, None)


_JOB_SHOWN = "job_shown"


@dataclass
class Job:
    """The fetching of a feed: how far it is, and in the end what came or what went wrong."""

    feed: str
    stage: str = "Fetching the feed"
    share: float = 0.0
    came: str = ""
    wrong: str = ""
    running: bool = True

    def run(self) -> None:
        """Add the feed to the person's sources and build the map with it."""
        try:
            with Atlas(load_settings(), self._progressing) as atlas:
                built = atlas.add(self.feed)
                trouble = [source.trouble for source in atlas.sources() if source.address == self.feed]
                if any(trouble):  # the copy of last time is in its place
                    self.wrong = f"The feed could not be fetched, and the map is as it was: {trouble[0]}"
                self.came = f"The feed is in the map: {built.graph.size}."
        except AtlasError as e:
            self.wrong = f"The feed could not be fetched, and the map is as it was: {e}"
        finally:  # a bug keeps its traceback, which Python prints for threads too
            self.wrong = self.wrong or ("" if self.came else "Fetching stopped; the terminal says why.")
            cache.look_anew()
            self.running = False

    @contextmanager
    def _progressing(self) -> Iterator[Progress]:
        def report(stage: str, done: int, total: int) -> None:
            self.stage, self.share = stage, done / total if total else 0.0

        yield report


@dataclass
class _Slot:
    """The one place of all sessions where the job stands. Each session is a thread: who changes it holds the lock."""

    now: Job | None = None
    lock: Lock = field(default_factory=Lock)


@st.cache_resource
def _place() -> _Slot:
    return _Slot()


def fetch_feed(feed: str) -> None:
    """Begin to fetch a feed, unless a job runs already. For callbacks."""
    place = _place()
    with place.lock:
        if place.now and place.now.running:
            return
        job = place.now = Job(feed)
    st.session_state[_JOB_SHOWN] = feed  # it may end before the page sees it run
    Thread(target=job.run, name="torchatlas-feed", daemon=True).start()


def show_job() -> None:
    """Draw how far the job is, or how it ended until that is closed."""
    job = _place().now
    if job and job.running:
        st.session_state[_JOB_SHOWN] = job.feed
        _watch()
    elif job and st.session_state.get(_JOB_SHOWN) == job.feed:
        told, icon = (st.error, ":material/cloud_off:") if job.wrong else (st.success, ":material/check_circle:")
        told(esc(job.wrong or job.came), icon=icon)
        st.button("Close", key="job_close", type="tertiary", on_click=_close_job)


@st.fragment(run_every=0.7)
def _watch() -> None:
    job = _place().now
    assert job
    st.progress(min(1.0, job.share), f"{esc(job.stage)} …")
    if not job.running:
        st.rerun()


def _close_job() -> None:
    st.session_state.pop(_JOB_SHOWN, None)


MOMENTS_SHOWN = 3
"""How many moments of an episode stand open; the rest waits behind "more"."""


class Moment(NamedTuple):
    """A concept, and the second at which an episode explains it."""

    name: str
    at: int


def play(episode_id: str, at: int, goals: Sequence[str] = ()) -> None:
    """Let the player begin there; on the way to `goals`, these are what the person hears now. For callbacks."""
    state.choose("play", episode_id)
    state.choose("at", str(at))
    if goals:
        remember(lambda: cache.atlas().begin(*goals))


def moments(episode: Episode, found: Sequence[Moment], goals: Sequence[str] = ()) -> None:
    """Draw a button for each moment of an episode; the first button begins at the start."""
    audible = is_web(episode.audio_url)
    with st.container(horizontal=True, gap="small", key=f"moments_{episode.id}"):
        if audible:
            _moment_button(episode, Moment("Play", 0), "Play", goals)
        for moment in found[:MOMENTS_SHOWN]:
            _moment_button(episode, moment, _moment_label(moment), goals)
        if rest := found[MOMENTS_SHOWN:]:
            with st.popover(f"{len(rest)} more", type="tertiary"):
                for moment in rest:
                    _moment_button(episode, moment, _moment_label(moment), goals)


def moment(episode: Episode, found: Moment) -> None:
    """Draw the button for one moment of an episode, labelled with the time."""
    _moment_button(episode, found, esc(clock(found.at)))


def start(episode: Episode) -> None:
    """Draw the button that begins an episode at its start, where there is audio."""
    if is_web(episode.audio_url):
        _moment_button(episode, Moment("Listen", 0), "Listen", ())


def _moment_label(moment: Moment) -> str:
    return f"{esc(moment.name)} {esc(clock(moment.at))}"


def _moment_button(episode: Episode, moment: Moment, label: str, goals: Sequence[str] = ()) -> None:
    key = f"play:{episode.id}:{moment.at}:{moment.name}"
    if is_web(episode.audio_url):
        st.button(
            label, key=key, type="tertiary", icon=":material/play_arrow:", on_click=play,
            args=(episode.id, moment.at, goals),
        )  # fmt: skip
    elif is_web(episode.url):
        st.link_button(
            label, str(episode.url), key=key, type="tertiary", icon=":material/open_in_new:",
            help="Opens the episode's page: move its player to this time.",
        )  # fmt: skip
    else:
        with st.popover(label, type="tertiary", key=key):
            no_audio(episode.show, key)


def player(episode: Episode) -> None:
    """Draw the audio where the address says that it plays. Until a click, nothing is fetched from the feed's host."""
    at = st.query_params.get("at", "0")
    if st.query_params.get("play") == episode.id and is_web(episode.audio_url) and at.isdecimal():
        start = int(at) if len(at) < 7 else 0
        st.caption(f"From {esc(clock(start))}")
        st.audio(str(episode.audio_url), start_time=start, autoplay=True, alt=f"Audio of {episode.title}")


def no_audio(show: str, key: str) -> None:
    """Draw how the audio of a show comes in: by its feed, which a button fetches."""
    feed = cache.atlas().feed_of(show)
    if feed is None:
        st.markdown(f"No audio is known here, and no feed of {esc(show)}. This command adds a feed:")
        st.code("torchatlas add FEED", language=None)
        return
    st.markdown("No audio is known here. The show's feed has it, and newer episodes too.")
    st.button(
        "Fetch the show's feed", key=f"fetch:{key}", icon=":material/cloud_download:", on_click=fetch_feed,
        args=(feed,),
    )  # fmt: skip
    st.code(f"torchatlas add {feed}", language=None)


def heard_button(episode_id: str, *, heard: bool, goals: Sequence[str] = ()) -> None:
    """Draw the button that marks an episode as heard, or takes that back."""

    def change() -> None:
        cache.atlas().heard(episode_id, forget=heard)
        if goals:
            cache.atlas().begin(*goals)

    st.button(
        "Heard" if heard else "Mark as heard", key=f"heard:{episode_id}", type="tertiary",
        icon=":material/check_circle:" if heard else ":material/circle:", on_click=remember,
        args=(change,),
    )  # fmt: skip


@functools.cache
def _listener() -> Callable[..., Any]:
    script = files("torchatlas.ui.web").joinpath("keys.js").read_text("utf-8")
    return st.components.v2.component("torchatlas_keys", html="<span hidden></span>", js=script)


def mount_keys() -> None:
    """Listen for as long as the page is there."""
    with st.container(key="keys", height=1, border=False):
        _listener()(key="keys_listener", height=1)
