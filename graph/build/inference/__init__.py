"""Prerequisites that nobody stated, read from how one concept's text names another."""
