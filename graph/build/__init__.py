"""One graph of the vocabulary, the catalogue and the findings of texts."""
