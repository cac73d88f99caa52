# install: the locked environment and the demo model's weights
# app: start the app · demo: the whole pipeline without a browser
# test: every test · train-test: those that train, with the extra `train`
# inspect-test: those that run agents, with the extra `inspect`
# bench: speed, as ratios · lint: ruff · lock: renew requirements.lock
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: install app demo test train-test inspect-test bench lint lock

install: $(STAMP)

$(STAMP): requirements.lock pyproject.toml core/llm/weights.py
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Selfbound needs Python 3.11 or newer; name one with: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps -r requirements.lock
	@# The build tool warns of every editable install; there is nothing to do about it.
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --no-index --editable .
	$(BIN)/python -m core.llm.weights
	@touch $@

app: install
	$(BIN)/selfbound app

demo: install
	$(BIN)/selfbound demo

test: install lint
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

train-test: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --editable '.[train]'
	$(BIN)/python -m pytest -m train

inspect-test: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-build-isolation --editable '.[inspect]'
	$(BIN)/python -m pytest -m inspect

bench: install
	$(BIN)/python -m tests.bench

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

lock:
	uv pip compile --quiet pyproject.toml --extra dev --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --output-file requirements.lock
