PYTHON ?= .venv/bin/python

.PHONY: test lint check bench

test:
	$(PYTHON) -m pytest

lint:
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .

check:
	bash .ci/run

bench:
	$(PYTHON) -m pytest -o python_files='bench_*.py' tests/benchmarks
