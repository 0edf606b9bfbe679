"""Feeds of every form, from an address or a file to entries."""
