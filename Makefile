# One command each. `make demo` and `make test` create their own environment in .venv; nothing else is touched.
PYTHON ?=
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= auto

.PHONY: setup demo test lint bench docs site lock vsix screenshots clean

setup: $(VENV)/.installed ## the environment with `waybook` and the development tools

$(VENV)/.installed: requirements.lock pyproject.toml scripts/setup.sh
	@PYTHON="$(PYTHON)" scripts/setup.sh $(VENV)

demo: setup ## explain and check a bundled workspace, and say what to try next
	@$(BIN)/python scripts/demo.py

test: setup lint ## the whole suite, with the VS Code extension and its real editor where they are installed
	@scripts/vsix.sh --if-possible
	@$(BIN)/python -m pytest -n $(JOBS) $(PYTEST_ARGS)

lint: setup
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo

docs: setup ## write the generated pages
	@$(BIN)/python scripts/generate_docs.py
	@$(BIN)/python scripts/agents_page.py

site: setup ## the manual as pages with a search: build/site/index.html
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --clean

vsix: setup ## check and pack the VS Code extension: client-vscode/dist/waybook.vsix
	@scripts/vsix.sh

screenshots: setup vsix ## make docs/images anew in a real VS Code
	@scripts/install_vscode.sh
	@$(BIN)/python scripts/screenshots.py
	@$(BIN)/python scripts/neovim_pictures.py

bench: setup ## ratios against peers, measured in one run
	@$(BIN)/python bench/run.py

lock: ## renew the lock file from pyproject.toml
	@$(BIN)/python -m pip install --quiet "pip>=25.1" # the first that knows groups
	@$(BIN)/python -m pip install --quiet "uv>=0.9"
	@$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url --no-annotate \
		--group dev --group bench --group docs pyproject.toml --output-file requirements.lock

clean:
	rm -rf $(VENV) build dist client-vscode/dist client-vscode/build client-vscode/node_modules .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
