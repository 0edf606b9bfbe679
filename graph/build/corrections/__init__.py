"""What a user corrects in the graph: the kinds of corrections, and how they are applied on every build."""
