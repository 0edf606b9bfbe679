"""Where a graph is kept: one contract, and a package for each engine."""
