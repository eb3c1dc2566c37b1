import CivilDate
import HubKitTesting
import Synchronization
import System
import TestSupport
import Testing

/// Errors, time, files, threads and processes.
struct SystemExamples {
    @Test func `an error says what failed and what to do`() throws {
        // example
        func require(grams: Int) throws(HubError) {
            guard grams > 0 else {
                throw HubError(
                    .invalid, code: "jar-empty", "the jar is empty", hint: "use hub pantry new to add one")
            }
        }
        // end
        let error = #expect(throws: HubError.self) { try require(grams: 0) }
        #expect(error?.kind.exitCode == 65)

        // example
        var invalid = HubError(.invalid, code: "field-invalid", "the jar has errors")
        invalid.problems = [FieldProblem(field: "grams", "must be a whole number", hint: "250")]
        // end
        #expect(invalid.problems[0].field == "grams")

        // example
        let excerpt = SourceExcerpt(lines: ["grams: many"], line: 4, columns: 8..<12, note: "not a number")
        // end
        #expect(excerpt.rendered == ["    4 │ grams: many", "      │        ^^^^ not a number"])
    }

    @Test func `times come from a clock that tests move`() async throws {
        // example
        let clock: any Clock = FixedClock()  // context.clock; SystemClock() in the program
        let before = clock.now
        try await clock.sleep(for: .seconds(60))
        #expect(clock.now - before == .seconds(60))
        #expect(clock.today.description == "2026-11-20")
        // end
    }

    @Test func `ids, and how much of them is shown`() {
        // example
        let id = Identifier.make()
        #expect(id.count == Identifier.length && Identifier.isPrefix(id.prefix(3)))
        #expect(ShortIDs.shorten("7ktab", before: "7kr00", after: "7kz00") == ShortIDs.minimum)
        // end
    }

    @Test func `a log has a label`() {
        let lines = Mutex<[String]>([])
        // example
        let log = Log(label: "pantry") { level, label, text in  // context.log
            lines.withLock { $0.append("\(label): \(text)") }
        }
        log.warning("the scale is not connected")
        // end
        #expect(lines.withLock(\.self) == ["pantry: the scale is not connected"])
    }

    @Test func `blocking calls have a thread of their own`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("Plum\n", to: "jars.txt")
        // example
        let size = try await BackgroundThread.run {
            var size = 0
            let reader = try ChunkedFileReader(path: path)
            while let chunk = try reader.next() { size += chunk.count }
            return size
        }
        // end
        #expect(size == 5)

        // example
        let gate = AsyncSemaphore(1)  // one task at a time, with waits inside
        let bytes = try await gate.withPermit { try await ChunkedFileReader.contents(of: path, limit: 1 << 20) }
        // end
        #expect(bytes.count == 5)
    }

    @Test func `small files and folders`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pantry"
        // example
        try Directory.make(path)
        let names = try await BackgroundThread.run {
            let handle = try DirectoryHandle(path)
            try handle.write(Array("300".utf8), new: "plum", mode: 0o600)
            return try handle.names()
        }
        #expect(names == ["plum"])
        #expect(try BoundedFile.read(path + "/plum", limit: 100) == Array("300".utf8))
        let error = #expect(throws: SystemError.self) { try BoundedFile.read(path + "/plum", limit: 2) }
        #expect(error?.call == "read \(path)/plum")
        // end
    }

    @Test func `a folder is watched`() async throws {
        let folder = try TemporaryFolder()
        // example
        let watcher = DirectoryWatcher()  // context.watcher
        var changes = watcher.changes(below: folder.path, notice: { _ in }).makeAsyncIterator()
        #expect(await changes.next() == .everything)
        // end
    }

    @Test func `other programs have limits of time and output`() async throws {
        // example
        let finished = try await Subprocess("/bin/cat").run(
            input: Array("plum".utf8), outputLimit: 1 << 10, timeout: .seconds(60))
        #expect(finished.status.isSuccess && finished.output == Array("plum".utf8))

        let error = await #expect(throws: SubprocessError.self) {
            try await Subprocess("/bin/cat").run(input: finished.output, outputLimit: 2, timeout: .seconds(60))
        }
        #expect(error == .tooMuchOutput(limit: 2))
        // end
    }
}
