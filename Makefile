# Inter-AI: what there is to do with this tree. "make" lists it.

SHELL         := bash
.DEFAULT_GOAL := help

GO           ?= go
PKG          ?= ./...
ARGS         ?=
TEST_TIMEOUT ?= 20m
TEST_FLAGS   ?=
BENCH        ?= .
SET          ?=
FIRST_SEED   ?=
SEEDS        ?=
FUZZTIME     ?= 1m
FUZZPKG      ?= ./...

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
COMMIT  := $(shell git rev-parse HEAD 2>/dev/null || echo unknown)

# The version is stamped in by us: Go's own stamping fails where the tree belongs
# to somebody else than the one who builds, as in containers. Flags that change
# how packages compile (-trimpath, -tags) would mean a second cold build.
BUILD_FLAGS := -buildvcs=false
LDFLAGS     := -X main.version=$(VERSION) -X main.commit=$(COMMIT)

# Where goroutines share something. What is left out starts none, or drives a node from outside.
RACED := ./antiabuse/opinion ./api/actions ./api/auth ./api/console ./api/identity ./api/limits ./api/mcp ./api/node ./api/ops \
	./api/public ./evidence ./evidence/moderation ./jobs ./store/... ./trustops/...

TOOL := $(GO) tool -modfile=tools/go.mod

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  \033[1m%-18s\033[0m %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: run
run: ensure-postgres build ## Build and serve; PostgreSQL is installed if it is missing (ARGS="--addr …")
	bin/interai serve $(ARGS)

.PHONY: build
build: ## Build bin/interai
	@mkdir -p bin
	$(GO) build $(BUILD_FLAGS) -ldflags '$(LDFLAGS)' -o bin/interai ./cmd/interai

.PHONY: test
test: ensure-postgres ## Run all tests (PKG=./store/... for some, TEST_TIMEOUT=20m, TEST_FLAGS=-v)
	$(GO) test $(TEST_FLAGS) -timeout $(TEST_TIMEOUT) $(PKG)

# It is a second build of everything, which takes as long as the tests themselves.
.PHONY: race
race: ensure-postgres ## Run the tests of all that is concurrent with the race detector (needs a C compiler; some 12 minutes)
	$(GO) test -race $(TEST_FLAGS) -timeout $(TEST_TIMEOUT) $(RACED)

# A module of its own, so that the server does not carry the validator; its first build takes minutes.
.PHONY: check-openapi-go
check-openapi-go: ensure-postgres ## Hold the OpenAPI document, and what a node says over Actions, against a second implementation
	@out=$$(mktemp) && trap 'rm -f "$$out"' EXIT \
	  && INTERAI_TEST_EXCHANGES=$$out $(GO) test -count=1 -run '^TestEveryOperationAndEveryFailure$$' -timeout $(TEST_TIMEOUT) ./api/actions \
	  && cd api/openapi/validate && INTERAI_TEST_EXCHANGES=$$out $(GO) test -count=1 -timeout $(TEST_TIMEOUT) ./...

.PHONY: check-openapi
check-openapi: check-openapi-go ## Check the OpenAPI document and live answers with libopenapi, and lint it with Redocly and Spectral (npm installs them into the cache)
	@scripts/check-openapi.sh

.PHONY: lint
lint: fmt-check ## Run all linters (the first run builds them: some minutes)
	$(TOOL) golangci-lint run $(PKG)

.PHONY: vet
vet: fmt-check ## Check format and run go vet: the quick part of lint
	$(GO) vet $(PKG)

.PHONY: fmt-check
fmt-check:
	@out=$$(gofmt -l .); \
	  if [ -n "$$out" ]; then echo "not formatted (make fmt):"; echo "$$out"; exit 1; fi

.PHONY: fmt
fmt: ## Format the Go code
	$(TOOL) gofumpt -w .

.PHONY: vuln
vuln: ## Look for known vulnerabilities that the code can reach
	@scripts/vulncheck.sh

.PHONY: bench
bench: ensure-postgres ## Measure report_usage over HTTP beside bare pgx and a bare echo server, then the trust model (some 5 minutes)
	$(GO) test -run '^$$' -bench BenchmarkReportUsage -benchtime 1x -timeout $(TEST_TIMEOUT) ./internal/bench
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -timeout $(TEST_TIMEOUT) ./trustmodel/...
	$(GO) test -run '^$$' -bench BenchmarkHotTarget -benchtime 1x -timeout $(TEST_TIMEOUT) ./internal/backfill

.PHONY: bench-backfill
bench-backfill: ensure-postgres ## Measure a new trust version's computation for 100,000 targets and 1,000,000 records (INTERAI_BENCH_TARGETS=10000 for a quick try)
	$(GO) test -run '^$$' -bench BenchmarkBackfill -benchtime 1x -timeout 2h ./internal/backfill

.PHONY: bench-trust
bench-trust: ## Measure the trust model on real labels, uses and ratings beside other methods (INTERAI_DATA=DIR; SET="caps.fresh=2" for other parameters)
	@out=$$(mktemp) && trap 'rm -f "$$out"' EXIT \
	  && INTERAI_BENCH_OUT=$$out INTERAI_BENCH_SET='$(SET)' $(GO) test -count=1 -run '^TestTrustTable$$' -timeout $(TEST_TIMEOUT) ./internal/trustbench >&2 \
	  && cat "$$out"

.PHONY: bench-simulate
bench-simulate: ## Let attackers loose on simulated worlds and print the goals of the trust model (some 2 minutes; FIRST_SEED=100 SEEDS=8 for other worlds, SET as for bench-trust)
	@out=$$(mktemp) && trap 'rm -f "$$out"' EXIT \
	  && INTERAI_BENCH_OUT=$$out INTERAI_BENCH_SET='$(SET)' INTERAI_BENCH_FIRST_SEED='$(FIRST_SEED)' INTERAI_BENCH_SEEDS='$(SEEDS)' \
	    $(GO) test -count=1 -run '^TestSimulationGoals$$' -timeout $(TEST_TIMEOUT) ./internal/trustbench >&2 \
	  && cat "$$out"

.PHONY: bench-search
bench-search: ensure-postgres ## Measure search and claim matching on labelled data, beside BM25 and ts_rank_cd (some 10 minutes; INTERAI_DATA=DIR)
	@out=$$(mktemp) && trap 'rm -f "$$out"' EXIT \
	  && INTERAI_BENCH_OUT=$$out $(GO) test -count=1 -v -run '^TestQualityTable$$' -timeout 1h ./internal/searchbench >&2 \
	  && cat "$$out" && $(GO) test -run '^$$' -bench 'BenchmarkClaims' -benchtime 1x ./internal/searchbench

.PHONY: bench-search-scale
bench-search-scale: ensure-postgres ## Measure what a question costs at 100,000 and 1,000,000 documents beside ts_rank_cd (an hour; INTERAI_BENCH_DOCS=20000 for a quick try)
	$(GO) test -run '^$$' -bench BenchmarkSearchScale -benchtime 1x -timeout 3h ./internal/searchbench

.PHONY: bench-scan
bench-scan: ## Measure the scanners of hostile and secret content on the corpus beside gitleaks, with their worst cases (a minute; INTERAI_DATA=DIR)
	@out=$$(mktemp) && trap 'rm -f "$$out"' EXIT \
	  && INTERAI_BENCH_OUT=$$out $(GO) test -count=1 -run '^(TestScanTable|TestNoTextIsTooDear)$$' -timeout $(TEST_TIMEOUT) ./internal/scanbench >&2 \
	  && cat "$$out"

.PHONY: check-probe
check-probe: build ## Make documents of three public MCP servers from npm and validate them twice (node 18 or newer; nothing is installed in this tree)
	@scripts/check-probe.sh bin/interai

.PHONY: bench-flood
bench-flood: ensure-postgres ## Measure what attackers that stall, flood and nest cost a healthy client, beside a quiet server (3 minutes)
	$(GO) test -run '^$$' -bench BenchmarkFlood -benchtime 1x -timeout $(TEST_TIMEOUT) ./internal/e2e

.PHONY: fuzz
fuzz: ## Fuzz every parser of outside bytes, one after the other (FUZZTIME=1m for each, FUZZPKG=./antiabuse/... for some)
	@GO='$(GO)' FUZZTIME='$(FUZZTIME)' scripts/fuzz.sh $(FUZZPKG)

.PHONY: conformance
conformance: ensure-postgres ## Run the official conformance suite, the inspector and both TypeScript SDKs against real nodes (npm; 2 minutes, 1 more at first)
	@dir=$$(scripts/clients.sh) && export INTERAI_CLIENTS=$$dir \
	  && $(GO) test -count=1 -v -tags conformance -timeout $(TEST_TIMEOUT) ./internal/clients \
	  && $(GO) test -count=1 -timeout $(TEST_TIMEOUT) ./internal/clients

.PHONY: demo
demo: ensure-postgres build ## Play a small world, or labelled data, through MCP (a server must run)
	bin/interai demo $(ARGS)

.PHONY: schema
schema: ensure-postgres ## Write migrations/inter_ai_schema.sql anew
	@dir=$$(mktemp -d) && chmod 755 $$dir && trap 'rm -rf $$dir' EXIT \
	  && $(GO) run $(BUILD_FLAGS) ./cmd/interai schema --data-dir $$dir/data > $$dir/schema.sql \
	  && cp $$dir/schema.sql migrations/inter_ai_schema.sql

.PHONY: clean
clean: ## Remove what was built
	rm -rf bin
	find . -name '*.test' -type f -delete

.PHONY: ensure-postgres
ensure-postgres:
	@scripts/ensure-postgres.sh
