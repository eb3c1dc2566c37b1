import Glibc
import TextCRDT
import TextTraceSupport

/// Measures the text engine on recorded histories; prints one line for each figure, its name and a number. Times are
/// milliseconds of the processor, the best of some rounds.
@main
struct TextBench {
    private static let rounds = getenv("HUB_BENCH_SIZE") == nil ? 7 : 1

    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count, arguments.last.flatMap { Int($0) }) {
        case ("typing", 3, let limit?): try typing(trace(arguments[1]), limit)
        case ("merging", 3, let limit?): try merging(trace(arguments[1]), limit)
        case ("branches", 2, let count?): try branches(count)
        default:
            print("usage: text-bench typing TRACE EDITS | merging TRACE COMMITS | branches EDITS")
            exit(64)
        }
    }

    private static func trace(_ name: String) throws -> Trace { try Trace.read(name)[0] }

    /// The first keystrokes of one author as local edits, the snapshot, and a replica that loads it.
    private static func typing(_ trace: Trace, _ limit: Int) throws {
        let edits = Array(trace.commits.flatMap(\.edits).prefix(limit))
        var text = ReplicatedText()
        try measure("typed") {
            text = ReplicatedText()
            for edit in edits { try text.apply(edit, by: "one") }
        }
        precondition(edits.count == limit || text.text == trace.end)
        let bytes = text.encoded()
        report("bytes", Double(bytes.count))
        measure("encoded") { precondition(text.encoded().count == bytes.count) }
        try measure("loaded") {
            let loaded = try ReplicatedText(decoding: bytes)
            precondition(loaded.count == text.count)
        }
    }

    /// The first commits of several authors at once, merged from nothing.
    private static func merging(_ whole: Trace, _ limit: Int) throws {
        var trace = whole
        trace.commits = Array(trace.commits.prefix(limit))
        let text = try trace.replay().text
        precondition(trace.commits.count < whole.commits.count || text.text == trace.end)
        let bytes = text.encoded()
        report("bytes", Double(bytes.count))
        try measure("merged") {
            var replica = ReplicatedText()
            try replica.merge(bytes)
            precondition(replica.count == text.count)
        }
    }

    /// Two branches that know nothing of each other, of so many random insertions each, and two of half as many.
    private static func branches(_ longest: Int) throws {
        for count in [longest / 2, longest] {
            var (a, b) = (ReplicatedText(), ReplicatedText())
            var state: UInt64 = 1
            func random(_ limit: Int) -> Int {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int(state >> 33) % limit
            }
            for _ in 0..<count {
                try a.apply(TextEdit(position: random(a.count + 1), inserted: "a"), by: "a")
                try b.apply(TextEdit(position: random(b.count + 1), inserted: "b"), by: "b")
            }
            let patch = b.encoded()
            try measure("branches \(count)") {
                var merged = a
                try merged.merge(patch)
                precondition(merged.count == 2 * count)
            }
        }
    }

    private static func measure(_ name: String, _ work: () throws -> Void) rethrows {
        var least = Double.infinity
        for _ in 0..<rounds {
            let start = processorTime
            try work()
            least = min(least, processorTime - start)
        }
        report(name, least * 1000)
    }

    private static func report(_ name: String, _ value: Double) { print("\(name)\t\(value)") }

    /// Seconds of processor time that this thread has used.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
