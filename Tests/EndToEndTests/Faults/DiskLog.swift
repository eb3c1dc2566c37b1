import Glibc
import System

/// The calls by which a process changed the files below a folder, in order, as `FaultInjection` writes them down.
struct DiskLog {
    /// One call.
    struct Entry {
        enum Kind: UInt32 {
            case write = 1, truncate, sync, create, rename, unlink, link, makeFolder, syncAll
        }

        let kind: Kind
        /// The inode that the call was about.
        let file: UInt64
        /// The start of a write, the length of a truncated file, or the flags of a renaming.
        let offset: Int
        /// The path below the folder, with its slash; empty for the folder itself or one elsewhere.
        let path: String
        /// The target of a renaming or a link.
        let target: String
        /// The written bytes.
        let bytes: [UInt8]
    }

    let entries: [Entry]

    /// Reads the log in the file at `path`; a missing one is empty.
    init(path: String) throws {
        guard let file = fopen(path, "re") else {
            entries = []
            return
        }
        defer { fclose(file) }
        func take(_ count: Int) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            guard fread(&bytes, 1, count, file) == count else {
                throw SystemError("the log ends in an entry", code: EIO)
            }
            return bytes
        }
        func text(_ count: UInt32) throws -> String { String(decoding: try take(Int(count)), as: UTF8.self) }
        var entries: [Entry] = []
        while case let next = fgetc(file), next != EOF {
            ungetc(next, file)
            let head = try take(32)
            func number<N: FixedWidthInteger>(_ offset: Int, _: N.Type) -> N {
                head.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: N.self) }
            }
            guard let kind = Entry.Kind(rawValue: number(0, UInt32.self)) else {
                throw SystemError("an entry of unknown kind", code: EIO)
            }
            let (path, target) = (try text(number(4, UInt32.self)), try text(number(8, UInt32.self)))
            entries.append(
                Entry(
                    kind: kind, file: number(16, UInt64.self), offset: Int(number(24, Int64.self)), path: path,
                    target: target, bytes: try take(Int(number(12, UInt32.self)))))
        }
        self.entries = entries
    }
}
