"""The one file of former versions, which held a person's facts and the graph's sources, split in two on first use."""

from torchatlas.notes import note
from torchatlas.settings import Settings
from torchatlas.user_files import user_file
from torchatlas.user_files.files import changing

HEADER = "What your graph is made of beside the shipped files. Edit it as you like; `torchatlas build` reads it."
_MOVED = frozenset({"sources", "pages", "refused", "vocabularies"})


def split_former_profile(settings: Settings) -> None:
    """Move the entries about sources from profile.toml to sources.toml, with a note, where a former version left them.

    Raises DataError where a file cannot be read or written. The new file is written first, so that nothing is lost
    when the program ends in between.

    Example: split_former_profile(load_settings())
    """
    if settings.sources_list.exists() or not settings.profile.exists():
        return
    if not _MOVED & user_file.read(settings.profile).keys():
        return
    with changing(settings.profile):
        written = user_file.read(settings.profile)
        moved = {key: tuple(v) if isinstance(v, list) else v for key, v in written.items() if key in _MOVED}
        if settings.sources_list.exists() or not moved:  # another process was faster
            return
        user_file.save(settings.sources_list, moved, HEADER)
        user_file.save(settings.profile, {}, "", drop=_MOVED)
    note(f"moved the sources from {settings.profile} to {settings.sources_list}; the profile keeps what you know")
