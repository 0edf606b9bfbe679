"""Plans: the episodes to hear, in order and with reasons."""
