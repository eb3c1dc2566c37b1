import Commands

/// The mark of sums that are by the closing price of a day, because an entry does not say what its tokens were worth.
enum ByClose {
    /// The mark before a number in a table.
    static let mark = "~"

    /// A cell of a table.
    static func cell(_ text: String, _ isByClose: Bool) -> String { isByClose ? mark + text : text }

    /// The line that explains the mark.
    static let note = Diagnostic(
        "\(mark) by the close of the day, in whole or in part: entries without a value of their own", level: .aside,
        code: "by-close")
}
