import Glibc

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
