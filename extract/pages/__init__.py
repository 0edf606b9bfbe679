"""Saved web pages: their entries, and the episode that each entry is."""
