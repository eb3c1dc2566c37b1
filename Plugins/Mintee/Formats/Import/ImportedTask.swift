package import CivilDate

/// A task read from a file of another program, with all its entries.
package struct ImportedTask: Hashable, Sendable {
    /// The identity of the task across imports, such as `harsh:Run`; empty if only its name identifies it.
    package var source: String
    /// The task.
    package var draft: TaskDraft
    /// The entries by day.
    package var entries: [CivilDate: Entry]
    /// The chart settings for its progress, if the file has any.
    package var summary: TaskSummary?
    /// The number in the manual order; nil for none.
    package var position: Int?
    /// Descriptions of the data that hub cannot represent.
    package var losses: [String]
    /// The position in the file.
    package var place: ImportPlace

    package init(
        source: String, draft: TaskDraft, entries: [CivilDate: Entry] = [:], summary: TaskSummary? = nil,
        losses: [String] = [], place: ImportPlace = ImportPlace()
    ) {
        self.source = source
        self.draft = draft
        self.entries = entries
        self.summary = summary
        self.losses = losses
        self.place = place
    }
}

/// A position in an imported file.
package struct ImportPlace: Hashable, Sendable {
    /// The path of the file among several; nil when there is only one.
    package var file: String?
    /// The line, counted from 1.
    package var line: Int
    /// The beginning of that line; empty if it does not help.
    package var excerpt: String

    package init(file: String? = nil, line: Int = 1, excerpt: String = "") {
        self.file = file
        self.line = line
        self.excerpt = excerpt
    }
}

/// A problem with a part of a file. The rest is imported all the same.
package struct ImportProblem: Error, Hashable, Sendable {
    /// The position.
    package let place: ImportPlace
    /// The columns of the problem, counted from 1 in characters of the excerpt.
    package let columns: Range<Int>
    /// The name of the task; nil if unknown.
    package let subject: String?
    /// The description of the problem: one sentence without a full stop.
    package let message: String

    package init(_ place: ImportPlace, columns: Range<Int> = 1..<2, subject: String? = nil, _ message: String) {
        self.place = place
        self.columns = columns
        self.subject = subject
        self.message = message
    }
}

/// The result of a reader.
package struct ImportedTasks: Sendable {
    /// The tasks in the order of the file.
    package var tasks: [ImportedTask] = []
    /// The problems, in the order found.
    package var problems: [ImportProblem] = []
    /// Descriptions of the data left out of the file as a whole.
    package var notes: [String] = []

    package init() {}
}
