"""The texts that a graph is made of: shipped files, feeds, saved pages, transcripts, corrections."""
