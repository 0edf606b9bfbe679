"""The commands of `torchatlas`, a module for each family."""
