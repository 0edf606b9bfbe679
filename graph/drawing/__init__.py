"""Decisions about pictures that need no screen: what is drawn, what is grouped, and where it lies."""
