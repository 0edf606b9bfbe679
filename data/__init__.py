"""Shipped files, no logic: the concept vocabulary, the catalogue of episodes, saved Cypher questions, a sample feed."""
