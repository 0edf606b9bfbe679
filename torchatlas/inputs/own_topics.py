"""Topics of the user's own, written to the corrections file."""

from collections.abc import Mapping

from torchatlas.extract.catalogue import parse_corrections
from torchatlas.graph.corrections import correct
from torchatlas.graph.errors import DataError
from torchatlas.graph.findings import Catalogue, Vocabulary
from torchatlas.graph.names import concept_id, one_line
from torchatlas.graph.whole_files import write_whole
from torchatlas.inputs.inputs import read_corrections
from torchatlas.inputs.vocabulary import uncorrected_vocabulary
from torchatlas.settings import Settings
from torchatlas.user_files.files import changing


def add_topic(settings: Settings, term: str, *, name: str = "", definition: str = "", area: str = "") -> str:
    """Append a topic to the user's corrections and return its id. The rest of the file stays.

    `name`: the topic's name where the term is only an alias. Raises DataError where the term or the name is taken;
    nothing is written then.

    Example: add_topic(settings, "lantern pass", area="Compilation")
    """
    term, name, definition, area = (one_line(text) for text in (term, name, definition, area))
    id_ = concept_id(name or term)
    if not id_:
        raise DataError(f"{term!r} makes no id; add a name with a letter from a to z or a digit in it")
    aliases = [term] if name and name != term else []
    topic = _topic(id_, {"name": name or term, "area": area, "definition": definition, "aliases": aliases})
    with changing(settings.corrections):
        path, before = str(settings.corrections), read_corrections(settings)
        if any(line.startswith(f"[topic.{id_}]") for line in before.splitlines()):
            raise DataError(f"{path}: there is a topic {id_!r} already; change it there, or give another name")
        whole = f"{before.rstrip()}\n\n{topic}" if before.strip() else topic
        known = uncorrected_vocabulary(settings)
        had = _problems(known, path, before)
        for place, problem in _problems(known, path, whole).items():
            if place not in had:
                raise DataError(f"{term!r} is not added: {problem}")
        write_whole(settings.corrections, whole.encode())
    return id_


def _topic(id_: str, entries: Mapping[str, object]) -> str:
    import tomlkit

    topics = tomlkit.table(is_super_table=True)
    topics.add(id_, {key: value for key, value in entries.items() if value})
    return tomlkit.dumps({"topic": topics})


def _problems(vocabulary: Vocabulary, path: str, text: str) -> Mapping[str, str]:
    """Return place -> why the correction there does not apply to the vocabulary."""
    return correct(vocabulary, Catalogue(), parse_corrections(path, text)).problems
