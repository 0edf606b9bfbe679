"""A graph in the formats of other programs."""
