"""The saved Cypher questions that ship with the program."""

from functools import cache
from pathlib import PurePosixPath

from torchatlas.graph.cypher import Question, parse
from torchatlas.graph.errors import UnknownName
from torchatlas.graph.names import suggest
from torchatlas.inputs.bundled import bundled


@cache
def load_questions() -> tuple[Question, ...]:
    """Return every saved question, by name. Raises DataError where a file's header holds a mistake.

    >>> "before" in {question.name for question in load_questions()}
    True
    """
    return tuple(parse(text, PurePosixPath(name).stem) for name, text in bundled("questions", ".cypher"))


def by_job() -> dict[str, tuple[Question, ...]]:
    """Return job -> its saved questions; the job of the question on what comes before stands first, then by name.

    >>> list(by_job())[0]
    'What comes first'
    """
    questions = load_questions()
    jobs = sorted({q.job for q in questions}, key=lambda job: (job != find_question("before").job, job))
    return {job: tuple(q for q in questions if q.job == job) for job in jobs}


def find_question(name: str) -> Question:
    """Return the saved question of that name. Raises UnknownName, with the nearest ones, where there is none.

    >>> find_question("before").parameters[0].name
    'concept'
    """
    known = {question.name: question for question in load_questions()}
    if name not in known:
        raise UnknownName("saved question", name, suggest(name, known) or sorted(known)[:3])
    return known[name]
