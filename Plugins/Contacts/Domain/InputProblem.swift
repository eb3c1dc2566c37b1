/// A problem in an input file, with its position and a fix.
///
/// A reader collects problems and continues, so that one invalid card or line does not stop the rest.
package struct InputProblem: Error, Hashable, Sendable {
    /// A stable code, such as `card-without-end`.
    package var code: String
    /// The file name if several files are read as one source, such as `ada.vcf` of a folder; else nil.
    package var file: String?
    /// The physical line, counted from 1.
    package var line: Int
    /// The range of invalid columns, counted from 1 in characters of `excerpt`; never empty.
    package var columns: ClosedRange<Int>
    /// The text of the line, truncated if it is very long.
    package var excerpt: String
    /// The entry that the line belongs to, such as the name in the card.
    package var subject: String?
    /// The problem in one sentence without a full stop.
    package var message: String
    /// The text next to the caret below the excerpt; nil to show `message` there.
    package var note: String?
    /// The suggested fix.
    package var hint: String?

    package init(
        _ code: String, line: Int, columns: ClosedRange<Int> = 1...1, excerpt: String = "", subject: String? = nil,
        _ message: String, note: String? = nil, hint: String? = nil
    ) {
        self.code = code
        self.line = line
        self.columns = columns
        self.excerpt = excerpt
        self.subject = subject
        self.message = message
        self.note = note
        self.hint = hint
    }
}
