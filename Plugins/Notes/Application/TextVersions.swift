package import HubKit
package import NotesDomain
import Storage
import TextCRDT

/// A version of a note's texts: the end of a time in which one person wrote in one place without a long pause.
package struct TextVersion: Sendable {
    /// The number of the last change that belongs to it.
    package let change: Int
    /// The time of this change.
    package let at: Instant
    /// The person who wrote.
    package let person: String
}

/// The texts of a note at a version, with what differs from the version before.
package struct VersionedText: Sendable {
    /// The title.
    package let title: String
    /// The title of the version before.
    package let titleBefore: String
    /// The lines of the text, and those of the version before that are gone.
    package let lines: [LineDiff.Line]
}

extension NotesPlugin {
    /// The longest pause within a version.
    private static let pause = Duration.seconds(60)

    /// Returns the versions of a note's texts, the oldest first.
    package func textVersions(of id: String) async throws -> [TextVersion] {
        try await store.read { transaction in
            _ = try NoteRecord.kind.item(id, in: transaction)
            return try Self.versions(id, in: transaction)
        }
    }

    private static func versions(_ id: String, in transaction: Transaction) throws -> [TextVersion] {
        var versions: [TextVersion] = []
        var agent = ""
        let batches = try NoteField.allCases.flatMap { try transaction.journal(of: id, $0).batches }
        for batch in batches.sorted(by: { $0.change < $1.change }) {
            let version = TextVersion(change: batch.change, at: batch.at, person: batch.person)
            let isSame = versions.last.map {
                $0.change == batch.change || (agent == batch.agent && batch.at - $0.at < pause)
            }
            if isSame ?? false { versions.removeLast() }
            versions.append(version)
            agent = batch.agent
        }
        return versions
    }

    /// Returns the texts of a note after a change, with what differs from the version before it.
    package func text(of id: String, at change: Int) async throws -> VersionedText {
        try await store.read { transaction in
            _ = try NoteRecord.kind.item(id, in: transaction)
            let before = try Self.versions(id, in: transaction).last { $0.change < change }?.change ?? 0
            let document = try transaction.document(of: id)
            let title = try transaction.journal(of: id, .title)
            let content = try transaction.journal(of: id, .content)
            let diff = LineDiff(
                from: try document.content.text(at: content.version(afterChange: before)),
                to: try document.content.text(at: content.version(afterChange: change)))
            return VersionedText(
                title: try document.title.text(at: title.version(afterChange: change)),
                titleBefore: try document.title.text(at: title.version(afterChange: before)), lines: diff.lines)
        }
    }

    /// Makes the texts of a live note those after an earlier change, as a new change.
    package func restoreText(of id: String, at change: Int, operation: Operation) async throws -> NoteRecord {
        try await store.write(operation) { transaction in
            let note = try NoteRecord.kind.live(id, in: transaction)
            let then = try NoteField.allCases.reduce(into: NoteVersion()) { texts, field in
                texts[field] = try transaction.journal(of: id, field).version(afterChange: change)
            }
            guard
                try transaction.changeTexts(
                    of: id, { document, agent in try document.restore(then, by: agent) })
            else { return note }
            return try transaction.changed(id) {}
        }
    }
}
