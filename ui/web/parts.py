"""Shared parts of pages: links, lists, boxes, the map, players, a feed's job."""

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from functools import partial
from threading import Lock, Thread
from time import time
from typing import Any, TypeVar
from urllib.parse import urlencode

import streamlit as st

from torchatlas import sources as origins
from torchatlas.atlas import Atlas
from torchatlas.graph.answers import OTHER_READINGS, Plan, Understood
from torchatlas.graph.errors import AtlasError, UnknownName
from torchatlas.graph.formatting import clock, esc, is_web, listed, verb
from torchatlas.graph.messages import kept
from torchatlas.graph.model import Edge, Episode
from torchatlas.graph.questions import Wanted
from torchatlas.graph.views import EpisodeRow, Lesson, Neighbour
from torchatlas.profile import ProfileChange
from torchatlas.settings import load_settings
from torchatlas.ui.pictures import MapState, Payload
from torchatlas.ui.web import cache, objections, state
from torchatlas.ui.web.server import BASE, asset, keep
from torchatlas.ui.web.share import share_page

T = TypeVar("T")
Act = Callable[[str], None]
"""A callback that gets what a person chose or typed."""
EXPLORE, EPISODE, PATH, CYPHER = (f"screens/{name}.py" for name in ("explore", "episode", "path", "cypher"))
"""The pages, as Streamlit knows them."""
PAGES = {"goal": PATH, "episode": EPISODE, "question": CYPHER, "text": CYPHER, "node": EXPLORE, "find": EXPLORE}
"""A URL's parameter -> the page that it belongs to."""
ADD, SOURCES = "Add a podcast, blog or channel", "screens/sources.py"
MOST_ROWS = 500
"""Rows of a list of episodes: a browser takes seconds for more."""
_LISTED = 5  # how many of a list stand open; the rest waits behind "more"


def button(label: str, icon: str | None = None, **more: Any) -> bool:
    """Draw a button that looks like a link; return whether it was pressed."""
    return st.button(label, type="tertiary", icon=icon and f":material/{icon}:", **more)


def say(text: str, icon: str = "info", draw: Callable[..., object] = st.info) -> None:
    """Draw a message; `text` is Markdown."""
    draw(text, icon=f":material/{icon}:")


def heading(words: str) -> None:
    """Draw a heading of the second level, so that the outline has no gap."""
    st.header(esc(words), anchor=False)


def go(label: str, icon: str | None = None, page: str = "", /, **parameters: str | Sequence[str]) -> None:
    """Draw a link to the page of URL parameters, or to a named one; `label` is Markdown."""
    page, icon = page or PAGES[next(iter(parameters))], icon and f":material/{icon}:"
    st.page_link(page, label=label, icon=icon, query_params={**state.carried(), **parameters})


def told_link(name: str, told: str, icon: str | None = None, **parameters: str | Sequence[str]) -> None:
    """Draw such a link by a name in bold, and below it in words why."""
    go(f"**{esc(name)}**", icon, **parameters)
    st.caption(esc(told))


def named(text: str) -> str | None:
    """Return the id of the concept or episode that a text names, None for other words."""
    if text in cache.names():
        return text
    return cache.ask(Atlas.meaning, text, "subject").ids[0] if text in cache.subject_words() else None


def goals_title(wanted: Sequence[str], plan: Plan) -> str:
    """Return what a plan is for: the title of a journey of just these goals, else their names."""
    journeys = {tuple(journey.goals): journey.title for journey in cache.atlas().journeys()}
    return journeys.get(tuple(wanted)) or listed(plan.goals)


def note_state(page: str) -> None:
    """Let the tab's title and the page's link follow the page's state."""
    atlas, last = cache.atlas(), st.session_state.setdefault("last_queries", {})
    query = {name: st.query_params.get_all(name) for name in st.query_params}
    if last.get(page, query) != query:  # else Streamlit (1.67) sends the former address again
        st.query_params.from_dict(query)
    last[page] = query
    questions = {question.name: question.title for question in atlas.questions()}
    sources = origins.load_sources(atlas.settings)
    title = state.page_title(page, query, atlas.graph, questions, sources.subject)
    st.set_page_config(page_title=f"{title[:120]} · {sources.title or 'torchatlas'}")


def fold(label: str, key: str, parameters: Sequence[str]) -> None:
    """Draw the box that unfolds a row on a phone, with a count of what is set."""
    changed = sum(name in st.query_params for name in parameters)
    st.checkbox(f"{label} ({changed})" if changed else label, key=f"fold_{key}")


def row(**options: Any) -> Any:
    """Return a container whose parts stand beside one another, at one height."""
    return st.container(horizontal=True, **{"vertical_alignment": "center", **options})


def segments(name: str, label: str, options: Mapping[str, str], default: str | None = None, **more: Any) -> str:
    """Draw a choice, value -> words, for a URL parameter; return what is chosen."""
    usual = next(iter(options)) if default is None else default
    more |= state.follow(name, state.chosen(name, options, usual), usual)
    return st.segmented_control(label, list(options), format_func=options.__getitem__, required=True, **more) or usual


def select(name: str, label: str, options: Mapping[str, str], hint: str, **more: Any) -> str | None:
    """Draw a list, value -> words, for a URL parameter; `hint`: for no choice."""
    more |= {"placeholder": hint, **state.follow(name, state.chosen(name, options))}
    return st.selectbox(label, list(options), index=None, format_func=options.__getitem__, **more)


def search_box(
    label: str, options: Mapping[str, str], key: str, hint: str, add: Act, held: str | None = None, visible: bool = True
) -> None:
    """Draw a box of names that takes any words, for `add`; then it shows `held`.

    `add` gets "" when a person empties a box that holds words.
    """

    def take() -> None:
        text = (st.session_state[key] or "").strip()
        st.session_state[key] = held
        try:  # an address keeps nothing private
            if text and text not in options and kept(text, "") != text:
                text = cache.ask(Atlas.meaning, text).text
        except AtlasError as e:
            st.session_state["trouble"] = str(e)
        else:
            if text or held:
                add(text)

    st.session_state[key] = held
    st.selectbox(
        label,
        list(options),
        index=None,
        key=key,
        on_change=take,
        format_func=lambda value: options.get(value, value),
        placeholder=hint,
        accept_new_options=True,
        label_visibility="visible" if visible else "collapsed",
    )


def chips(chosen: Mapping[str, str], key: str, remove: Act) -> None:
    """Draw value -> words as chips; a click on one removes it."""
    with row(gap="xsmall") if chosen else nullcontext():
        for place, (value, words) in enumerate(chosen.items()):
            close: Any = {"icon": ":material/close:", "icon_position": "right", "help": f"Remove {esc(words)}"}
            st.button(esc(words), key=f"chip:{key}:{place}:{value}", on_click=remove, args=(value,), **close)


def say_unknown(name: str, allowed: Collection[str]) -> None:
    """Warn where the page's address names something that this graph does not have."""
    if unknown := [value for value in st.query_params.get_all(name) if value not in allowed]:
        say_nothing_found(unknown[0])


def meanings(name: str, names: Collection[str], wanted: Wanted) -> dict[str, Understood]:
    """Return words in the address with their meaning; warn of those without."""
    found: dict[str, Understood] = {}
    for text in st.query_params.get_all(name):
        if text not in names:
            try:
                found[text] = cache.ask(Atlas.meaning, text, wanted)
            except UnknownName as e:
                say_nothing_found(text, e.suggestions, partial(state.replace_one, name, text))
    return found


def say_nothing_found(text: str, suggestions: Sequence[str] = (), take: Act | None = None) -> None:
    """Warn that words mean nothing here, and offer names that may be meant."""
    remedy = "Did you mean:" if suggestions else "Choose from the list."
    say(f"There is no “{esc(text)}” in this graph. {remedy}", "link_off", st.warning)
    with row() if suggestions else nullcontext():
        for place, name in enumerate(suggestions):
            st.button(esc(name), key=f"meant:{text}:{place}", on_click=take, args=(name,))


def say_understood(meant: Understood, take: Callable[..., None]) -> None:
    """Draw how words were understood, and a button for each other reading.

    `take` gets the ids of the reading that a person chooses.
    """
    if meant.sentence:
        say(esc(meant.sentence.partition(OTHER_READINGS)[0]))
    if meant.sentence and meant.other:
        with row():
            st.markdown("Other readings:", width="content")
            for place, reading in enumerate(meant.other):
                key = f"instead:{meant.text}:{place}"
                st.button(esc(reading.described), key=key, on_click=take, args=reading.ids)


def leave_for(id_: str) -> None:
    """Open the page of a node that was picked in a picture. For callbacks."""
    if id_:
        state.leave("episode" if id_ in cache.atlas().graph.episode else "node", id_)


def cards(items: Sequence[T], across: int) -> Iterator[T]:
    """Draw cards, `across` in a row; yield each item while its card is filled."""
    for start in range(0, len(items), across):
        for column, item in zip(st.columns(across), items[start : start + across], strict=False):
            with column.container(border=True, height="stretch", gap="xsmall"):
                yield item


def bullets(title: str, lines: Sequence[str]) -> None:
    """Draw a list of lines that are Markdown already, nothing where there are none."""
    if lines:
        heading(title)
        st.markdown("\n".join(f"- {line}" for line in lines))


def choices(title: str, items: Sequence[Neighbour | Lesson], pick: Act, of: str = "") -> None:
    """Draw a list under a heading, if any; a click on a name picks it. `of`: the node that edges join to the items."""
    if items:
        heading(title)
        if of:
            wrong(title, of, items)
        for part in with_more(list(enumerate(items)), f"{title}:{items[0].id}"):
            with st.container(gap=None, key=f"list_{title}_{part[0][0]}"):
                for number, item in part:
                    button(esc(item.name), key=f"{title}:{item.id}:{number}", on_click=pick, args=(item.id,))
                    if item.why:
                        st.caption(esc(item.why))


def wrong(title: str, of: str, items: Sequence[Neighbour | Lesson]) -> None:
    """Draw, behind a quiet button, how to take an edge in the list `title` off the map, and to report it."""
    flag, graph, path = ":material/flag:", cache.whole().graph, cache.atlas().settings.corrections
    menu = st.popover("This is wrong", type="tertiary", icon=flag, key=f"wrong_{title}", on_change="rerun")
    if not menu.open:
        return
    names = {item.id: item.name for item in items}
    with menu:
        other = st.selectbox("Which is wrong?", list(names), format_func=names.__getitem__, key=f"which:{title}:{of}")
        why = st.text_input("Why, in a line?", key=f"why:{title}:{of}", max_chars=300)
        edge = objections.edge_between(graph, title, of, other)
        computed = edge.kind == "RELATED_TO"
        act: Any = {"disabled": computed or busy(), "on_click": _correct, "args": (edge, why)}
        if st.button("Take it off my map", key=f"drop:{title}:{of}", **act):
            st.rerun()  # the progress is drawn outside of a fragment
        undo = f"To undo it, remove its entry from {path}."
        st.caption(esc("Computed from what both teach and assume: correct those lists." if computed else undo))
        st.markdown("To report it, copy this into an issue:")
        st.code(objections.issue(graph, edge, why), language=None, wrap_lines=True)


def _correct(edge: Edge, why: str) -> None:
    try:
        objections.drop(settings := cache.atlas().settings, edge, why)
        fetch_feed(str(settings.corrections), adds=None)
        st.toast("It is written down. The map is built again; above the page stands how far that is.")
    except AtlasError as e:
        st.session_state["trouble"] = str(e)


def episode_rows(found: Sequence[EpisodeRow], heard: Collection[str]) -> None:
    """Draw episodes as rows with their facts, up to what a browser draws."""
    for episode in found[:MOST_ROWS]:
        with row(gap="small", key=f"episode_row_{episode.id}"):
            icon = "check_circle" if episode.id in heard else "podcasts"
            go(f"**{esc(episode.name)}**", icon, episode=episode.id)
            facts = (episode.length or "–", episode.area or "–", episode.day)
            st.caption(" ".join(f"*{esc(fact)}*" for fact in facts if fact), width="content")
    if len(found) > MOST_ROWS:
        st.caption(f"These are the first {MOST_ROWS}. Words or an area above narrow the list down.")


def related_episodes(id_: str, pick: Act) -> None:
    """Draw the list of the episodes nearest to an episode, with the reasons."""
    names, related = cache.atlas().graph.episode_names, cache.ask(Atlas.related, id_, 6)
    choices("Related episodes", [Neighbour(r.episode_id, names[r.episode_id], why=r.why) for r in related], pick, id_)


def with_more(items: Sequence[T], key: str) -> Iterator[Sequence[T]]:
    """Yield the first items, and the others inside of "more" once it is opened."""
    yield items[: (cut := _LISTED + (len(items) == _LISTED + 1))]  # not "1 more"
    if rest := items[cut:]:
        more = st.expander(f"{len(rest)} more", key=f"more:{key}", on_change="rerun")
        if more.open:
            with more:
                yield rest


def show_map(picture: Payload, shown: MapState, *, key: str, on_pick: Act, on_area: Act | None = None) -> None:
    """Draw a picture, which the browser fetches once, and what stands out on it.

    `on_pick` gets a clicked id, "" for the ground; `on_area` an area, if nodes are
    hidden. A row with the key `step_N` and the route's stop N point at each other.
    """

    def sent(name: str, act: Act | None) -> None:
        # Streamlit (1.67) loses the click if the run of another page ends late.
        if act and (found := st.session_state.get(key)):
            act(getattr(found, name) or "")

    data = {"picture": keep(picture), "height": picture["height"], **asdict(shown)}
    picked, area = partial(sent, "picked", on_pick), partial(sent, "area", on_area)
    component("map")(data=data, key=key, on_picked_change=picked, on_area_change=area)


@functools.cache
def component(name: str) -> Callable[..., Any]:
    """Return the mount command of the "map", the "editor", the "player", or the listener for "keys"."""
    script = f'const map = await import(new URL("{BASE}/map.js", location.origin));\nexport default map.mount;'
    js, own = script if name == "map" else asset(f"{name}.js"), name != "keys"
    more: Any = {"css": asset(f"{name}.css")} if own else {}
    html = asset(f"{name}.html")
    return st.components.v2.component(f"torchatlas_{name}", html=html, js=js, isolate_styles=own, **more)


def share(plan: Plan | None = None, menu: Any = None) -> None:
    """Draw, in a menu, how to hand on the map or a plan: as a page in one file, a picture, or a link."""
    page = partial(share_page, cache.atlas().graph, cache.atlas().subject, plan)
    with menu or st.popover("Share", type="tertiary", icon=":material/share:"):
        st.download_button("A page in one file", page, "torchatlas.html", "text/html", on_click="ignore")
        st.button("A picture of the map", key="save_picture")  # the map's script saves it
        st.caption("To have it on a phone, send yourself the page. The link works on this computer alone:")
        st.code(f"{st.context.url}?{urlencode(st.query_params.to_dict(), doseq=True)}", language=None, wrap_lines=True)


def remember(change: Callable[[], object]) -> None:
    """Change the profile, with an undo; tell errors later. Raises UnknownName."""
    try:
        atlas = cache.atlas()
        before = atlas.profile
        change()
        done = ProfileChange(before, atlas.profile)
        if done.told(atlas.graph):
            st.session_state["profile_change"] = done
    except UnknownName:
        raise
    except AtlasError as e:
        st.session_state["trouble"] = str(e)


def heard_button(episode_id: str, *, heard: bool, goals: Sequence[str] = ()) -> None:
    """Draw a button that marks an episode as heard (for `goals`), or as not heard."""

    def change() -> None:
        cache.atlas().heard(episode_id, forget=heard)
        if goals:
            cache.atlas().begin(*goals)

    kind = cache.atlas().graph.episode[episode_id].kind
    done = {"episode": "heard", "trailer": "heard", "video": "watched"}.get(kind, "read")
    label, icon = (done.capitalize(), "check_circle") if heard else (f"Mark as {done}", "circle")
    button(label, icon, key=f"heard:{episode_id}", on_click=remember, args=(change,))


def moment(episode: Episode, name: str, at: int, label: str, goals: Sequence[str] = ()) -> None:
    """Draw a button that plays from a second; where no audio is known, the label alone."""
    key = f"play:{episode.id}:{at}:{name}"
    if is_web(episode.audio_url):
        begin = None if name == label else at
        button(label, "play_arrow", key=key, on_click=play, args=(episode.id, begin, goals))
    elif episode.kind == "video" and is_web(episode.url):
        page = f"{episode.url}{'&' if '?' in episode.url else '?'}t={at}s"
        st.link_button(label, page, key=key, type="tertiary", icon=":material/open_in_new:")
    else:
        st.markdown(label, width="content")


def play(episode_id: str | None, at: int | None = None, goals: Sequence[str] = ()) -> None:
    """Play an episode, without `at` from where one was; None: close the player."""
    st.session_state["playing"] = (episode_id, str(at or 0), time(), at is None) if episode_id else None
    state.choose("play", episode_id)
    state.choose("at", at)
    if goals:
        remember(lambda: cache.atlas().begin(*goals))


def player() -> None:
    """Draw the player of all pages; nothing is fetched before a press on Play."""
    kept: tuple[Any, ...] = (st.query_params.get("play"), st.query_params.get("at", "0"), 0, True)
    id_, at, pressed, resumes = st.session_state.get("playing") or kept
    graph = cache.whole().graph
    episode = graph.episode.get(id_ or "")
    if not episode or not is_web(episode.audio_url) or not at.isdecimal():
        component("player")(data={}, key="player")
        return
    start = int(at) if len(at) < 7 else 0
    data = {"id": episode.id, "title": episode.label, "src": episode.audio_url, "at": start, "resumes": resumes}
    component("player")(data=data | {"press": pressed}, key="player")
    with st.popover("Chapters"):
        found = [(t.at, graph.name_of(t.target)) for t in graph.teaches if t.source == id_ and t.at is not None]
        for second, name in sorted(found):
            moment(episode, f"chapter:{name}", second, f"{clock(second)} {esc(name)}")
    goals = cache.atlas().profile.within(cache.atlas().graph).goals
    steps = cache.ask(Atlas.plan, *goals).steps if goals else ()
    then = next((step for step in steps if step.episode_id != id_ and is_web(step.audio_url)), None)

    def heard() -> None:
        remember(lambda: cache.atlas().heard(episode.id))
        play(then.episode_id if then else None)

    button(f"Mark as heard, next: {esc(then.title)}" if then else "Mark as heard", key="heard_next", on_click=heard)
    button("Close player", "close", key="player_close", on_click=play, args=(None,))


def minutes(plan: Plan) -> None:
    """Draw, folded, one list of the moments of a plan."""
    if found := [(step.episode_id, taught) for step in plan.steps for taught in step.teaches if taught.at is not None]:
        folded = st.expander(f"Only the minutes that matter ({len(found)})", key="minutes", on_change="rerun")
        goals = [id_ for meant in plan.understood for id_ in meant.ids]
        with folded, st.container(gap=None, key="list_minutes"):
            for id_, taught in found if folded.open else ():
                episode, at = cache.atlas().graph.episode[id_], taught.at or 0
                label = f"{clock(at)} **{esc(taught.name)}** in {esc(episode.label)}"
                moment(episode, f"minutes:{taught.name}", at, label, goals)


def offer_audio(ids: Collection[str], *, some: bool = False) -> bool:
    """Offer feeds where all episodes, or `some`, lack audio; return whether all do."""
    episodes = [e for e in map(cache.atlas().graph.episode.__getitem__, ids) if verb(e.kind) == "hear"]
    lacking = [episode for episode in episodes if not is_web(episode.audio_url)]
    shows = sorted(filter(cache.atlas().feed_of, {episode.show for episode in lacking}))
    silent = len(lacking) == len(episodes)
    if lacking and (some or (silent and shows)):
        with row(key=f"offer_{some}", border=True):
            has = f"{len(episodes) - len(lacking)} of {len(episodes)} episodes have audio here."
            st.markdown(f"**{has}**{' With the feed each plays from the right minute.' * bool(shows)}")
            for show in shows:
                feed, icon = cache.atlas().feed_of(show) or "", ":material/cloud_download:"
                fetch = partial(fetch_feed, feed)
                if st.button("Fetch the feed", key=f"fetch:{some}:{feed}", icon=icon, on_click=fetch):
                    st.rerun()  # the progress is drawn outside of a fragment
    return silent


class Job(Thread):
    """The adding of a feed, its removal if not `adds`, or, if None, a build with corrections; and how it went."""

    def __init__(self, feed: str, *, adds: bool | None = True) -> None:
        super().__init__(name="torchatlas-feed", daemon=True)
        self.feed, self.adds, self.share, self.came, self.wrong = feed, adds, 0.0, "", ""
        first = {True: "Fetching the feed", False: "Removing", None: "Building the map"}
        self.stage, self.lines, self.stopped = first[adds], list[str](), False

    def run(self) -> None:
        settings, what = load_settings(), "correction" if self.adds is None else "feed"
        is_now = "removed" if self.adds is False else "in the map"
        could = {True: "fetched", False: "removed", None: "applied"}[self.adds]
        try:
            before = {*origins.load_sources(settings).sources}
            change: Any = partial(origins.remember, progress=self._report) if self.adds else origins.forget
            undo = f"To undo it, remove its entry from {self.feed}"
            self.lines = [undo] if self.adds is None else list(change(settings, self.feed))
            with Atlas(settings, lambda: nullcontext(self._report)) as atlas:
                atlas.refresh(again=True)
                for source in atlas.sources():
                    if source.address == self.feed and source.trouble:
                        raise AtlasError(source.trouble)
                self.came = f"The {what} is {is_now}: {atlas.graph.size}."
        except AtlasError as e:
            self.wrong = f"The {what} could not be {could}, and the map is as it was: {e}"
            if self.stopped:  # what was added goes, with its copies
                listed = origins.change_sources(settings, lambda s: s.adding(sources=self.feed)).sources
                for address in {*listed} - before:
                    origins.forget(settings, address)
        finally:  # Python prints the traceback of a bug
            self.wrong = self.wrong or ("" if self.came else "Fetching stopped; the terminal says why.")
            cache.stamp.clear()  # the next run of a page looks which graph is stored

    def _report(self, stage: str, done: int, total: int) -> None:
        if self.stopped:
            raise AtlasError("you cancelled")
        self.stage, self.share = stage, min(1.0, done / max(1, total))


_jobs: list[Job] = []  # at most one, of all sessions
_lock = Lock()


def busy() -> bool:
    """Return whether a job is under way."""
    return any(job.is_alive() for job in _jobs)


def fetch_feed(feed: str, **how: bool | None) -> None:
    """Begin to fetch a feed in a thread, or as a job does `how`, unless one is under way."""
    with _lock:
        if not busy():
            st.session_state["job_shown"] = feed  # it may end before the page sees it run
            job = Job(feed, **how)
            job.start()
            _jobs[:] = [job]  # alive when another session sees it


def show_job() -> None:
    """Draw how far the fetching of a feed is, or how it ended until that is closed."""
    for job in _jobs:
        if job.is_alive():
            st.session_state["job_shown"] = job.feed
            _watch(job)
        elif st.session_state.get("job_shown") == job.feed:
            icon, draw = ("cloud_off", st.error) if job.wrong else ("check_circle", st.success)
            say("\n- ".join(map(esc, (job.wrong or job.came, *job.lines[:_LISTED]))), icon, draw)
            button("Close", key="job_close", on_click=partial(st.session_state.pop, "job_shown", None))


@st.fragment(run_every=0.7)
def _watch(job: Job) -> None:
    st.progress(job.share, "Cancelling …" if job.stopped else f"{esc(job.stage)} …")
    if job.adds:
        button("Cancel", "close", key="job_cancel", on_click=setattr, args=(job, "stopped", True))
    if not job.is_alive():
        st.rerun()
