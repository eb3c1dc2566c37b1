import CSQLite
import Glibc
import Synchronization

/// Folders that behave for SQLite like a disk without room: what is there can be written over, and nothing can grow.
///
/// SQLite's own hook for tests, `xSetSystemCall`, puts the functions below in the place of `pwrite`.
enum FullDisk {
    private static let folders = Mutex<Set<String>>([])

    /// Lets nothing below `folder` grow any more.
    static func fill(_ folder: String) {
        guard isInstalled else { return }
        folders.withLock { _ = $0.insert(folder) }
    }

    /// Makes room again.
    static func free(_ folder: String) { folders.withLock { _ = $0.remove(folder) } }

    private typealias Write = @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int

    private static let isInstalled: Bool = {
        guard let vfs = sqlite3_vfs_find(nil), let set = vfs.pointee.xSetSystemCall else { return false }
        let write: Write = { descriptor, bytes, count, offset in
            if FullDisk.refuses(descriptor, end: offset + count) {
                errno = ENOSPC
                return -1
            }
            return pwrite(descriptor, bytes, count, offset)
        }
        let call = unsafeBitCast(write, to: sqlite3_syscall_ptr.self)
        // On 64 bits both names have the same parameters; a library has one of them.
        let results = [set(vfs, "pwrite", call), set(vfs, "pwrite64", call)]
        return results.contains(SQLITE_OK)
    }()

    private static func refuses(_ descriptor: Int32, end: Int) -> Bool {
        let full = folders.withLock { $0 }
        if full.isEmpty { return false }
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
        guard count > 0 else { return false }
        let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard full.contains(where: { path.hasPrefix($0 + "/") }) else { return false }
        var status = stat()
        return fstat(descriptor, &status) == 0 && end > status.st_size
    }
}
