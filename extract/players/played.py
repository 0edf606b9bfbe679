"""An episode that a person has heard, as a podcast app names it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """An episode by what an app says of it: its guid, the addresses of its audio, page and feed, its title; "": not."""

    guid: str = ""
    audio: str = ""
    page: str = ""
    feed: str = ""
    title: str = ""

    @property
    def name(self) -> str:
        """The words that tell a person which episode it is."""
        return self.title or self.audio or self.page or self.guid
