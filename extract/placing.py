"""Pages beside feeds and catalogue: each episode once, by its fullest text."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from html import escape
from typing import Literal

from torchatlas.extract.feeds import Entry, Transcript
from torchatlas.extract.links import find_links, normal
from torchatlas.extract.pages import Page, PageEntry
from torchatlas.extract.text import Text, to_text
from torchatlas.graph import identity
from torchatlas.graph.findings import Catalogue, Mention, Vocabulary
from torchatlas.graph.identity import Clues, Identified, KnownEpisode, KnownEpisodes
from torchatlas.graph.model import Episode, Value
from torchatlas.graph.names import episode_id

FindMentions = Callable[[str], Iterable[Mention]]
"""A function from a text to its mentions of concepts."""
_TITLE, _ASIDE, _PART, _MAIN = 1.5, 0.5, 0.9, 1.5
_NAME, _ALIAS, _DEFINITION = 0.8, 0.5, 0.4


def _clues_of(catalogue: Catalogue, vocabulary: Vocabulary, mentions: FindMentions) -> dict[str, Clues]:
    """Return episode id -> clues from the catalogue and the vocabulary."""
    concepts, found = {c.id: c for c in vocabulary.concepts}, {}
    for e in catalogue.episodes:
        whole = [(e.title, _TITLE), *((text, 1.0) for text in (e.summary, *e.questions, *e.keywords))]
        terms = [_all_terms(text, weight, mentions) for text, weight in (*whole, *((t, _ASIDE) for t in e.dated))]
        terms += map(identity.terms_of, e.guests)
        subjects = set()
        for t in (t for t in catalogue.teaches if t.source == e.id):
            main, concept, id_ = t.depth == "main", concepts[t.target], f"concept {t.target}"
            terms += [{id_: _MAIN if main else _PART}, identity.terms_of(t.evidence, 1.0 if main else _NAME)]
            terms.append(identity.terms_of(concept.name, _NAME))
            if main:
                subjects.add(id_)
                terms.append(identity.terms_of(concept.definition, _DEFINITION))
                terms += (identity.terms_of(alias, _ALIAS) for alias in concept.aliases)
        for a in (a for a in catalogue.assumes if a.source == e.id):
            terms.append({f"concept {a.target}": _ASIDE})
            terms += (identity.terms_of(text, _ASIDE) for text in (concepts[a.target].name, a.why))
        titled, links = frozenset(identity.terms_of(e.title)), frozenset(map(normal, catalogue.urls.get(e.id, ())))
        found[e.id] = Clues(
            identity.strongest(terms), titled, subjects=frozenset(subjects), links=links, minutes=e.minutes
        )
    return found


def _all_terms(text: str, weight: float, mentions: FindMentions) -> dict[str, float]:
    return identity.terms_of(text, weight) | {f"concept {m.listed}": weight for m in mentions(text)}


class Placed(Value):
    """The outcome for a page's entry, its evidence, and its episode if placed."""

    page: str
    entry: PageEntry
    outcome: Literal["new", "merged", "not placed"] = "not placed"
    episode: Episode | None = None
    evidence: tuple[str, ...] = ()


def place(
    catalogue: Catalogue, vocabulary: Vocabulary, feeds: Sequence[Entry], pages: Sequence[Page], mentions: FindMentions
) -> tuple[tuple[Entry, ...], tuple[Placed, ...]]:
    """Return the entries of feeds, then those of pages only; and a row per page entry.

    An entry's episode is found by title, by text, then by other clues.
    Example: `place(catalogue, vocabulary, entries, pages, extractor.mentions)`
    """
    if not pages:
        return tuple(feeds), ()
    familiar = KnownEpisodes()
    episodes, ids, *_ = identity.merge_sources(catalogue, feeds)
    by_id = {e.id: familiar.add(e) for e in episodes}
    for id_, entry in zip(ids, feeds, strict=True):
        if text := to_text(entry.notes, base=entry.base).text:
            by_id[id_].texts.append((f"the feed of {entry.episode.show}", text))
    rows: list[tuple[str, PageEntry]] = []
    for page in pages:
        titles: defaultdict[str, list[str]] = defaultdict(list)
        for listed in page.entries:
            titles[listed.show] += [listed.title] if listed.title else []
        names = {show: familiar.show_of(show, named) for show, named in titles.items()}
        for listed in page.entries:
            show = names[listed.show]
            # A file of captions names no show: take the only one with an episode of its title.
            if listed.transcript and not show:
                show = familiar.show_titled(listed.title or "")
            rows.append((page.name, replace(listed, show=show)))
    titled = [_by_title(name, entry, familiar) if entry.title is not None else None for name, entry in rows]
    found = [known or familiar.by_text(e.text, e.show) for (_, e), known in zip(rows, titled, strict=True)]
    bare = [entry for (_, entry), known in zip(rows, found, strict=True) if not known]
    clues = _clues_of(catalogue, vocabulary, mentions) if bare else {}
    guessed: dict[PageEntry, Identified | None] = {}
    for show in sorted({entry.show for entry in bare}):
        candidates = [k for k in familiar.of_show(show) if k.episode.id in clues]
        guessed |= _by_clues([entry for entry in bare if entry.show == show], candidates, clues, mentions)
    found = [known or guessed[entry] for (_, entry), known in zip(rows, found, strict=True)]
    placed = (
        Placed(*row, "merged" if known[1] else "new", known[0].episode, known[1]) if known else Placed(*row)
        for row, known in zip(rows, found, strict=True)
    )
    return _entries(feeds, ids, [(e, k[0]) for (_, e), k in zip(rows, found, strict=True) if k]), tuple(placed)


def _by_title(page: str, entry: PageEntry, familiar: KnownEpisodes) -> Identified:
    """Return a titled entry's episode, without evidence if it is new."""
    title, facts = entry.title or "", {name: getattr(entry, name) for name in ("kind", "published", "minutes", "url")}
    episode = Episode(episode_id(entry.show, title), title, show=entry.show, **facts)
    known, evidence = familiar.by_title(episode, entry.text) or (familiar.add(episode), ())
    known.episode = identity.fullest(known.episode, episode)
    familiar.urls.setdefault(entry.url, known)
    known.texts += [(page, entry.text)] if entry.text else []
    return known, evidence


def _by_clues(
    entries: Sequence[PageEntry], candidates: Sequence[KnownEpisode], clues: Mapping[str, Clues], mentions: FindMentions
) -> dict[PageEntry, Identified | None]:
    """Place untitled entries, those of one text together."""
    groups: list[list[PageEntry]] = []
    for entry in entries:
        same = [group for group in groups if identity.same_text(group[0].text, entry.text)]
        groups += [] if same else [[]]
        (same[0] if same else groups[-1]).append(entry)
    described = []
    for fullest in (max(group, key=_fullness) for group in groups):
        terms = _all_terms(re.sub(r"https?://\S+", " ", fullest.text), 1.0, mentions)
        links = frozenset(link.id for link in find_links(Text(fullest.text)))
        described.append(Clues(terms, links=links, minutes=fullest.minutes))
    found = identity.matches(described, [clues[k.episode.id] for k in candidates])
    known = [(candidates[match[0]], match[1]) if match else None for match in found]
    return {entry: one for group, one in zip(groups, known, strict=True) for entry in group}


def _fullness(entry: PageEntry) -> tuple[int, int]:
    return len(entry.text.split()), len(find_links(Text(entry.text)))


def _entries(
    feeds: Sequence[Entry], ids: Sequence[str], found: Sequence[tuple[PageEntry, KnownEpisode]]
) -> tuple[Entry, ...]:
    """Return feed entries (`ids`: episodes) filled from pages, then new ones."""
    by_episode: dict[int, tuple[KnownEpisode, list[PageEntry]]] = {}
    for entry, known in found:
        by_episode.setdefault(id(known), (known, []))[1].append(entry)
    of_feed = {id_: place for place, id_ in reversed(list(enumerate(ids)))}  # the first feed
    entries = list(feeds)
    for known, met in by_episode.values():
        best = max(met, key=_fullness).text
        text = best + "".join(_missing(Text(best), [Text(entry.text) for entry in met]))
        place = of_feed.get(known.episode.id)
        own = Entry(known.episode, escape(text, quote=False)) if place is None else entries[place]
        spoken = tuple(Transcript(e.transcript) for e in met if e.transcript)
        marks = own.chapters or next((e.chapters for e in met if e.chapters), ())
        own = replace(own, transcripts=spoken or own.transcripts, chapters=marks)
        episode = own.episode
        for e in met:
            episode = identity.fullest(episode, replace(episode, published=e.published, minutes=e.minutes, url=e.url))
        if place is None:
            entries.append(replace(own, episode=episode))
            continue
        read = to_text(own.notes, base=own.base)
        longer = len(text.split()) > len(read.text.split()) and (not read.text or identity.same_text(read.text, text))
        whole = longer and not any(_missing(Text(text), [read]))
        notes = text if whole else "".join(_missing(read, [Text(text)]))
        notes = ("" if whole else own.notes) + escape(notes, quote=False)
        entries[place] = replace(own, episode=episode, notes=notes)
    return tuple(entries)


def _missing(known: Text, texts: Iterable[Text]) -> Iterable[str]:
    """Return a line for each link of the texts that is not in `known`."""
    links = {link.id for link in find_links(known)}
    others = {link.id: link for text in texts for link in find_links(text) if link.id not in links}
    return (f"\n{link.label} {link.url}" for link in others.values())
