"""The front end for an assistant: a server of the Model Context Protocol, whose tools ask the atlas."""
