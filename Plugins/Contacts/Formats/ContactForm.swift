/// A contact as text to be changed in an editor: one `field:  value` line for each value.
///
/// ```
/// name:      Łukasz Nowak
/// phone:     mobile  +48 601 234 567
/// birthday:  1985-02-28
/// note:      Met in Gdańsk.
///            Likes tea.
/// ```
/// Lines that begin with `#` are notes to the reader. What the form does not show is not touched by it.
package struct ContactForm: Sendable {
    /// The text for the editor.
    package let text: String

    /// The form of `details`. With `isNew` it also shows the empty fields that people fill in most.
    package init(_ details: ContactDetails, title: String, isNew: Bool = false) {
        let fields = ContactField.allCases.map { (field: $0, values: $0.formValues(details)) }
        var writer = Writer(labelWidth: fields.flatMap(\.values).map(\.0.count).max() ?? 0)
        for (field, values) in fields {
            for (label, value) in values { writer.write(field, label, value) }
            if values.isEmpty, isNew, field.isUsual { writer.write(field, "", "") }
        }
        let empty = ContactField.allCases.filter { field in
            field.formValues(details).isEmpty && !(isNew && field.isUsual)
        }
        writer.lines.append("")
        writer.lines.append("# \(title.filter { !$0.isNewline })")
        writer.lines.append("# Save and close to keep your changes; lines that start with # are ignored.")
        writer.lines.append("# Put the kind (mobile, home, work) before the value, with two spaces between them.")
        if !empty.isEmpty {
            writer.lines.append("# Also: \(empty.map(\.rawValue).joined(separator: ", "))")
        }
        if empty.isEmpty || details.addresses.isEmpty {
            writer.lines.append("# \(ContactField.addressHelp)")
        }
        text = writer.lines.joined(separator: "\n") + "\n"
    }

    /// How wide the column of field names is.
    static let indent = 11

    private struct Writer {
        /// How wide the column of kinds is.
        let labelWidth: Int
        var lines: [String] = []

        mutating func write(_ field: ContactField, _ label: String, _ value: String) {
            let name = field.rawValue + ":"
            let head = name + String(repeating: " ", count: max(1, ContactForm.indent - name.count))
            let gap = String(repeating: " ", count: max(0, labelWidth - label.count) + 2)
            let start = label.isEmpty ? head : head + label + gap
            var parts = value.split(separator: "\n", omittingEmptySubsequences: false)
            // Blanks at the beginning can only be seen below the name.
            let first = value.first?.isWhitespace == true ? "" : parts.removeFirst()
            lines.append((start + first).withoutTrailingBlanks)
            let blank = String(repeating: " ", count: ContactForm.indent)
            lines += parts.map { $0.isEmpty ? "" : blank + $0 }
        }
    }
}
