import Glibc
import System
import TestSupport

/// A folder on a disk that keeps only what was synced, and of the rest what chance allows.
///
/// File contents keep any subset of what was written since the last sync of the file, in sectors of 512 bytes. Names
/// are kept in the order in which they were given, as journaling file systems do: at least up to the last sync of a folder.
struct SimulatedDisk {
    /// The fate of data that was not synced.
    enum Loss: CaseIterable {
        /// All of it is lost.
        case everything
        /// All names are kept and all contents lost: a file system that syncs names early.
        case contents
        /// Each piece is kept or lost by chance, in sectors.
        case random
    }

    private final class File {
        var synced: [UInt8]
        var pending: [DiskLog.Entry] = []

        init(_ bytes: [UInt8]) { synced = bytes }

        static func apply(_ entry: DiskLog.Entry, to bytes: inout [UInt8]) {
            switch entry.kind {
            case .truncate: bytes = Array(bytes.prefix(entry.offset)) + padding(entry.offset - bytes.count)
            case .write:
                bytes += padding(entry.offset + entry.bytes.count - bytes.count)
                bytes.replaceSubrange(entry.offset..<(entry.offset + entry.bytes.count), with: entry.bytes)
            default: break
            }
        }

        private static func padding(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: max(0, count)) }

        func sync() {
            for entry in pending { File.apply(entry, to: &synced) }
            pending = []
        }
    }

    private enum NameChange {
        case file(String, File)
        case folder(String)
        case gone(String)
        case exchanged(String, String)
        case renamed(String, String)

        func apply(_ names: inout [String: File], _ folders: inout Set<String>) {
            switch self {
            case .file(let path, let file): names[path] = file
            case .folder(let path): folders.insert(path)
            case .gone(let path):
                names[path] = nil
                folders.remove(path)
            case .exchanged(let first, let second): (names[first], names[second]) = (names[second], names[first])
            case .renamed(let from, let to):
                if let file = names.removeValue(forKey: from) { names[to] = file }
                for (path, file) in names where path.hasPrefix(from + "/") {
                    names[path] = nil
                    names[to + path.dropFirst(from.count)] = file
                }
                for path in folders where path == from || path.hasPrefix(from + "/") {
                    folders.remove(path)
                    folders.insert(to + path.dropFirst(from.count))
                }
            }
        }
    }

    /// The content that is certainly on the disk.
    private var names: [String: File] = [:]
    private var folders: Set<String> = []
    /// The content that the program sees.
    private var liveNames: [String: File] = [:]
    private var liveFolders: Set<String> = []
    private var changes: [NameChange] = []
    private var inodes: [UInt64: File] = [:]

    /// The folder at `path` as it is now, all of it synced. Shared memory is left out: it ends with the machine.
    init(path: String) {
        func read(_ name: String) {
            var status = stat()
            guard lstat(path + name, &status) == 0 else { return }
            if status.st_mode & S_IFMT == S_IFDIR {
                folders.insert(name)
                for entry in fileNames(in: path + name) { read("\(name)/\(entry)") }
            } else if status.st_mode & S_IFMT == S_IFREG, !name.hasSuffix("-shm") {
                names[name] = File(SimulatedDisk.bytes(of: path + name))
            }
        }
        read("")
        (liveNames, liveFolders) = (names, folders)
    }

    /// Carries a call out.
    mutating func apply(_ entry: DiskLog.Entry) {
        guard !entry.path.hasSuffix("-shm"), !entry.target.hasSuffix("-shm") else { return }
        switch entry.kind {
        case .write: file(entry)?.pending.append(entry)
        case .truncate: file(entry)?.pending.append(entry)
        case .sync:
            if liveFolders.contains(entry.path) { syncNames() } else { file(entry)?.sync() }
        case .syncAll:
            for file in liveNames.values { file.sync() }
            syncNames()
        case .create:
            let file = File([])
            inodes[entry.file] = file
            change(.file(entry.path, file))
        case .link:
            if let file = liveNames[entry.path] ?? inodes[entry.file] { change(.file(entry.target, file)) }
        case .rename:
            if entry.offset == 2 {
                change(.exchanged(entry.path, entry.target))
            } else {
                change(.renamed(entry.path, entry.target))
            }
        case .unlink: change(.gone(entry.path))
        case .makeFolder: change(.folder(entry.path))
        }
    }

    private mutating func file(_ entry: DiskLog.Entry) -> File? {
        if let known = inodes[entry.file] { return known }
        let found = liveNames[entry.path]
        inodes[entry.file] = found
        return found
    }

    private mutating func change(_ change: NameChange) {
        change.apply(&liveNames, &liveFolders)
        changes.append(change)
    }

    private mutating func syncNames() {
        for change in changes { change.apply(&names, &folders) }
        changes = []
    }

    /// Makes the folder at `path` what the disk holds when the power fails now.
    func write(to path: String, _ loss: Loss, _ generator: inout SeededGenerator) throws {
        var (names, folders) = (names, folders)
        let kept =
            switch loss {
            case .everything: 0
            case .contents: changes.count
            case .random: Int.random(in: 0...changes.count, using: &generator)
            }
        for change in changes.prefix(kept) { change.apply(&names, &folders) }
        for folder in folders.sorted() where mkdir(path + folder, 0o700) != 0 && errno != EEXIST {
            throw SystemError("mkdir \(folder)")
        }
        for (name, file) in names.sorted(by: { $0.key < $1.key }) {
            var bytes = file.synced
            if loss == .random {
                for entry in file.pending { SimulatedDisk.keepSome(of: entry, &bytes, &generator) }
            }
            try SimulatedDisk.write(bytes, to: path + name)
        }
    }

    private static func keepSome(of entry: DiskLog.Entry, _ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        guard entry.kind == .write else {
            if Bool.random(using: &generator) { File.apply(entry, to: &bytes) }
            return
        }
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: break
        case 1: File.apply(entry, to: &bytes)
        default:
            var begin = entry.offset
            while begin < entry.offset + entry.bytes.count {
                let end = min((begin / 512 + 1) * 512, entry.offset + entry.bytes.count)
                if Bool.random(using: &generator) {
                    let part = Array(entry.bytes[(begin - entry.offset)..<(end - entry.offset)])
                    File.apply(
                        DiskLog.Entry(
                            kind: .write, file: entry.file, offset: begin, path: entry.path, target: "", bytes: part),
                        to: &bytes)
                }
                begin = end
            }
        }
    }

    private static func bytes(of path: String) -> [UInt8] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, file), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("open \(path)") }
        defer { close(descriptor) }
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else { throw SystemError("write \(path)") }
    }
}
