# Two targets are all that a newcomer needs: `make run` and `make test`. `make check` is what CI runs. `make help` lists the others.

SWIFT ?= swift
BUILD_PATH ?= .build
FILE ?=
ROUNDS ?= 100
# How make run and make crash build: as the tests are built, or optimised (release).
CONFIGURATION ?= debug
SECONDS ?= 60
FILTER ?=
# What is given as one argument, quoted for the shell; and FILTER, which may name several.
quote = '$(subst ','\'',$(1))'
FILTERS = $(foreach name,$(FILTER),--filter=$(call quote,$(name)))
JSON ?=
ARGS ?=
TESTS ?=
# What make cluster runs instead of waiting.
RUN ?=
# Package.swift leaves out all other tests.
ifneq ($(TESTS),)
export CAIRN_TESTS = $(TESTS)
endif
# STRICT=1 (as in CI): warnings of our targets are errors, and no target imports what it does not declare.
STRICT ?=
ifneq ($(STRICT),)
# Package.swift makes warnings errors.
export CAIRN_STRICT = 1
endif
STRICT_FLAGS = $(if $(STRICT),--explicit-target-dependency-import-check error)
# SwiftPM before 6.4 passes traits in the order of a set, so the next build often compiled everything again (its issue 10525).
export SWIFT_DETERMINISTIC_HASHING = 1
# Traits besides those that are enabled by default, as `swift build` takes them.
TRAITS ?=
# A debugger needs `DEBUG_INFO=dwarf`. Without it, a first build takes a fifth less time.
DEBUG_INFO ?= none
# Fewer and larger batches: each process of the compiler checks declarations of other files again, and expands their macros (decision 24).
BATCHES = -Xswiftc -driver-batch-size-limit -Xswiftc 100
SWIFT_BUILD = $(SWIFT) build $(TRAITS) --scratch-path $(BUILD_PATH) -debug-info-format $(DEBUG_INFO) $(BATCHES)

# Why tests may be skipped; for any other reason, all but `make test` fail.
SKIPS ?= Tests/skips.txt
check thorough test-asan test-tsan cluster-test: export CAIRN_SKIPS = $(SKIPS)

.DEFAULT_GOAL := help
.PHONY: help deps test-deps run test check check-built check-apart thorough surface server-test mutants test-asan test-tsan crash cluster cluster-test fuzz docs coverage configuration format lint clean
.PHONY: bench bench-gates bench-report bench-scale bench-deps

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

deps: ## Install what is missing: RocksDB, pkg-config, a C++ standard library
	@scripts/deps

test-deps:
	@scripts/deps tests

run: deps ## Tour: a real file in each of the stores (FILE=path for one of yours, CONFIGURATION=release: optimised)
	@echo "Building the four stores and the tour: about a minute and a half the first time."
	@$(SWIFT_BUILD) -c $(CONFIGURATION) --product cairn-tour
	@$$($(SWIFT_BUILD) -c $(CONFIGURATION) --show-bin-path)/cairn-tour $(if $(FILE),$(call quote,$(FILE)))

test: test-deps ## The tests (TESTS="CairnCDBTests …" for some, STRICT=1: warnings are errors)
ifeq ($(TESTS),)
	@echo "Building everything, for debugging: several minutes the first time. The tests follow, without those that take long: make check runs them."
	@$(SWIFT_BUILD) --build-tests $(STRICT_FLAGS)
else
	@$(SWIFT_BUILD) --product CairnPackageTests $(STRICT_FLAGS)
endif
	@scripts/test scripts/test-in-parts $(BUILD_PATH)

# One build with what only servers have, instead of a second one.
check: export TRAITS = --enable-all-traits
check: ## All that must pass before a change lands, as in CI: tests, documents, crash rounds, fuzzers, counts
	@CAIRN_CHECK=1 CAIRN_SCREENSHOTS=$(abspath $(BUILD_PATH))/inspector $(MAKE) test STRICT=1
	@# At the same time: most of either keeps one processor busy.
	@$(MAKE) check-apart > $(BUILD_PATH)/check-apart.log 2>&1 & apart=$$!; trap "kill $$apart" INT TERM; \
	  $(MAKE) check-built STRICT=1; built=$$?; \
	  wait $$apart; apart=$$?; cat $(BUILD_PATH)/check-apart.log; exit $$((built | apart))

# What uses the build of the tests.
check-built: surface
	@$(MAKE) docs
	@$(MAKE) crash ROUNDS=20

# What has builds of its own, or none.
check-apart: lint
	@# Unoptimised, and always the same seed: what is found by chance is for longer runs.
	@FUZZ_OPTIMIZATION=-Onone DEBUG_INFO=none SEED=1 $(MAKE) fuzz SECONDS=5
	@# Without object stores: optimised, swift-syntax takes many minutes; a weekly job has them. What the benchmarks count must not grow; that
	@# all sides still do the same is tried on little data, and times decide nothing. Tests count what object stores commit and sync.
	@OBJECTS=no $(MAKE) bench-gates
	@OBJECTS=no scripts/bench --quick
	@OBJECTS=no scripts/bench-report --check
	@OBJECTS=no scripts/bench-report scale --check

thorough: test-deps ## After a build: the tests in full, on the disk (TESTS="…" for some)
	@CAIRN_THOROUGH=1 scripts/test scripts/test-in-parts $(BUILD_PATH)

surface: ## After a build: what users see of it (macros, compile errors, linkage, snippets, examples, manual, declarations)
	@scripts/test $(SWIFT) test --package-path Tests/MacroExpansion --scratch-path $(BUILD_PATH)/macro-expansion
	@scripts/check-compile-fail "$$($(SWIFT_BUILD) --show-bin-path)"
	@scripts/check-linkage "$$($(SWIFT_BUILD) --show-bin-path)"
	@scripts/check-clients "$$($(SWIFT_BUILD) --show-bin-path)"
	@scripts/expand-stored "$$($(SWIFT_BUILD) --show-bin-path)" --check
	@scripts/check-snippets "$$($(SWIFT_BUILD) --show-bin-path)"
	@scripts/check-examples "$$($(SWIFT_BUILD) --show-bin-path)"
	@scripts/manual/run "$$($(SWIFT_BUILD) --show-bin-path)" --check
	@scripts/api/run "$$($(SWIFT_BUILD) --show-bin-path)" --check

server-test: ## The tests of what only servers have, with the packages that it needs, in a build of its own
	@$(MAKE) test TRAITS="--traits Telemetry,Hummingbird" TESTS="CairnTelemetryTests CairnHummingbirdTests" BUILD_PATH=$(BUILD_PATH)/server

mutants: test-deps ## Deliberate defects, which the tests must find (FILTER=name for some); takes an hour or more
	@scripts/mutants $(FILTERS) --build-path $(BUILD_PATH)/mutants

test-asan: test-deps ## All tests under the address sanitizer
	@$(SWIFT) build --build-tests --scratch-path $(BUILD_PATH)/asan --sanitize=address
	@CAIRN_CHECK=1 LSAN_OPTIONS="suppressions=$(CURDIR)/Tests/lsan-suppressions.txt:print_suppressions=0" \
	  scripts/test scripts/test-in-parts $(BUILD_PATH)/asan --sanitize=address

test-tsan: test-deps ## All tests under the thread sanitizer
	@CAIRN_CHECK=1 scripts/test-tsan $(BUILD_PATH)/tsan

crash: deps ## Kill writing processes at random (ROUNDS=100) and verify what is left
	@$(SWIFT_BUILD) -c $(CONFIGURATION) --product cairn-crash $(STRICT_FLAGS)
	@$$($(SWIFT_BUILD) -c $(CONFIGURATION) --show-bin-path)/cairn-crash --rounds $(ROUNDS)

cluster: test-deps ## Servers for object stores on loopback until Ctrl-C: three members of etcd, PostgreSQL with a standby (RUN='command' for it alone)
	@$(SWIFT_BUILD) --product cairn-cluster $(STRICT_FLAGS)
	@$$($(SWIFT_BUILD) --show-bin-path)/cairn-cluster $(if $(RUN),/bin/sh -c $(call quote,$(RUN)))

cluster-test: test-deps ## The tests of the engines on etcd and PostgreSQL against such servers instead of single ones
	@$(SWIFT_BUILD) --build-tests $(STRICT_FLAGS)
	@$$($(SWIFT_BUILD) --show-bin-path)/cairn-cluster scripts/cluster-test $(BUILD_PATH)

fuzz: test-deps ## Fuzz every decoder (SECONDS=60 each); failing inputs stay in Fuzz/FailCases
	@scripts/fuzz $(SECONDS)

bench: bench-deps ## Benchmarks of all stores beside their rivals (FILTER=name for some, JSON=file, ARGS=--list)
	@scripts/bench $(FILTERS) $(if $(JSON),--json $(call quote,$(JSON))) $(ARGS)

bench-gates: bench-deps ## Counts that may not grow: allocations, system calls, syncs, bytes (OBJECTS=no as in CI)
	@scripts/bench gates $(FILTERS)

bench-report: ## Measure, and write table, chart and README from it (JSON=file: from a run that is there)
	@scripts/bench-report $(if $(JSON),$(call quote,$(JSON)))

bench-scale: ## How costs grow, in stores of 10,000 to 10,000,000: gigabytes; the first three sizes take five minutes (JSON=file: from a run that is there)
	@scripts/bench-report scale $(if $(JSON),$(call quote,$(JSON)))

bench-deps:
	@scripts/deps bench

docs: deps ## The documentation site, in docs/site
	@$(SWIFT_BUILD) $(STRICT_FLAGS)
	@scripts/docs "$$($(SWIFT_BUILD) --show-bin-path)"

coverage: deps ## Write the page about what is wrapped of RocksDB's headers
	@scripts/coverage/run

configuration: ## Write docs/generated/configuration.md from the options' declarations and comments
	@scripts/configuration/run

format: ## Format the code in place
	@$(SWIFT) format --in-place --recursive --parallel Package.swift Plugins Sources Tool Kits Tests Benchmarks Fuzz Examples

lint: ## Check the format and that public declarations are documented
	@$(SWIFT) format lint --strict --recursive --parallel Package.swift Plugins Sources Tool Kits Tests Benchmarks Fuzz Examples
	@scripts/lint

clean: ## Remove everything built
	@rm -rf $(BUILD_PATH) Benchmarks/.build Examples/*/.build Fuzz/.build docs/site
