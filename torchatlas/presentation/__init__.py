"""The forms in which answers leave the application: cards, lists, tables, JSON, files of other programs."""
