import CivilDate
import HubKitTesting
import System
import TestSupport
import Testing

@testable import HubRuntime

struct LogFileTests {
    @Test func `what is written is read, and the file stays bounded`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/state/serve.log"
        let file = LogFile(path: path, limit: 1000, clock: FixedClock(now: Instant(milliseconds: 1_795_176_000_123)))
        for number in 0..<100 { file.append(.warning, "web", "line \(number) of \u{1B}[31m many") }
        let lines = try await LogSource.file(path).lines(since: nil, limit: 1000)
        #expect(lines.last?.message.hasPrefix("web: line 99 of ") == true)
        #expect(lines.last?.at == Instant(milliseconds: 1_795_176_000_123))
        #expect(lines.allSatisfy { $0.level == .warning && !$0.message.contains("\u{1B}") })
        #expect((10..<100).contains(lines.count), "old lines are gone")
        #expect(try await LogSource.file(path).lines(since: Instant(milliseconds: 1_795_176_000_124), limit: 10) == [])
        #expect(try await LogSource.file(path).lines(since: nil, limit: 3).count == 3)
    }

    @Test(arguments: ["", "no log", "2026-11-20T12:00:00Z loud web: x", "yesterday info web: x"])
    func `what no log wrote is passed over`(text: String) { #expect(LogLine(text: text) == nil) }

    @Test func `a following reader gets each line once`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/serve.log"
        let clock = FixedClock()
        let file = LogFile(path: path, clock: clock)
        file.append(.info, "a", "1")
        let source = LogSource.file(path)
        var batches = source.following(try await source.lines(since: nil, limit: 10), clock: clock).makeAsyncIterator()
        #expect(try await batches.next()?.map(\.message) == ["a: 1"])
        file.append(.info, "a", "2")
        file.append(.info, "a", "3")
        var seen: [String] = []
        while seen.count < 2, let batch = try await batches.next() { seen += batch.map(\.message) }
        #expect(seen == ["a: 2", "a: 3"])
    }
}
