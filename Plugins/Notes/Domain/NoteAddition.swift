package import TextCRDT

/// Edits of the newest version of a text. They need nothing of its history, so they are stored beside it and become a part of
/// it when it is next needed.
package struct NoteAddition: Hashable, Sendable {
    /// The text.
    package let field: NoteField
    /// The replica that made the edits.
    package let agent: String
    /// The number of their first event; 0 for the agent's next one.
    package let first: Int
    /// The edits, each relative to those before it.
    package var edits: [TextEdit]

    package init(_ field: NoteField, by agent: String, from first: Int = 0, _ edits: [TextEdit]) {
        self.field = field
        self.agent = agent
        self.first = first
        self.edits = edits
    }

    /// Adds the edits of an addition, if these go on where this one ends. Returns whether they do.
    package mutating func join(_ next: NoteAddition) -> Bool {
        guard agent == next.agent, next.first == 0 || first + edits.insertedCount + edits.deletedCount == next.first
        else { return false }
        edits += next.edits
        return true
    }
}
