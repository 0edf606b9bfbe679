"""Programs that measure; none is part of what is installed."""
