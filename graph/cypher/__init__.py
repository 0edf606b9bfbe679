"""Asking in Cypher: what is allowed, what each engine understands, and the saved questions."""
