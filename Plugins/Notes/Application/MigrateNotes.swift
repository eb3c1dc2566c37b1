import Hashing
package import HubKit
import NotesDomain
import Storage

/// What a migration of a notes server has done.
package struct MigrationReport: Sendable {
    /// The old store, without a password.
    package let from: String
    /// The new store, without a password.
    package let to: String
    /// The notes that were copied.
    package internal(set) var copied = 0
    /// The notes that were there already as they are.
    package internal(set) var unchanged = 0
    /// The notes that had edits in the new store which the old one lacks; they are kept.
    package internal(set) var merged = 0
    /// The invitations of accounts.
    package internal(set) var tokens = 0
    /// The contents of attachments that were copied.
    package internal(set) var contents = 0
    /// The attachments whose contents the old store lacks.
    package internal(set) var missingContents = 0
    /// The SHA-256 of everything that was compared, in hexadecimal digits.
    package internal(set) var digest = ""
}

extension NotesPlugin {
    /// How often a note is merged with what its clients in the new store type meanwhile.
    private static var attempts: Int { 20 }

    /// Copies everything that a notes server has to another store. What is there already is left as it is, so a migration that was
    /// interrupted, or of a server that went on, is done by the same again. Each note is read back and compared.
    package func migrate(
        from source: String, to target: String, operation: Operation, progress: @Sendable (Int) async -> Void = { _ in }
    ) async throws -> MigrationReport {
        let (old, from) = try end(source, operation)
        let (new, to) = try end(target, operation)
        guard from != to else {
            throw HubError(
                .usage, code: "same-store", "the notes are in \(from) already",
                hint: "one of --from and --to is sqlite, or another database")
        }
        var report = MigrationReport(from: from, to: to)
        let people = try await old.people()
        try await new.add(people)
        report.tokens = people.tokens.count
        let there = Set(try await new.people().tokens.map(\.hash))
        guard people.tokens.allSatisfy({ there.contains($0.hash) }) else { throw Self.differs("the accounts", to) }
        var digests: [UInt8] = []
        var last = ""
        while true {
            let ids = try await old.ids(after: last, limit: 100)
            guard let end = ids.last else { break }
            last = end
            for id in ids {
                digests += try await copy(id, from: old, to: new, &report)
                await progress(report.copied + report.unchanged)
            }
        }
        report.digest = try Self.hexadecimal(SHA256.hash(digests))
        return report
    }

    /// Copies one note if it is not there, and returns its digest.
    private func copy(
        _ id: String, from old: any NoteTransferEnd, to new: any NoteTransferEnd, _ report: inout MigrationReport
    ) async throws -> [UInt8] {
        guard var note = try await old.note(id) else { return [] }
        var isCopied = false
        var isMerged = false
        var kept: [any Sendable] = []
        for attachment in note.attachments {
            guard try await new.contents.size(of: attachment.hash) == nil else { continue }
            guard
                let content = try await copyContent(
                    attachment.hash, from: old.contents, to: new.contents, as: "")
            else {
                report.missingContents += 1
                continue
            }
            kept.append(content)
            report.contents += 1
        }
        defer { withExtendedLifetime(kept) {} }
        // Clients of the new store may type meanwhile.
        for _ in 1...Self.attempts {
            let known = try await new.note(id)
            if let known {
                let missing = isCopied ? note.attachments.count - known.attachments.count : 0
                if missing > 0 { note.attachments = known.attachments }
                let digest = try known.digest()
                if try digest == note.digest() {
                    report.copied += isCopied ? 1 : 0
                    report.unchanged += isCopied ? 0 : 1
                    report.merged += isMerged ? 1 : 0
                    return digest
                }
                if try note.merge(known) { isMerged = true }
            }
            isCopied = try await new.put(note, over: known?.revision) || isCopied
        }
        throw Self.differs("the note \(id)", report.to)
    }

    /// The bytes of a content that are in memory at a time.
    private static var pieceSize: Int { 1 << 20 }

    /// Copies the content of an attachment, from where an interrupted migration ended; nil if the old store lacks it, or has other content. No account
    /// may have the name of the `sender`.
    /// - Returns: what keeps it until a note has it.
    func copyContent(
        _ hash: String, from old: any AttachmentContents, to new: any AttachmentContents, as sender: String
    ) async throws -> (any Sendable)? {
        guard let size = try await old.size(of: hash) else { return nil }
        var offset = try await new.received(hash, from: sender)
        if offset > size { offset = 0 }
        repeat {
            let bytes = try await old.piece(of: hash, at: offset, limit: Self.pieceSize)
            guard !bytes.isEmpty || offset == size else { return nil }
            offset = try await new.add(bytes, to: hash, at: offset, from: sender)
        } while offset < size
        return try await new.complete(hash, from: sender)
    }

    private static func differs(_ what: String, _ store: String) -> HubError {
        HubError(
            .conflict, code: "migration-differs", "\(what) in \(store) is not what was copied",
            hint: "stop the servers of both stores, and run the same command again")
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func end(_ location: String, _ operation: Operation) throws(HubError) -> (any NoteTransferEnd, String) {
        if location == "sqlite" {
            let contents = FileContents(blobs: blobs, folder: directories.cache + "/uploads", clock: clock)
            return (SQLiteTransfer(store: store, blobs: blobs, contents: contents, operation: operation), "sqlite")
        }
        let database = try PostgresNoteDatabase(url: location, password: nil, clock: clock, log: log, metrics: metrics)
        let contents = PostgresContents(database: database)
        return (PostgresTransfer(database: database, contents: contents), database.shown)
    }
}
