"""The files that a user may edit, and how files are written."""
