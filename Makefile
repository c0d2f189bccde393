# make demo: from a bare clone to a served graph.  make test: all tests.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STORE ?= kg-store
HOST ?= 127.0.0.1
PORT ?= 8000

.PHONY: venv build demo test lint constraints clean

venv: $(VENV)/.done

# Pinned versions of everything; the project itself editable, so that ontology/ and shapes/ are the checkout's.
$(VENV)/.done: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[test]'
	touch $@

build: venv
	$(BIN)/kg build seeds/*.txt --store $(STORE)
	$(BIN)/kg stats --store $(STORE)

demo: build
	$(BIN)/kg serve --store $(STORE) --host $(HOST) --port $(PORT)

test: venv
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy
	$(BIN)/python -m pytest

lint: venv
	$(BIN)/python -m ruff check . --fix
	$(BIN)/python -m ruff format .
	$(BIN)/python -m mypy

# Versions only, from a clean install; no index address ever stands in it.
constraints:
	rm -rf build/constraints-venv && $(PYTHON) -m venv build/constraints-venv
	build/constraints-venv/bin/python -m pip install --quiet --disable-pip-version-check '.[test]'
	build/constraints-venv/bin/python -m pip freeze --exclude confkg | grep -E '^[A-Za-z0-9_.-]+==' > constraints.txt
	rm -rf build/constraints-venv

clean:
	rm -rf $(VENV) $(STORE) build dist
