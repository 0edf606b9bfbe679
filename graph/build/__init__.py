"""From the vocabulary, the catalogue and the findings of texts to one graph."""
