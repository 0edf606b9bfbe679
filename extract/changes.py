"""Release notes to notes on what has changed since episodes and pages came out."""

import re
from collections.abc import Callable, Iterable, Iterator

from torchatlas.extract.feeds import Entry, parse
from torchatlas.extract.text import decoded, to_text
from torchatlas.graph.corrections import Dated
from torchatlas.graph.errors import SourceError
from torchatlas.graph.findings import Mention
from torchatlas.graph.model import Episode, Snapshot
from torchatlas.graph.names import excerpt

_SECTION = re.compile(r"\W*(?:deprecat|remov|(?:bc.)?break|backwards?.incompat)", re.I)
_RELEASE = re.compile(r"(?:[A-Za-z][\w-]* ){0,2}\[?v?(\d+\.\d+[\w.]*)")
_BESIDE = re.compile(r"\b(?:favou?r of|us(?:e|es|ing)|by|with|to|via|into|like|as|than|due to) (?:an? |the )?$", re.I)


def read_notes(document: bytes, name: str) -> tuple[Entry, ...]:
    """Return the entries of a feed, else a changelog as one: `read_notes(b"# 2.9", "a.md")`."""
    try:
        return parse(document, name).entries
    except SourceError:
        return (Entry(Episode("", name.rpartition("/")[2], show=""), decoded(document)),)


def changes(entry: Entry, graph: Snapshot, find: Callable[[str], Iterable[Mention]]) -> Iterator[Dated]:
    """Propose a note on each concept in a list of what is deprecated, removed or breaks.

    It is for older episodes and pages on it. Example: `list(changes(entry, graph, find))`
    """
    title, day, inside, code = entry.episode.title, entry.episode.published, 9, False  # 9: outside of a section
    name = f"{entry.episode.show.rpartition(' ')[2]} {v[1] if (v := _RELEASE.match(title)) else title}".strip()
    notes = entry.notes
    if not re.search(r"^(?:#+|[-*]) ", notes, re.M):  # HTML: ``` stands around code
        marked = re.sub(r"</?pre\b[^<>]*>", "<p>```</p>", notes)
        notes = to_text(re.sub(r"<h([1-6])\b[^<>]*>", lambda h: h[0] + "#" * int(h[1]) + " ", marked)).text
    notes = re.sub(r"\[([^][]*)\]\([^()\s]*\)", r"\1", notes)  # links
    for line in (re.sub(r"(?<!`)`(?!`)|\*\*", "", line).strip() for line in notes.splitlines()):
        code ^= line.startswith("```")
        text = line.lstrip("#>*•+- \t")
        mark = "" if code else line[: len(line) - len(text)]
        if 0 < (level := mark.count("#")) <= inside:
            inside = level if _SECTION.match(text) else 9
            if level < 3 and (release := _RELEASE.match(text)):
                name, dates = release[0].replace("[", ""), re.findall(r"\d{4}-\d\d-\d\d", line)
                day = next(iter(dates), entry.episode.published)
        pull = re.search(r"#\d+", text)
        if not mark or not (re.match("deprecated? ", text, re.I) or (pull and inside < 9)):
            continue
        said = re.split(r"(?<=[.!?]) (?=[A-Z])", text)[0]
        note = f"{name}: {excerpt(said, 200)}" + (f" ({pull[0]})" if pull and not re.search(r"#\d", said) else "")
        for concept in dict.fromkeys(_named(said, graph, find)):
            taught = (graph.episode[e.source] for e in graph.teachers.get(concept, ()))
            old = (e for e in taught if e.kind != "release" and (e.published or "") < (day or "9"))
            if ids := tuple(sorted(e.id for e in old if note not in e.dated)):
                yield Dated(name, concept, note, ids)


def _named(said: str, graph: Snapshot, find: Callable[[str], Iterable[Mention]]) -> Iterator[str]:
    """Yield concepts named by no common word, without versions of them and what replaces another."""
    for m in find(said):
        concept, name = m.concept_id, m.text.removesuffix("()")
        if concept not in graph.concept and "." in name:  # the owner of a member: LRScheduler.print_lr
            name = name.rpartition(".")[0]
            concept = next((o.concept_id for o in find(name) if o.text == name), "")
        beside = _BESIDE.search(said[: m.start][-40:]) or re.match(r" ?[<>=~]* ?\d", said[m.end :])
        known = None if beside else graph.concept.get(concept)
        if known and re.search("[A-Z_.]", name[name not in (known.name, *known.aliases) :]):
            yield concept
