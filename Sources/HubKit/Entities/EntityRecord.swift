package import Commands

/// A stored item of one of a plugin's main nouns: a contact, a task, a note.
package protocol EntityRecord: Sendable {
    /// The values of an item in lists and messages; the record itself where reading it is cheap.
    associatedtype Summary: EntitySummary

    /// The id of the item.
    var id: String { get }
    /// The revision number, increased by every change; an edit names the one that it is based on.
    var revision: Int { get }
    /// The time when the item was moved to the trash; nil for a live one.
    var deletedAt: Instant? { get }
    /// The values of the item in lists and messages.
    var summary: Summary { get }
}

extension EntityRecord where Summary == Self {
    /// The record itself.
    package var summary: Self { self }
}

/// The values of an item in lists and messages.
package protocol EntitySummary: Sendable {
    /// The id of the item.
    var id: String { get }
    /// The name of the item; empty for none.
    var name: String { get }
    /// The text that tells the item from others with the same name, such as an e-mail address; empty for none.
    var distinction: String { get }
}

extension EntitySummary {
    /// No text.
    package var distinction: String { "" }

    /// The name, or a placeholder.
    package var shownName: String { name.isEmpty ? "(no name)" : name }
}

/// An item as a row of a table, with its id as short as it is unique.
package struct ListedEntity<Summary: EntitySummary>: Sendable {
    /// The values of the item.
    package let summary: Summary
    /// The shortest unique prefix of the id.
    package let shortID: String

    package init(_ summary: Summary, shortID: String) {
        self.summary = summary
        self.shortID = shortID
    }

    /// The name and the short id, for a message: `Łukasz Nowak (7kt)`.
    package var label: String { "\(summary.shownName) (\(shortID))" }

    /// The item as one of several that a selector matches.
    package var candidate: Candidate {
        let words = [summary.name, summary.distinction].filter { !$0.isEmpty }
        return Candidate(id: shortID, name: words.joined(separator: "  "))
    }
}

extension Field {
    /// The column of an item's id, as short as it is unique.
    package static func id<Summary>(of noun: String) -> Field where Row == ListedEntity<Summary> {
        Field("id", "ID", help: "id of the \(noun)") { .id($0.summary.id, shown: $0.shortID.count) }
    }

    /// The column of an item's name.
    package static func name<Summary>(_ title: String, of noun: String) -> Field where Row == ListedEntity<Summary> {
        Field("name", title, help: "name of the \(noun)", cell: { $0.summary.shownName }) { .text($0.summary.name) }
    }
}
