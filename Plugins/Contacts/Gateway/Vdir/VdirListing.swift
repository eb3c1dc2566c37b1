import ContactsDomain
import Glibc
import Sync
import System

/// A listing of a folder of cards.
struct VdirListing {
    private let folder: DirectoryHandle
    /// The cards in the order of their paths.
    private(set) var entries: [RemoteEntry] = []
    /// Whether every card could be read.
    private(set) var isComplete = true
    /// Messages about the folder, one sentence each.
    private(set) var notices: [String] = []

    init(_ folder: DirectoryHandle) { self.folder = folder }

    /// Reads every card of the folder.
    mutating func read() throws(SystemError) {
        for name in try folder.names() {
            if name.isOurTemporary {
                note(name, "is a temporary file of an interrupted write; check and remove it")
            } else if name.isCard {
                add(name)
            }
        }
        entries.sort { $0.href < $1.href }
        notices.sort()
    }

    private mutating func add(_ name: FileName) {
        do throws(SystemError) {
            guard let status = try folder.status(name) else { return lose(name, "is a broken symbolic link") }
            guard status.st_mode & S_IFMT == S_IFREG else { return note(name, "is not a regular file; skipped") }
            let bytes = try folder.read(name, limit: VdirBook.maximumSize)
            guard CardFile.mayHoldSeveral(bytes) else { return add(name, bytes) }
            let file = CardFile(bytes)
            guard file.parts.count > 1 else { return add(name, bytes) }
            note(name, "has \(file.parts.count) cards; khard and vdirsyncer read only the first one")
            entries += file.parts.map {
                RemoteEntry(href: VdirPlace(name, key: $0.key).href, etag: CardFile.etag(of: $0.bytes))
            }
        } catch {
            // It existed a moment ago: another program is writing, and the next listing will be complete.
            if error.code == ENOENT { return isComplete = false }
            lose(name, "cannot be read: \(String(cString: strerror(error.code)))")
        }
    }

    private mutating func add(_ name: FileName, _ bytes: [UInt8]) {
        entries.append(RemoteEntry(href: VdirPlace(name).href, etag: CardFile.etag(of: bytes)))
    }

    private mutating func lose(_ name: FileName, _ reason: String) {
        isComplete = false
        note(name, reason)
    }

    private mutating func note(_ name: FileName, _ reason: String) {
        notices.append("\(folder.path)/\(TerminalSanitizer.line(name.description)) \(reason)")
    }
}
