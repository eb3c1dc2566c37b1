package import Collation

/// The searchable text of a contact, folded so that it matches a folded `SearchQuery`.
///
/// It is derived from the card and must be rebuilt when this function changes.
package struct SearchText: Hashable, Sendable {
    /// Increased when the same contact would get different text.
    package static let version = 6

    /// Names in all forms, also with umlauts spelled out.
    package var name: String
    /// Nicknames.
    package var nickname: String
    /// E-mail and messenger addresses.
    package var email: String
    /// Organization, title, role, tags.
    package var organization: String
    /// Postal addresses.
    package var address: String
    /// Note, links, related people and fields without a meaning of their own, with their labels.
    package var note: String
    /// The digits of every phone number as written, and with country code if it is known, separated by spaces.
    package var digits: String

    /// The text of `details`; numbers without a country code belong to `region`.
    package init(_ details: ContactDetails, region: CallingCode? = nil) {
        let parts = details.name.formatted
        name = SearchText.prepare([details.formattedName, parts == details.formattedName ? "" : parts, details.sortAs])
        nickname = SearchText.prepare(details.nicknames)
        email = SearchText.prepare(details.emails.map(\.value) + details.messengers.map(\.value))
        organization = SearchText.prepare(details.organization + [details.title, details.role] + details.tags)
        address = SearchText.prepare(details.addresses.map(\.formatted))
        let days = details.dates.flatMap { [$0.label, $0.date.description] }
        let others =
            details.relations.map(\.value) + days + [details.pronouns]
            + details.others.map { String($0.value.prefix(1000)) }
        let labels = details.customFields.map(\.label)
        note = SearchText.prepare([details.note] + details.urls.map(\.value) + others + labels)
        digits = (details.phones.map(\.value) + others.filter(SearchText.isNumber)).map { phone in
            let number = PhoneNumber(phone, region: region)
            guard let e164 = number.e164?.dropFirst(), e164 != number.digits else { return number.digits }
            return "\(e164) \(number.digits)"
        }
        .filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Whether a text without a meaning looks like a phone number, as in a column that was kept as text.
    private static func isNumber(_ text: String) -> Bool {
        (6...30).contains(text.utf8.count) && text.utf8.count { $0 &- 0x30 < 10 } >= 5
            && text.utf8.allSatisfy { $0 &- 0x30 < 10 || " +-()./".utf8.contains($0) }
    }

    private static func prepare(_ texts: [String]) -> String {
        let text = texts.count == 1 ? texts[0] : texts.filter { !$0.isEmpty }.joined(separator: "\n")
        return Transliterator.searchable(text)
    }
}

extension SearchText {
    /// The folded words of a text, for the comparison with a name.
    package static func words(_ text: String) -> [String] {
        let folded = Transliterator.fold(text)
        guard folded.isASCII else { return folded.split { !$0.isLetter && !$0.isNumber }.map(String.init) }
        return folded.utf8.split { !$0.isFoldedLetterOrDigit }.map { String(Substring($0)) }
    }

    /// The folded letters and digits of a text: `Long St. 5` and `long st 5` are equal.
    static func letters(_ text: String) -> String {
        let folded = Transliterator.fold(text)
        guard folded.isASCII else { return folded.filter { $0.isLetter || $0.isNumber } }
        return String(decoding: folded.utf8.filter(\.isFoldedLetterOrDigit), as: UTF8.self)
    }
}

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

extension String {
    /// Whether all characters are ASCII, as in nearly all folded texts; those need no look at Unicode's tables.
    fileprivate var isASCII: Bool {
        let bytes = utf8.span
        var high: UInt8 = 0
        for index in bytes.indices { high |= bytes[unchecked: index] }
        return high < 0x80
    }
}

extension UInt8 {
    /// Whether the byte is a digit or a small letter.
    fileprivate var isFoldedLetterOrDigit: Bool { self &- 0x61 < 26 || self &- 0x30 < 10 }
}
