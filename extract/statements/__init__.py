"""The relations that a text asserts, by a table of predicates."""
