"""A graph in the memory of this process."""
