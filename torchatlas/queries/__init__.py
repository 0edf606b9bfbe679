"""Cypher for people: saved questions, completion, values as they are typed and shown, the nodes in rows."""
