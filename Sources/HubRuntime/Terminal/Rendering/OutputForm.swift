package import Commands

/// The form in which a result is wanted.
package enum OutputForm: Sendable, Equatable {
    /// A table or block for people.
    case human
    /// JSON with these fields, `a,b`; all when empty.
    case json(String)
    /// Text with tabs, without a header, with these fields.
    case plain(String)
    /// Each row by a template.
    case template(String)
    /// The list of the fields that there are.
    case fieldHelp

    /// The form that the options ask for.
    package init(_ values: ParameterValues) {
        if let fields = values[GlobalOptions.json] {
            self = fields == "help" ? .fieldHelp : .json(fields)
        } else if let fields = values[GlobalOptions.plain] {
            self = fields == "help" ? .fieldHelp : .plain(fields)
        } else if let template = values[GlobalOptions.format] {
            self = .template(template)
        } else if values[GlobalOptions.null] {
            // Rows that end with NUL are for a program, which cannot want a table.
            self = .plain("")
        } else {
            self = .human
        }
    }

    /// Whether a program reads the result; then errors and notes are JSON too.
    package var isJSON: Bool {
        if case .json = self { true } else { false }
    }
}
