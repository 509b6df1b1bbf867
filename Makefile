# Every target is one command; `make help` lists them.

SHELL := /bin/bash
LINT  := go tool -modfile=tools/go.mod golangci-lint
FUZZTIME ?= 10s
INTEROP ?= .

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## generate, serve, lose an answer, see it replayed
	go run ./cmd/demo

# SQLite is C that became Go. Its memory is none that the race detector knows, and
# asking it all the same makes SQLite nine times slower.
UNWATCHED := -gcflags=modernc.org/...=-race=false

.PHONY: test
test: deps ## all tests, with the race detector
	go test -race $(UNWATCHED) -timeout 30m ./...

.PHONY: deps
deps: ## install what the tests need, or say what is missing
	@scripts/deps

.PHONY: generate
generate: ## regenerate generated/ from spec/
	go generate ./generated

.PHONY: check
check: ## is generated/ what spec/ gives?
	go run ./cmd/gen check

.PHONY: report
report: ## bin/report.html: operations, key coverage, repairs
	@mkdir -p bin
	go run ./cmd/gen report --format html > bin/report.html
	@echo bin/report.html

.PHONY: build
build: ## bin/gen, bin/server and bin/conform
	@mkdir -p bin
	go build -o bin/ ./cmd/gen ./cmd/server ./cmd/conform
	go build ./...

.PHONY: fmt
fmt: ## format the code
	$(LINT) fmt

.PHONY: lint
lint: ## formatting, vet and linters
	$(LINT) fmt --diff
	$(LINT) run --allow-parallel-runners

.PHONY: bench
bench: deps ## every ratio in one table, bin/bench/table.md; 10 minutes, or BENCH_SHORT=1; BENCH_ROWS, BENCH_WRITE
	go run ./tests/bench/ratios $(if $(BENCH_SHORT),-short) $(if $(BENCH_ROWS),-rows $(BENCH_ROWS)) $(if $(BENCH_WRITE),-write $(BENCH_WRITE))

.PHONY: interop
interop: build ## other people's clients and kits against the server; takes minutes
	@scripts/deps interop
	go test -tags interop -v -count=1 -timeout 60m ./tests/interop -run '$(INTEROP)'

CHAOS ?= 20s

.PHONY: chaos
chaos: deps ## servers, network and database break for CHAOS (20s) in each form; bin/chaos.md
	CHAOS=$(CHAOS) go test -v -count=1 -timeout 6h -run 'TestChaos|TestMemoryIsCaught' ./tests/chaos

.PHONY: conform
conform: ## the conformance kit against our server in all its forms, and against faulty ones
	go test -v -count=1 -timeout 20m ./tests/conformance/...

.PHONY: conform-java
conform-java: ## the conformance kit against Apache's RESTCatalogServer; needs Maven and Java 17
	go test -tags interop -v -count=1 -timeout 20m -run TestApache ./tests/conformance/servers

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (10s)
	@scripts/fuzz $(FUZZTIME)

.PHONY: tidy
tidy: ## go mod tidy in every module
	go mod tidy
	cd tools && go mod tidy
	cd tests/team && go mod tidy
