/// Options that many commands offer and that mean the same in all of them; a command lists those it understands.
package enum SharedOptions {
    /// The format of a file that is read or written.
    package static let format = Option<String>(
        "as", "FORMAT", help: "the format of the file", hasEnvironmentTwin: true)
    /// The day that a command is about.
    package static let date = Option<DateExpression>(
        "date", "DATE", help: "for this day: today, mon, 2026-11-20", hasEnvironmentTwin: true)
    /// At most this many rows.
    package static let limit = Option<Int>("limit", "N", in: 1...Int.max, help: "at most N rows")
    /// Turns the order round.
    package static let reverse = Flag("reverse", help: "in reverse order")
    /// Only what happened since.
    package static let since = Option<DateExpression>(
        "since", "DATE", help: "from this day, moment or time back: 2026-11-20, 09:12, 3d")
    /// Only what happened until.
    package static let until = Option<DateExpression>("until", "DATE", help: "up to this day or moment")
    /// What lies in the trash.
    package static let trash = Flag("trash", help: "what lies in the trash")
}
