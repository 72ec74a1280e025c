"""Clusters in small: one Spark session and one Dask client for all tests of this folder, which end with them."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from quick_java import QUICK_JAVA, WARM_PYTHON

QUICK = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.extraJavaOptions": QUICK_JAVA,
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.maxResultSize": "4m",  # so that results that are too large for one answer need not be large
    **WARM_PYTHON,
}


def require_spark() -> Any:
    """PySpark, or the reason why there is none."""
    if shutil.which("java") is None:
        pytest.skip("there is no Java here, which Spark needs")
    return pytest.importorskip("pyspark.sql", reason="PySpark is not installed")


def quick_session(**settings: str) -> Any:
    """A session that starts quickly; settings by the last part of their names, in place of these."""
    os.environ["PYSPARK_PYTHON"] = sys.executable  # which Spark looks at when the session is made
    builder = require_spark().SparkSession.builder.master("local[2]")
    for name, value in QUICK.items():
        builder = builder.config(name, settings.get(name.rpartition(".")[2], value))
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


@pytest.fixture(scope="package")
def spark() -> Iterator[Any]:
    session = quick_session()
    yield session
    session.stop()


@pytest.fixture(scope="package")
def client() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="Dask's distributed is not installed")
    import dask
    from fake_cluster import fork_server

    fork_server()
    with (
        dask.config.set(
            {
                "distributed.worker.multiprocessing-method": "forkserver",
                "distributed.worker.profile.enabled": False,  # which keeps idle workers busy
            }
        ),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as found,
    ):
        yield found


@pytest.fixture(scope="session")
def spark_class() -> str:
    """The program that starts Spark's own masters and workers."""
    require_spark()
    import pyspark

    return str(Path(pyspark.__file__).parent / "bin" / "spark-class")
