import HubKit
import Synchronization

/// Counts the bytes that pass through to another sink, or that end here.
final class CountingSink: ByteSink {
    private let sink: (any ByteSink)?
    private let count = Mutex(0)

    init(_ sink: (any ByteSink)? = nil) { self.sink = sink }

    /// The number of bytes so far, in words: `1,204 bytes`, `214 kB`.
    var size: String {
        let count = count.withLock { $0 }
        return switch count {
        case 1: "1 byte"
        case ..<10_000: "\(NumberFormat.grouped(count)) bytes"
        default: "\(NumberFormat.grouped(count / 1000)) kB"
        }
    }

    func write(_ bytes: [UInt8]) throws(SinkError) {
        try sink?.write(bytes)
        count.withLock { $0 += bytes.count }
    }
}
