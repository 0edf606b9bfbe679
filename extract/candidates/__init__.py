"""Terms that texts name and the vocabulary does not know."""
