# Every target sets up what it needs in .venv; python3 and make are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
READY_BENCH := $(VENV)/.ready-bench
BUILT := build/.built
SPARK_CLASSES := build/spark.jsa
ZIG := $(if $(shell command -v $${CC:-cc} || command -v gcc || command -v clang),,ziglang)
SOURCES := $(shell find src -name '*.py' -o -name '*.pxd')

.PHONY: demo build test lint bench bench-quality bench-scale wheel smoke weka chromium clean

demo: $(BUILT)
	$(BIN)/suffice compare breast_cancer --target diagnosis --report build/report.html

# A worker takes a file at a time, so that what its tests share (a Java process, a browser, a large table) is made once.
# Two of them fill two cores, so BLAS keeps to one thread each; what pytest makes of the tests' asserts is kept.
test: $(BUILT) $(READY_DEV) $(SPARK_CLASSES) weka chromium
	OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 2 --dist loadfile --no-loadscope-reorder -q --durations=10

lint: $(BUILT) $(READY_DEV)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(BUILT) $(READY_DEV) $(READY_BENCH)
	$(BIN)/python -m benchmarks

# What the defaults are worth: accuracy and log loss on raw tables, beside scikit-learn's on the same folds.
bench-quality: $(BUILT) $(READY_DEV)
	$(BIN)/python -m benchmarks.quality

# Generated Parquet files of millions of rows, in a temporary folder: make bench-scale SCALE="--millions 50"; and beside
# Spark's MLlib, and on one and two of Spark's workers: make bench-scale SPARK="--rows 1000000 --cluster-rows 10000000".
bench-scale: $(BUILT) $(READY_DEV)
	$(BIN)/python -m benchmarks.scale $(SCALE)
	$(BIN)/python -m benchmarks.spark_scale $(SPARK)

build: $(BUILT)

# The kernels, compiled by the system's C compiler, or by the package ziglang where there is none; and Python's own
# bytecode, so that no process has to compile the package again, even where Python is told to write none.
$(BUILT): $(READY) setup.py $(SOURCES)
	$(BIN)/python setup.py --quiet build_ext --inplace
	$(BIN)/python -m compileall -q src
	touch $@

# The package alone, which is all that `suffice` needs.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(PIP) setuptools cython $(ZIG)
	$(PIP) --no-build-isolation -e .
	touch $@

# What the tests and the linters need besides: Spark, Dask and much else. The package is there, so pip only adds to it.
$(READY_DEV): $(READY)
	$(PIP) "suffice[dev]"
	touch $@

# A wheel for any machine of this kind; `smoke` uses it in an empty environment where nothing can be written.
wheel: $(BUILT)
	rm -rf dist build/lib*
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation -w dist .

smoke: wheel
	$(BIN)/python tests/wheel/smoke.py dist/*.whl

# The peers that only the benchmarks run against.
$(READY_BENCH): $(READY)
	$(PIP) "suffice[bench]"
	touch $@

# Weka, whose J48 is run beside our C4.5; without it those tests are skipped.
weka: $(READY)
	@$(BIN)/python tests/j48/fetch_weka.py

# The classes of Spark that tests use, read and checked beforehand, so that Java starts quickly; without it they pass too.
$(SPARK_CLASSES): $(READY_DEV) | $(BUILT)
	@$(BIN)/python tests/sources/engines/quick_java.py > /dev/null 2>&1 || echo "no archive of Spark's classes: its tests start slowly"

# Chromium, in which reports are tried; installed where the system's packages can be, else those tests are skipped.
chromium:
	@command -v chromium chromium-browser google-chrome > /dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null && \
	    { apt-get install -y -qq chromium || { apt-get update -qq && apt-get install -y -qq chromium; }; } > /dev/null 2>&1; } || \
	  echo "no Chromium here: the tests that open reports in it are skipped"

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis src/suffice/kernels/baseline src/suffice/kernels/v3
