"""Which episodes to hear, in which order and why."""
