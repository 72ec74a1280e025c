"""Spark's parent of Python processes, which has imported what they need before it makes them.

A process that imports pandas, Arrow and suffice by itself takes over a second of a processor, and Spark starts one for
every job that reads the first rows of a table only. PySpark itself comes from where it is installed: the zip of it that
Spark puts before that is compiled anew by every process.
"""

import gc
import os
import sys
from contextlib import suppress
from importlib import import_module

sys.path[:] = [path for path in sys.path if not path.endswith(".zip")]
for needed in ("pandas", "pyarrow", "pyspark.worker"):
    import_module(needed)
with suppress(ImportError):  # some tests hide it
    import_module("suffice.sources.engines.spark_tasks")
    sf = import_module("suffice")
    models = [getattr(sf, name) for name in sf.__all__]
gc.freeze()  # Spark collects garbage after every task

if __name__ == "__main__":
    try:
        import_module("pyspark.daemon").manager()
    finally:
        os._exit(0)  # nothing is left to be said about modules that are put out of sight
