import Glibc
import System
import TestSupport

/// Copies of folders as `cp -a` makes them: contents, modes and times.
enum FileTree {
    /// Makes the folder at `target`, which may exist, hold what the one at `source` holds, and nothing else.
    static func replace(_ target: String, with source: String) throws(SystemError) {
        try clear(target)
        try copy(source, to: target)
    }

    /// Removes all that is in the folder at `path`.
    static func clear(_ path: String) throws(SystemError) {
        for name in fileNames(in: path) { TemporaryFolder.removeTree("\(path)/\(name)") }
        guard fileNames(in: path).isEmpty else { throw SystemError("remove what is in \(path)") }
    }

    private static func copy(_ source: String, to target: String) throws(SystemError) {
        var status = stat()
        guard lstat(source, &status) == 0 else { throw SystemError("lstat \(source)") }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            guard mkdir(target, 0o700) == 0 || errno == EEXIST else { throw SystemError("mkdir \(target)") }
            for name in fileNames(in: source) { try copy("\(source)/\(name)", to: "\(target)/\(name)") }
        case S_IFREG: try copyContent(of: source, to: target)
        case S_IFLNK:
            var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
            guard readlink(source, &buffer, buffer.count - 1) >= 0, symlink(buffer, target) == 0 else {
                throw SystemError("symlink \(target)")
            }
            return
        default:
            guard mknod(target, status.st_mode, 0) == 0 else { throw SystemError("mknod \(target)") }
        }
        let times = [status.st_atim, status.st_mtim]
        guard chmod(target, status.st_mode & 0o7777) == 0, utimensat(AT_FDCWD, target, times, 0) == 0 else {
            throw SystemError("utimensat \(target)")
        }
    }

    private static func copyContent(of source: String, to target: String) throws(SystemError) {
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw SystemError("open \(source)") }
        defer { close(input) }
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw SystemError("open \(target)") }
        defer { close(output) }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(input, &bytes, bytes.count)
            if count == 0 { return }
            guard count > 0, write(output, bytes, count) == count else { throw SystemError("copy \(source)") }
        }
    }
}
