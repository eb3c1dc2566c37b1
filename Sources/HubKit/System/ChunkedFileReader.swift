import Glibc

/// A file as chunks of bytes, for readers that need not hold all of it.
package final class ChunkedFileReader: Sendable {
    private let descriptor: Int32
    private let path: String
    private static let size = 256 << 10

    /// Opens the file or, unless `isRegular` asks for a regular file, a pipe or a terminal.
    ///
    /// Never waits for the other end of a pipe. Throws `not-found` or `denied` when it cannot be opened, and
    /// `invalid` for a folder or a device, which may have no end.
    package init(path: String, isRegular: Bool = false) throws(HubError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        self.path = path
        guard descriptor >= 0 else {
            let code = errno
            let reason = String(cString: strerror(code))
            throw HubError(
                code == EACCES ? .denied : .notFound, code: "cannot-open",
                "cannot open \(TerminalSanitizer.line(path)): \(reason)")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(errno) }
        let what: String? =
            switch status.st_mode & S_IFMT {
            case S_IFREG: nil
            case S_IFDIR: "a folder"
            case S_IFIFO where !isRegular: nil
            case S_IFIFO: "a pipe"
            case S_IFCHR where isatty(descriptor) == 1 && !isRegular: nil
            default: "a device"
            }
        if let what {
            throw HubError(.invalid, code: "not-a-file", "\(TerminalSanitizer.line(path)) is \(what), not a file")
        }
        // From here on a read may wait for the writer of a pipe.
        _ = fcntl(descriptor, F_SETFL, 0)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next bytes; nil at the end.
    package func next() throws(HubError) -> [UInt8]? {
        while true {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: ChunkedFileReader.size) { buffer, initialized in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                initialized = max(0, count)
            }
            if count > 0 { return chunk }
            if count == 0 { return nil }
            if errno == EINTR { continue }
            throw failure(errno)
        }
    }

    private func failure(_ code: Int32) -> HubError {
        HubError(
            .invalid, code: "cannot-read",
            "cannot read \(TerminalSanitizer.line(path)): \(String(cString: strerror(code)))"
        )
    }
}
