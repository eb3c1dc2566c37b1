package import Glibc
import Synchronization
import Threading

/// A file as chunks of bytes, for readers that need not hold all of it.
package final class ChunkedFileReader: Sendable {
    private let descriptor: Int32
    private let path: String
    private let isPipe: Bool
    /// Whether anything was read.
    private let hasBytes = Atomic(false)
    private static let size = 256 << 10

    /// Opens the file or, unless `isRegular` asks for a regular file, a pipe or a terminal, on a thread that may wait for the disk.
    ///
    /// Never waits for the other end of a pipe. Throws `not-found` or `denied` when it cannot be opened, and
    /// `invalid` for a folder or a device, which may have no end.
    package convenience init(path: String, isRegular: Bool = false) async throws(HubError) {
        self.init(try await onDisk { () throws(HubError) in try OpenedFile(path, isRegular: isRegular) }, path)
    }

    /// The same on this thread.
    package convenience init(path: String, isRegular: Bool = false) throws(HubError) {
        self.init(try OpenedFile(path, isRegular: isRegular), path)
    }

    private init(_ file: OpenedFile, _ path: String) {
        (descriptor, isPipe) = (file.descriptor, file.isPipe)
        self.path = path
    }

    private struct OpenedFile: Sendable {
        let descriptor: Int32
        let isPipe: Bool

        init(_ path: String, isRegular: Bool) throws(HubError) {
            CooperativePool.assertNotCurrent("open")
            descriptor = FileName.withPath(path) { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
            let code = errno
            var status = stat()
            isPipe = descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
            guard descriptor >= 0 else {
                let reason = String(cString: strerror(code))
                throw HubError(
                    code == EACCES ? .denied : .notFound, code: "cannot-open",
                    "cannot open \(TerminalSanitizer.line(path)): \(reason)")
            }
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
                close(descriptor)
                throw HubError(.invalid, code: "not-a-file", "\(TerminalSanitizer.line(path)) is \(what), not a file")
            }
        }
    }

    deinit { close(descriptor) }

    /// The size of a regular file in bytes.
    package var fileSize: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// The next bytes, read on a thread that may wait; nil at the end. Waits for the writer of a pipe.
    ///
    /// Throws `invalid` for a pipe to which nothing was written, and `unavailable` when the task is cancelled meanwhile.
    package func next() async throws(HubError) -> [UInt8]? {
        try await onDisk { () throws(HubError) in try self.next() }
    }

    /// The same on this thread.
    package func next() throws(HubError) -> [UInt8]? {
        CooperativePool.assertNotCurrent("ChunkedFileReader.next")
        while true {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: ChunkedFileReader.size) { buffer, initialized in
                count = read(descriptor, buffer.baseAddress, buffer.count)
                initialized = max(0, count)
            }
            if count > 0 {
                hasBytes.store(true, ordering: .relaxed)
                return chunk
            }
            if count == 0, isPipe, !hasBytes.load(ordering: .relaxed) {
                throw HubError(
                    .invalid, code: "empty-pipe",
                    "\(TerminalSanitizer.line(path)) is a pipe, and nothing was written to it",
                    hint: "start the program that writes to it first")
            }
            if count == 0 { return nil }
            switch errno {
            case EINTR: continue
            case EAGAIN: try wait()
            default: throw failure(errno)
            }
        }
    }

    /// Returns all bytes of the file or, unless `isRegular` asks for a regular file, of a pipe. Throws as `init` and
    /// `next` do, and `invalid` if there are more than `limit`.
    package static func contents(
        of path: String, limit: Int, isRegular: Bool = false
    ) async throws(HubError) -> [UInt8] {
        try await onDisk { () throws(HubError) in try contents(of: path, limit: limit, isRegular: isRegular) }
    }

    /// The same on this thread.
    package static func contents(
        of path: String, limit: Int, isRegular: Bool = false
    ) throws(HubError) -> [UInt8] {
        let reader = try ChunkedFileReader(path: path, isRegular: isRegular)
        var bytes: [UInt8] = []
        while let chunk = try reader.next() {
            guard bytes.count + chunk.count <= limit else {
                throw HubError(
                    .invalid, code: "file-too-large",
                    "\(TerminalSanitizer.line(path)) is larger than \(limit >> 20) MiB")
            }
            bytes += chunk
        }
        return bytes
    }

    /// Waits until there is something to read, or the end.
    private func wait() throws(HubError) {
        var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&waited, 1, 100) == 0 {
            guard !BackgroundThread.isCancelled else {
                throw HubError(.unavailable, code: "stopped", "stopped reading \(TerminalSanitizer.line(path))")
            }
        }
    }

    private func failure(_ code: Int32) -> HubError {
        HubError(
            .invalid, code: "cannot-read",
            "cannot read \(TerminalSanitizer.line(path)): \(String(cString: strerror(code)))"
        )
    }
}

/// Runs `body` on a thread that may wait for the disk.
private func onDisk<Success: Sendable>(
    _ body: @escaping @Sendable () throws(HubError) -> Success
) async throws(HubError) -> Success {
    try await BackgroundThread.run(body, whenRefused: { HubError(noThread: $0) })
}

/// A whole file that is expected to be small.
package enum BoundedFile {
    /// The limit up to which a file is small enough to be read on any thread, in bytes.
    private static let small = 1 << 20

    /// The file's bytes. Throws the system's error, or EFBIG when there are more than `limit` of them.
    ///
    /// Without `followsLinks` a symbolic link in its place is refused with ELOOP. `check` sees what
    /// the opened file is before it is read, and may refuse it.
    package static func read(
        _ path: String, limit: Int, followsLinks: Bool = true,
        check: (stat) throws(SystemError) -> Void = { _ throws(SystemError) in }
    ) throws(SystemError) -> [UInt8] {
        if limit > small { CooperativePool.assertNotCurrent("BoundedFile.read") }
        // A pipe in the file's place must not make this wait.
        let descriptor = FileName.withPath(path) {
            open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW))
        }
        guard descriptor >= 0 else { throw SystemError("open \(path)") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError("stat \(path)") }
        try check(status)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit + 1, 1 << 16))
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count >= 0 else { throw SystemError("read \(path)") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            if bytes.count > limit { throw SystemError("read \(path)", code: EFBIG) }
        }
    }
}
