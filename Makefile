# The two commands of a newcomer are `make run` and `make test`; each does its own set-up.
PREFIX ?= /usr/local
DESTDIR ?=
RELEASE := HUB_COMMIT=$$(git rev-parse --short=12 HEAD 2>/dev/null) \
	swift build -c release --static-swift-stdlib --disable-local-rpath --product
BINARY := .build/release/hub
SWIFT_SOURCES := Package.swift Sources Plugins Tests

.PHONY: run build test lint format bench fuzz install uninstall clean

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

fuzz:
	.ci/setup build
	Tests/Fuzz/run

# It copies what `make build` has built and builds nothing, so it may run as root, and in a package's build.
install:
	@test -x $(BINARY) || { echo "$(BINARY) is not there: run make build first, as yourself" >&2; exit 1; }
	install -D -s -m755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/hub"
	install -D -m644 LICENSE "$(DESTDIR)$(PREFIX)/share/doc/hub-personal/copyright"
	install -D -m644 CHANGELOG.md "$(DESTDIR)$(PREFIX)/share/doc/hub-personal/changelog.md"
	.ci/install-docs $(BINARY) "$(DESTDIR)$(PREFIX)/share"

uninstall:
	rm -f "$(DESTDIR)$(PREFIX)/bin/hub"
	rm -f "$(DESTDIR)$(PREFIX)/share/doc/hub-personal/copyright" "$(DESTDIR)$(PREFIX)/share/doc/hub-personal/changelog.md"
	.ci/install-docs --remove "$(DESTDIR)$(PREFIX)/share"

clean:
	swift package clean
