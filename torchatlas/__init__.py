"""torchatlas: a map of PyTorch internals, and the shortest listening path through it."""
