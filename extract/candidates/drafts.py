"""A first vocabulary from candidates: TOML for a person to reword, with probable prerequisites and their evidence."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from torchatlas.extract.candidates.ranking import TermCandidate
from torchatlas.extract.inflection import singular
from torchatlas.graph.formatting import counted
from torchatlas.graph.model import Requires
from torchatlas.graph.names import concept_id, spelling

_LONGEST = 160  # characters of a reason
_AREA = "area"  # a key of the file, so that no concept in it has this id
_HEAD = """\
# Drafts by `torchatlas candidates --draft`. For each: say in a sentence of your own what it is, check what it needs
# (hear: without it an episode makes no sense; worth: good to hear first; bridge: a sentence will do), and delete
# `draft = true`. Delete what is no term. The next command builds the map with what stands here.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A term that may become a concept. `quote`: a sentence that names it, for want of a definition."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    quote: str
    found: str


def drafts(candidates: Iterable[TermCandidate], taken: Iterable[str], limit: int) -> tuple[Draft, ...]:
    """Return the best candidates as drafts, each once: an abbreviation or a plural is an alias of the other form.

    `taken`: ids that concepts have already.

    Example: `drafts(atlas.candidates(), graph.concept, 40)[0].name`
    """
    kept: dict[str, Draft] = {}
    known = {*map(spelling, taken)}
    for candidate in candidates:
        id_, name = concept_id(candidate.text), candidate.text
        if id_ == _AREA:
            id_ = f"{_AREA}-term"
        if not id_ or {spelling(id_), spelling(name)} & known:
            continue
        if twin := next((d for d in kept.values() if _same(name, d.name)), None):
            longer, shorter = sorted((twin.name, name), key=lambda text: (" " not in text, text.endswith("s"), text))
            aliases = tuple(dict.fromkeys(a for a in (*twin.aliases, shorter) if a != longer))
            kept[twin.id] = replace(twin, name=longer, aliases=aliases)
        elif len(kept) < limit and not any(d.name.startswith(f"{name} ") for d in kept.values()):
            found = f"{counted(candidate.count, 'time')} in {counted(len(candidate.episodes), 'episode')}"
            quote = " ".join(candidate.quote.split()).lstrip("•*· ")
            kept[id_] = Draft(id=id_, name=name, quote=quote, found=f"{found}, first in {candidate.episodes[0]}")
        known |= {spelling(id_), spelling(name)}
    return tuple(kept.values())


def written(area: str, found: Sequence[Draft], needs: Mapping[str, Sequence[Requires]] | None = None) -> str:
    """Return drafts as a file of a vocabulary. `needs`: id -> probable prerequisites, with the sentence that says so.

    >>> draft = Draft(id="wal", name="WAL", quote="The WAL comes first.", found="once")
    >>> print(written("Databases", [draft]).split("\\n\\n")[1])
    area = "Databases"
    """
    import tomlkit

    document = tomlkit.document()
    document.add(_AREA, tomlkit.item(area))
    for draft in found:
        section = tomlkit.table()
        section.add(tomlkit.comment(draft.found))
        section.add("name", draft.name)
        if draft.aliases:
            section.add("aliases", list(draft.aliases))
        section.add("draft", value=True)
        section.add("definition", draft.quote)
        for need in (needs or {}).get(draft.id, ()):
            section.add(tomlkit.key([need.need, need.target]), _reason(need))
        document.add(tomlkit.nl())
        document.add(draft.id, section)
    return f"{_HEAD}\n{tomlkit.dumps(document)}"


def _reason(need: Requires) -> str:
    quote = need.quote if len(need.quote) <= _LONGEST else f"{need.quote[:_LONGEST].rsplit(' ', 1)[0]} ..."
    return f"draft: {need.reason.removeprefix('inferred: ')}: {quote}"


def _same(one: str, other: str) -> bool:
    """Return whether one of two terms is the plural or the abbreviation of the other."""
    short, long = sorted((one, other), key=len)
    if short.casefold() == (singular(long.casefold()) or long.casefold()):
        return True
    initials = "".join(word[:1] for word in long.replace("-", " ").split())
    return len(short) > 1 and short.isupper() and initials.casefold() == short.casefold()
