import Synchronization

/// Keeps what is written, for tests and for text that is needed whole.
package final class MemorySink: ByteSink {
    private let bytes = Mutex<[UInt8]>([])

    package init() {}

    /// All bytes written so far, as UTF-8.
    package var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    /// Appends the bytes.
    package func write(_ bytes: [UInt8]) throws(SinkError) { self.bytes.withLock { $0 += bytes } }
}
