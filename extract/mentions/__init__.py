"""Where a text names a concept: spaCy components that need no trained model."""
