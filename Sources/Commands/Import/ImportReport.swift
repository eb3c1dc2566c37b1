/// The result of an import: the counts, the items with remarks, the first ones without, and all problems.
package struct ImportReport<Item: ImportedItem, Problem: Sendable>: Sendable {
    /// The maximum number of items without remarks that are listed on a terminal; elsewhere all of them are.
    package static var maximumItems: Int { 100 }

    /// The number of items of each outcome.
    package private(set) var counts: [ImportOutcome: Int] = [:]
    /// The number of skipped items.
    package var skippedCount: Int { skipped.count }
    /// The number of new or updated items with remarks.
    package private(set) var remarkedCount = 0
    /// The items that are new or updated, with `keepsUnchanged` all others too: those with remarks, and the first others or all of them.
    package private(set) var items: [Item] = []
    /// The problems of the skipped items.
    package private(set) var skipped: [Problem] = []
    /// Remarks about the whole file for the user, such as what was left out.
    package var notes: [String] = []
    /// The name of the file if it is part of a larger unit, such as the folder of two related files.
    package var name: String?
    /// The noun for one item of the file, such as `row` of a table; nil when the format is not known.
    package var itemName: String?
    /// The error because of which the file, or the rest of it, could not be read; nil when all of it was read.
    package var failure: HubError?
    private let limit: Int
    private let keepsUnchanged: Bool

    /// The report of an import that has read nothing yet; of items without remarks it keeps the first
    /// only unless `keepsAll`, and unchanged ones with `keepsUnchanged` alone.
    package init(keepsAll: Bool = false, keepsUnchanged: Bool = false) {
        limit = keepsAll ? .max : Self.maximumItems
        self.keepsUnchanged = keepsUnchanged
    }

    /// The report of a file of which nothing could be read.
    package init(failure: HubError) {
        self.init()
        self.failure = failure
    }

    /// The number of items that were created or changed.
    package var changedCount: Int { counts[.new, default: 0] + counts[.updated, default: 0] }

    /// The number of items found, valid or not.
    package var total: Int { counts.values.reduce(skippedCount, +) }

    /// Counts an item, and keeps it when it changed something and has remarks or is one of the first without.
    package mutating func add(_ item: Item) {
        counts[item.outcome, default: 0] += 1
        if item.outcome == .unchanged, !keepsUnchanged { return }
        if item.hasRemarks {
            remarkedCount += 1
        } else if items.count - remarkedCount >= limit {
            return
        }
        items.append(item)
    }

    /// Adds what could not be used.
    package mutating func skip(_ problems: [Problem]) { skipped += problems }
}

extension HubError {
    /// Whether this says that a file, as opposed to the store, cannot be used: an import then goes on with the next one.
    package var isAboutFile: Bool {
        switch kind {
        case .invalid, .notFound, .denied, .usage: true
        case .conflict, .busy, .unavailable, .output, .config, .internal: false
        }
    }

    /// The error of an import none of whose files could be read, `failures` in their order; nil when one could.
    package init?<Item, Problem>(unread reports: [ImportReport<Item, Problem>]) {
        let failures = reports.compactMap { $0.total == 0 ? $0.failure : nil }
        guard failures.count == reports.count, let first = failures.first else { return nil }
        if failures.count == 1 {
            self = first
        } else {
            self.init(
                .invalid, code: "nothing-read",
                "none of the \(NumberFormat.grouped(failures.count)) files could be read",
                details: failures.prefix(ImportReport<Item, Problem>.maximumItems).map(\.message), hint: first.hint)
        }
    }
}

/// An error in a part of an imported file, with its position.
package protocol ImportIssue: Sendable {
    /// The file among several that are read as one; nil when there is only one.
    var file: String? { get }
    /// The line, counted from 1; 0 when the file as a whole is meant.
    var line: Int { get }
    /// The first column that is wrong, counted from 1.
    var column: Int { get }
    /// The name of the item that it belongs to, when that is known.
    var subject: String? { get }
    /// The message, in one sentence without a full stop.
    var message: String { get }
    /// The line with marks below what is wrong; empty where there is nothing to see.
    var excerptLines: [String] { get }
}

/// One item of an import, for a program.
package struct ImportReportRow<Item: ImportedItem>: Sendable {
    /// `new`, `updated`, `skipped`, or `unchanged` where the import keeps those; `total` in the row that holds the counts of a file.
    package let outcome: String
    /// The item; nil when it was skipped.
    package let item: Item?
    /// Its name, as far as it is known.
    package let name: String
    /// The file it came from.
    package let file: String
    /// The line of what was skipped.
    package let line: Int?
    /// The reason for skipping it, or a remark.
    package let reason: String?
    /// In the row of a file, how many items of each outcome it had.
    var counts: [(name: String, count: Int)] = []

    /// The help of the four fields that depend on the kind of item.
    package struct Help: Sendable {
        /// Names of the fields that every import prints.
        package let id, name, line, reason: String
        /// The outcomes that rows have.
        package let outcomes: String

        package init(
            id: String, name: String, line: String, reason: String, outcomes: String = "new, updated or skipped"
        ) {
            self.outcomes = outcomes
            self.id = id
            self.name = name
            self.line = line
            self.reason = reason
        }
    }

    /// Returns the fields of an import; the fields of this kind of item follow its name.
    package static func fields(_ help: Help, own: [Field<ImportReportRow>] = []) -> [Field<ImportReportRow>] {
        [
            Field("outcome", "OUTCOME", help: "\(help.outcomes); total for the counts of a file") {
                .text($0.outcome)
            },
            Field("id", "ID", help: help.id) { FieldValue($0.item.flatMap { $0.id.isEmpty ? nil : $0.id }) },
            Field("name", "NAME", help: help.name) { .text($0.name) },
        ] + own + [
            Field("file", "FILE", help: "name of the file") { .text($0.file) },
            Field("line", "LINE", help: help.line) { FieldValue($0.line) },
            Field("reason", "REASON", help: help.reason) { FieldValue($0.reason) },
            Field("counts", "COUNTS", help: "counts of new, updated, unchanged and skipped items of a file") { line in
                line.counts.isEmpty ? .null : .object(line.counts.map { .init($0.name, .integer($0.count)) })
            },
        ]
    }
}
