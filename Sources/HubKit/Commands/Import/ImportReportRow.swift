/// One item of an import, for a program.
package struct ImportReportRow<Item: ImportedItem>: Sendable {
    /// `new`, `updated` or `skipped`; `total` in the row that holds the counts of a file.
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

        package init(id: String, name: String, line: String, reason: String) {
            self.id = id
            self.name = name
            self.line = line
            self.reason = reason
        }
    }

    /// Returns the fields of an import; the fields of this kind of item follow its name.
    package static func fields(_ help: Help, own: [Field<ImportReportRow>] = []) -> [Field<ImportReportRow>] {
        [
            Field("outcome", "OUTCOME", help: "new, updated or skipped; total for the counts of a file") {
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
