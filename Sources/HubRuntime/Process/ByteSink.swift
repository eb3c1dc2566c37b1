import Glibc
import Synchronization
import Text

/// A destination for bytes: a stream of the process, a pager, a file, or a buffer in tests.
package protocol ByteSink: Sendable {
    /// Writes all bytes, waiting while the other side is slow.
    func write(_ bytes: [UInt8]) throws(SinkError)
}

/// An error while writing bytes.
package enum SinkError: Error, Equatable {
    /// The reader is gone, as when `head` has seen enough; no reason to complain.
    case closed
    /// The system refused, with its error number.
    case system(Int32)
}

/// Keeps what is written, for tests and for text that is needed whole.
package final class MemorySink: ByteSink {
    private let bytes = Mutex<[UInt8]>([])

    package init() {}

    /// All bytes written so far, as UTF-8.
    package var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    /// Appends the bytes.
    package func write(_ bytes: [UInt8]) throws(SinkError) { self.bytes.withLock { $0 += bytes } }
}

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

/// Gathers small writes, so that a table of a million rows takes few system calls.
struct BufferedSink: ~Copyable {
    private let sink: any ByteSink
    private var buffer: [UInt8] = []

    /// Bytes that are gathered before they are written.
    private static let capacity = 64 << 10

    init(_ sink: any ByteSink) { self.sink = sink }

    /// Adds a line and its end.
    mutating func write(line: String, end: UInt8 = UInt8(ascii: "\n")) throws(SinkError) {
        buffer.append(contentsOf: line.utf8)
        buffer.append(end)
        try flushIfFull()
    }

    /// Adds bytes.
    mutating func write(_ bytes: [UInt8]) throws(SinkError) {
        buffer += bytes
        try flushIfFull()
    }

    /// Writes what was gathered.
    mutating func flush() throws(SinkError) {
        guard !buffer.isEmpty else { return }
        try sink.write(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    private mutating func flushIfFull() throws(SinkError) {
        if buffer.count >= BufferedSink.capacity { try flush() }
    }
}

/// A file descriptor that stays open, such as stdout.
package struct DescriptorSink: ByteSink {
    private let descriptor: Int32

    /// Writes to `descriptor`, which the caller keeps open.
    package init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The stdout of the process.
    package static let standardOutput = DescriptorSink(STDOUT_FILENO)
    /// The stderr of the process.
    package static let standardError = DescriptorSink(STDERR_FILENO)

    /// Writes all bytes, retrying after interrupted and partial writes.
    package func write(_ bytes: [UInt8]) throws(SinkError) {
        var offset = 0
        while offset < bytes.count {
            let written = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written >= 0 {
                offset += written
            } else if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = Glibc.poll(&poll, 1, -1)
            } else if errno != EINTR {
                throw errno == EPIPE ? .closed : .system(errno)
            }
        }
    }
}
