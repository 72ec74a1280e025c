"""Where rows are: this machine, Spark, Dask; how functions get there, and what they find comes back."""
