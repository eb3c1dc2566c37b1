import Contacts
import ContactsDomain
import Glibc
import System

/// How long the writes of one process wait while another imports.
struct WriterBenchmark {
    let directory: String

    private static let pause = Duration.milliseconds(20)

    /// Makes a contact again and again until stdin ends, and prints how often, and the median and longest time of one
    /// in milliseconds.
    func run() async throws {
        let plugin = try ContactsPlugin.benchmarked(in: directory)
        var details = ContactDetails()
        details.formattedName = "Somebody Else"
        var times: [Duration] = []
        repeat {
            let start = ContinuousClock.now
            _ = try await plugin.create(details, operation: Operation("contacts new"))
            times.append(ContinuousClock.now - start)
            try await SystemClock().sleep(for: Self.pause)
        } while !hasStdinEnded
        let sorted = times.sorted().map { $0 / .milliseconds(1) }
        HubBench.write("\(sorted.count) \(sorted[sorted.count / 2]) \(sorted[sorted.count - 1])\n")
    }

    private var hasStdinEnded: Bool {
        var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        return poll(&input, 1, 0) > 0
    }
}
