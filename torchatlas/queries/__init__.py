"""Cypher for people: saved questions, completion, values as they are typed, the nodes in rows."""
