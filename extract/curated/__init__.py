"""What people write down, read and checked: the vocabulary, the catalogue, a user's corrections."""
