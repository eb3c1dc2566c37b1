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
