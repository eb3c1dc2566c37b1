package import HubKit
package import NotesDomain
import Storage
import TextCRDT

/// A line of a note that differs between two times, with who wrote it and when.
package struct ChangedLine: Sendable {
    /// Whether the line was removed, added or is as it was.
    package let kind: LineDiff.Kind
    /// The line without its end.
    package let text: String
    /// The person with the largest part of an added line; nil if it is not known.
    package let person: String?
    /// The time of the latest edit of an added line.
    package let at: Instant?
}

/// The differences of a note between two times.
package struct NoteDifference: Sendable {
    /// The titles, before and after.
    package let titles: (before: String, after: String)
    /// All lines of both texts.
    package let lines: [ChangedLine]

    /// Whether anything differs.
    package var isEmpty: Bool { titles.before == titles.after && !lines.contains { $0.kind != .unchanged } }
}

extension NotesPlugin {
    /// Returns the differences of a note between two times; the history of a text goes back to its first letter.
    package func difference(of id: String, since: Instant, until: Instant) async throws -> NoteDifference {
        try await store.read { transaction in
            _ = try NoteRecord.kind.item(id, in: transaction)
            let document = try transaction.document(of: id)
            let (titles, journal) = (
                try transaction.journal(of: id, .title), try transaction.journal(of: id, .content)
            )
            let before = try document.content.text(at: journal.version(at: since))
            let after = try document.content.text(at: journal.version(at: until))
            // Whose a line is can be told of the text as it is now, where most lines of any time are.
            var authors: [String: LineAuthorship.Author] = [:]
            for line in LineAuthorship.lines(of: document.content, journal) {
                if let author = line.authors.first { authors[line.text] = author }
            }
            let lines = LineDiff(from: Self.lines(before), to: Self.lines(after)).lines
            return NoteDifference(
                titles: (
                    try document.title.text(at: titles.version(at: since)),
                    try document.title.text(at: titles.version(at: until))
                ),
                lines: lines.map { line in
                    let author = line.kind == .added ? authors[line.text] : nil
                    return ChangedLine(
                        kind: line.kind, text: line.text,
                        person: author.flatMap { $0.person.isEmpty ? nil : $0.person },
                        at: author?.at)
                })
        }
    }

    /// The text without its last line end, after which there is no line.
    private static func lines(_ text: String) -> String { text.hasSuffix("\n") ? String(text.dropLast()) : text }

    /// Returns the lines of a note with their authors.
    package func authors(of id: String) async throws -> [LineAuthorship] {
        try await store.read { transaction in
            _ = try NoteRecord.kind.item(id, in: transaction)
            return LineAuthorship.lines(
                of: try transaction.document(of: id).content, try transaction.journal(of: id, .content))
        }
    }

    /// Returns the first note whose stored text is not that of its history.
    package func firstDamagedNote() async throws -> String? {
        try await store.read { transaction in
            try transaction.noteIDs().first { try !transaction.matchesHistory($0) }
        }
    }

    /// Makes stored texts and all derived rows of the histories of the texts.
    package func rebuildTexts() async throws {
        try await store.write(Operation("notes rebuild", who: .service("doctor"), kind: .cache)) { transaction in
            for id in try transaction.noteIDs() { try transaction.restoreText(of: id) }
            try transaction.rebuildEntries()
            // Texts may differ now without a change.
            try transaction.forgetMirroredChange()
        }
    }
}
