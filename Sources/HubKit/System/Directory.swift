import Glibc

/// A directory in the file system.
package enum Directory {
    /// Makes the folder at `path` and all that is missing above it, each for its owner alone; what is there stays.
    package static func make(_ path: String) throws(SystemError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            guard mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let reason = errno
            // A parent folder may exist without being writable.
            guard access(made, F_OK) == 0 else { throw SystemError("mkdir \(made)", code: reason) }
        }
    }
}
