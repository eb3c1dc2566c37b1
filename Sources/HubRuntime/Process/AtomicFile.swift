import Glibc
package import System
import Threading

/// A file that appears whole under its name or not at all: written beside it, synced, then renamed.
///
/// A path that is not a regular file, such as `/dev/null` or a pipe, is written directly.
package final class AtomicFile: ByteSink {
    private let path: String
    /// The path of the temporary file; nil when `path` itself is written.
    private let temporaryPath: String?
    private let descriptor: Int32
    /// Throws when the file must not be replaced by one of this kind.
    private let requireReplaceable: (@Sendable (FileKind) throws(HubError) -> Void)?

    /// Begins a file that will be `path`; an existing file keeps its mode and is replaced by ``commit()`` only. A new
    /// one gets `newFileMode` less the process's umask.
    package convenience init(path: String, newFileMode: UInt32 = 0o666) throws(HubError) {
        try self.init(path: path, newFileMode: newFileMode, requireReplaceable: nil)
    }

    /// Begins a file that replaces another one only if `requireReplaceable` does not throw for what the new one contains. With
    /// `followsLinks` the file to which `path` leads is written, and the link stays.
    init(
        path: String, newFileMode: UInt32 = 0o666, followsLinks: Bool = false,
        requireReplaceable: (@Sendable (FileKind) throws(HubError) -> Void)?
    ) throws(HubError) {
        let path = followsLinks ? AtomicFile.target(of: path) : path
        self.path = path
        self.requireReplaceable = requireReplaceable
        var existing = stat()
        let exists = FileName.withPath(path) { stat($0, &existing) } == 0
        if exists, existing.st_mode & S_IFMT != S_IFREG {
            temporaryPath = nil
            descriptor = FileName.withPath(path) { open($0, O_WRONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { throw AtomicFile.failure(path, errno) }
            return
        }
        let beside = path + "." + Identifier.make()
        temporaryPath = beside
        let mode = exists ? existing.st_mode & 0o7777 : newFileMode
        descriptor = FileName.withPath(beside) { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
        guard descriptor >= 0 else { throw AtomicFile.failure(path, errno) }
        if exists { fchmod(descriptor, mode) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Appends to the temporary file; nothing appears under the final name before ``commit()``.
    package func write(_ bytes: [UInt8]) throws(SinkError) { try DescriptorSink(descriptor).write(bytes) }

    /// Makes the file visible under its name. What need not survive a power failure, such as the state of a process, does not wait for
    /// the disk.
    package func commit(isLasting: Bool = true) throws(HubError) {
        if isLasting { CooperativePool.assertNotCurrent("AtomicFile.commit") }
        guard let temporaryPath else { return }
        do throws(HubError) {
            try requireReplaceable?(FileKind(path: temporaryPath) ?? .unknown)
        } catch {
            discard()
            throw error
        }
        let name = FileName(path: path)
        guard !isLasting || fsync(descriptor) == 0,
            FileName.withPath(temporaryPath, { old in name.withPointer { rename(old, $0) } }) == 0
        else {
            let reason = errno
            discard()
            throw AtomicFile.failure(path, reason)
        }
        if isLasting { synchronizeFolder() }
    }

    /// Makes the new name last. Where that cannot be asked for, as in some file systems, the file is there all the
    /// same.
    private func synchronizeFolder() {
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = FileName.withPath(folder) { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Leaves no trace of it.
    package func discard() {
        if let temporaryPath { _ = FileName.withPath(temporaryPath) { unlink($0) } }
    }

    /// The largest number of links that lead from one to the next, as the system follows them.
    private static var linkLimit: Int { 40 }

    /// Returns the path to which symbolic links at `path` lead, whether or not there is a file; the path itself when it is not a link.
    static func target(of path: String) -> String {
        var path = path
        for _ in 0..<linkLimit {
            var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let length = FileName.withPath(path) { name in
                buffer.withUnsafeMutableBytes { bytes in
                    bytes.bindMemory(to: CChar.self).baseAddress.map { readlink(name, $0, bytes.count) } ?? -1
                }
            }
            guard length > 0, length < buffer.count else { return path }
            let next = RawText.text(FileName(buffer.prefix(length)))
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
            path = next.hasPrefix("/") ? next : folder + next
        }
        return path
    }

    /// The error for a file that cannot be written.
    static func failure(_ path: String, _ reason: Int32) -> HubError {
        let kind: HubError.Class =
            switch reason {
            case ENOSPC, EDQUOT, EFBIG: .busy
            case ENOENT, ENOTDIR, EISDIR, ELOOP, ENAMETOOLONG, EINVAL, ETXTBSY: .output
            default: .denied
            }
        return HubError(
            kind, code: "cannot-write",
            "cannot write \(TerminalSanitizer.line(path))", details: [String(cString: strerror(reason))],
            hint: "choose another file with -o")
    }
}
