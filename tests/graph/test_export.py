"""What is written is read back by the programs it is for; the Cypher script and the CSV by Neo4j: tests/stores."""

import csv
import io
import json
import re
from dataclasses import replace
from functools import partial

import networkx as nx
import yaml

from tests.atlas import snapshot
from torchatlas.extract.fetch import is_private
from torchatlas.graph import export
from torchatlas.graph.export import csv_files, cypher_script, graph_xml, node_link, to_network
from torchatlas.graph.model import NODES, Concept, Episode, Snapshot

WHOLE = snapshot()


def test_networkx_reads_json_and_graphml_whole() -> None:
    """What any graph writes as JSON is read back: tests/ui/cli/test_commands."""
    read = nx.node_link_graph(json.loads(node_link(WHOLE)), edges="edges")
    assert nx.utils.graphs_equal(read, to_network(WHOLE))
    network = nx.read_graphml(io.BytesIO(graph_xml(WHOLE, "graphml")), force_multigraph=True)
    for *_, facts in (*network.nodes(data=True), *network.edges(data=True)):
        facts |= {key: json.loads(v) for key, v in facts.items() if isinstance(v, str) and v[:2] in ("[]", '["')}
    assert export.read_node_link(json.dumps(nx.node_link_data(network, edges="edges")).encode(), "graph.json") == WHOLE


def test_gexf_is_read_with_every_node_and_edge_and_bears_no_date() -> None:
    written = graph_xml(WHOLE, "gexf")
    network = nx.read_gexf(io.BytesIO(written))
    assert network.number_of_nodes() == len(WHOLE.concepts) + len(WHOLE.episodes) + len(WHOLE.shows) + len(WHOLE.links)
    assert network.number_of_edges() == to_network(WHOLE).number_of_edges()
    assert network.nodes["Concept:strides"]["label"] == "strides idea"
    assert network.nodes["Concept:strides"]["viz"]["position"]["y"] == WHOLE.concept["strides"].y != 0
    assert b"lastmodified" not in written


def test_the_same_graph_is_the_same_bytes_and_an_empty_one_can_be_written() -> None:
    for write in (partial(graph_xml, style="graphml"), partial(graph_xml, style="gexf"), node_link, cypher_script):
        assert write(WHOLE) == write(snapshot()) and write(Snapshot())
    assert csv_files(Snapshot())["Link.csv"] == b'"id:ID(Link)","url","type","label",":LABEL"\n'
    assert csv_files(WHOLE)["import.args"].startswith(b"--nodes=./Concept.csv\n")


def test_each_statement_of_a_script_has_a_line_and_no_text_ends_it_or_a_field_of_a_table() -> None:
    hostile = 'it\'s "x"; \n MATCH (n) DETACH DELETE n;\n//`\\ \\u0027 \r\n\t\x00\x1b\u2028\U0001f642 ;\n$p, {a} \\'
    graph = Snapshot(concepts=(replace(WHOLE.concepts[0], definition=hostile, aliases=(hostile,)),))
    lines = cypher_script(graph).decode().split("\n")
    assert [line[-1:] for line in lines] == [*";" * (len(NODES) + 1), ""]
    assert lines[0] == "CREATE CONSTRAINT IF NOT EXISTS FOR (n:Concept) REQUIRE n.id IS UNIQUE;"
    rows = list(csv.reader(io.StringIO(csv_files(graph)["Concept.csv"].decode(), newline="")))
    assert rows[1][rows[0].index("definition")] == hostile and len(rows) == 2


NAMES = ["vmap", "Vmap", "", "..", "nul.txt", "a\x1b\u202eb", "हिन्दी", "ü" * 300, r'../\:*?"<>|#^[[l]]%%n']
RUN = "<% tp.system.prompt() %> #tag `=this` [[x]] %% ==m== [sound:x.mp3] [latex]x[/latex]\t\n# y"


def test_notes_have_names_for_any_disk_and_text_of_a_feed_is_only_text_in_them() -> None:
    odd = [Episode(f"s/{n}", name, RUN, summary=RUN, url="https://a:b@e.org/") for n, name in enumerate(NAMES)]
    graph = replace(WHOLE, episodes=(*WHOLE.episodes, *odd), resources=(replace(odd[0], id="r", kind="docs"),))
    notes = export.obsidian_notes(graph, is_private)
    assert len({name.casefold() for name in notes}) == len(notes) == len(graph.concepts) + len(graph.episode)
    for name, content in notes.items():
        assert re.fullmatch(r'(concepts|episodes|resources)/[^./\\:*?"<>|#^\[\]% ][^/\\:*?"<>|#^\[\]%]*\.md', name)
        assert name.isprintable() and len(name.encode()) < 200 and not re.match(r"(?i)\w+/(con|nul)\.", name)
        _, properties, text = content.decode().split("---\n", 2)
        assert not re.search("<|a:b@", properties + text) and not re.search(r"(?<!\\)`|%%|(?<!\\)#tag", text)
        assert yaml.safe_load(properties).get("show", RUN) in (RUN, "The Show")
        assert {f"{link}.md" for link in re.findall(r"(?<!\\)\[\[(.*?)\|", text)} <= notes.keys()
    assert "- [[concepts/strides idea|strides idea]]: main subject" in notes["episodes/2 On strides.md"].decode()


def test_cards_are_four_fields_of_plain_text_and_keep_their_ids() -> None:
    graph = replace(WHOLE, concepts=(*WHOLE.concepts, Concept("odd", RUN, "A b", RUN, (RUN,))))
    lines = export.anki_cards(graph, is_private).decode().removesuffix("\n").split("\n")
    cards = {id_: fields for id_, *fields in (line.split("\t") for line in lines if not re.match("#[a-z ]+:", line))}
    assert [*cards] == [f"torchatlas-{c.id}" for c in graph.concepts if c.definition]
    assert {*map(len, cards.values())} == {3} and cards["torchatlas-odd"][2] == "torchatlas::a-b"
    assert not re.search(r"\[|<(?!br>|a href=\"https://|/a>)", str(cards["torchatlas-odd"])[1:])
