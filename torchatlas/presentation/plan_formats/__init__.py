"""The formats in which a plan leaves for other programs: a module each, which makes one text of a playlist."""
