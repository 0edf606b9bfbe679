"""Prerequisites inferred from texts: which concept must be known before which, how surely, and by what evidence."""
