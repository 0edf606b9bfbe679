"""The commands that keep what a person knows and has heard: know, heard."""

from collections.abc import Callable, Iterable, Mapping

import click

from torchatlas.exports import dumps
from torchatlas.profile import Profile, change_profile, load_profile
from torchatlas.settings import Settings
from torchatlas.ui.cli.options import format_option, settings_option, snapshot, split, tell


@click.command()
@click.argument("names", nargs=-1, metavar="[CONCEPT]...")
@click.option("--forget", is_flag=True, help="Take them out again.")
@format_option("text", "json")
@settings_option
def know(settings: Settings, names: tuple[str, ...], forget: bool, style: str) -> None:
    """Remember that you know these concepts; without one, list what you know. Every plan takes it into account.

    Example: torchatlas know dispatcher autograd
    """
    from torchatlas.graph.answers.resolution import resolve_concept

    graph = snapshot(settings)
    ids = [resolve_concept(graph, name).id for name in split(names)]
    profile = _changed(settings, ids, forget, Profile.with_known)
    _list(ids or profile.known, {c.id: c.name for c in graph.concepts}, style)


@click.command()
@click.argument("names", nargs=-1, metavar="[EPISODE]...")
@click.option("--forget", is_flag=True, help="Take them out again.")
@format_option("text", "json")
@settings_option
def heard(settings: Settings, names: tuple[str, ...], forget: bool, style: str) -> None:
    """Remember that you have heard these episodes (number, title or id); without one, list them.

    Example: torchatlas heard 2 7
    """
    from torchatlas.graph.answers.resolution import resolve_episode

    graph = snapshot(settings)
    ids = [resolve_episode(graph, name).id for name in split(names)]
    profile = _changed(settings, ids, forget, Profile.with_heard)
    _list(ids or profile.heard, {e.id: e.title for e in graph.episodes}, style)


def _list(ids: Iterable[str], names: Mapping[str, str], style: str) -> None:
    """What a profile holds, by name; null in JSON where this graph does not have it."""
    if style == "json":
        click.echo(dumps([{"id": id_, "name": names.get(id_)} for id_ in ids]))
        return
    for id_ in ids:
        tell(names.get(id_) or f"{id_}  (not in this graph)")


def _changed(
    settings: Settings, ids: list[str], forget: bool, add: Callable[[Profile, Iterable[str]], Profile]
) -> Profile:
    """The profile with these ids added or taken out; as it is where there are none."""
    if not ids:
        return load_profile(settings.profile)
    return change_profile(settings.profile, lambda p: p.without(ids) if forget else add(p, ids))
