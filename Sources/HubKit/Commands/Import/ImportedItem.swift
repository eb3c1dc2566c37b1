/// What became of one item of an import.
package enum ImportOutcome: String, Sendable {
    /// It is new, or came back from the trash.
    case new
    /// It was here and got what it lacked.
    case updated
    /// It says nothing new.
    case unchanged
}

/// One item of an import, such as a card or a task.
package protocol ImportedItem: Sendable {
    /// What became of it.
    var outcome: ImportOutcome { get }
    /// Its id; of a plan for a new one it may be empty.
    var id: String { get }
    /// Its name here.
    var name: String { get }
    /// What a person should know of it: what it changed, what was read with a doubt, what could not be taken over.
    var words: [String] { get }
    /// The file among several that are read as one; nil when there is only one.
    var file: String? { get }
}

extension ImportedItem {
    /// By default nil: the item belongs to the imported file itself.
    package var file: String? { nil }
}
