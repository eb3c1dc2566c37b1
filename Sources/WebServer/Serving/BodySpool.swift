import Glibc
package import HTTPTypes

/// Where large bodies go while they arrive, instead of the memory.
package struct BodySpool: Sendable {
    /// The folder for the files, which have no names there.
    package var folder: String
    /// The number of bytes that are kept in memory before the rest is written.
    package var threshold = 1 << 20
    /// The largest body.
    package var limit: Int
    /// Whether a request may have such a body, by its head alone. It is called on the thread of the connections.
    package var admits: @Sendable (_ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders) -> Bool

    package init(
        folder: String, limit: Int,
        admits: @escaping @Sendable (_ method: HTTPMethod, _ target: String, _ headers: HTTPHeaders) -> Bool
    ) {
        self.folder = folder
        self.limit = limit
        self.admits = admits
    }

    /// The largest body now: what the disk has room for.
    var room: Int {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return limit }
        let free = Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
        return min(limit, max(0, free - 64 << 20))
    }
}

/// A body in a file without a name, which is gone with the last one who has it open.
package final class SpooledBody: Sendable {
    private let descriptor: Int32

    /// `O_TMPFILE`, which Swift does not import.
    private static let isNameless = 0o20_000_000 | O_DIRECTORY

    init?(in folder: String) {
        descriptor = open(folder, Self.isNameless | O_RDWR | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// The path by which this process reads it.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// The number of bytes.
    package var size: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Adds bytes at the end; false if the disk does not take them.
    func append(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
