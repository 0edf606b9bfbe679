"""Answers from a graph: search, related episodes, chains of reasons, gaps, counts."""
