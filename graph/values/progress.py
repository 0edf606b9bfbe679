"""The type of a callback that is told how far a long piece of work has come."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""A function of (task, done, total), such as ("Reading episodes", 12, 83)."""
