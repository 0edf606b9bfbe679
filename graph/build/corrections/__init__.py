"""The corrections that a user makes to the vocabulary and the catalogue, and how they apply."""
