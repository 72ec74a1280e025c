# Every target sets up what it needs in .venv; python3 and make are enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_BENCH := $(VENV)/.ready-bench

.PHONY: demo test lint bench weka clean

demo: $(READY)
	$(BIN)/suffice compare breast_cancer --target diagnosis

test: $(READY) weka
	$(BIN)/python -m pytest -n 2 --dist loadgroup -q

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(READY_BENCH)
	$(BIN)/python -m benchmarks

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[dev]"
	touch $@

# The peers that only the benchmarks run against.
$(READY_BENCH): $(READY) pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[bench]"
	touch $@

# Weka, whose J48 is run beside our C4.5; without it those tests are skipped.
weka: $(READY)
	@$(BIN)/python tests/j48/fetch_weka.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
