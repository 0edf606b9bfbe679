"""Record linkage: which known episode an entry of a feed or a page is, by what it is called and what it says."""
