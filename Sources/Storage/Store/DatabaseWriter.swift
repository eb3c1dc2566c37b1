import Glibc

/// The process that has the write lock of a database, or the database for itself.
package struct DatabaseWriter: Hashable, Sendable {
    /// Its process id.
    package let process: Int32
    /// The words of its command, such as `hub contacts import`; the program's name when it is not hub.
    package let command: String

    /// The byte of the shared-memory file that SQLite locks for the writer (WAL_WRITE_LOCK of its WAL-index format).
    private static let logLock = 120
    /// The bytes of the database file that it locks where it works without shared memory: for the writer (RESERVED_BYTE),
    /// and for a process that has the database for itself (SHARED_FIRST).
    private static let (reservedLock, sharedLock) = (0x4000_0001, 0x4000_0002)
    private static let limit = 1 << 20
}

extension DatabaseWriter {
    /// Returns the process that has the write lock of the database in `directory` now; nil when there is none, or when the
    /// system does not tell.
    ///
    /// Nothing is opened: to close a file of the database would drop the locks that SQLite has on it in this process.
    init?(of directory: DataDirectory) {
        guard let table = try? BoundedFile.read("/proc/locks", limit: Self.limit) else { return nil }
        let files = [
            (directory.database + "-shm", Self.logLock), (directory.database, Self.reservedLock),
            (directory.database, Self.sharedLock),
        ]
        let process = files.lazy.compactMap { path, byte in
            Self.process(locking: byte, of: path, in: String(decoding: table, as: UTF8.self))
        }.first
        guard let process else { return nil }
        self.process = process
        let signed = FileLockFile.text(of: directory.writerLock).flatMap { FileLock.Holder(text: $0) }
        if let signed, signed.process == process {
            command = signed.command
        } else {
            let name = try? BoundedFile.read("/proc/\(process)/comm", limit: 100)
            command = TerminalSanitizer.line(
                name.map { String(decoding: $0.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self) } ?? "a program")
        }
    }

    /// The process that has a byte of a file locked for writing, by a table such as that of /proc/locks (proc(5)).
    static func process(locking byte: Int, of path: String, in table: String) -> Int32? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let inode = String(status.st_ino)
        for line in table.split(separator: "\n") {
            // 1: POSIX  ADVISORY  WRITE 1234 fd:01:5678 120 120
            let words = line.split(separator: " ")
            guard words.count == 8, words[1] == "POSIX" || words[1] == "OFDLCK", words[3] == "WRITE",
                words[5].split(separator: ":").last.map({ $0 == inode }) == true, let start = Int(words[6]),
                start <= byte, words[7] == "EOF" || Int(words[7]).map({ byte <= $0 }) == true,
                let process = Int32(words[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }
}

extension Database {
    /// Returns the process that writes now; nil when there is none. A writer has the lock for milliseconds at a time, save
    /// for one that is stuck.
    package func currentWriter() -> DatabaseWriter? {
        guard case .directory(let path) = location else { return nil }
        return DatabaseWriter(of: DataDirectory(path: path))
    }
}
