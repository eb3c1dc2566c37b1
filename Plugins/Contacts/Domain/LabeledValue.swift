/// A phone number, an address of e-mail or messenger, or a link, with the kind a person gave it.
package struct LabeledValue: Hashable, Sendable {
    /// The kind in people's words, such as `mobile`, `work fax` or `Holiday home`; empty when none is given.
    package var label: String
    /// The value as written.
    package var value: String
    /// How much it is preferred: 1 is best (RFC 6350 `PREF`), nil means not at all.
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
