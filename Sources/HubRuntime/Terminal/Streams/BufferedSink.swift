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
