"""Try a wheel where nothing helps it: `python smoke.py WHEEL`.

It is installed in an empty environment, and used there as another user, with no home, no compiler in the path, and no
file that can be written, with the kernels of each variant.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

CHECK = """
import shutil, sys
if any(map(shutil.which, ("cc", "gcc", "clang"))):
    sys.exit("there is a compiler")
try:
    with open("/tmp/suffice-smoke", "wb", buffering=0) as file:
        file.write(b"x")
except OSError:
    sys.exit(0)
sys.exit("a file could be written")
"""
ROOT = Path(__file__).parents[2]
NOBODY = 65534


def main(wheel: str) -> None:
    """Install it and use it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        venv.create(folder / "empty", with_pip=True)
        python = folder / "empty" / "bin" / "python"
        quiet = ["install", "--quiet", "--disable-pip-version-check", "-c", ROOT / "constraints.txt"]
        subprocess.run([python, "-m", "pip", *quiet, Path(wheel).resolve()], check=True)
        shutil.copy(Path(__file__).with_name("use_models.py"), folder)
        installed = subprocess.run(
            [python, "-c", "import suffice; print(suffice.__path__[0])"], cwd=folder, capture_output=True, text=True
        ).stdout.strip()
        use([python, "-c", CHECK], folder, "")
        for variant in ("", *sorted(path.parent.name for path in Path(installed).glob("kernels/*/sources.sha256"))):
            print(f"{Path(wheel).name}, {variant or 'chosen by itself'}:", flush=True)
            use([python, folder / "use_models.py"], folder, variant)
        use([folder / "empty" / "bin" / "suffice", "compare", "iris", "--target", "species"], folder, "")


def use(command: list[Path | str], folder: Path, variant: str) -> None:
    """Run a command as another user who can do nothing but run it."""
    environment = {"PATH": str(folder / "empty" / "bin"), "HOME": "/nonexistent", "SUFFICE_KERNELS": variant}
    is_root = os.getuid() == 0
    ran = subprocess.run(
        command,
        env=environment,
        cwd=folder,
        text=True,
        stdout=subprocess.PIPE,  # a pipe can be written where no file can
        stderr=subprocess.STDOUT,
        user=NOBODY if is_root else None,
        group=NOBODY if is_root else None,
        extra_groups=[] if is_root else None,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0)),
    )
    print(ran.stdout, flush=True)
    if ran.returncode:
        sys.exit(f"{command} failed with {ran.returncode}")


if __name__ == "__main__":
    main(sys.argv[1])
