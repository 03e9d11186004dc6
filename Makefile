# `make demo` and `make test` work in a fresh clone with nothing but Python 3.11 or later, git and make.
# They create the virtual environment .venv and install what they need into it.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
SHELL := /bin/sh

PYTHON ?=
SECONDS ?= 600
SEED ?= 0
BIN := .venv/bin
PIP := $(BIN)/python -m pip -qq --disable-pip-version-check --no-input
CODE = $(wildcard src tests benchmarks examples docs/*.py)
# One process more than cores, four at the most, of one thread each; tests/conftest.py says what keeps to one process.
# Bytecode is kept: a test that starts the command would otherwise compile all of accord again.
PYTEST = env -u PYTHONDONTWRITEBYTECODE OMP_NUM_THREADS=1 POLARS_MAX_THREADS=1 \
	$(BIN)/python -m pytest -q -n auto --maxprocesses 4

# $(call step,what it is,command): one line, then the command; the first that fails ends the run and is named.
define step
@echo "-- $(1)"; $(2) || { echo "make $@: stopped at: $(1)" >&2; exit 1; }
endef

define style
$(call step,ruff check,$(BIN)/ruff check --quiet $(CODE))
$(call step,ruff format --check,$(BIN)/ruff format --check --quiet $(CODE))
endef

# $(call types_beside,what the tests are,command): mypy takes one core for a minute where .mypy_cache holds nothing, so it
# runs beside the tests; whatever either has to say is said, and what failed is named.
define types_beside
@echo "-- mypy --strict, and beside it: $(1)"; mkdir -p build; \
$(BIN)/mypy --strict --no-error-summary $(CODE) >build/types.txt 2>&1 & types=$$!; \
$(2); tests=$$?; \
wait $$types; types=$$?; cat build/types.txt; \
if [ $$types != 0 ]; then echo "make $@: stopped at: mypy --strict" >&2; fi; \
if [ $$tests != 0 ]; then echo "make $@: stopped at: $(1)" >&2; fi; \
[ $$types = 0 ] && [ $$tests = 0 ]
endef

.PHONY: help demo check test browser postgres docs format bench fuzz oldest package clean

help:
	@echo "make demo     measure an example study and write a page about it"
	@echo "make check    ruff, mypy --strict, and the quick tests with the doctests: two minutes"
	@echo "make test     the same with every test: slow ones, engines and a browser too"
	@echo "make docs     build the site from docs/ and open it"
	@echo "make bench    the benchmarks"
	@echo "make fuzz     attack files, frames, calls, commands and disks at random: SECONDS=600 SEED=0"
	@echo "make oldest   the quick tests with the oldest dependencies that are promised"
	@echo "make package  build wheel and sdist, and try them in empty environments"
	@echo "make format   let ruff fix and format the code"
	@echo "make clean    remove .venv and whatever was built"

demo: .venv/report.stamp
	@mkdir -p build
	@$(BIN)/accord measure examples/five-annotators.csv
	@$(BIN)/accord report examples/five-annotators.csv --by topic -o build/demo.html --force

check: .venv/dev.stamp
	$(style)
	$(call types_beside,quick tests with doctests,$(PYTEST) -m "not slow and not engine and not browser")

test: .venv/dev.stamp browser postgres
	$(style)
	$(call types_beside,every test with doctests,$(PYTEST))

# The report is tested in a real browser: Debian's Chromium, installed when it is missing and that is possible.
browser:
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
		command -v $$name >/dev/null && exit 0; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "-- installing chromium"; \
		{ apt-get -qq update && apt-get -qq install -y --no-install-recommends chromium; } >/dev/null 2>&1 && exit 0; \
	fi; \
	echo "There is no Chromium, so the tests of the page in a browser are skipped (with CI=true they fail)."; \
	echo "Install one, on Debian and Ubuntu: apt-get install chromium"

# Queries and addresses of databases are tested on a real server, which the tests start and stop themselves.
postgres:
	@if command -v initdb >/dev/null || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		echo "-- installing postgresql"; \
		{ apt-get -qq update && apt-get -qq install -y --no-install-recommends postgresql; } >/dev/null 2>&1 && exit 0; \
	fi; \
	echo "There is no Postgres, so the tests on a server are skipped. On Debian and Ubuntu: apt-get install postgresql"

docs: .venv/dev.stamp
	@$(BIN)/python docs/build_site.py --open

format: .venv/dev.stamp
	@$(BIN)/ruff check --fix $(CODE)
	@$(BIN)/ruff format $(CODE)

bench: .venv/dev.stamp
	@set -e; for script in benchmarks/*.py; do \
		case $$script in */_*|*/before_and_after.py|*/same_numbers.py|*'*'*) continue;; esac; \
		echo "-- $$script"; $(BIN)/python -m "benchmarks.$$(basename "$$script" .py)"; \
	done

fuzz: .venv/dev.stamp
	@$(BIN)/python -m tests.fuzz --seconds $(SECONDS) --seed $(SEED)

# The oldest versions in pyproject.toml, in an environment of their own.
oldest: .venv/bin/python
	@mkdir -p build; $(BIN)/python tests/packaging/oldest.py >build/oldest.txt
	@echo "-- installing the oldest dependencies into build/oldest"
	@$(BIN)/python -m venv build/oldest
	@build/oldest/bin/python -m pip -qq --disable-pip-version-check --no-input install \
		-c build/oldest.txt -e ".[report,duckdb,spss,serve]" hypothesis jsonschema pandas pytest
	$(call step,quick tests,build/oldest/bin/python -m pytest -q -m "not slow and not engine and not browser" \
		tests/published tests/study tests/scores tests/rankings tests/preferences \
		tests/reporting/test_paper.py tests/reporting/test_report.py tests/command/test_measuring.py)

package: .venv/bin/python
	@$(BIN)/python tests/packaging/clean_room.py build/package

clean:
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find src tests benchmarks examples docs -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# The environment. A candidate counts only if it runs, is recent enough and can make environments.
.venv/bin/python:
	@for python in $(PYTHON) python3 python3.13 python3.12 python3.11 python3.14 python; do \
		"$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		echo "-- creating .venv with $$("$$python" --version)"; \
		rm -rf .venv; exec "$$python" -m venv .venv; \
	done; \
	echo "accord needs Python 3.11 or later with the venv and ensurepip modules, and found none." >&2; \
	echo "Install one (on Debian and Ubuntu the packages python3 and python3-venv), or name one: make PYTHON=/path/to/python3" >&2; \
	exit 1

# What the command and its page need.
.venv/report.stamp: pyproject.toml | .venv/bin/python
	@echo "-- installing accord[report] into .venv"
	@$(PIP) install -e ".[report]"
	@touch $@

# The same and what the tests need.
.venv/dev.stamp: pyproject.toml | .venv/bin/python
	@echo "-- installing accord[dev] into .venv"
	@$(PIP) install -e ".[dev]"
	@touch .venv/report.stamp $@
