"""The shape of a callback that hears how far a long piece of work has come."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Gets (task, done, total), such as ("Reading episodes", 12, 83)."""
