package import Collation

/// The order in which name parts are compared.
package enum NameOrder: String, Sendable, CaseIterable {
    case familyFirst = "family", givenFirst = "given", formatted
}

extension ContactDetails {
    /// The text to sort a contact by: the sort key of the card, else its name in the given order.
    package func sortText(_ order: NameOrder) -> String {
        if !sortAs.isEmpty { return sortAs }
        let parts =
            switch order {
            case .familyFirst: [name.family, name.given, name.additional]
            case .givenFirst: [name.given, name.additional, name.family]
            case .formatted: [] as [String]
            }
        let text = parts.filter { !$0.isEmpty }.joined(separator: " ")
        return text.isEmpty || kind == .organization ? displayName : text
    }

    /// The sort key of a contact: names without any letter come last.
    package func sortKey(_ order: NameOrder, _ collator: Collator) -> [UInt8] {
        let text = sortText(order)
        return [text.contains(where: \.isLetter) ? 1 : 2] + collator.sortKey(of: String(text.prefix(256)))
    }
}
