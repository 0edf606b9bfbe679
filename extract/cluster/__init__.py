"""A Dask cluster that reads texts."""
