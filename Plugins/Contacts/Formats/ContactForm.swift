/// A contact as text to be changed in an editor: one `field:  value` line for each value.
///
/// ```
/// name:      Łukasz Nowak
/// phone:     mobile  +48 601 234 567
/// birthday:  1985-02-28
/// note:      Met in Gdańsk.
///            Likes tea.
/// ```
/// Lines that start with `#` are comments. Values that the form does not show are not changed by it.
package struct ContactForm: Sendable {
    /// The text for the editor.
    package let text: String

    /// Creates the form of `details`. With `isNew` it also shows the most common fields, empty.
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

    /// The width of the column of field names.
    static let indent = 11

    private struct Writer {
        /// The width of the column of labels.
        let labelWidth: Int
        var lines: [String] = []

        mutating func write(_ field: ContactField, _ label: String, _ value: String) {
            let name = field.rawValue + ":"
            let head = name + String(repeating: " ", count: max(1, ContactForm.indent - name.count))
            // A label that looks like a value is marked by a tab.
            let gap =
                field.isValueLike(label) ? "\t" : String(repeating: " ", count: max(0, labelWidth - label.count) + 2)
            let start = label.isEmpty ? head : head + label + gap
            var parts = value.split(separator: "\n", omittingEmptySubsequences: false)
            // Leading spaces are only visible below the name.
            let first = value.first?.isWhitespace == true ? "" : parts.removeFirst()
            lines.append((start + first).withoutTrailingBlanks)
            let blank = String(repeating: " ", count: ContactForm.indent)
            lines += parts.map { $0.isEmpty ? "" : blank + $0 }
        }
    }
}
