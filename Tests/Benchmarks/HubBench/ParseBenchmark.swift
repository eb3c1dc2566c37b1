import ContactsDomain
import Glibc
import System

/// How many cards a second are cut from a file, indexed and understood: what an import does before it writes.
///
/// The time is the processor's, so that other programs do not count, and the best of some rounds.
struct ParseBenchmark {
    let file: String

    private static let rounds = HubBench.size(5)
    private static let chunk = 1 << 16

    /// Prints one line for each stage, its name and the cards a second; each stage includes those before it.
    func run() throws {
        let region = CallingCode(region: "PL")
        try measure("split") { $0.bytes.count }
        try measure("index") { Card($0.bytes).properties.count }
        try measure("details") { Card($0.bytes).details.displayName.utf8.count }
        try measure("search text") { SearchText(Card($0.bytes).details, region: region).name.utf8.count }
        try measure("content hash") { Int(truncatingIfNeeded: Card($0.bytes).contentHash) }
    }

    private func measure(_ stage: String, _ work: (RawCard) -> Int) throws {
        let bytes = try BoundedFile.read(file, limit: 1 << 30)
        let chunks = stride(from: 0, to: bytes.count, by: Self.chunk).map {
            Array(bytes[$0..<min(bytes.count, $0 + Self.chunk)])
        }
        var best = 0.0
        for _ in 0..<Self.rounds {
            let start = processorTime
            let cards = read(chunks, work)
            best = max(best, Double(cards) / (processorTime - start))
        }
        HubBench.write("\(stage)\t\(Int(best))\n")
    }

    /// Reads all cards and counts them.
    private func read(_ chunks: [[UInt8]], _ work: (RawCard) -> Int) -> Int {
        var splitter = VCardSplitter()
        var (cards, kept) = (0, 0)
        func take(_ items: [VCardSplitter.Item]) {
            for case .card(let card) in items {
                kept &+= work(card)
                cards += 1
            }
        }
        for chunk in chunks { take(splitter.feed(chunk)) }
        take(splitter.finish())
        // What was made is looked at, or the optimizer would not make it.
        return kept == .min ? cards + 1 : cards
    }

    /// Seconds of processor time that this process has used.
    private var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
