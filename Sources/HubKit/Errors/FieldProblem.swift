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
