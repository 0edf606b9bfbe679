"""The graph: its values, how it is built, what it answers and where it is kept."""
