/// A field that differs between two versions of a contact.
package struct FieldChange: Hashable, Sendable {
    /// The field: `phone`, `birthday`.
    package var field: String
    /// The label of the value, such as `mobile`; may be empty.
    package var label: String
    /// The old value; nil if it is new.
    package var old: String?
    /// The new value; nil if it was removed.
    package var new: String?

    package init(_ field: String, label: String = "", old: String? = nil, new: String? = nil) {
        self.field = field
        self.label = label
        self.old = old
        self.new = new
    }
}

extension FieldChange: CustomStringConvertible {
    /// A description such as `birthday 1985-03-31`, `phone mobile +48 601 234 567`, `note removed`.
    package var description: String {
        let value = new.map { $0.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? "" }
        return [field, label, value ?? "removed"].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
