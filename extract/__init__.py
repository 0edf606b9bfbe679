"""From the outside world to values: feeds, texts, concepts, links, statements."""
