import CSQLite
import Glibc
import Synchronization

/// Ends a process of the tests in the middle of its work: after some writes, nothing that it writes comes into the files of its store any more.
/// What is in them then is what a kill leaves, a transaction that was half written too.
///
/// SQLite's own hook for tests, `xSetSystemCall`, puts the function below before `pwrite`.
enum StoreKill {
    /// The writes that are left, by the folders.
    private static let left = Mutex<[String: Int]>([:])

    /// Kills the process that uses the store in `folder` after `writes` writes.
    static func arm(_ folder: String, after writes: Int) {
        guard isInstalled else { return }
        left.withLock { $0[folder] = writes }
    }

    /// Lets the next process write.
    /// - Returns: whether the last one was killed.
    static func disarm(_ folder: String) -> Bool {
        (left.withLock { $0.removeValue(forKey: folder) } ?? 0) < 0
    }

    private typealias Write = @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int

    /// What writes otherwise.
    private static let next: Write = {
        guard let vfs = sqlite3_vfs_find(nil), let get = vfs.pointee.xGetSystemCall,
            let call = get(vfs, "pwrite64") ?? get(vfs, "pwrite")
        else { return { pwrite($0, $1, $2, $3) } }
        return unsafeBitCast(call, to: Write.self)
    }()

    private static let isInstalled: Bool = {
        guard let vfs = sqlite3_vfs_find(nil), let set = vfs.pointee.xSetSystemCall else { return false }
        _ = next
        let write: Write = { descriptor, bytes, count, offset in
            if StoreKill.refuses(descriptor) {
                errno = EIO
                return -1
            }
            return StoreKill.next(descriptor, bytes, count, offset)
        }
        let call = unsafeBitCast(write, to: sqlite3_syscall_ptr.self)
        // On 64 bits both names have the same parameters; a library has one of them.
        let results = [set(vfs, "pwrite", call), set(vfs, "pwrite64", call)]
        return results.contains(SQLITE_OK)
    }()

    private static func refuses(_ descriptor: Int32) -> Bool {
        if left.withLock(\.isEmpty) { return false }
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
        guard count > 0 else { return false }
        let path = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return left.withLock { left in
            guard let folder = left.keys.first(where: { path.hasPrefix($0 + "/") }), let number = left[folder] else {
                return false
            }
            left[folder] = max(number - 1, -1)
            return number <= 0
        }
    }
}
