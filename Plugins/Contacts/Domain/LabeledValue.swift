/// A phone number, e-mail address, messenger address or link, with its label.
package struct LabeledValue: Hashable, Sendable {
    /// The label, such as `mobile`, `work fax` or `Holiday home`; may be empty.
    package var label: String
    /// The value as written.
    package var value: String
    /// The preference: 1 is the highest (RFC 6350 `PREF`), nil for none.
    package var preference: Int?

    package init(_ value: String, label: String = "", preference: Int? = nil) {
        self.label = label
        self.value = value
        self.preference = preference
    }
}

extension Collection<LabeledValue> {
    /// The preferred value, else the first.
    package var primary: LabeledValue? { self.min { ($0.preference ?? 101) < ($1.preference ?? 101) } }
}
