/// An error for the user: what failed, why, and what to do next.
///
/// `message` continues the sentence "error: …" and starts in lower case. `details` are the indented lines below it,
/// and `hint` is what to type. Only HubRuntime renders it: for a terminal, as JSON, or as an HTTP response.
package struct HubError: Error, Sendable {
    /// The kind of failure, which decides the exit code and the HTTP status.
    package enum Class: String, Sendable, CaseIterable {
        case usage, invalid, notFound = "not-found", conflict, busy, unavailable, output, denied, config, `internal`
    }

    /// The kind of failure.
    package var kind: Class
    /// A stable word for programs, such as `contact-not-found`.
    package var code: String
    /// The message, in one lower-case sentence without a full stop.
    package var message: String
    /// The reasons, line by line: an excerpt with a caret, candidates, the changed rows.
    package var details: [String]
    /// The suggested next command or step.
    package var hint: String?
    /// The errors in single fields of a form, for a page that shows each next to its field.
    package var problems: [FieldProblem] = []
    /// The error underneath, shown with `--verbose`.
    package var cause: (any Error)?

    package init(
        _ kind: Class, code: String, _ message: String, details: [String] = [], hint: String? = nil,
        cause: (any Error)? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.details = details
        self.hint = hint
        self.cause = cause
    }
}

extension HubError.Class {
    /// The process exit code, after sysexits(3) where it has one.
    package var exitCode: Int32 {
        switch self {
        case .usage: 64
        case .invalid: 65
        case .notFound, .conflict: 1
        case .busy: 75
        case .unavailable: 69
        case .output: 74
        case .denied: 77
        case .config: 78
        case .internal: 70
        }
    }

    /// The HTTP status of the same failure (RFC 9110).
    package var httpStatus: Int {
        switch self {
        case .usage: 400
        case .invalid: 422
        case .notFound: 404
        case .conflict: 409
        case .busy: 503
        case .unavailable: 502
        case .denied: 403
        case .config, .output, .internal: 500
        }
    }
}

extension HubError: CustomStringConvertible {
    /// The message, the details and the hint, one per line.
    package var description: String {
        ([message] + details + [hint.map { "hint: \($0)" }].compactMap(\.self)).joined(separator: "\n")
    }
}

/// The error in one value of a form.
package struct FieldProblem: Hashable, Sendable {
    /// The field, such as `birthday`.
    package var field: String
    /// The place of the value among those that were sent, from 0; nil when the field as a whole is meant.
    package var index: Int?
    /// The message, in one sentence without a full stop.
    package var message: String
    /// The suggested value.
    package var hint: String?
    /// A stable word for programs, such as the code of a business rule; nil when there is none.
    package var code: String?

    package init(field: String, index: Int? = nil, _ message: String, hint: String? = nil, code: String? = nil) {
        self.field = field
        self.index = index
        self.message = message
        self.hint = hint
        self.code = code
    }
}
