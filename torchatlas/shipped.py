"""Files that ship with the program: catalogue, saved questions, journeys, first goals."""

import tomllib
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import PurePosixPath

from torchatlas.graph.cypher import Question, parse
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.findings import Journey
from torchatlas.graph.model import Show, Snapshot
from torchatlas.graph.names import fold, suggest
from torchatlas.graph.search import WordForms, telling

SHOW = Show(
    "pytorch-developer-podcast",
    "PyTorch Developer Podcast",
    author="Edward Yang, Team PyTorch",
    url="https://pytorch-dev-podcast.simplecast.com",
    feed_url="https://feeds.simplecast.com/OB5FkIl8",
)


def bundled(folder: str, suffix: str) -> tuple[tuple[str, str], ...]:
    """Return (name, text) of a folder's files: `bundled("questions", ".cypher")[0]`."""
    names = sorted(f.name for f in (files("torchatlas.data") / folder).iterdir())
    return tuple(bundled_file(f"{folder}/{name}") for name in names if name.endswith(suffix))


def bundled_file(name: str) -> tuple[str, str]:
    """Return name and text of one file of `data`: `bundled_file("unplaced.toml")[1]`."""
    return f"data/{name}", (files("torchatlas.data") / name).read_text("utf-8")


@cache
def load_questions() -> tuple[Question, ...]:
    """Return the saved questions: `load_questions()[0].title`. Raises DataError."""
    return tuple(parse(text, PurePosixPath(name).stem) for name, text in bundled("questions", ".cypher"))


def by_job() -> dict[str, tuple[Question, ...]]:
    """Return job -> its saved questions: `by_job()["What comes first"][0]`."""
    questions = sorted(load_questions(), key=lambda q: (q.job != find_question("before").job, q.job))
    return {job: tuple(of_job) for job, of_job in groupby(questions, key=lambda q: q.job)}


def find_question(name: str) -> Question:
    """Return the question of a name: `find_question("before")`. Raises UnknownName."""
    known = {question.name: question for question in load_questions()}
    if name not in known:
        raise UnknownName("saved question", name, suggest(name, known) or sorted(known)[:3])
    return known[name]


def journeys_on(graph: Snapshot) -> tuple[Journey, ...]:
    """Return the journeys whose goals are in the graph: `journeys_on(graph)[0].title`."""
    from torchatlas.extract.catalogue import load_journeys  # pydantic takes a while

    known = graph.concept.keys() | graph.episode.keys()
    return tuple(j for j in load_journeys(bundled("journeys", ".toml")) if known >= set(j.goals))


def journey_named(graph: Snapshot, name: str) -> Journey | None:
    """Return the journey of a name or title: `journey_named(graph, "Memory")`."""
    wanted = fold(name)
    if not any(wanted in fold(f"{file} {text}") for file, text in bundled("journeys", ".toml")):
        return None  # before any file is parsed, which takes time
    return next((j for j in journeys_on(graph) if wanted in (fold(j.name), fold(j.title))), None)


def first_goals(graph: Snapshot) -> tuple[str, ...]:
    """Return the shipped goals that are in the graph: `first_goals(graph)[0]`."""
    return tuple(goal for goal in tomllib.loads(bundled_file("goals.toml")[1])["goals"] if goal in graph.concept)


def journey_about(graph: Snapshot, text: str) -> Journey | None:
    """Return a journey with most words of a text: `journey_about(graph, "debug")`."""
    told = telling(text)
    for journey in journeys_on(graph) if told else ():
        forms = WordForms(telling(f"{journey.title} {journey.about}"))
        if 2 * sum(bool(forms.of(word)) for word in told) > len(told):
            return journey
    return None
