package import TextCRDT

/// Edits of the newest version of a text. They need nothing of its history, so they are stored beside it and become a part of
/// it when it is next needed.
package struct NoteAddition: Hashable, Sendable {
    /// The text.
    package let field: NoteField
    /// The replica that made the edits.
    package let agent: String
    /// The edits, each relative to those before it.
    package var edits: [TextEdit]

    package init(_ field: NoteField, by agent: String, _ edits: [TextEdit]) {
        self.field = field
        self.agent = agent
        self.edits = edits
    }
}
