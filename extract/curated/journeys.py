'''Curated journeys: TOML files, one a journey.

>>> text = """
... title = "From eager to torch.compile"
... about = "Follow one call from Python to a kernel."
... goals = ["dynamo", "inductor"]        # ids of concepts or episodes; the plan for all of them is the journey
... """
>>> load_journeys([("data/journeys/compile.toml", text)])[0].name
'compile'
'''

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import Field

from torchatlas.extract.curated.forms import ListOf, Text, TomlTable
from torchatlas.extract.curated.toml_file import TomlFile
from torchatlas.graph.findings import Journey


class JourneyForm(TomlTable):
    """A file that describes a journey; its name without the ending is the journey's."""

    title: Text
    about: Text
    goals: Annotated[ListOf[Text], Field(min_length=1)]


def load_journeys(files: Iterable[tuple[str, str]]) -> tuple[Journey, ...]:
    """Return the journey in each of these (name, text) pairs. Raises DataError as `TomlFile.parse` does.

    >>> load_journeys([])
    ()
    """
    parsed = (TomlFile.parse(name, text, JourneyForm) for name, text in files)
    return tuple(
        Journey(
            PurePosixPath(file.name).stem,
            file.content.title,
            about=" ".join(file.content.about.split()),
            goals=file.content.goals,
        )
        for file in parsed
    )
