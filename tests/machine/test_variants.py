import os
import subprocess
import sys
from pathlib import Path

import pytest

import suffice.kernels
from suffice.machine.variants import BASELINE, STAMP, V3, digest_of, folder_of_kernels, runs_v3

SOURCES = Path(suffice.kernels.__file__).parent


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sources of a kernel in a checkout, compiled for any processor."""
    monkeypatch.delenv("SUFFICE_KERNELS", raising=False)
    sources = tmp_path / "src" / "suffice" / "kernels"
    (sources / BASELINE).mkdir(parents=True)
    (sources / "counts.py").write_text("one = 1\n")
    (tmp_path / "setup.py").write_text("flags = []\n")
    (sources / BASELINE / STAMP).write_text(digest_of(sources, tmp_path / "setup.py"))
    return sources


def test_kernels_are_compiled_for_this_processor():
    assert [Path(part).name for part in suffice.kernels.__path__] == [os.environ.get("SUFFICE_KERNELS") or best()]


def best() -> str:
    return V3 if runs_v3() else BASELINE


def test_what_was_compiled_from_these_sources_is_used(checkout: Path):
    assert folder_of_kernels(checkout) == checkout / BASELINE


@pytest.mark.parametrize("name", ["counts.py", "arrays.pxd", "../../../setup.py"])
def test_a_stale_build_is_noticed(checkout: Path, name: str):
    (checkout / name).write_text("two = 2\n")
    with pytest.raises(ImportError, match=r"have changed since they were compiled. Run `make build`"):
        folder_of_kernels(checkout)


def test_a_kernel_that_is_gone_makes_the_build_stale(checkout: Path):
    (checkout / "counts.py").rename(checkout / "renamed.py")
    with pytest.raises(ImportError, match="have changed"):
        folder_of_kernels(checkout)


def test_without_a_build_the_error_says_what_to_run(checkout: Path):
    (checkout / BASELINE / STAMP).unlink()
    with pytest.raises(ImportError, match=r"are not compiled. Run `make build`"):
        folder_of_kernels(checkout)


def test_an_installed_package_is_taken_as_it_was_built(checkout: Path):
    (checkout.parents[2] / "setup.py").unlink()
    (checkout / "counts.py").write_text("two = 2\n")
    assert folder_of_kernels(checkout) == checkout / BASELINE


def test_the_sources_run_even_where_the_build_is_stale(checkout: Path, monkeypatch: pytest.MonkeyPatch):
    (checkout / "counts.py").write_text("two = 2\n")
    monkeypatch.setenv("SUFFICE_KERNELS", "python")
    assert folder_of_kernels(checkout) == checkout


def test_an_unknown_variant_is_an_error(checkout: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("SUFFICE_KERNELS", "fast")
    with pytest.raises(ImportError, match="SUFFICE_KERNELS is 'fast'; it can be 'baseline', 'v3' or 'python'"):
        folder_of_kernels(checkout)


def test_the_switch_is_seen_by_a_new_process():
    code = "import suffice.kernels.counts as counts; print(counts.__file__)"
    environment = {**os.environ, "SUFFICE_KERNELS": "python"}
    found = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert Path(found.stdout.strip()) == SOURCES / "counts.py"


def test_the_documentation_shows_a_kernel_as_it_is():
    page = Path(__file__).parents[2] / "docs" / "architecture.md"
    assert f"```py\n{(SOURCES / 'class_weights.py').read_text()}```" in page.read_text()
