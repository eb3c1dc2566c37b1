/// The outcome for one item of an import.
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
    /// The outcome.
    var outcome: ImportOutcome { get }
    /// Its id; of a plan for a new one it may be empty.
    var id: String { get }
    /// Its name here.
    var name: String { get }
    /// Remarks for the user: what changed, what was uncertain, what could not be imported.
    var words: [String] { get }
    /// Whether one of the remarks is a warning, which is listed however many items there are.
    var hasRemarks: Bool { get }
    /// The line of its first warning, counted from 1; nil without one.
    var line: Int? { get }
    /// The file among several that are read as one; nil when there is only one.
    var file: String? { get }
}

extension ImportedItem {
    /// By default nil: the item belongs to the imported file itself.
    package var file: String? { nil }
    /// By default nil.
    package var line: Int? { nil }
    /// By default any remark.
    package var hasRemarks: Bool { !words.isEmpty }
}
