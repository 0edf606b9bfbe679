"""Plans as RSS, iCalendar, Markdown, HTML or JSON; answers as JSON or Markdown.

Names come from feeds, so every mark that Markdown or HTML would obey is escaped.
"""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from email.utils import format_datetime
from itertools import groupby, pairwise
from shlex import quote as quote_for_shell
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from torchatlas.extract.fetch import is_private, media_type
from torchatlas.graph.answers import QUESTIONS, Explanation, Needed, Plan, Session, Step, Stretch, Table
from torchatlas.graph.errors import AtlasError, check_least
from torchatlas.graph.formatting import counted, escaped, is_web, length, markdown_address, verb, web_address
from torchatlas.graph.model import Episode, MarkdownMixin, Snapshot, Value
from torchatlas.graph.names import numbered, one_line, seen
from torchatlas.ui.templates import written

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?", re.A)
_PODCASTS = UUID("ead4c236-bf58-58c6-a2c6-a6b28d128cb6")
"""The namespace of podcasts: https://podcasting2.org/docs/podcast-namespace/tags/guid"""
_HOME = "http://127.0.0.1:8501/path"
_SESSIONS = "Sessions"
_EMPTY = (None, "", ())
_PLACES = {"x", "y", "field", "start", "end"}
_ADDRESSES = {"url", "audio_url", "link"}


def dumps(answer: object, indent: int | None = 2) -> str:
    """Return an answer, or a list of them, as JSON, alike for equal answers.

    A character that a terminal would obey or hide stands as \\uXXXX.

    >>> dumps(Table(("n",), ((83,),)), indent=None)
    '{"columns": ["n"], "rows": [[83]]}'
    """

    def plain(value: object) -> object:
        if not is_dataclass(value):
            return str(value)
        found = {f.name: getattr(value, f.name) for f in fields(value)}
        if isinstance(value, Needed):
            found["from"] = found.pop("source")
        elif isinstance(value, Table) and not value.truncated:
            del found["truncated"]
        elif isinstance(value, Explanation):
            found |= {"earlier": value.earlier[0], "later": value.later[0]}
        return found

    return seen(json.dumps(answer, ensure_ascii=False, indent=indent, default=plain))


def markdown(value: Any) -> str:
    """Return a value for a notebook: rows as tables, all else field by field.

    >>> markdown(Table(("title", "score"), (("Strides|views", 0.5),))).splitlines()[2]
    '| Strides\\\\|views | 0.5 |'
    """
    match value:
        case Plan():
            return plan_markdown(value)
        case Table():
            return _table(value.columns, value.rows) + (f"\n\n{value.caption}" if value.truncated else "")
        case Snapshot():
            return _table(("in the graph", "count"), ((f.name, len(getattr(value, f.name))) for f in fields(value)))
        case Explanation():
            edges = [
                f"- **{escaped(edge.source_name)}** {edge.verb} **{escaped(edge.target_name)}**: "
                f"{escaped(edge.words)} ({edge.evidence})"
                for edge in value.chain or value.reverse
            ]
            return "\n".join([escaped(value.verdict), *([""] if edges else []), *edges])
        case tuple():
            return rows_markdown(value)
    facts, sections = [], value.sections
    parts = {heading: rows_markdown(rows) for heading, rows in sections.items()}
    for name in (field.name for field in fields(value)):
        content, label = getattr(value, name), name.replace("_", " ")
        if content in _EMPTY:
            continue
        if isinstance(content, MarkdownMixin) or (isinstance(content, tuple) and content and is_dataclass(content[0])):
            if content not in sections.values():
                parts[label] = markdown(content)
        else:
            facts.append(f"- {escaped(label)}: {_cell(content)}")
    under = (f"**{escaped(heading)}**\n\n{text}" for heading, text in parts.items())
    return "\n\n".join(filter(None, ("\n".join(facts), *under))) or "nothing"


def rows_markdown(rows: Sequence[Any]) -> str:
    """Return values of a class as a table of filled columns, others as words.

    >>> rows_markdown(["vmap", "functorch"]), rows_markdown([])
    ('vmap, functorch', 'nothing')
    """
    if not rows or not is_dataclass(rows[0]):
        return ", ".join(map(_cell, rows)) or "nothing"
    names = " ".join(field.name for field in fields(rows[0]) if field.name not in _PLACES)
    cells = dict(f"{cell}={cell}".split("=")[:2] for cell in getattr(rows[0], "cells", names).split())
    columns = {heading: [getattr(row, name) for row in rows] for heading, name in cells.items()}
    filled = {heading: column for heading, column in columns.items() if any(value not in _EMPTY for value in column)}
    return _table([*filled], zip(*filled.values(), strict=True))


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [map(escaped, columns), ["---"] * len(columns), *(map(_cell, row) for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: Any) -> str:
    if isinstance(value, dict) or (isinstance(value, list) and any(isinstance(v, dict) for v in value)):
        return escaped(cell(value))
    if isinstance(value, tuple | list):
        return "; ".join(map(_cell, value))
    if is_dataclass(value):
        return ", ".join(filter(None, (_cell(getattr(value, field.name)) for field in fields(value))))
    if isinstance(value, str) and is_web(value):
        return f"<{markdown_address(value)}>"
    return "" if value is None else escaped(str(value))


def cell(value: object) -> str:
    """Return a value of a query on one line: a node by id and name, a path as a pattern.

    >>> cell({"_label": "Concept", "id": "vmap", "name": "vmap", "x": 1})
    '(:Concept {id: vmap, name: vmap})'
    """
    if value is None:
        return ""
    return ", ".join(map(_inner, value)) if isinstance(value, list) else _inner(value)


def _inner(value: Any) -> str:
    match value:
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
        case {"_nodes": nodes, "_relationships": edges}:
            steps = [_inner(node) for node in nodes[:1]]
            for (before, after), edge in zip(pairwise(nodes), edges, strict=False):
                backwards = edge.get("_target") == before.get("id") != after.get("id")
                steps += [f"<-[:{edge['_label']}]-" if backwards else f"-[:{edge['_label']}]->", _inner(after)]
            return " ".join(steps)
        case {"id": id_, "_label": label}:
            name = value.get("name") or value.get("title") or value.get("label") or ""
            return f"(:{label} {{id: {id_}{f', name: {name}' if name else ''}}})"
        case {"_label": label}:
            hidden = ("_label", "_source", "_target")
            told = _inner({key: inner for key, inner in value.items() if key not in hidden and inner != ""})
            return f"[:{label}{'' if told == '{}' else f' {told}'}]"
        case Mapping():
            return f"{{{', '.join(f'{key}: {_inner(inner)}' for key, inner in value.items())}}}"
        case list():
            return f"[{', '.join(map(_inner, value))}]"
    return str(value)


def shareable(answer: Any) -> Any:
    """Return an answer without private addresses: `shareable(plan).steps[0].url`."""
    if isinstance(answer, tuple):
        return tuple(map(shareable, answer))
    if not is_dataclass(answer) or isinstance(answer, type):
        return answer
    found = {f.name: getattr(answer, f.name) for f in fields(answer)}
    open_ = {n: None if n in _ADDRESSES and is_private(v) else shareable(v) for n, v in found.items()}
    return replace(answer, **open_)


def on_secrets(episodes: Iterable[Episode], style: str = "") -> str:
    """Say what becomes of private addresses in a format: `on_secrets((), "rss")` is ""."""
    private = [e for e in episodes if is_private(e.audio_url) or (style != "rss" and is_private(e.url))]
    whose = f"of {counted(len(private), 'episode')}"
    if private and style == "rss":
        return f"the feed holds audio addresses {whose} with a password or token: keep it to yourself"
    return f"left out: the addresses {whose} that hold a password or token" if private else ""


def csv_lines(table: Table, *, harmless: bool) -> Iterator[str]:
    """Yield the lines of CSV: `csv_lines(table, harmless=True)`; nodes and lists are in JSON.

    `harmless`: no formulas (owasp.org/www-community/attacks/CSV_Injection).
    """
    for row in (table.columns, *table.rows):
        fields = [v if v is None or isinstance(v, str) else dumps(v, indent=None) for v in row]
        for n, field in enumerate(fields if harmless else ()):
            if field and field.lstrip(" \xa0\ufeff\0").startswith(_FORMULA) and not _NUMBER.fullmatch(field):
                fields[n] = f"'{field}"
        written = io.StringIO()  # it quotes a lone "\r" only if lines end so
        csv.writer(written, lineterminator="\r\n").writerow(fields)
        yield written.getvalue().removesuffix("\r\n") + "\n"


def plan_markdown(plan: Plan) -> str:
    """Return a plan as a checklist in Markdown, for a notebook or an issue.

    Example: Path("plan.md").write_text(plan_markdown(atlas.plan("vmap")))
    """
    plan = shareable(plan)
    amount = f"{plan.amount}." if plan.steps else escaped(plan.heading)
    lines = [f"# Listening path to {escaped(', '.join(plan.goals))}", "", amount]
    lines += [f"\n{escaped(line)}" for line in (*_remarks(plan), *map(str, plan.successors))]
    if plan.known:
        lines.append(f"\nKnown already: {escaped(', '.join(plan.known))}.")
    lines.append("")
    for place, step in enumerate(plan.steps, 1):
        title = f"[{escaped(step.title)}]({markdown_address(step.url)})" if is_web(step.url) else escaped(step.title)
        facts = ", ".join(filter(None, (step.lasts, step.doubt)))
        name = f"{numbered(step.number, step.season)} {title}".lstrip()
        lines.append(f"{place}. [ ] **{name}** ({facts}): {escaped(step.why)}")
        moments = [f"[{escaped(name)}]({markdown_address(to)})" if to else escaped(name) for name, to in _moments(step)]
        lines += [f"   - explained: {', '.join(moments)}"] if moments else []
        lines += [f"   - note: {escaped(caveat)}" for caveat in step.caveats]
    for heading, rows in _lists(plan).items():
        lines += ["", f"## {escaped(heading)}", ""]
        for name, words, url in rows:
            read = f" <{markdown_address(url)}>" if is_web(url) else ""
            told = f"- **{escaped(name)}**: {escaped(words)}{read}"
            lines.append(f"- [ ] {escaped(name)}" if heading == _SESSIONS else told)
    return "\n".join([*lines, *(f"\n{escaped(line)}" for line in plan.alternatives)]) + "\n"


def plan_lines(plan: Plan, *, verbose: bool = True) -> Iterator[str]:
    """Yield the lines of a plan for people, without `verbose` only what to hear and why.

    Example: print("\\n".join(plan_lines(atlas.plan("vmap"))))
    """
    verbose = verbose or not plan.steps
    yield from (*plan.readings, plan.heading)
    for new in plan.successors:
        yield from ("", f"{new} Try: torchatlas plan {quote_for_shell(new.name)}")
    for place, step in enumerate(plan.steps, 1):
        name = f"{numbered(step.number, step.season)} {step.title}".lstrip()
        yield from [""] * verbose
        yield f"{place:2}. {name}  ({', '.join(filter(None, (step.lasts, step.badge, step.doubt)))})"
        yield f"    {step.why}"
        yield from [f"    explained: {', '.join(step.moments)}"] if verbose and step.moments else ()
        yield from (f"    note: {caveat}" for caveat in step.caveats if verbose)
    for heading, rows in _lists(plan).items():
        if verbose or heading not in plan.primers:
            yield from ("", f"{heading}:")
            for name, words, url in rows:
                yield f"  {' '.join(filter(None, (f'{name}:' if words else name, words, url)))}"
    for line in (*_remarks(plan)[len(plan.readings) :], *(plan.alternatives if verbose else ())):
        yield from ("", line)
    if not verbose:
        yield from ("", "--verbose adds times, notes, definitions and other routes.")


def _remarks(plan: Plan) -> list[str]:
    """Return how the goals were understood, and remarks not in the heading."""
    return [*plan.readings, *(line for line in plan.remarks if plan.steps or line not in plan.heading)]


def _moments(step: Step) -> list[tuple[str, str | None]]:
    """Return what a step explains when, and the address that opens there, if one can."""
    audio, page = web_address(step.audio_url), web_address(step.url) if step.kind == "video" else None
    to = f"{audio.partition('#')[0]}#t=" if audio else page and f"{page}{'&' if '?' in page else '?'}t="
    seconds = (t.at for t in step.teaches if t.at is not None)
    return [(name, to and f"{to}{at}") for name, at in zip(step.moments, seconds, strict=True)]


def _lists(plan: Plan) -> dict[str, list[tuple[str, str, str | None]]]:
    """Return heading -> (name, words, page) of sessions, and of concepts beside the steps."""
    found: dict[str, list[tuple[str, str, str | None]]] = {}
    if plan.sessions:
        found[_SESSIONS] = [(line, "", None) for line in plan.schedule]
    found |= {heading: [(p.name, p.told, p.link) for p in rows] for heading, rows in plan.primers.items()}
    return found | {heading: [(n.name, n.why, n.link) for n in near] for heading, near in plan.near.items()}


def quiz_ending(asked: int, *, stopped: bool) -> str:
    """Say why a quiz is over after some answers: `quiz_ending(8, stopped=False)`."""
    if stopped:
        return f"Stopped after {counted(asked, 'answer')}."
    if asked >= QUESTIONS:
        return "These were all eight questions."
    reason = "no answer would change the plan"
    return f"No question is left: {reason} any further." if asked else f"There is nothing to ask: {reason}."


class Item(NamedTuple):
    """A step of a plan and its episode, with what players want to know.

    `guid`: the episode's own, else its id. `chapters`: (second, names explained).
    """

    step: Step
    episode: Episode
    guid: str
    audio: str | None
    page: str | None
    feed: str | None
    picture: str | None
    chapters: tuple[tuple[int, str], ...]


class Playlist(Value):
    """A plan and its items. `start`: day or local time of the first session."""

    plan: Plan
    items: tuple[Item, ...]
    start: date | datetime | None = None

    @property
    def title(self) -> str:
        return one_line(f"Listening path to {', '.join(self.plan.goals)}")

    def identifier(self, part: str = "") -> str:
        """Return an id of the goals: a plan made again replaces the former one."""
        return str(uuid5(_PODCASTS, "\x1f".join(("torchatlas", *self.plan.goals, part))))


def _public(addresses: Iterable[str | None]) -> str | None:
    return next((a for a in map(web_address, addresses) if a and not is_private(a)), None)


def playlist(graph: Snapshot, plan: Plan, start: date | datetime | None = None) -> Playlist:
    """Return a plan with what players need of its episodes; only audio may be private.

    Example: `playlist(atlas.graph, atlas.plan("vmap")).items[0].guid`
    """
    items: list[Item] = []
    for step in plan.steps:
        episode = graph.episode[step.episode_id]
        listed = (graph.show[edge.target] for edge in graph.shows_of.get(episode.id, ()))
        shows = sorted(listed, key=lambda show: show.title != episode.show)
        guid = one_line(episode.guid or "")
        if not guid or any(guid == item.guid for item in items):
            guid = episode.id
        feed, picture = _public(show.feed_url for show in shows), _public(show.image_url for show in shows)
        audio, page = web_address(episode.audio_url), _public([episode.url])
        moments = sorted((t.at, one_line(t.name)) for t in step.teaches if t.at is not None)
        chapters = ((at, ", ".join(n for _, n in names)) for at, names in groupby(moments, key=lambda m: m[0]))
        items.append(Item(step, episode, guid, audio, page, feed, picture, tuple(chapters)))
    return Playlist(shareable(plan), tuple(items), start)


def without_audio(found: Playlist) -> str:
    """Say how many items have no known audio, and the remedy; "" if none.

    >>> without_audio(Playlist(Plan((), (), minutes=0, steps=()), ()))
    ''
    """
    lacking = [item for item in found.items if not item.audio and item.step.kind == "episode"]
    feeds = dict.fromkeys(quote_for_shell(item.feed) for item in lacking if item.feed)
    command = " ".join(["torchatlas add", *(feeds or ["FEED"])])
    return f"no audio is known for {counted(len(lacking), 'episode')}; to get it: {command}" if lacking else ""


def _rss(playlist: Playlist) -> str:
    """Return a podcast feed (rssboard.org/rss-specification), an episode a day."""
    plan, items = playlist.plan, playlist.items
    order = ("Each episode comes before those that need it.",) if items else ()
    days = (day for item in items if (day := item.episode.published) and "1990" <= day < "2101")
    last = datetime.combine(date.fromisoformat(min(days, default="2000-01-01")), time(12), UTC)
    dated = [(format_datetime(last - timedelta(days=n), usegmt=True), item) for n, item in enumerate(reversed(items))]
    addresses = {item.feed: re.sub(r"^[a-z]+://", "", item.feed, flags=re.I) for item in items if item.feed}
    return written(
        "plan.xml",
        playlist=playlist,
        media_type=media_type,
        length=length,
        link=next((item.page for item in items if item.page), _HOME),
        description=" ".join((f"{plan.heading.rstrip('.')}.", *order, *_remarks(plan))),
        picture=next((item.picture for item in items if item.picture), None),
        feeds={feed: uuid5(_PODCASTS, address.rstrip("/")) for feed, address in addresses.items()},
        shows={item.feed: item.episode.show for item in reversed(items)},
        items=dated[::-1],
    )


def _ics(playlist: Playlist) -> str:
    """Return a calendar (RFC 5545), a session a day, at local time if one is given."""
    from icalendar import Calendar, Event, vText

    start, steps = playlist.start, {i.episode.id: (i.step, _public((i.page, i.audio))) for i in playlist.items}
    if start is None:
        raise AtlasError("a calendar needs a day to begin with, such as 2026-12-01")
    if not steps:
        raise AtlasError(f"no calendar for this plan: {playlist.plan.heading}")
    check_least("the year in which the calendar begins", start.year, 1970, 9000)
    calendar = Calendar(PRODID="-//torchatlas//listening path//EN", VERSION="2.0")
    calendar.add("X-WR-CALNAME", vText(playlist.title))  # of itself it escapes known properties only
    heard = ((i.step.minutes or 0, Stretch(i.episode.id, i.episode.label, start=0, end=0)) for i in playlist.items)
    alone = (Session(minutes, (stretch,)) for minutes, stretch in heard)
    for day, session in enumerate(playlist.plan.sessions or alone):
        long = f"{session.minutes} min" if session.minutes else length(None)
        begins, lines, url = start + timedelta(days=day), [long], None
        for stretch in session.stretches:
            step, address = steps[stretch.id]
            lines += ["", *filter(None, (one_line(str(stretch)), one_line(step.why), address))]
            url, call = url or address, {"hear": "Listen"}.get(do := verb(step.kind), do.capitalize())
        facts = {
            "UID": f"{playlist.identifier(str(day + 1))}@torchatlas",
            "DTSTAMP": datetime.combine(begins, time(), UTC),
            "DTSTART": begins,
            "DURATION": timedelta(minutes=session.minutes) if isinstance(start, datetime) else timedelta(days=1),
            "SUMMARY": f"{call}: " + one_line("; ".join(map(str, session.stretches))),
            "DESCRIPTION": "\n".join(lines),
            "TRANSP": "TRANSPARENT",
            "URL": url,
        }
        calendar.add_component(event := Event())
        for name, value in facts.items():
            if value is not None:
                event.add(name, value)
    return str(calendar.to_ical(), "utf-8")


def _html_page(playlist: Playlist) -> str:
    """Return a page without scripts, to print or to mail."""
    plan, steps = playlist.plan, []
    for item, step in zip(playlist.items, plan.steps, strict=True):
        facts = filter(None, (step.lasts, step.badge, step.doubt))
        steps.append((item, ", ".join(facts), _moments(step)))
    head = (plan.heading, *_remarks(plan), *map(str, plan.successors))
    return written(
        "plan.html", title=playlist.title, head=head, steps=steps, lists=_lists(plan), foot=plan.alternatives
    )


class PlanFormat(NamedTuple):
    """A format: its button's label, its writer, its file endings, the usual first."""

    label: str
    about: str
    write: Callable[[Playlist], str]
    endings: tuple[str, ...]


_FEED = "a serial podcast feed with chapters, in the order of the plan"
_PAGE = "the same as a page without scripts, to print or to mail"
FORMATS = {
    "rss": PlanFormat("Podcast feed", _FEED, _rss, (".xml", ".rss")),
    "ics": PlanFormat("Calendar", "a calendar with one session of listening a day", _ics, (".ics",)),
    "markdown": PlanFormat("Markdown", "a list to tick off", lambda p: plan_markdown(p.plan), (".md", ".markdown")),
    "html": PlanFormat("Page to print", _PAGE, _html_page, (".html", ".htm")),
    "json": PlanFormat("JSON", "the plan for programs", lambda p: dumps(p.plan) + "\n", (".json",)),
}
"""Name -> format, in the order in which lists show them."""
ENDINGS = {ending: name for name, each in FORMATS.items() for ending in each.endings}
TO_HEAR = ("rss", "ics")
"""The formats for what plays or reminds, not for readers."""


def text_in(name: str, playlist: Playlist) -> str:
    """Return a playlist as text in a format. Raises AtlasError for another name.
    Example: `text_in("rss", playlist(graph, plan))`
    """
    if name not in FORMATS:
        raise AtlasError(f"the format must be one of {', '.join(FORMATS)}, not {name!r}")
    return FORMATS[name].write(playlist)
