# Everything happens in .venv, made on first use. `make` alone lists the targets.
.DEFAULT_GOAL := help
# The first Python that runs and is new enough; a name on the path may be a shim that does not.
PYTHON := $(or $(PYTHON),$(shell for p in python3 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done))
BIN := .venv/bin
STORE ?=
# A server of our own needs more than the embedded engine does.
EXTRA := $(if $(findstring neo4j+local,$(STORE)$(TORCHATLAS_STORE)),server,run)
export TORCHATLAS_STORE ?= $(STORE)
# Python keeps what it compiles: otherwise each start and each test run compiles everything again, which takes seconds.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help
help:
	@awk -F ':.*[^#]## ' '/^[a-z-]+:.*[^#]## / {printf "  make %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: slow
slow: ## list the others: programs that try to break things, benchmarks one by one, pictures, packages
	@awk -F ':.*### ' '/^[a-z-]+:.*### / {printf "  make %-20s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: .venv/.$(EXTRA) ## open the map in a browser (STORE=neo4j+local: or NEO4J_URI=bolt://... for a server)
	@$(BIN)/torchatlas $(if $(STORE),--store "$(STORE)") $(ARGS)

.PHONY: test
test: lint ## lint, then every test, with a real Neo4j server and a real Chromium
	$(BIN)/python tests/chromium.py
	$(BIN)/pytest -n 2 --dist worksteal -m "not neo4j and not browser and not index"
	$(BIN)/pytest -m "neo4j or browser"

.PHONY: wheel-test
wheel-test: .venv/.test ### the wheel in new environments: the tested versions, and the lowest allowed (VERSIONS=newest)
	$(BIN)/pytest -n 2 -m index -k "$(or $(VERSIONS),tested or lowest)"

.PHONY: check
check: lint ## lint, then the tests that need no server, no browser and little time: under a minute
	$(BIN)/pytest -n 2 --dist worksteal -m "not slow and not neo4j and not browser" --hypothesis-profile=quick

.PHONY: lint
lint: .venv/.test ### ruff (format and lint) and mypy
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

.PHONY: format
format: .venv/.test ## bring the code into shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: bench
bench: .venv/.test ## every figure of speed in the docs, of real texts with TEXTS=folder (ARGS="commands --beside PROGRAM")
	@$(BIN)/python -m benchmarks $(if $(TEXTS),--texts "$(TEXTS)") $(ARGS)

.PHONY: bench-docs
bench-docs: .venv/.test ### the same, written into docs/architecture.md
	@$(BIN)/python -m benchmarks --write $(if $(TEXTS),--texts "$(TEXTS)") $(ARGS)

.PHONY: bench-prerequisites
bench-prerequisites: .venv/.test ### how well prerequisites are inferred (BENCHMARK=the folder with metacademy's concepts)
	@$(BIN)/python -m benchmarks.prerequisites $(BENCHMARK)

.PHONY: kills
kills: .venv/.test ### kill what writes, 220 times at random and TIMES (5) before each step, and look at what is there
	$(BIN)/python -m tests.kills $(or $(TIMES),5)

.PHONY: attacks
attacks: .venv/.test ### ask every engine all Cypher bombs, each for SECONDS (2), and stop the busy servers
	$(BIN)/python -m tests.attacks $(or $(SECONDS),2)

.PHONY: codemirror
codemirror: ### build the editor of the page Query from the packages in ui/web/vendor/package.json (needs npm)
	cd $$(mktemp -d) && cp $(CURDIR)/ui/web/vendor/package.json $(CURDIR)/ui/web/vendor/entry.js . && npm install --silent && \
	npx esbuild entry.js --bundle --minify --format=esm --outfile=$(CURDIR)/ui/web/vendor/codemirror.js
	sha256sum ui/web/vendor/codemirror.js

.PHONY: check-messages
check-messages: .venv/.test ### find the words of error messages in the PyTorch that is installed (TORCH=an unpacked wheel)
	@$(BIN)/python -m tests.check_messages $(TORCH)

.PHONY: check-links
check-links: .venv/.test ### ask for the page of each shipped resource, one a second of each host; a page that is gone is a failure
	@$(BIN)/python -m tests.check_links

.PHONY: audit
audit: .venv/.audit ### look up known vulnerabilities of all packages; a package that cannot be looked up is a failure
	@$(BIN)/python -m pip_audit --strict --no-deps --disable-pip --progress-spinner=off -r constraints.txt

.PHONY: fuzz
fuzz: .venv/.test ### feeds damaged in every way, for MINUTES (10) from SEED (1)
	$(BIN)/python -m tests.fuzz --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1)

.PHONY: mutants
mutants: .venv/.mutation ### change the code in 300 small ways and print those that no test sees (ARGS="--seed 2 graph/planning")
	@$(BIN)/python -m tests.mutants $(ARGS)

.PHONY: shots
shots: .venv/.test ### screenshots of each page, light and dark, into shots/
	$(BIN)/python tests/chromium.py
	$(BIN)/python -m tests.shots

.PHONY: pictures
pictures: .venv/.test ### take the pictures in docs/ anew
	$(BIN)/python tests/chromium.py
	$(BIN)/python -m tests.shots docs

.PHONY: docs
docs: .venv/.test ## write the sessions in README and docs/ anew with what the commands print today
	$(BIN)/python -m tests.doc_sessions

.PHONY: constraints
constraints: .venv/.mutation .venv/.audit ### write down the versions that are installed now, as the tested ones, and the hashes of what runs
	$(BIN)/python -m pip --disable-pip-version-check freeze --exclude-editable > constraints.txt
	printf '%s\n' editables 'hatchling>=1.27' pip uv | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-annotate --no-header --no-emit-index-url --constraint constraints.txt --output-file requirements.txt pyproject.toml -

.PHONY: clean
clean: ### remove .venv and everything that was made
	rm -rf .venv build dist shots .mypy_cache .pytest_cache .ruff_cache .hypothesis .fuzz

.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or later is needed; name one with make PYTHON=..." >&2; exit 1; }
	@echo "Making .venv with $(PYTHON) ..." >&2
	@"$(PYTHON)" -m venv --without-pip .venv

.venv/.run: pyproject.toml constraints.txt requirements.txt | .venv/bin/python
	@.ci/install
	@touch $@

.venv/.server: pyproject.toml constraints.txt requirements.txt | .venv/bin/python
	@.ci/install server
	@touch $@ .venv/.run

.venv/.test: pyproject.toml constraints.txt requirements.txt | .venv/bin/python
	@.ci/install server,mcp,dask,dev
	@touch $@ .venv/.run .venv/.server

.venv/.mutation: pyproject.toml constraints.txt requirements.txt | .venv/bin/python
	@.ci/install server,mcp,dask,dev,mutation
	@touch $@ .venv/.run .venv/.server .venv/.test

.venv/.audit: pyproject.toml constraints.txt requirements.txt | .venv/bin/python
	@.ci/install server,mcp,dask,dev,audit
	@touch $@ .venv/.run .venv/.server .venv/.test
