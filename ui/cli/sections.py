"""The table of commands, as `torchatlas --help` lists them: where each one is, and what it does in a sentence.

The sentence is also the first one of the command's own help. It stands here as well so that the list needs no command's
module.
"""

from collections import UserDict
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import NamedTuple

import click


class Listing(NamedTuple):
    """A place in `commands`, such as "quiz:what_next", and the sentence of the list of commands."""

    function: str
    sentence: str


SECTIONS: dict[str, dict[str, Listing]] = {
    "What to hear": {
        "plan": Listing("plan:plan", "Plan which episodes to hear, in which order, and why."),
        "journeys": Listing("journeys:journeys", "List curated journeys: goals that belong together."),
        "quiz": Listing("quiz:quiz", "Find in at most eight questions what you can skip."),
        "next": Listing("quiz:what_next", "List what you are ready to hear, and what to refresh."),
        "related": Listing("related:related", "List the episodes nearest to EPISODE, with the reasons."),
        "know": Listing("know:know", "Remember that you know these concepts, for every plan."),
        "heard": Listing("know:heard", "Remember that you have heard these episodes, for every plan."),
    },
    "What is known": {
        "search": Listing("search:search", "Find concepts and episodes by any words."),
        "concept": Listing("concept:concept", "Show what NAME is, where it is explained and what it needs."),
        "concepts": Listing("concepts:concepts", "List concepts with definition, aliases and prerequisites."),
        "shows": Listing("shows:shows", "List the podcasts and blogs on the map."),
        "explain": Listing("explain:explain", "Say why EARLIER comes before LATER."),
        "gaps": Listing("gaps:gaps", "List what the map lacks."),
        "share": Listing("share:share", "Write the map as one page that needs nothing but a browser."),
    },
    "Cypher": {
        "query": Listing("cypher:query", "Ask the graph in CYPHER."),
        "ask": Listing("cypher:ask", "Ask a saved question by NAME (see torchatlas questions)."),
        "questions": Listing("cypher:questions", "List the saved questions, and the values that each needs."),
        "console": Listing("console:console", "Ask in Cypher, statement by statement, as in a shell."),
        "schema": Listing("schema:schema", "Print the labels, relationships and properties of the graph."),
        "export": Listing("export:export", "Write the graph to a file for other programs."),
    },
    "Your sources": {
        "new": Listing("sources:new", "Begin a map of your own in FOLDER."),
        "add": Listing("sources:add", "Remember FEEDs, and build the map with their episodes."),
        "import": Listing("import_pages:import_pages", "Remember PAGEs that you saved, and build the map with them."),
        "sources": Listing("sources:sources", "List your feeds and pages, and what went wrong last time."),
        "build": Listing("sources:build", "Read all sources again and build the graph anew."),
        "diff": Listing("diff:diff", "Say what changed between two graphs, and which plans differ."),
        "extract": Listing("extract:extract", "Print the concepts, links and statements in FEEDs."),
        "candidates": Listing("candidates:candidates", "List terms that the vocabulary does not know, best first."),
        "corrections": Listing("corrections:corrections", "List your corrections, and which of them do not apply."),
    },
    "Servers": {
        "neo4j": Listing("neo4j:neo4j", "Run a Neo4j server of your own, on this computer only."),
        "mcp": Listing("mcp:mcp", "Serve an assistant over the Model Context Protocol."),
    },
}
"""Heading -> name of the command -> its place."""


class Commands(UserDict[str, click.Command]):
    """The commands by name; the module of a command is imported when the command is asked for.

    Example: Commands(SECTIONS["Servers"])["neo4j"]
    """

    def __init__(self, places: Mapping[str, Listing]) -> None:
        super().__init__()
        self.places = places

    def __missing__(self, name: str) -> click.Command:
        module, _, function = self.places[name].function.partition(":")
        command: click.Command = getattr(import_module(f"{__package__}.commands.{module}"), function)
        self.data[name] = command
        return command

    def __contains__(self, name: object) -> bool:
        return name in self.places

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)
