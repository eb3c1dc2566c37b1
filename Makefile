# The two commands of a newcomer are `make run` and `make test`; each does its own set-up.
PREFIX ?= /usr/local
DESTDIR ?=
RELEASE := HUB_COMMIT=$$(git rev-parse --short=12 HEAD 2>/dev/null) swift build -c release --static-swift-stdlib --product
SWIFT_SOURCES := Package.swift Sources Plugins Tests

.PHONY: run build test lint format bench install uninstall clean

run: build
	exec .build/release/hub serve

build:
	.ci/setup build
	$(RELEASE) hub

test:
	.ci/setup test
	swift build --build-tests
	swift test --skip-build --disable-xctest --skip EndToEndTests
	swift test --skip-build --disable-xctest --filter EndToEndTests

lint:
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	.ci/lint

format:
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)

bench:
	.ci/setup bench
	$(RELEASE) hub
	$(RELEASE) hub-bench
	Tests/Benchmarks/run

install: build
	install -Dm755 .build/release/hub "$(DESTDIR)$(PREFIX)/bin/hub"
	.ci/install-docs .build/release/hub "$(DESTDIR)$(PREFIX)/share"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/hub"
	.ci/install-docs --remove "$(DESTDIR)$(PREFIX)/share"

clean:
	swift package clean
