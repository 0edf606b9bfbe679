"""How words that a person types become concepts and episodes of a graph; the same for every front end."""

from collections.abc import Iterable
from typing import TypeVar

from torchatlas.files import note
from torchatlas.graph.answers import Reading, Understood
from torchatlas.graph.cards import Rows
from torchatlas.graph.errors import UnknownName, check_least
from torchatlas.graph.questions import Wanted
from torchatlas.open_map import OpenMap

Name = str | int
"""A name, an alias, an id, or the number of an episode."""
T = TypeVar("T", bound=Name)


def as_list(names: T | Iterable[T]) -> list[T]:
    """Return names as a list, also where a single one is given.

    >>> as_list("vmap"), as_list([61, "vmap"])
    (['vmap'], [61, 'vmap'])
    """
    return [names] if isinstance(names, str | int) else list(names)


def as_text(name: Name) -> str:
    """Return a name, or the number of an episode, as text. Raises AtlasError for a number that no episode has.

    >>> as_text(61)
    '61'
    """
    if isinstance(name, int):
        check_least("the number of an episode", name, 0)
    return str(name)


def understand(atlas: OpenMap, text: str, wanted: Wanted = "goal") -> Rows[Reading]:
    """List what words may mean, best first; what is `wanted` is a goal, a subject, a concept or an episode.

    The first one is taken for an answer where it is `sure`.

    Example: atlas.understand("why is my dataloader leaking")[0].name
    """
    return Rows(atlas.resolver.readings(text, wanted))


def meaning(atlas: OpenMap, text: str, wanted: Wanted = "goal") -> Understood:
    """Return what words are taken to mean, and the sentence that says so; a goal may also be a journey's name.

    Raises UnknownName, with suggestions, where they mean nothing or several things.

    Example: atlas.meaning("how does backward work").sentence
    """
    from torchatlas.shipped import journey_named, journeys_about

    resolver = atlas.resolver
    if wanted != "goal" or resolver.named(text, wanted):
        return resolver.resolve(text, wanted)
    if journey := journey_named(atlas.graph, text):
        said = f"These are the goals of {journey.described}."
        return Understood(text, journey.goals, how="journey", sentence=said)
    try:
        return resolver.resolve(text, wanted)
    except UnknownName as unknown:
        for about in journeys_about(atlas.graph, text)[:1]:
            more = f"; or take {about.described}: torchatlas plan --journey {about.name}"
            raise unknown.with_more(more) from unknown
        raise


def names_with_commas(atlas: OpenMap) -> list[str]:
    """Return the names of concepts and the titles of episodes that hold commas: in a list they are no list.

    Example: "vmap, autograd" in atlas.names_with_commas() is False
    """
    concepts = (name for concept in atlas.graph.concepts for name in (concept.name, *concept.aliases))
    return [name for name in (*concepts, *(e.title for e in atlas.graph.episodes)) if "," in name]


def goals_of(atlas: OpenMap, names: Iterable[Name]) -> list[Understood]:
    """Return what names of goals are taken to mean, each name once.

    Example: goals_of(atlas, ["vmap", 61])[0].ids
    """
    return [meaning(atlas, name) for name in dict.fromkeys(map(as_text, names))]


def concept_id(atlas: OpenMap, name: str, *, words_too: bool = False) -> str:
    """Return the id of a concept; an id comes before another concept's name.

    Example: concept_id(atlas, "torch.vmap")
    """
    return _one(atlas, name, "concept", words_too=words_too)


def episode_id(atlas: OpenMap, name: Name, *, words_too: bool = False) -> str:
    """Return the id of an episode.

    Example: episode_id(atlas, 61)
    """
    return _one(atlas, as_text(name), "episode", words_too=words_too)


def subject_id(atlas: OpenMap, name: Name) -> str:
    """Return the id of a concept or an episode.

    Example: subject_id(atlas, "vmap")
    """
    return _one(atlas, as_text(name), "subject", words_too=True)


def _one(atlas: OpenMap, text: str, wanted: Wanted, *, words_too: bool) -> str:
    """Return the id that a text means; a note says how it was understood where it is no exact name."""
    meant = atlas.resolver.resolve(text, wanted, words_too=words_too)
    if meant.sentence:
        note(meant.sentence)
    return meant.ids[0]
