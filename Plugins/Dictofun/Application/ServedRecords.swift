import DictofunDomain
import HubKit
import Storage
package import Sync

/// The records as sound files for devices, in one folder, with subtitles beside those whose text has times. What a device adds is imported,
/// and transcribed as is set.
package struct ServedRecords: ServedDocuments {
    let dictofun: DictofunPlugin
    private let memory = RecordMemory()

    /// The documents that the plugin offers.
    static let declaration = FolderDeclaration(.records) { (plugin: DictofunPlugin) in ServedRecords(dictofun: plugin) }

    /// The media types of sound files by their extensions; a file with another one is not taken for a sound.
    private static let types = [
        "wav": "audio/wav", "flac": "audio/flac", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg",
        "mp3": "audio/mpeg", "m4a": "audio/mp4", "mp4": "audio/mp4", "aac": "audio/aac", "webm": "audio/webm",
        "3gp": "audio/3gpp", "amr": "audio/amr", "aiff": "audio/aiff", "aif": "audio/aiff",
    ]

    /// A sound replaces a sound.
    package var merges: Bool { false }

    /// Whether a file with this name is a sound. An empty one is not yet.
    package func takes(_ name: String, size: Int) -> Bool {
        size > 0 && !name.hasPrefix(".") && Self.types[Self.kind(name)] != nil
    }

    private static func kind(_ name: String) -> String {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    private static func stem(_ name: String) -> String { name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name }

    /// Returns the identity of the store and the last change.
    package func state() async throws -> ServedState {
        try await dictofun.store.read {
            ServedState(epoch: String(try $0.replica().prefix(16)), number: try $0.servedRecordNumber())
        }
    }

    /// A record, and its sound or its text as a file.
    private typealias Entry = (row: ServedRecordRow, file: ServedFile)

    private func sounds() async throws -> [Entry] {
        let rows = try await dictofun.store.read { try $0.servedRecords() }
        let recordings = rows.filter { $0.format == .recorder }
        let memory = memory
        let lengths = try await BackgroundThread.run { [blobs = dictofun.blobs] in
            try recordings.map { row in
                (row.id, RecorderWave.length(size: row.size, try memory.descriptor(of: row.blob, in: blobs)))
            }
        }
        let lengthByID = Dictionary(lengths) { first, _ in first }
        var taken: Set<String> = []
        return rows.map { row in
            let safe = String(row.name.map { $0 == "/" || $0.isNewline ? "-" : $0 })
            let stem = safe.isEmpty || safe.hasPrefix(".") ? "Record" : safe
            var (name, number) = ("\(stem).\(row.kind)", 2)
            while !taken.insert(name).inserted { (name, number) = ("\(stem) \(number).\(row.kind)", number + 1) }
            let length = lengthByID[row.id]
            let etag = String(row.blob.text.prefix(32)) + (length == nil ? "" : "-wav")
            var file = ServedFile(name, id: row.id, isFolder: false, etag: etag)
            (file.length, file.mediaType) = (length ?? row.size, Self.types[row.kind] ?? "application/octet-stream")
            (file.changedAt, file.createdAt) = (row.changedAt, row.createdAt)
            return (row, file)
        }
    }

    /// The subtitles of those records whose text has times, each named as its sound.
    private func texts(of sounds: [Entry]) async throws -> [Entry] {
        let missing = sounds.map(\.row).filter { $0.textVersion != nil && memory.text(of: $0) == nil }
        for start in stride(from: 0, to: missing.count, by: 100) {
            let part = Array(missing[start..<min(missing.count, start + 100)])
            let records = try await dictofun.store.read { tx in try part.map { try tx.record($0.id) } }
            for (row, record) in zip(part, records) {
                _ = try memory.keep(record.map { dictofun.text(of: $0, as: .srt) } ?? "", of: row)
            }
        }
        var taken: Set<String> = []
        return sounds.compactMap { row, sound in
            guard let (etag, length) = memory.text(of: row), length > 0 else { return nil }
            var name = Self.stem(sound.name) + ".srt"
            if !taken.insert(name).inserted { name = sound.name + ".srt" }
            var file = ServedFile(name, id: row.id, isFolder: false, etag: etag)
            (file.length, file.mediaType, file.isDerived) = (length, "application/x-subrip; charset=utf-8", true)
            (file.changedAt, file.createdAt) = (row.changedAt, row.createdAt)
            return (row, file)
        }
    }

    private func found(_ path: [String]) async throws -> Entry? {
        guard path.count == 1, let name = path.first else { return nil }
        let sounds = try await sounds()
        if Self.kind(name) == "srt" { return try await texts(of: sounds).first { $0.file.name == name } }
        return sounds.first { $0.file.name == name || $0.row.name + "." + $0.row.kind == name }
    }

    /// Returns all records, and the texts of those that have one.
    package func documents(in folder: [String]) async throws -> (files: [ServedFile], folders: [String]) {
        guard folder.isEmpty else { return ([], []) }
        let sounds = try await sounds()
        return (try await (sounds + texts(of: sounds)).map(\.file), [])
    }

    /// Returns one of them.
    package func document(at path: [String]) async throws -> ServedFile? { try await found(path)?.file }

    /// Returns its sound or text. A sound that is on another machine is fetched first.
    package func content(at path: [String]) async throws -> ServedContent? {
        guard let found = try await found(path) else { return nil }
        let row = found.row
        var file = found.file
        if file.isDerived {
            guard let record = try await dictofun.store.read({ try $0.record(row.id) }) else { return nil }
            let text = Array(dictofun.text(of: record, as: .srt).utf8)
            (file.length, file.etag) = (text.count, String(try BlobStore.id(of: text).text.prefix(32)))
            return ServedContent(file, text)
        }
        let (blobs, blob) = (dictofun.blobs, row.blob)
        var content: ServedContent
        if row.format == .recorder {
            let wave = RecorderWave(blob, size: row.size, in: blobs, memory)
            content = ServedContent(file) { range in try await BackgroundThread.run { try wave.bytes(in: range) } }
        } else {
            content = ServedContent(file) { range in
                try await BackgroundThread.run { try blobs.bytes(of: blob, in: range) }
            }
        }
        if blobs.size(of: blob) == nil {
            content.prepare = { [memory, absent = dictofun.absentFiles] in try await memory.fetch(blob, by: absent) }
        }
        return content
    }

    /// Imports a sound, in the place of that of a record with this name.
    package func write(_ write: ServedWrite) async throws -> ServedFileResult {
        guard write.path.count == 1, let name = write.path.first else {
            return .forbidden("records are in one folder")
        }
        let old = try await found(write.path)
        let entry = old.map {
            ServedEntry(
                name: name, id: $0.row.id, etag: $0.file.etag, length: $0.row.size, changedAt: $0.row.changedAt)
        }
        guard write.condition.holds(for: entry) else { return .refused(old?.file.etag) }
        let stored: StoredBlob
        let path: String
        switch write.content {
        case .bytes(let bytes):
            // A program that writes an empty file before the sound loses nothing of the one that is there.
            if bytes.isEmpty { return .done(isNew: false, etag: "") }
            stored = try await dictofun.blobs.store(bytes)
            path = dictofun.blobs.path(of: stored.id)
        case .file(let given, _):
            stored = try await dictofun.blobs.store(fileAt: given)
            path = dictofun.blobs.path(of: stored.id)
        }
        return try await stored.whileKept {
            var replaced: RecordVersion?
            if let old {
                if old.row.blob == stored.id { return .done(isNew: false, etag: old.file.etag) }
                if old.row.format == .recorder { return .forbidden("the sound of a recorder stays as it is") }
                let record = try await dictofun.records.get(old.row.id)
                replaced = RecordVersion(id: record.id, revision: record.revision)
            }
            do {
                _ = try await dictofun.importFile(
                    path, name: name, replacing: replaced, operation: Operation(write.author))
            } catch let error as HubError where error.kind == .invalid {
                return .forbidden(error.message)
            }
            return .done(isNew: old == nil, etag: String(stored.id.text.prefix(32)))
        }
    }

    /// Moves a record to the trash.
    package func remove(
        _ path: [String], if condition: ServedCondition, by author: ServedAuthor
    ) async throws -> ServedFileResult {
        guard let (row, file) = try await found(path) else { return .missing }
        let entry = ServedEntry(
            name: file.name, id: row.id, etag: file.etag, length: row.size, changedAt: row.changedAt)
        guard condition.holds(for: entry) else { return .refused(file.etag) }
        try await dictofun.records.delete([row.id], operation: Operation(author))
        return .done(isNew: false, etag: "")
    }

    /// Gives a record another title.
    package func move(
        _ path: [String], to target: [String], by author: ServedAuthor
    ) async throws -> ServedFileResult {
        guard let (row, _) = try await found(path) else { return .missing }
        guard target.count == 1, let name = target.first, Self.kind(name) == row.kind else {
            return .forbidden("records are in one folder, and keep the ends of their names")
        }
        try await dictofun.correct(
            row.id, RecordCorrection(title: Self.stem(name)), operation: Operation(author))
        return .done(isNew: true, etag: "")
    }
}

extension Operation {
    /// The operation of a device, named after it.
    fileprivate init(_ author: ServedAuthor) {
        let program = author.program.isEmpty ? "" : " (\(author.program))"
        self.init(
            id: author.operation, "dictofun device", who: .service(author.device),
            commandLine: "\(author.device)\(program): change records")
    }
}
