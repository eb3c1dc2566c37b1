import Commands
import DAVServer
import HubKit
import Storage
import Sync
import Synchronization

/// The files of other programs, byte for byte: trees with history and undo.
struct KeptFiles: ServedFolder {
    private let store: Store
    private let blobs: BlobStore
    /// The number of bytes that all files together may have.
    private let limit: Int
    /// The id of the top.
    private let top: String

    init(_ database: Database, blobs: BlobStore, limit: Int, top: String = "") {
        self.top = top
        store = database.store(for: "core")
        self.blobs = blobs
        self.limit = limit
    }

    var merges: Bool { false }
    var keepsProperties: Bool { true }

    func state() async throws -> ServedState {
        try await store.read {
            ServedState(epoch: String(try $0.replica().prefix(16)), number: try $0.keptNumber(""))
        }
    }

    func file(at path: [String]) async throws -> ServedFile? {
        try await store.read { transaction in
            guard let found = try transaction.keptFile(at: path, below: top) else { return nil }
            return ServedFile(found, try transaction.keptProperties(of: [found.id])[found.id] ?? [:])
        }
    }

    func files(in path: [String], after name: String?, limit: Int) async throws -> [ServedFile] {
        try await store.read { transaction in
            guard let folder = try transaction.keptFile(at: path, below: top) else { return [] }
            let files = try transaction.keptFiles(in: folder.id, after: name ?? "", limit: limit)
            let properties = try transaction.keptProperties(of: files.map(\.id))
            return files.map { ServedFile($0, properties[$0.id] ?? [:]) }
        }
    }

    func content(at path: [String]) async throws -> ServedContent? {
        guard let file = try await file(at: path), !file.isFolder,
            let found = try await store.read({ try $0.keptFile(at: path, below: top) }),
            let blob = found.blob.flatMap({ BlobID($0) })
        else { return nil }
        return ServedContent(ServedFile(found, file.properties)) { [blobs] range in
            try await BackgroundThread.run { try blobs.bytes(of: blob, in: range) }
        }
    }

    func write(_ write: ServedWrite) async throws -> ServedFileResult {
        guard let room = try await quota() else { return .noRoom }
        guard write.content.size <= room.available else { return .noRoom }
        let stored =
            switch write.content {
            case .bytes(let bytes): try await blobs.store(bytes)
            case .file(let path, _): try await blobs.store(fileAt: path)
            }
        return try await stored.whileKept {
            try await store.write(Operation(write.author)) { transaction in
                guard let name = write.path.last,
                    let parent = try transaction.keptFolder(around: write.path, below: top)
                else {
                    return .noParent
                }
                let etag = String(stored.id.text.prefix(32))
                guard let old = try transaction.keptFile(name, in: parent) else {
                    guard write.condition.holds(for: nil) else { return .refused(nil) }
                    try transaction.insert(
                        KeptFile(
                            id: Identifier.make(), parent: parent, name: name, blob: stored.id.text, size: stored.size,
                            type: ""))
                    return .done(isNew: true, etag: etag)
                }
                guard old.blob != nil else { return .exists }
                let entry = ServedEntry(
                    name: name, id: old.id, etag: old.etag, length: old.size, changedAt: old.changedAt.milliseconds)
                guard write.condition.holds(for: entry) else { return .refused(old.etag) }
                if old.blob != stored.id.text {
                    try transaction.setContent(stored.id.text, size: stored.size, type: "", of: old.id)
                }
                return .done(isNew: false, etag: etag)
            }
        }
    }

    func makeFolder(
        at path: [String], properties: [String: String], by author: ServedAuthor
    ) async throws -> ServedFileResult {
        try await store.write(Operation(author)) { transaction in
            guard let name = path.last, let parent = try transaction.keptFolder(around: path, below: top) else {
                return .noParent
            }
            guard try transaction.keptFile(name, in: parent) == nil else { return .exists }
            let folder = KeptFile(id: Identifier.make(), parent: parent, name: name, blob: nil, size: 0, type: "")
            try transaction.insert(folder)
            for (key, value) in properties { try transaction.setKeptProperty(key, value, of: folder.id) }
            return .done(isNew: true, etag: "")
        }
    }

    func remove(
        _ path: [String], if condition: ServedCondition, by author: ServedAuthor
    ) async throws -> ServedFileResult {
        try await store.write(Operation(author)) { transaction in
            guard !path.isEmpty, let file = try transaction.keptFile(at: path, below: top) else { return .missing }
            let entry = ServedEntry(
                name: file.name, id: file.id, etag: file.etag, length: file.size,
                changedAt: file.changedAt.milliseconds)
            guard condition.holds(for: entry) else { return .refused(file.etag) }
            try transaction.removeKeptFile(file.id)
            return .done(isNew: false, etag: "")
        }
    }

    func transfer(_ transfer: ServedTransfer) async throws -> ServedFileResult {
        if transfer.isCopy, let room = try await quota(), room.available <= 0 { return .noRoom }
        return try await store.write(Operation(transfer.author)) { transaction in
            guard let file = try transaction.keptFile(at: transfer.source, below: top), !transfer.source.isEmpty else {
                return .missing
            }
            guard let name = transfer.target.last,
                let parent = try transaction.keptFolder(around: transfer.target, below: top)
            else { return .noParent }
            let old = try transaction.keptFile(name, in: parent)
            if let old {
                guard transfer.overwrites else { return .exists }
                try transaction.removeKeptFile(old.id)
            }
            if transfer.isCopy {
                try transaction.copy(file, to: parent, as: name, isDeep: transfer.isDeep)
            } else {
                try transaction.move(keptFile: file.id, to: parent, as: name)
            }
            return .done(isNew: old == nil, etag: "")
        }
    }

    func setProperties(
        _ properties: [String: String?], of path: [String], by author: ServedAuthor
    ) async throws -> ServedFileResult {
        try await store.write(Operation(author)) { transaction in
            guard let file = try transaction.keptFile(at: path, below: top) else { return .missing }
            for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
                try transaction.setKeptProperty(name, value, of: file.id)
            }
            return .done(isNew: false, etag: "")
        }
    }

    func quota() async throws -> (used: Int, available: Int)? {
        let used = try await store.read { try $0.keptSize() }
        return (used, max(0, limit - used))
    }
}

extension Operation {
    /// The operation of a device that changes what hub keeps for its programs.
    init(_ author: ServedAuthor, of things: String = "files") {
        let program = author.program.isEmpty ? "" : " (\(author.program))"
        self.init(
            id: author.operation, "devices \(things)", who: .service(author.device),
            commandLine: "\(author.device)\(program): change \(things)")
    }
}

extension KeptFile {
    /// The etag of the content; empty for a folder.
    fileprivate var etag: String { blob.map { String($0.prefix(32)) } ?? "" }
}

extension ServedFile {
    fileprivate init(_ file: KeptFile, _ properties: [String: String]) {
        self.init(file.name, id: file.id.isEmpty ? "top" : file.id, isFolder: file.blob == nil, etag: file.etag)
        length = file.size
        mediaType = Self.mediaType(ofName: file.name)
        changedAt = file.changedAt.milliseconds
        createdAt = file.createdAt.milliseconds
        self.properties = properties
    }

    /// The media type of a file by its name. None is one that a browser would run.
    static func mediaType(ofName name: String) -> String {
        let types = [
            "txt": "text/plain; charset=utf-8", "md": "text/markdown; charset=utf-8", "json": "application/json",
            "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
            "pdf": "application/pdf", "ogg": "audio/ogg", "opus": "audio/ogg", "mp3": "audio/mpeg",
            "m4a": "audio/mp4", "wav": "audio/wav", "flac": "audio/flac", "mp4": "video/mp4", "zip": "application/zip",
        ]
        let end = name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
        return types[end] ?? "application/octet-stream"
    }
}

extension Transaction {
    /// The file at a path; the top, which has no row, for an empty one.
    fileprivate func keptFile(at path: [String], below top: String) throws -> KeptFile? {
        var found = KeptFile(id: top, parent: "", name: "", blob: nil, size: 0, type: "")
        for name in path {
            guard found.blob == nil, let next = try keptFile(name, in: found.id) else { return nil }
            found = next
        }
        return found
    }

    /// The id of the folder around a path; nil if there is none.
    fileprivate func keptFolder(around path: [String], below top: String) throws -> String? {
        guard path.count <= 64, let folder = try keptFile(at: Array(path.dropLast()), below: top), folder.blob == nil
        else {
            return nil
        }
        return folder.id
    }

    /// Copies a file with its properties, and what is in a folder if `isDeep`.
    fileprivate func copy(_ file: KeptFile, to parent: String, as name: String, isDeep: Bool) throws {
        let copy = KeptFile(
            id: Identifier.make(), parent: parent, name: name, blob: file.blob, size: file.size, type: file.type)
        try insert(copy)
        for (key, value) in try keptProperties(of: [file.id])[file.id] ?? [:] {
            try setKeptProperty(key, value, of: copy.id)
        }
        guard isDeep, file.blob == nil else { return }
        var last = ""
        while case let children = try keptFiles(in: file.id, after: last, limit: 1000), let end = children.last {
            for child in children { try self.copy(child, to: copy.id, as: child.name, isDeep: true) }
            last = end.name
        }
    }
}

/// The locks of devices, for as long as the server runs. They bind devices only: hub merges what others change.
final class DeviceLocks: DAVLocks {
    private let table = Mutex(DAVLockTable())

    func withTable<T: Sendable>(_ body: @Sendable (inout DAVLockTable) throws -> T) async throws -> T {
        try table.withLock { try body(&$0) }
    }
}
