import Glibc
import System

/// Measures what needs more than whole processes; `hub-bench WHAT …` prints figures for `Tests/Benchmarks/run`.
@main
enum HubBench {
    private static let usage = """
        usage: hub-bench parse FILE                cards a second in each stage of reading
               hub-bench blocks DIRECTORY          the names in each block of possible duplicates of the store there
               hub-bench contacts FILE DIRECTORY   an import, and the time of each kind of search
               hub-bench writer DIRECTORY          how long writes wait, until stdin ends
               hub-bench events DIRECTORY          durable events a second, and their way to another process
               hub-bench schedule DIRECTORY        25 years of a task: naming its days, editing and storing it
               hub-bench score DIRECTORY           how a task of the store there has gone so far
               hub-bench market FILE               milliseconds to decode a page of prices, to sort it, and for a portfolio
               hub-bench prices DIRECTORY FILE…    milliseconds to decode and store pages of prices
               hub-bench decode FILE OUTPUT        milliseconds to decode ADPCM, whose samples go to OUTPUT
               hub-bench records DIRECTORY         fills the store there with 10,000 voice records
        With HUB_BENCH_SIZE=smallest, each does as little as shows that it works.

        """

    /// A number of things or rounds; at the smallest size another.
    static func size(_ usual: Int, smallest: Int = 1) -> Int {
        getenv("HUB_BENCH_SIZE").map { String(cString: $0) } == "smallest" ? smallest : usual
    }

    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch (arguments.first, arguments.count) {
        case ("parse", 2): try ParseBenchmark(file: arguments[1]).run()
        case ("blocks", 2): try await ContactsBenchmark.writeBlocks(of: arguments[1])
        case ("contacts", 3): try await ContactsBenchmark(directory: arguments[2]).run(importing: arguments[1])
        case ("writer", 2): try await WriterBenchmark(directory: arguments[1]).run()
        case ("events", 2): try await EventsBenchmark(directory: arguments[1]).run()
        case ("events-handler", 2): try await EventsBenchmark(directory: arguments[1]).handle()
        case ("schedule", 2): try await TasksBenchmark().measureSchedule(in: arguments[1])
        case ("market", 2): try MarketBenchmark().run(page: BoundedFile.read(arguments[1], limit: 1 << 26))
        case ("prices", 3...):
            try await MarketBenchmark().store(
                pages: arguments.dropFirst(2).map { try BoundedFile.read($0, limit: 1 << 26) }, directory: arguments[1])
        case ("decode", 3): try RecordsBenchmark().decode(arguments[1], to: arguments[2])
        case ("records", 2): try await RecordsBenchmark().fill(arguments[1])
        case ("score", 2): try await TasksBenchmark().measureScore(in: arguments[1])
        default:
            write(usage, to: 2)
            exit(64)
        }
    }

    /// Writes `text` to a descriptor.
    static func write(_ text: String, to descriptor: Int32 = 1) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
