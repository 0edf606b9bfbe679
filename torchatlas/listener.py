"""The person who listens: what they know, have heard and hear now, and what of it counts on a map."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from torchatlas.graph.errors import UnknownName
from torchatlas.open_map import OpenMap
from torchatlas.profile import Fact, Profile, ProfileChange, change_profile
from torchatlas.understanding import Name, as_list, concept_id, episode_id, goals_of


def know(atlas: OpenMap, *names: str, forget: bool = False) -> tuple[str, ...]:
    """Remember (or `forget`) that the person knows these concepts; return their ids.

    Without names, change nothing and return all that are known. Raises UnknownName before anything is changed.

    Example: atlas.know("dispatcher", "autograd")
    """
    return _change(atlas, "known", [concept_id(atlas, name) for name in names], forget=forget)


def heard(atlas: OpenMap, *names: Name, forget: bool = False) -> tuple[str, ...]:
    """Remember (or `forget`) that the person has heard these episodes; return their ids.

    Without names, change nothing and return all that were heard. Raises UnknownName before anything is changed.

    Example: atlas.heard(2, "Functionalization")
    """
    return _change(atlas, "heard", [episode_id(atlas, name) for name in names], forget=forget)


def know_subjects(atlas: OpenMap, *episodes: Name) -> tuple[str, ...]:
    """Remember that the person knows what these episodes are about; return the ids of the concepts.

    Example: atlas.know_subjects("Strides")
    """
    from torchatlas.graph.planning.demands import main_subjects

    found = (c for name in episodes for c in main_subjects(atlas.graph, episode_id(atlas, name)))
    subjects = list(dict.fromkeys(found))
    return _change(atlas, "known", subjects, forget=False) if subjects else ()


def names_of(atlas: OpenMap, ids: Iterable[str]) -> dict[str, str | None]:
    """Return the name or title of each concept and episode by its id, None for an id that this graph lacks.

    Example: atlas.names_of(atlas.know())
    """
    known = atlas.graph.concept.keys() | atlas.graph.episode.keys()
    return {id_: atlas.graph.name_of(id_) if id_ in known else None for id_ in ids}


def set_profile(atlas: OpenMap, fact: Fact, ids: str | Iterable[str]) -> Profile:
    """Make exactly these what the person knows, or has heard, of this graph; ids of other graphs stay.

    Example: atlas.set_profile("known", ["dispatcher"])
    """

    def change(profile: Profile) -> Profile:
        others = profile.lacking(fact, getattr(profile.within(atlas.graph), fact))
        return others.having(fact, as_list(ids))

    return change_profile(atlas.settings, change)


def undo(atlas: OpenMap, change: ProfileChange) -> Profile:
    """Take a change of the profile back; what was changed since stays.

    Example: atlas.undo(torchatlas.profile.ProfileChange(atlas.profile, atlas.profile))
    """
    return change_profile(atlas.settings, change.undone)


def begin(atlas: OpenMap, *goals: Name) -> Profile:
    """Remember the goals of the path that the person hears now; without goals, forget them. Raises UnknownName.

    Example: atlas.begin().goals
    """
    ids = tuple(dict.fromkeys(id_ for meant in goals_of(atlas, goals) for id_ in meant.ids))
    return change_profile(atlas.settings, lambda profile: replace(profile, goals=ids))


def _change(atlas: OpenMap, fact: Fact, ids: list[str], *, forget: bool) -> tuple[str, ...]:
    if ids:
        change_profile(atlas.settings, lambda p: p.lacking(fact, ids) if forget else p.having(fact, ids))
        return tuple(ids)
    known: tuple[str, ...] = getattr(atlas.profile, fact)
    return known


def listener(atlas: OpenMap, known: Iterable[str] = (), heard: Iterable[Name] = ()) -> Profile:
    """Return what counts on this map of the person's profile, with what they name besides.

    Of episodes of other shows, the subjects count.

    Example: listener(atlas, heard=[61]).heard
    """
    knows = [concept_id(atlas, name) for name in known]
    if not atlas.is_part:
        has_heard = [episode_id(atlas, name) for name in heard]
        return atlas.profile.within(atlas.graph).having("known", knows).having("heard", has_heard)
    from torchatlas.graph.planning.demands import main_subjects

    whole = atlas.of_shows()
    profile = whole.profile.within(whole.graph).having("heard", (_heard(atlas, whole, name) for name in heard))
    elsewhere = (e for e in profile.heard if e not in atlas.graph.episode)
    subjects = (concept for episode in elsewhere for concept in main_subjects(whole.graph, episode))
    return profile.within(atlas.graph).having("known", (*knows, *subjects))


def _heard(atlas: OpenMap, whole: OpenMap, name: Name) -> str:
    """Return the id of an episode of any show; a name that several shows have means the one of these shows."""
    try:
        return episode_id(whole, name)
    except UnknownName:  # of several shows, perhaps
        with suppress(UnknownName):
            return episode_id(atlas, name)
        raise
