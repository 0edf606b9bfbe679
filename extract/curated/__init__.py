"""Files that people write: the vocabulary, the catalogue and a user's corrections, read and checked."""
