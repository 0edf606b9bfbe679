"""Pages that people have saved, to entries, and which episode each of them is."""
