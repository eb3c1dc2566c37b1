import Glibc

/// A file as chunks of bytes, for readers that need not hold all of it.
package final class FileChunks: Sendable {
    private let descriptor: Int32
    private let path: String
    private static let size = 256 << 10

    /// Opens the file; throws `not-found` or `denied` when it cannot be read.
    package init(path: String) throws(HubError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        guard descriptor < 0 else { return }
        let reason = String(cString: strerror(errno))
        throw HubError(errno == EACCES ? .denied : .notFound, code: "cannot-open", "cannot open \(path): \(reason)")
    }

    deinit { close(descriptor) }

    /// The next bytes; nil at the end.
    package func next() throws(HubError) -> [UInt8]? {
        while true {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: FileChunks.size) { buffer, initialized in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                initialized = max(0, count)
            }
            if count > 0 { return chunk }
            if count == 0 { return nil }
            if errno == EINTR { continue }
            let reason = String(cString: strerror(errno))
            throw HubError(.invalid, code: "cannot-read", "cannot read \(path): \(reason)")
        }
    }
}
