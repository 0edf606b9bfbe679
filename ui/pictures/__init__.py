"""Pictures of the graph as values and as plain JSON, without a screen: what pages show and commands keep."""
