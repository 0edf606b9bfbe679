"""Record linkage: the known episode that an entry of a feed or a page is, by its title and its text."""
