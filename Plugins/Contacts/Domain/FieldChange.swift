/// One field that differs between two versions of a contact, in people's words.
package struct FieldChange: Hashable, Sendable {
    /// The field: `phone`, `birthday`.
    package var field: String
    /// The kind of the value, such as `mobile`; empty when it has none.
    package var label: String
    /// The value before; nil when it is new.
    package var old: String?
    /// The value now; nil when it is gone.
    package var new: String?

    package init(_ field: String, label: String = "", old: String? = nil, new: String? = nil) {
        self.field = field
        self.label = label
        self.old = old
        self.new = new
    }
}

extension FieldChange: CustomStringConvertible {
    /// As in `birthday 1985-03-31`, `phone mobile +48 601 234 567`, `note removed`.
    package var description: String {
        let value = new.map { $0.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? "" }
        return [field, label, value ?? "removed"].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
