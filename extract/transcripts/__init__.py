"""Subjects that an episode explains, and when, from a transcript that a machine has written."""
