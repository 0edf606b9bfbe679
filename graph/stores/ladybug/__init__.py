"""A graph in one file, in the embedded Cypher engine."""
