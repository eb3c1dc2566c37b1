# The two commands of a newcomer are `make run` and `make test`; each does its own set-up.
PREFIX ?= /usr/local
DESTDIR ?=
# Every function of C checks its frame and its copies, the tables that the loader fills are read-only before hub starts, and
# no path of this folder is in the program: the same sources give the same program wherever they lie.
HARDENING := -Xcc -fstack-protector-strong -Xcc -U_FORTIFY_SOURCE -Xcc -D_FORTIFY_SOURCE=2 \
	-Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now
SAME_EVERYWHERE = -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." -Xcc "-ffile-prefix-map=$(CURDIR)=." \
	-Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xlinker --build-id=0x$(BUILD_ID)
# What short commands call lies side by side (.ci/start-order): a page that is touched for the first time takes as long as
# thousands of instructions. A short start: relocations in few bytes (glibc 2.36), no symbols that libraries could look up, libstdc++ and libgcc inside the
# program. A small program: equal functions once, and no unwind tables, which only C++ exceptions need; hub has none
# (TOML_EXCEPTIONS is 0, and std::bad_alloc ends the program either way). Debuggers follow the frame pointers.
LINK = -Xswiftc -use-ld=lld -Xlinker --icf=safe -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
	-Xlinker -L"$(CURDIR)/$(dir $(LIBSTDCXX))" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc \
	-Xlinker --no-eh-frame-hdr -Xlinker "$(CURDIR)/.ci/no-unwind-tables.ld" \
	-Xlinker --symbol-ordering-file="$(CURDIR)/.ci/start-order.txt" -Xlinker --no-warn-symbol-ordering
# The only libstdc++ in its folder, so that the linker does not find the shared one.
LIBSTDCXX := .build/static/libstdc++.a
# Types are put together by calls that name their parts, not from a text that the runtime parses and checks against all
# conformances of the program.
SHORT_START = -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors \
	-Xswiftc -Xfrontend -Xswiftc -function-sections
# The linker's own build id differs from folder to folder. This one names the sources and the compiler.
BUILD_ID = $$({ swift --version 2>/dev/null; find Package.swift Sources Plugins -type f -print0 | LC_ALL=C sort -z \
	| xargs -0 cat; } | sha1sum | cut -c1-40)
# The compiler orders parts of some functions by where they lie in its memory, which differs from run to run; where the system allows
# it, it is given the same addresses each time.
SAME_ADDRESSES := $(shell setarch -R true 2>/dev/null && echo setarch -R)
RELEASE = HUB_COMMIT=$$(git rev-parse --short=12 HEAD 2>/dev/null) \
	$(SAME_ADDRESSES) swift build -c release --static-swift-stdlib --disable-local-rpath $(HARDENING) $(LINK) \
	$(SAME_EVERYWHERE) $(SHORT_START) --product
BINARY := .build/release/hub
SWIFT_SOURCES := Package.swift Sources Plugins Tests
# The formatter of the scripts of pages, with its rules in .oxfmtrc.json.
OXFMT = .build/peers/bin/oxfmt --no-error-on-unmatched-pattern
SCRIPTS := 'Sources/**/*.js' 'Plugins/**/*.js' 'Tests/**/*.js' 'Tests/**/*.mjs' 'Sources/**/*.d.ts' 'Plugins/**/*.d.ts' .ci/check-scripts.cjs

.PHONY: run build release new-plugin test test-scripts test-modules test-program test-asan test-tsan test-bluez test-systemd lint format bench fuzz install uninstall deb check-deb \
	check-recipes pictures clean

run: build
	exec .build/release/hub serve

build:
	.ci/setup build
	$(MAKE) release

# A plugin to begin with, for example NAME=Bookmarks ENTITY=Bookmark ENTITIES=bookmarks.
new-plugin:
	@.ci/new-plugin '$(NAME)' '$(ENTITY)' '$(ENTITIES)'

# Builds and installs nothing else: for a package's build, which has what it needs.
#
# The linker writes through a mapping, which leaves the file in memory page by page. Read from the disk it lies there in larger pieces, and
# each command takes a fifth less: so that copy is dropped.
release: $(LIBSTDCXX)
	$(RELEASE) hub
	sync $(BINARY)
	dd if=$(BINARY) iflag=nocache count=0 status=none

$(LIBSTDCXX):
	mkdir -p $(@D)
	ln -sf "$$(clang++ -print-file-name=libstdc++.a)" $@

# All tests at once would wait for one another, each for as long as the whole run takes.
AT_ONCE = SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=$$(($(1) * $$(nproc)))
# The two halves run side by side: neither hides what the other finds, and a busy machine gives them more of its time. Without
# the lock of the build, which would make one wait for the other: each only replaces the plan, file by file, by the same plan.
# Beside an entry point of the package's own, swift test runs tests of Swift Testing only when it is told to.
TEST = swift test --skip-build --ignore-lock --disable-xctest --enable-swift-testing $(FOR_TESTS)
# What failed, once more at the end: the two halves print hundreds of lines, mixed. A half that did not come to its end says why in its
# last lines.
FAILURES = printf '\nFailed:\n'; grep -ahE -A2 '^✘|^error:' .build/test-modules.log .build/test-program.log \
	| grep -avE '^(✔|◇|--)' | cut -c1-500 | tail -n 60; \
	for log in .build/test-modules.log .build/test-program.log; do \
	grep -aqE '^(✔|✘) Test run with' $$log || { echo "$$log ends with:"; tail -n 30 $$log | cut -c1-500; }; done
# Without debug information, which is a third of the machine code and names no more of a failed test than its line.
# DEBUG_INFO=dwarf is for a debugger, and builds everything again.
# Without an index, which only SwiftPM's search for tests of XCTest would need (Tests/XCTMain.swift).
# Whole modules cost less in a first build, but an edit then compiles its whole module again: WHOLE_MODULES=1 is for a machine that
# builds once. A second run of the compiler for the interface alone, which nothing waits for, would cost more: 52 CPU seconds
# in place of 48 for CommandsTests with all that it needs.
FOR_TESTS = -debug-info-format $(DEBUG_INFO) -Xswiftc -use-ld=lld \
	--disable-index-store \
	$(if $(WHOLE_MODULES),-Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 -Xswiftc -no-emit-module-separately-wmo)
DEBUG_INFO ?= none

ifeq ($(origin TARGETS),command line)
# For a change in one place, for example TARGETS=MinteeDomainTests or 'JSONTests|TextTests': builds only what these need.
test:
	.ci/setup test
	HUB_TESTS='$(TARGETS)' swift build --product hubPackageTests $(FOR_TESTS)
	HUB_TESTS='$(TARGETS)' $(call AT_ONCE,4) $(TEST)
else
test:
	.ci/setup test
	$(MAKE) test-scripts
	swift build --build-tests $(FOR_TESTS)
	$(MAKE) -j2 -k test-modules test-program || { $(FAILURES); exit 1; }
endif

# The modules of pages that need no browser.
test-scripts:
	node Tests/PageTests/run.mjs

test-modules test-program: SHELL = /bin/bash
test-modules test-program: .SHELLFLAGS = -o pipefail -c

# All of it goes into the log: 100,000 lines, since arguments of tests have up to nine megabytes. Shown is which suites have passed, and
# what has failed.
SHOWN = LC_ALL=C awk '/^(✔ Suite|✔ Test run|✘|[Ee]rror:|[Ff]atal error:)/ { print substr($$0, 1, 500); fflush() }'

test-modules:
	$(call AT_ONCE,4) $(TEST) --skip EndToEndTests 2>&1 | tee .build/$@.log | $(SHOWN)

test-program:
	$(call AT_ONCE,3) $(TEST) --filter EndToEndTests 2>&1 | tee .build/$@.log | $(SHOWN)

# Not part of CI. Each sanitizer has a build of its own; TARGETS chooses the tests, for example TARGETS=SQLiteTests.
# Back traces are off, and so is the symbolizer, which does not return.
TARGETS ?= ArchiveTests|AudioTests|BigIntegerTests|CSVTests|CertificatesTests|CivilDateTests|CollationTests|CommandsTests|ContentLinesTests|DBusTests|DNSTests|HTTPClientTests|HTTPTypesTests|HashingTests|HubKitTests|ICalendarTests|JSONTests|MarkdownTests|QRCodeTests|SQLiteTests|SoundFileTests|StorageTests|SyncHTTPTests|SyncTests|SystemTests|TOMLTests|TextCRDTTests|TextDecodingTests|TextTests|ThreadingTests|TimeTests|WebDAVTests|WebServerTests|WebSocketTests|XMLTests
# Shows ThreadSanitizer the synchronization inside of the Swift runtime.
HAPPENS_BEFORE := .build/tsan/HappensBefore.o
SANITIZED = SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=symbolize=0:detect_leaks=0 TSAN_OPTIONS=symbolize=0:halt_on_error=0

test-tsan: LINK_ALSO = -Xlinker "$(CURDIR)/$(HAPPENS_BEFORE)"
test-tsan: $(HAPPENS_BEFORE)

$(HAPPENS_BEFORE): Tests/ThreadSanitizer/HappensBefore.c
	mkdir -p $(@D)
	clang -O1 -fPIC -Wall -Wextra -Werror -c $< -o $@
	rm -f .build/tsan/debug/*.xctest  # SwiftPM would not link it again.

test-asan test-tsan: test-%san:
	.ci/setup test
	swift build --build-tests --sanitize=$(if $(filter a,$*),address,thread) --scratch-path .build/$*san $(LINK_ALSO)
	$(SANITIZED) $(call AT_ONCE,4) swift test --skip-build --disable-xctest --enable-swift-testing --sanitize=$(if $(filter a,$*),address,thread) \
		--scratch-path .build/$*san $(LINK_ALSO) --filter '^($(TARGETS))'

# Not part of CI: Debian's Bluetooth service in an emulated machine, with a recorder on Bumble's stack.
test-bluez: build
	Tests/BluezGuest/run

# Not part of CI: the package of `make deb` with systemd, PostgreSQL and the proxies of docs/notes-server.md in an emulated machine, as root.
test-systemd:
	Tests/SystemdGuest/run

lint:
	.ci/setup lint
	swift format lint --strict --parallel --recursive $(SWIFT_SOURCES)
	$(OXFMT) --check $(SCRIPTS)
	.ci/lint

format:
	.ci/setup lint
	swift format --in-place --parallel --recursive $(SWIFT_SOURCES)
	$(OXFMT) $(SCRIPTS)

# All parts, or those that ONLY names, for example ONLY='notes text'; OPTIONS are those of Tests/Benchmarks/run.
bench:
	@Tests/Benchmarks/run --list $(ONLY) >/dev/null
	.ci/setup bench
	$(MAKE) release
	$(RELEASE) hub-bench
	$(RELEASE) text-bench
	Tests/Benchmarks/run $(OPTIONS) $(ONLY)

fuzz:
	.ci/setup build
	Tests/Fuzz/run

# What `hub dictofun simulate` starts.
SIMULATOR = $(addprefix Tests/DictofunSimulator/,recorder.py bluez.py device.py burst.py bootloader.py sound.py adpcm.py)

# It copies what `make build` has built and builds nothing, so it may run as root, and in a package's build.
install:
	@test -x $(BINARY) || { echo "$(BINARY) is not there: run make build first, as yourself" >&2; exit 1; }
	install -D -s -m755 $(BINARY) "$(DESTDIR)$(PREFIX)/bin/hub"
	install -D -m644 LICENSE "$(DESTDIR)$(PREFIX)/share/doc/hub-personal/copyright"
	install -D -m644 CHANGELOG.md "$(DESTDIR)$(PREFIX)/share/doc/hub-personal/changelog.md"
	.ci/install-docs $(BINARY) "$(DESTDIR)$(PREFIX)/share"
	install -d "$(DESTDIR)$(PREFIX)/share/hub-personal/simulator"
	install -m644 $(SIMULATOR) "$(DESTDIR)$(PREFIX)/share/hub-personal/simulator"
	install -d "$(DESTDIR)$(PREFIX)/lib/systemd/user"
	$(BINARY) __unit "$(PREFIX)/bin/hub" >"$(DESTDIR)$(PREFIX)/lib/systemd/user/hub.service"
	.ci/install-desktop "$(DESTDIR)$(PREFIX)/share" "$(PREFIX)/bin"

uninstall:
	rm -rf "$(DESTDIR)$(PREFIX)/share/hub-personal"
	rm -f "$(DESTDIR)$(PREFIX)/bin/hub" "$(DESTDIR)$(PREFIX)/lib/systemd/user/hub.service"
	rm -f "$(DESTDIR)$(PREFIX)/share/doc/hub-personal/copyright" "$(DESTDIR)$(PREFIX)/share/doc/hub-personal/changelog.md"
	.ci/install-docs --remove "$(DESTDIR)$(PREFIX)/share"
	.ci/install-desktop --remove "$(DESTDIR)$(PREFIX)/share"

# A Debian package and a tarball with the same program, in dist.
deb:
	.ci/setup deb
	packaging/make-deb

# Not part of CI: lintian, and an installation of the package into a new Debian system, as root.
check-deb:
	.ci/setup deb
	packaging/check-deb $(FOLDER)

# Not part of CI: the recipes for Arch, Nix and containers, with what `make deb` has made, as root.
check-recipes:
	.ci/setup recipes
	packaging/check-recipes $(FOLDER)

# The pictures of the README, of the store of `hub demo`.
pictures:
	.ci/setup test
	docs/pictures/make

clean:
	swift package clean
