import Collation
package import Queries
package import Time

/// A query for contacts: words, quoted phrases, and conditions on fields, any of which `-` in front negates.
///
/// `lukasz -tag:work has:phone changed:<30d "long street"`. A contact must meet all of them.
package struct ContactQuery: Hashable, Sendable {
    /// What a contact has.
    package enum Test: Hashable, Sendable {
        /// Words that begin so, in any field; only as a negated test, since the others are `words`.
        case words(SearchQuery)
        /// A phrase in any field.
        case phrase(String)
        /// A text in the values of a field; for phone numbers, digits.
        case field(ContactField, String)
        /// A tag, without regard to case and accents.
        case tag(String)
        /// The membership in the group of this name.
        case group(String)
        /// A book or an account, by its name.
        case book(String)
        /// Any value of a field.
        case has(ContactProperty)
        /// The kind of the contact.
        case kind(Kind)
        /// A change in a range of milliseconds since 1970 UTC; nil for no limit.
        case changed(since: Int64?, until: Int64?)
        /// The creation in such a range.
        case created(since: Int64?, until: Int64?)
    }

    /// A test that a contact must pass, or must not pass.
    package struct Condition: Hashable, Sendable {
        /// The test.
        package var test: Test
        /// Whether a contact must not pass it.
        package var isNegated: Bool

        package init(_ test: Test, isNegated: Bool = false) {
            self.test = test
            self.isNegated = isNegated
        }
    }

    /// The kinds of contacts that `is:` tells apart.
    package enum Kind: String, CaseIterable, Sendable {
        case person, group, company
    }

    /// The words, which are ranked.
    package var words = SearchQuery("")
    /// The conditions in the order typed.
    package var conditions: [Condition] = []

    /// Whether any contact matches.
    package var isEmpty: Bool { words.isEmpty && conditions.isEmpty }

    package init() {}

    /// Creates a query of words alone, in which no character has a meaning of its own.
    package init(words: SearchQuery) { self.words = words }

    /// Parses `text`. Ages and days are counted from `now` in `zone`; `saved` are the saved searches by name, which `@name`
    /// stands for.
    package init(
        _ text: String, now: Instant, in zone: TimeZoneRules = .system, saved: [String: String] = [:]
    ) throws(QueryError) {
        var parser = ContactQueryParser(now: now, zone: zone, saved: saved)
        try parser.read(String(text.prefix(SearchQuery.maximumLength * 4)))
        words = SearchQuery(parser.words.joined(separator: " "))
        conditions = parser.conditions
    }
}

/// A property whose presence `has:` and `no:` ask for.
package enum ContactProperty: Hashable, Sendable {
    case field(ContactField)
    case photo
    /// The membership in any group.
    case group

    /// Returns the property for a name or a synonym of it.
    package init?(named name: some StringProtocol) {
        switch name.lowercased() {
        case "photo", "picture", "image": self = .photo
        case "group", "groups": self = .group
        case let name:
            guard let field = ContactField(named: name) else { return nil }
            self = .field(field)
        }
    }

    /// The bit of a contact that is an organization.
    package static let organizationBit = 1 << 62

    /// The bit of the property in the index row of a contact; nil for one that the row does not hold.
    package var bit: Int? {
        switch self {
        case .field(let field): ContactField.allCases.firstIndex(of: field).map { 1 << ($0 + 1) }
        case .photo: 1
        case .group: nil
        }
    }
}

extension ContactDetails {
    /// The bits of the properties that the contact has.
    package var propertyBits: Int {
        var bits = (hasPhoto ? 1 : 0) | (kind == .organization ? ContactProperty.organizationBit : 0)
        for field in ContactField.allCases where field.hasValue(in: self) {
            bits |= ContactProperty.field(field).bit ?? 0
        }
        return bits
    }
}

extension ContactField {
    fileprivate func hasValue(in details: ContactDetails) -> Bool {
        switch self {
        case .name: !details.displayName.isEmpty
        case .nickname: !details.nicknames.isEmpty
        case .phone: !details.phones.isEmpty
        case .email: !details.emails.isEmpty
        case .address: !details.addresses.isEmpty
        case .birthday: details.birthday != nil
        case .anniversary: details.anniversary != nil
        case .org: !details.organization.isEmpty
        case .title: !details.title.isEmpty
        case .role: !details.role.isEmpty
        case .url: !details.urls.isEmpty
        case .im: !details.messengers.isEmpty
        case .tag: !details.tags.isEmpty
        case .note: !details.note.isEmpty
        case .date: !details.dates.isEmpty
        case .relation: !details.relations.isEmpty
        case .gender: !details.gender.isEmpty
        case .pronouns: !details.pronouns.isEmpty
        case .language: !details.languages.isEmpty
        case .custom: !details.customFields.isEmpty
        }
    }
}

extension ContactQuery.Test {
    /// Whether a contact with these details passes a test of the text of a field; true for all other tests.
    package func isPassed(by details: ContactDetails) -> Bool {
        guard case .field(let field, let text) = self else { return true }
        if field == .phone {
            let digits = ContactQuery.dialled(text)
            return details.phones.contains { phone in
                phone.value.filter { $0.isASCII && $0.isNumber }.contains(digits)
            }
        }
        let wanted = ContactQuery.spellings(of: text)
        return field.formValues(details).contains { value in
            ContactQuery.spellings(of: value.value).contains { seen in wanted.contains { seen.contains($0) } }
        }
    }
}

extension ContactQuery {
    /// The folded spellings of a text.
    package static func spellings(of text: String) -> [String] {
        [Transliterator.fold(text), Transliterator.foldGerman(text)].compactMap(\.self)
    }

    /// The digits of a number as typed, without the `00` or `0` in front that a number with country code does not have.
    package static func dialled(_ text: String) -> String {
        let digits = text.filter { $0.isASCII && $0.isNumber }
        let national = digits.drop { $0 == "0" }
        return national.count >= 3 ? String(national) : digits
    }
}
