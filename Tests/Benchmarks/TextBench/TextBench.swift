import Glibc
import TextCRDT
import TextTraceSupport

/// Measures the text engine on recorded histories; prints one line for each figure, its name and a number. Times are
/// milliseconds of the processor, the best of some rounds.
@main
struct TextBench {
    private static let rounds = 7

    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let trace = try arguments.dropFirst().first.flatMap { try Trace.read($0).first }
        switch (arguments.first, trace) {
        case ("typing", let trace?): try typing(trace)
        case ("merging", let trace?): try merging(trace)
        case ("branches", nil): try branches()
        default:
            print("usage: text-bench typing TRACE | merging TRACE | branches")
            exit(64)
        }
    }

    /// One author's keystrokes as local edits, the snapshot, and a replica that loads it.
    private static func typing(_ trace: Trace) throws {
        var text = ReplicatedText()
        try measure("typed") {
            text = ReplicatedText()
            for commit in trace.commits { for edit in commit.edits { try text.apply(edit, by: "one") } }
        }
        precondition(text.text == trace.end)
        let bytes = text.encoded()
        report("bytes", Double(bytes.count))
        measure("encoded") { precondition(text.encoded().count == bytes.count) }
        try measure("loaded") {
            let loaded = try ReplicatedText(decoding: bytes)
            precondition(loaded.count == text.count)
        }
    }

    /// The keystrokes of several authors at once, merged from nothing.
    private static func merging(_ trace: Trace) throws {
        let text = try trace.replay().text
        precondition(text.text == trace.end)
        let bytes = text.encoded()
        report("bytes", Double(bytes.count))
        try measure("merged") {
            var replica = ReplicatedText()
            try replica.merge(bytes)
            precondition(replica.count == text.count)
        }
    }

    /// Two branches that know nothing of each other, of 8,000 to 128,000 random insertions each.
    private static func branches() throws {
        for count in [8000, 16_000, 32_000, 64_000, 128_000] {
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
