# The menu: `make` alone prints it. Needs GNU make and Python 3.11, nothing else.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
PLAYING := .venv/.playing
STAMP := .venv/.stamp
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
installing = @echo "installing $$(cat $^ | grep -c ==) packages: minutes on a slow line"
ROUND ?=
SEED ?= 1
export PUSH22_KAFKA_LIBS ?= build/kafka/libs
JARS := $(PUSH22_KAFKA_LIBS)/.stamp
# Tests on a local broker need its jars; without Maven they say so.
TEST_JARS := $(if $(filter skip docker,$(PUSH22_E2E)),,$(if $(shell command -v mvn),jars))
# The page is checked by tools of Node, and tested in a browser.
NODE := build/node/.stamp
PAGE := $(if $(filter 1,$(PUSH22_SKIP_BROWSER)),,page-types)
export PUSH22_DATA ?= push22-data

.DEFAULT_GOAL := menu
.PHONY: menu setup play test chaos check lint types page-types pictures layers fmt lock \
        contracts replay bench bench-kafka load soak capacity simulate operator-books \
        kernel-check sbom licences audit-dependencies jars \
        broker images up down

menu: ## print this menu
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' \
	  $(MAKEFILE_LIST)

setup: $(STAMP) ## build .venv from the locked requirements

# Whoever plays needs less than half of what the tests need.
$(PLAYING): requirements/build.txt requirements/base.txt pyproject.toml
	$(installing)
	$(PYTHON) -m venv .venv
	$(INSTALL) --require-hashes -r requirements/build.txt -r requirements/base.txt
	$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

$(STAMP): requirements/dev.txt | $(PLAYING)
	$(installing)
	$(INSTALL) --require-hashes -r requirements/dev.txt
	@touch $@

play: $(PLAYING) ## watch five rounds of Blackjack Switch
	@$(BIN)/push22 play --auto --rounds 5

test: setup lint types $(PAGE) layers $(TEST_JARS) ## run every check and every test
	PUSH22_CHAOS_ROUNDS=$(or $(PUSH22_CHAOS_ROUNDS),30) \
	  PUSH22_CHAOS_TABLES=$(or $(PUSH22_CHAOS_TABLES),16) \
	  $(BIN)/python -m pytest -n 2 --dist loadgroup -m "not chaos or chaos_ci"

chaos: setup $(TEST_JARS) ## break everything under load, 200 rounds a case, SEED=
	PUSH22_CHAOS_SEED=$(if $(filter command line,$(origin SEED)),$(SEED)) \
	  $(BIN)/python -m pytest -v -s -m chaos tests/chaos

check: setup lint types $(PAGE) layers ## the same without the slow tests and the servers
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not slow and not crash and not e2e"

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP)
	$(BIN)/mypy

page-types: $(NODE) ## check the types of the player's page
	node build/node/typescript/bin/tsc -p services/gateway/page/tsconfig.json

$(NODE): .ci/node.sh .ci/node.sums
	.ci/node.sh build/node
	@touch $@

pictures: setup ## take the pictures of the page for the documents again
	@$(BIN)/python -m tests.page.pictures
	@$(BIN)/python -m tests.desk.pictures

layers: $(STAMP)
	$(BIN)/lint-imports

fmt: setup ## format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: setup ## lock the newest allowed requirements again
	$(BIN)/python -m pip install --quiet uv
	for part in build base dev; do $(BIN)/uv pip compile --quiet --generate-hashes \
	  --no-emit-index-url --custom-compile-command "make lock" --upgrade \
	  requirements/$$part.in -o requirements/$$part.txt || exit 1; done

contracts: setup ## write the schemas of all messages again
	@$(BIN)/push22 contracts

replay: $(PLAYING) ## rebuild ROUND= from the logs in PUSH22_DATA= or ./push22-data
	@test -n "$(ROUND)" || { echo "name a round: make replay ROUND=..." >&2; exit 2; }
	@$(BIN)/push22 replay $(ROUND)

bench: setup ## measure, beside the floor of this machine
	@for part in bench/*.py; do echo "== $$part"; \
	  PYTHONPATH=. $(BIN)/python "$$part" || exit 1; done

bench-kafka: setup jars ## rounds and latency over Kafka, SECONDS=30 at LOAD=100
	@PYTHONPATH=. $(BIN)/python bench/kafka/rounds.py $(or $(SECONDS),30)
	@PYTHONPATH=. $(BIN)/python bench/kafka/latency.py $(or $(LOAD),100) \
	  $(or $(SECONDS),30)

load: setup ## load a casino in one process, 3 runs of SECONDS=40 at RATE=10: push22-load
	@$(BIN)/push22 load --embedded --runs 3 --players 100 --rate $(or $(RATE),10) \
	  --seconds $(or $(SECONDS),40) --warm-up 10 --out push22-load

soak: setup ## a constant load for MINUTES=20: memory, log and tail must stay as they are
	@$(BIN)/push22 load --embedded --soak --players 100 --rate $(or $(RATE),10) \
	  --seconds $$((60 * $(or $(MINUTES),20))) --warm-up 60 --out push22-soak

capacity: setup jars ## measure the capacity model's costs again, RATES=4,10,16,22
	@PYTHONPATH=. PUSH22_E2E=local $(BIN)/python -m bench.load.capacity \
	  $(if $(RATES),--rates $(RATES))

kernel-check: setup ## deal 1,000,000 shoes per rule set to kernel and rule book
	PUSH22_SHOES=1000000 $(BIN)/python -m pytest -n 2 \
	  tests/kernel/test_same_nets.py -k rule_books

simulate: setup ## run the simulated casino from SEED=
	@$(BIN)/python -m tests.simulation $(SEED)

operator-books: setup ## 1,000 rounds against a faulty operator, PUSH22_OPERATOR_SEED=1
	PUSH22_OPERATOR_ROUNDS=1000 $(BIN)/python -m pytest tests/operator/test_books_agree.py

sbom: setup ## write build/sbom.json, the bill of materials of the lock, CycloneDX
	@$(BIN)/python deploy/supply.py sbom build/sbom.json

licences: setup ## write docs/licences.md from the locked packages
	@$(BIN)/python deploy/supply.py licences

audit-dependencies: setup ## ask the vulnerability service about the locked packages
	@deploy/audit-dependencies.sh $(BIN)

jars: $(JARS) ## copy Kafka's jars by Maven to PUSH22_KAFKA_LIBS= or build/kafka/libs

# The pom of another checkout is younger, and the same: the jars may be in use then.
$(JARS): deploy/kafka/pom.xml
	@cmp --silent $< $@ || deploy/kafka/jars.sh $(PUSH22_KAFKA_LIBS)
	@cp $< $@

broker: setup jars ## run Kafka and PostgreSQL here, and print what finds them
	@$(BIN)/python -m tests.e2e.brokers

images: setup jars ## build all images from Debian's packages, jars and wheels
	deploy/airgap/build.sh

up: ## run the distributed casino in containers
	deploy/airgap/up.sh

down: ## stop it; what it holds is kept
	deploy/airgap/up.sh down
