"""A graph as GraphML, GEXF, JSON, a Cypher script, CSV, notes for Obsidian and cards for Anki."""

import io
import json
import os
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter

from torchatlas.graph.errors import DataError
from torchatlas.graph.formatting import escaped, is_web, markdown_address
from torchatlas.graph.model import NODES, TABLES, NodeTable, Snapshot, group_of, rows_of
from torchatlas.graph.names import one_line, seen, show_id, stable_hash, xml_text
from torchatlas.graph.views import concept_card, episode_card, reading_links

if TYPE_CHECKING:
    import networkx as nx
_ROWS = 200  # of a statement: an editor in a browser is slow on longer ones
_ESCAPED = str.maketrans({"\\": r"\\", "'": r"\'", "\n": r"\n", "\r": r"\r"})
_SEPARATOR = "\x1f"  # between the items of a list: no text of a graph holds it
_TYPES = {"string": "", "integer": ":long", "float": ":double", "strings": ":string[]"}
_NO_NAME = re.compile(r'[\\/:*?"<>|#^\[\]%]+')  # what Obsidian and file systems refuse in the name of a note
_RESERVED = re.compile(r"(?i)\A(?:con|prn|aux|nul|com\d|lpt\d)?(?=\.|\Z)")  # on Windows
_SEAL = re.compile(rb"---\ntorchatlas: ([0-9a-f]{8})\n")  # the hash of all that follows
_ANKI = "#separator:tab\n#html:true\n#notetype:Basic\n#deck:torchatlas\n#guid column:1\n#tags column:4"


def to_network(snapshot: Snapshot) -> "nx.MultiDiGraph[str]":
    """Return nodes `Label:id` and edges: `to_network(graph).nodes["Concept:vmap"]`.

    The label of a link is its `link_label`. Nulls are left out.
    """
    import networkx as nx

    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    for table, rows in rows_of(snapshot).items():
        for row in rows:
            facts = {key: value for key, value in row.items() if value is not None}
            if isinstance(schema := TABLES[table], NodeTable):
                id_, name = facts.pop("id"), row.get("title") or row.get("label") or row["id"]
                facts = {"link_label" if key == "label" else key: value for key, value in facts.items()}
                network.add_node(f"{table}:{id_}", **({"label": table, "name": name} | facts))
            else:
                source, target = facts.pop("source"), facts.pop("target")
                start = next(s for label in schema.source.split("|") if (s := f"{label}:{source}") in network)
                network.add_edge(start, f"{schema.target}:{target}", key=table, **(facts | {"kind": table}))
    return network


def graph_xml(snapshot: Snapshot, style: str) -> bytes:
    """Return "graphml", or "gexf" with names as labels: `graph_xml(graph, "gexf")`.

    Lists are JSON, and the characters that XML cannot hold are left out.
    """
    import networkx as nx

    network, written = to_network(snapshot), io.BytesIO()
    for *_, data in (*network.nodes(data=True), *network.edges(data=True)):
        for key, value in data.items():
            text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
            data[key] = xml_text(text) if isinstance(text, str) else text
    if style == "graphml":
        nx.write_graphml(network, written)
        return written.getvalue()
    for _, data in network.nodes(data=True):
        data["type"], data["label"] = data["label"], data["name"]
        if "x" in data:
            data["viz"] = {"position": {"x": data.pop("x"), "y": data.pop("y"), "z": 0}}
    for *_, data in network.edges(data=True):
        for taken in [key for key in data if key in ("start", "end")]:  # which are moments in GEXF
            data[f"{taken}_at"] = data.pop(taken)
    nx.write_gexf(network, written)
    return re.sub(rb' lastmodifieddate="[^"]*"', b"", written.getvalue())


def node_link(snapshot: Snapshot) -> bytes:
    """Return JSON for networkx and D3: `json.loads(node_link(graph))["nodes"]`."""
    import networkx as nx

    network = to_network(snapshot)
    return seen(json.dumps(nx.node_link_data(network, edges="edges"), ensure_ascii=False, indent=1)).encode()


def read_node_link(content: bytes, name: str) -> Snapshot:
    """Read what `node_link` wrote to the file `name`. Raises DataError for others.

    >>> read_node_link(node_link(Snapshot()), "graph.json") == Snapshot()
    True
    """
    try:
        found = json.loads(content)
        groups = defaultdict(list)
        for node in found["nodes"]:
            facts = {"label" if key == "link_label" else key: node[key] for key in node if key != "label"}
            groups[group_of(node["label"])].append(facts | {"id": node["id"].partition(":")[2]})
        for edge in found["edges"]:
            ends = {end: edge[end].partition(":")[2] for end in ("source", "target")}
            groups[group_of(edge["kind"])].append(edge | ends)
        return TypeAdapter(Snapshot).validate_python(groups)
    except (ValueError, KeyError, TypeError, AttributeError) as e:  # pydantic's errors are ValueErrors
        raise DataError(f"{name} is no graph in JSON; name a file that `torchatlas export FILE.json` wrote") from e


def cypher_script(snapshot: Snapshot) -> bytes:
    """Return statements to MERGE all: `Path("a").write_bytes(cypher_script(graph))`.

    A second run changes nothing; nodes that the graph does not have stay.
    """
    lines = [f"CREATE CONSTRAINT IF NOT EXISTS FOR (n:{node.label}) REQUIRE n.id IS UNIQUE" for node in NODES]
    for table, rows in rows_of(snapshot).items():
        if isinstance(schema := TABLES[table], NodeTable):
            values: list[Any] = rows
            change = f"MERGE (n:{table} {{id: row.id}}) SET n += row"
        else:
            values = [[row.pop("source"), row.pop("target"), row] for row in rows]
            ends = f"MATCH (a:{schema.source} {{id: row[0]}}) MATCH (b:{schema.target} {{id: row[1]}})"
            change = f"{ends} MERGE (a)-[r:{table}]->(b) SET r += row[2]"
        parts = (values[first : first + _ROWS] for first in range(0, len(values), _ROWS))
        lines += [f"UNWIND {_literal(part)} AS row {change}" for part in parts]
    return "".join(f"{line};\n" for line in lines).encode()


def _literal(value: Any) -> str:
    """Return a value as Cypher writes it, a map without its nulls."""
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'`{key}`: {_literal(item)}' for key, item in value.items() if item is not None)}}}"
    return f"'{value.translate(_ESCAPED)}'" if isinstance(value, str) else repr(value)


def csv_files(snapshot: Snapshot) -> dict[str, bytes]:
    """Return a file a table, with a header: `csv_files(graph)["Link.csv"]`.

    "import.args" is what `neo4j-admin database import` needs beside them.
    """
    files, arguments = {}, ""
    for name, rows in rows_of(snapshot).items():
        if isinstance(table := TABLES[name], NodeTable):
            ends, label, option = {"id": f"id:ID({'Episode' if name == 'Resource' else name})"}, ":LABEL", "nodes"
        else:
            ends = {"source": f":START_ID({table.source.split('|')[0]})", "target": f":END_ID({table.target})"}
            label, option = ":TYPE", "relationships"
        header = ends | {c.name: c.name + _TYPES[c.type] for c in table.columns if c.name not in ends}
        lines = [[*header.values(), label], *([*(row[column] for column in header), name] for row in rows)]
        files[f"{name}.csv"] = "".join(",".join(map(_cell, line)) + "\n" for line in lines).encode()
        arguments += f"--{option}=./{name}.csv\n"
    arguments += "--array-delimiter=U+001F\n--multiline-fields=true\n"
    return files | {"import.args": arguments.encode()}


def _cell(value: object) -> str:
    """Quote texts; an empty cell is null. `csv.QUOTE_NOTNULL` needs Python 3.12."""
    text = _SEPARATOR.join(value) if isinstance(value, list) else value
    if isinstance(text, str):
        return '"' + text.replace('"', '""') + '"'
    return "" if text is None else repr(text)


def obsidian_notes(snapshot: Snapshot, is_hidden: Callable[[str], bool]) -> dict[str, bytes]:
    """Return a note a concept and episode: `obsidian_notes(graph, is_private)["concepts/vmap.md"]`.

    Addresses that `is_hidden` are left out. No text of a feed becomes a tag, a link or a command (<% %> of Templater).
    """
    paths, written = _note_paths(snapshot), {}
    for id_, path in paths.items():
        if concept := snapshot.concept.get(id_):
            card: Any = concept_card(snapshot, id_)
            facts: dict[str, Any] = {"kind": "concept", "area": concept.area, "aliases": [*concept.aliases]}
            text, address = concept.definition, card.reading
        else:
            card, episode = episode_card(snapshot, id_), snapshot.episode[id_]
            facts = {key: getattr(episode, key) for key in ("kind", "show", "number", "published", "minutes")}
            text, address, facts["aliases"] = episode.summary, episode.url, [episode.title]
        if is_web(address) and not is_hidden(address):
            facts["address"] = address
        shown = {key: seen(json.dumps(value, ensure_ascii=False)) for key, value in facts.items() if value is not None}
        lines = [*(f"{k}: {v}".replace("<", r"\u003c") for k, v in shown.items()), "---", _prose(text)]
        for heading, rows in card.sections.items():
            links = ((paths[row.id], f": {_prose(row.why)}" if row.why else "") for row in rows)
            lines += ["", f"## {heading}", "", *(f"- [[{to}|{to.partition('/')[2]}]]{why}" for to, why in links)]
        rest = "\n".join((*lines, ""))
        written[f"{path}.md"] = f"---\ntorchatlas: {stable_hash(rest)}\n{rest}".encode()
    return written


def is_kept(note: Path) -> bool:
    """Return whether a person wrote or changed a note: `is_kept(Path("vault/concepts/vmap.md"))`."""
    with suppress(OSError):  # what cannot be read stays
        if note.is_file() and not note.is_symlink() and (seal := _SEAL.match(content := note.read_bytes())):
            return seal[1].decode() != stable_hash(content[seal.end() :].decode(errors="replace"))
    return os.path.lexists(note)


def _note_paths(snapshot: Snapshot) -> dict[str, str]:
    """Return paths without ending by id, which differ on every file system."""
    found = {}
    for folder in ("concepts", "episodes", "resources"):
        for id_ in (node.id for node in getattr(snapshot, folder)):
            name = _NO_NAME.sub(" ", unicodedata.normalize("NFC", one_line(snapshot.label_of(id_))))
            name = " ".join(name.encode()[:120].decode(errors="ignore").split()).strip(". ")
            found[id_] = f"{folder}/" + _RESERVED.sub(r"_\g<0>", name)
    times = Counter(path.casefold() for path in found.values())
    return {id_: path + f"-{stable_hash(id_)}" * (times[path.casefold()] > 1) for id_, path in found.items()}


def _prose(text: str) -> str:
    return re.sub(r"[#%=^]", r"\\\g<0>", escaped(text)).replace(r"\<", "&lt;")


def anki_cards(snapshot: Snapshot, is_hidden: Callable[[str], bool]) -> bytes:
    """Return a text file for Anki, a card a defined concept: `anki_cards(graph, is_private)`.

    A later import changes the same cards, as a card's guid is made of its concept's id.
    """
    lines, best = [], reading_links(snapshot)
    for concept in (c for c in snapshot.concepts if c.definition):
        also = [f"Also: {_html(', '.join(concept.aliases))}"] if concept.aliases else []
        back, address = [_html(concept.definition), *also], best(concept.id)
        if is_web(address) and not is_hidden(address):
            back.append(f'<a href="{markdown_address(address)}">{_html(address)}</a>')
        front, tag = _html(f"What does “{concept.name}” mean?"), f"torchatlas::{show_id(concept.area)}"
        lines.append("\t".join((f"torchatlas-{concept.id}", front, "<br>".join(back), tag)))
    return "\n".join((_ANKI, *lines, "")).encode()


def _html(text: str) -> str:
    """Return one line for a field: Anki reads [sound:...] and [latex] in it."""
    return escape(one_line(text)).replace("[", "&#91;")
