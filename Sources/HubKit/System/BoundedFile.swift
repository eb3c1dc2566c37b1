package import Glibc

/// A whole file that is expected to be small.
package enum BoundedFile {
    /// The file's bytes. Throws the system's error, or EFBIG when there are more than `limit` of them.
    ///
    /// Without `followsLinks` a symbolic link in its place is refused with ELOOP. `check` sees what
    /// the opened file is before it is read, and may refuse it.
    package static func read(
        _ path: String, limit: Int, followsLinks: Bool = true,
        check: (stat) throws(SystemError) -> Void = { _ throws(SystemError) in }
    ) throws(SystemError) -> [UInt8] {
        // A pipe in the file's place must not make this wait.
        let descriptor = open(
            path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW))
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
