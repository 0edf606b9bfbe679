"""Exports of podcast apps: the episodes that a person has heard there."""
