import Glibc

/// What stands in the file of a lease.
enum LeaseFile {
    private static let limit = 4096

    /// Writes who holds the lease. It is for people to read, so a failure does not matter.
    static func sign(_ descriptor: Int32, start: Instant) {
        let text = Array("\(getpid())\n\(start.milliseconds)\n\(CommandName.current)".utf8.prefix(limit))
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// What is written in the file at `path`; nil when there is none.
    static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, limit, 0))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the open file is still the one at `path`.
    static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var mine = stat()
        var theirs = stat()
        return fstat(descriptor, &mine) == 0 && stat(path, &theirs) == 0 && mine.st_ino == theirs.st_ino
            && mine.st_dev == theirs.st_dev
    }
}
