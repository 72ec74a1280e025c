"""Java and Python for tests of Spark: settings by which they start quickly. As a program, it makes an archive for Java.

Most of the time until Spark is up goes into reading and checking some ten thousand classes. Java can keep them in an
archive, read and checked; without one, or with one of another Java or Spark, it reads them as ever.
"""

from __future__ import annotations

import shutil
from pathlib import Path

ARCHIVE = Path(__file__).parents[3] / "build" / "spark.jsa"
PLAIN = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xlog:disable"
QUICK_JAVA = f"{PLAIN} -XX:SharedArchiveFile={ARCHIVE}" if ARCHIVE.exists() else PLAIN
WARM_PYTHON = {  # settings by which executors' Python processes have imported what they need
    "spark.python.daemon.module": "warm_daemon",
    "spark.executorEnv.PYTHONPATH": str(Path(__file__).parent),
}


def make_archive(made: Path) -> None:
    """Use Spark as tests do: what was loaded when it ends is the archive."""
    import pyarrow as pa
    from conftest import quick_session

    import suffice as sf

    session = quick_session(extraJavaOptions=f"{PLAIN} -XX:ArchiveClassesAtExit={made}")
    table = pa.table({"x": [1.0, 2.0, 3.0, 4.0], "y": ["no", "no", "yes", "yes"]})
    frame = session.createDataFrame(table).repartition(2).cache()
    for model in (sf.NaiveBayes(), sf.LogisticRegression()):
        model.fit(frame, "y").predict(frame).collect()
    java = session.sparkContext._gateway.proc
    session.stop()
    java.stdin.close()  # by which it ends, and writes the archive
    java.wait()


if __name__ == "__main__" and shutil.which("java") is not None:
    unfinished = ARCHIVE.with_suffix(".part")
    make_archive(unfinished)
    unfinished.replace(ARCHIVE)
