/// One thing wrong with a piece of outside text, told so that a person can find and mend it.
///
/// A reader collects problems and goes on, so that one bad card or line never stops the rest.
package struct InputProblem: Error, Hashable, Sendable {
    /// A stable word for programs, such as `card-without-end`.
    package var code: String
    /// The file among several that are read as one, such as `ada.vcf` of a folder; nil when there is only one.
    package var file: String?
    /// The physical line, counted from 1.
    package var line: Int
    /// The columns that are wrong, counted from 1 in characters of `excerpt`; never empty.
    package var columns: ClosedRange<Int>
    /// The text of the line, or its beginning when it is very long.
    package var excerpt: String
    /// Whom or what the line belongs to, such as the name on the card.
    package var subject: String?
    /// What is wrong, in one sentence without a full stop.
    package var message: String
    /// What to write below the excerpt, beside the caret; nil when `message` belongs there.
    package var note: String?
    /// What to do about it.
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
