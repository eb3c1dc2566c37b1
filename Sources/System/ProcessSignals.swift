import Dispatch
import Glibc
import Synchronization

/// Signals sent to this process, as a stream.
package enum ProcessSignals {
    /// The signals that ask a program to stop: Ctrl-C, `kill`, and the end of the terminal.
    package static let stopping = [SIGINT, SIGTERM, SIGHUP]

    /// The numbers of the signals that arrive from now on, in order; their default actions are off meanwhile.
    ///
    /// Returns when all are caught, so none that comes later is lost. Equal signals that come together count once.
    package static func stream(_ numbers: [Int32]) async -> AsyncStream<Int32> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self, bufferingPolicy: .bufferingOldest(64))
        let queue = DispatchQueue(label: "hub.signals")
        var sources = Sources()
        for number in numbers {
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { continuation.yield(number) }
            await withCheckedContinuation { registered in
                source.setRegistrationHandler { registered.resume() }
                source.resume()
            }
            sources.sources.append(source)
        }
        continuation.onTermination = { [sources] _ in sources.cancel() }
        return stream
    }

    // Proof: a dispatch source may be used from any thread, and the list is complete before it is shared.
    private struct Sources: @unchecked Sendable {
        var sources: [any DispatchSourceSignal] = []

        func cancel() { for source in sources { source.cancel() } }
    }
}

/// The words of the command that this process runs, such as `hub contacts import`.
///
/// It can be shown to other processes. The arguments are left out, because they may contain a password or private
/// text.
package enum CommandName {
    private static let words = Mutex("hub")

    /// The words; `hub` until a command is known.
    package static var current: String { words.withLock { $0 } }

    /// Notes what the process runs from now on.
    package static func set(_ path: [String]) { words.withLock { $0 = path.joined(separator: " ") } }
}
