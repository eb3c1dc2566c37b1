package import CivilDate

/// A task as the file of another program tells it, with all that was entered for it.
package struct ImportedTask: Hashable, Sendable {
    /// What tells the task apart whenever its file is read again, such as `harsh:Run`; empty when only its name does.
    package var source: String
    /// The task.
    package var draft: TaskDraft
    /// What was entered, by day.
    package var entries: [CivilDate: Entry]
    /// How its progress is charted, where the file says anything of that.
    package var summary: TaskSummary?
    /// What the file says and hub cannot carry, in words for a person.
    package var losses: [String]
    /// Where it stands.
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

/// A place in what is imported.
package struct ImportPlace: Hashable, Sendable {
    /// The path of the file among several; nil when there is only one.
    package var file: String?
    /// The line, counted from 1.
    package var line: Int
    /// The beginning of that line; empty where it shows nothing that helps.
    package var excerpt: String

    package init(file: String? = nil, line: Int = 1, excerpt: String = "") {
        self.file = file
        self.line = line
        self.excerpt = excerpt
    }
}

/// Something in a file that cannot be used, and why. The rest is used all the same.
package struct ImportProblem: Error, Hashable, Sendable {
    /// Where it stands.
    package let place: ImportPlace
    /// The columns that are wrong, counted from 1 in characters of the excerpt.
    package let columns: Range<Int>
    /// The task that it belongs to; nil when that is not known.
    package let subject: String?
    /// What is wrong, in one sentence without a full stop.
    package let message: String

    package init(_ place: ImportPlace, columns: Range<Int> = 1..<2, subject: String? = nil, _ message: String) {
        self.place = place
        self.columns = columns
        self.subject = subject
        self.message = message
    }
}

/// All that a reader found.
package struct ImportedTasks: Sendable {
    /// The tasks in the order of the file.
    package var tasks: [ImportedTask] = []
    /// What cannot be used, in the order in which it was met.
    package var problems: [ImportProblem] = []
    /// What was left out of the file as a whole, in words for a person.
    package var notes: [String] = []

    package init() {}
}
