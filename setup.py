"""How the kernels are built: Cython turns src/suffice/kernels/*.py into C, which is compiled once for every variant.

`python setup.py build_ext --inplace` builds them inside a checkout; `pip install` does the same by itself. The rest of
the package is described in pyproject.toml; docs/architecture.md tells how kernels are written.
"""

from __future__ import annotations

import ast
import os
import platform
import shutil
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "src"))

from suffice.machine.variants import BASELINE, STAMP, V3, digest_of  # noqa: E402

PACKAGE = "suffice.kernels"
KERNELS = Path("src/suffice/kernels")
C_FILES = Path("build/c")
INLINED = Path("build/inlined")
SHARED = "shared"  # what Cython adds to every module, compiled once for all of them
NOT_COMPILED = {"__init__", "arrays", "c_math", "uncompiled"}
INLINE = "_formulas"  # how the names of files end that are compiled into every kernel that imports from them

IS_X86 = platform.machine().lower() in ("x86_64", "amd64")
VARIANTS = {BASELINE: ["-march=x86-64"], V3: ["-march=x86-64-v3"]} if IS_X86 else {BASELINE: []}
# Zig would otherwise compile for the processor at hand, and add checks.
ZIG_VARIANTS = {BASELINE: ["-mcpu=x86_64"], V3: ["-mcpu=x86_64_v3"]} if IS_X86 else {BASELINE: ["-mcpu=baseline"]}
ZIG_FLAGS = ["-fno-sanitize=undefined"]

EXACT = ["-O3", "-g0", "-w", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
IN_ANY_ORDER = ["-fassociative-math", "-fno-signed-zeros", "-ffp-contract=fast"]  # only for modules named *_sums

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "infer_types": True,
    "auto_pickle": False,
}


def compiler() -> str:
    """The C compiler: the one CC names, the one Python was built with, any other, or none."""
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC"), "cc", "gcc", "clang"):
        if command and shutil.which(command.split()[0]):
            return str(command)
    return ""


COMPILER = compiler()


def choose_compiler() -> None:
    """Tell setuptools what to compile and link with."""
    os.environ["CC"] = COMPILER or f"{sys.executable} -m ziglang cc"
    os.environ.setdefault("LDSHARED", f"{os.environ['CC']} -shared")


def names() -> list[str]:
    """The modules that are compiled."""
    stems = (path.stem for path in (ROOT / KERNELS).glob("*.py"))
    return sorted(stem for stem in stems if stem not in NOT_COMPILED and not stem.endswith(INLINE))


def extension(variant: str, name: str) -> Extension:
    """A module of one variant; its C file does no more than include the one that all variants share."""
    processor = VARIANTS[variant] if COMPILER else [*ZIG_VARIANTS[variant], *ZIG_FLAGS]
    level = ["-O1", "-g0"] if name == SHARED else [*EXACT, *(IN_ANY_ORDER if name.endswith("_sums") else [])]
    return Extension(
        f"{PACKAGE}.{variant}.{name}",
        [str(C_FILES / KERNELS / variant / f"{name}.c")],
        depends=[str(C_FILES / KERNELS / f"{name}.c"), "setup.py"],
        extra_compile_args=[*level, *processor],
    )


def inlined(source: str) -> str:
    """A file of formulas as Cython inlines them: constants and functions, declared the way a .pxd declares them."""
    lines, text = source.splitlines(), ["cimport cython"]
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cython.cimports."):
            imported = ", ".join(name.name for name in node.names)
            text.append(f"from {str(node.module).removeprefix('cython.cimports.')} cimport {imported}")
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call):
            name, (kind, value) = ast.unparse(node.targets[0]), node.value.args
            defined = f'    """\n    #define formula_{name} {ast.unparse(value)}\n    """'
            text += ["cdef extern from *:", defined, f'    const {c_type(kind)} {name} "formula_{name}"']
        elif isinstance(node, ast.FunctionDef):
            declared = ", ".join(f"{c_type(argument.annotation)} {argument.arg}" for argument in node.args.args)
            text.append(f"cdef inline {c_type(node.returns)} {node.name}({declared}) noexcept nogil:")
            text += lines[node.body[0].lineno - 1 : node.end_lineno]
    return "\n".join(text) + "\n"


def c_type(annotation: ast.expr | None) -> str:
    """A type as a .pxd writes it."""
    return ast.unparse(annotation).removeprefix("cython.") if annotation else "void"


def write_inlined() -> None:
    """Write what files of formulas declare where Cython looks for it; a file that stays the same is left alone."""
    folder = INLINED / "suffice" / "kernels"
    folder.mkdir(parents=True, exist_ok=True)
    for package in (folder, folder.parent):
        (package / "__init__.pxd").touch()
    for path in KERNELS.glob(f"*{INLINE}.py"):
        target, text = folder / f"{path.stem}.pxd", inlined(path.read_text())
        if not target.exists() or target.read_text() != text:
            target.write_text(text)


def generate() -> None:
    """Turn the kernels that changed into C."""
    write_inlined()
    from Cython.Compiler import Options

    Options.buffer_max_dims = 4  # views of arrays are passed by value: the smaller, the quicker
    from Cython.Build import cythonize

    modules = [Extension(f"{PACKAGE}.{name}", [str(KERNELS / f"{name}.py")]) for name in names()]
    shared = Extension(f"{PACKAGE}.{SHARED}", [str(KERNELS / f"{SHARED}.c")])
    cythonize(
        [*modules, shared],
        build_dir=str(C_FILES),
        include_path=["src", str(INLINED)],
        nthreads=os.cpu_count() or 1,
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=f"{PACKAGE}.{SHARED}",
        quiet=True,
    )
    for variant in VARIANTS:
        folder = C_FILES / KERNELS / variant
        folder.mkdir(exist_ok=True)
        for name in (*names(), SHARED):
            if not (folder / f"{name}.c").exists():
                (folder / f"{name}.c").write_text(f'#include "../{name}.c"\n')


class BuildKernels(build_ext):
    """Generates C, compiles every variant on all cores, and stamps the variants with a digest of their sources."""

    def finalize_options(self) -> None:
        """On all cores; in a checkout always in the same folder, so that only what changed is compiled."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()
        if self.inplace:
            self.build_lib = self.build_temp = "build/inplace"

    def run(self) -> None:
        """Build everything, then stamp it."""
        choose_compiler()
        generate()
        folders = [Path(self.build_lib, "suffice/kernels"), *([KERNELS] if self.inplace else [])]
        stamps = [folder / variant / STAMP for folder in folders for variant in VARIANTS]
        for stamp in stamps:
            stamp.parent.mkdir(parents=True, exist_ok=True)
            stamp.unlink(missing_ok=True)
            for built in stamp.parent.glob("*.so"):
                if built.name.split(".")[0] not in {*names(), SHARED}:
                    built.unlink()  # its source is gone
        super().run()
        for stamp in stamps:
            stamp.write_text(digest_of(ROOT / KERNELS, ROOT / "setup.py"))

    def get_source_files(self) -> list[str]:
        """What belongs into a source distribution: the kernels, not the C made of them."""
        return [str(path) for pattern in ("*.py", "*.pxd") for path in sorted(KERNELS.glob(pattern))]


setup(
    cmdclass={"build_ext": BuildKernels},
    ext_modules=[extension(variant, name) for variant in VARIANTS for name in (*names(), SHARED)],
    setup_requires=[] if COMPILER or find_spec("ziglang") else ["ziglang"],
)
