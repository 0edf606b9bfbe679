"""The commands that keep what a person knows and has heard: know, heard."""

from collections.abc import Callable, Iterable

import click

from ui.command import settings_option, snapshot, split
from ui.profile import Profile, load_profile, save_profile
from ui.settings import Settings


@click.command()
@click.argument("names", nargs=-1, metavar="[CONCEPT]...")
@click.option("--forget", is_flag=True, help="Take them out again.")
@settings_option
def know(settings: Settings, names: tuple[str, ...], forget: bool) -> None:
    """Remember that you know these concepts; without one, list what you know. Every plan takes it into account.

    Example: torchatlas know dispatcher autograd
    """
    from graph.names import resolve_concept

    graph = snapshot(settings)
    ids = [resolve_concept(graph, name).id for name in split(names)]
    profile = _changed(settings, ids, forget, Profile.with_known)
    for id_ in ids or profile.known:
        click.echo(graph.concept[id_].name if id_ in graph.concept else f"{id_}  (not in this graph)")


@click.command()
@click.argument("names", nargs=-1, metavar="[EPISODE]...")
@click.option("--forget", is_flag=True, help="Take them out again.")
@settings_option
def heard(settings: Settings, names: tuple[str, ...], forget: bool) -> None:
    """Remember that you have heard these episodes (number, title or id); without one, list them.

    Example: torchatlas heard 2 7
    """
    from graph.names import resolve_episode

    graph = snapshot(settings)
    ids = [resolve_episode(graph, name).id for name in split(names)]
    profile = _changed(settings, ids, forget, Profile.with_heard)
    for id_ in ids or profile.heard:
        click.echo(graph.episode[id_].title if id_ in graph.episode else f"{id_}  (not in this graph)")


def _changed(
    settings: Settings, ids: list[str], forget: bool, add: Callable[[Profile, Iterable[str]], Profile]
) -> Profile:
    """The profile with these ids added or taken out, saved where anything changed."""
    profile = load_profile(settings.profile)
    changed = profile.without(ids) if forget else add(profile, ids)
    if changed != profile:
        save_profile(settings.profile, changed)
    return changed
