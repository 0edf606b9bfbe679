"""Cypher texts: the guard, the remedies that engines share, and the saved questions."""
