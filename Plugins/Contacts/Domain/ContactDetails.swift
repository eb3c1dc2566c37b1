package import Text

/// The fields of a contact that hub understands, parsed from its card, which stays the source of truth.
///
/// Applying changed details to the card changes only the properties that differ.
package struct ContactDetails: Hashable, Sendable {
    /// The `UID` of the card in any form; nil if it has none.
    package var uid: ByteString?
    /// Person, group or organization.
    package var kind = ContactKind.individual
    /// The display name of the card (vCard `FN`); may be empty.
    package var formattedName = ""
    /// The parts of the name.
    package var name = StructuredName()
    /// Nicknames.
    package var nicknames: [String] = []
    /// Phone numbers in the order of the card.
    package var phones: [LabeledValue] = []
    /// E-mail addresses in the order of the card.
    package var emails: [LabeledValue] = []
    /// Postal addresses.
    package var addresses: [PostalAddress] = []
    /// The organization and then its units, from large to small.
    package var organization: [String] = []
    /// Position in the organization.
    package var title = ""
    /// Function or occupation.
    package var role = ""
    /// Birthday.
    package var birthday: ContactDate?
    /// Wedding or similar day.
    package var anniversary: ContactDate?
    /// Other days with their labels, such as `first met`.
    package var dates: [LabeledDate] = []
    /// Gender identity (RFC 6350 §6.2.7): a letter, text after a semicolon, or both.
    package var gender = ""
    /// Pronouns (RFC 9554).
    package var pronouns = ""
    /// Languages as tags (RFC 5646), the preferred one first.
    package var languages: [String] = []
    /// Web pages.
    package var urls: [LabeledValue] = []
    /// Messenger and social network addresses.
    package var messengers: [LabeledValue] = []
    /// Free text of any number of lines.
    package var note = ""
    /// Tags (vCard `CATEGORIES`), without duplicates.
    package var tags: [String] = []
    /// Related people with the relation as label, such as `spouse`. The value is a name, or a link such as `urn:uuid:…` to
    /// another contact.
    package var relations: [LabeledValue] = []
    /// The members of a group as links, such as `urn:uuid:…` or `mailto:…`; read-only.
    package var members: [String] = []
    /// The `UID`s of the cards that this one names, as members of a group or related people, in the order of the card
    /// and without `urn:uuid:`; read-only.
    package var references: [ByteString] = []
    /// The sort key in the card (`SORT-STRING`, `SORT-AS`); empty if there is none.
    package var sortAs = ""
    /// Whether the card has a picture, or a link to one; read-only.
    package var hasPhoto = false
    /// The cards that were merged into this contact.
    package var mergedSources: [MergedSource] = []
    /// The properties without a field here; of those only the custom ones can be changed.
    package var others: [OtherProperty] = []

    package init() {}
}

extension ContactDetails {
    /// A property that hub stores without interpreting it.
    package struct OtherProperty: Hashable, Sendable {
        /// The property's name, or its custom label when it has one.
        package var name: String
        /// The label, as in `LabeledValue.label`.
        package var label: String
        /// The decoded text; only the size for pictures and sounds.
        package var value: String
        /// Whether it is a custom field or one whose name begins with `X-`, with a text of one line.
        package var isCustom: Bool

        package init(name: String, label: String, value: String, isCustom: Bool = false) {
            self.name = name
            self.label = label
            self.value = value
            self.isCustom = isCustom
        }
    }

    /// The custom fields with their names as labels.
    package var customFields: [LabeledValue] {
        get { others.filter(\.isCustom).map { LabeledValue($0.value, label: $0.name) } }
        set {
            others.removeAll(where: \.isCustom)
            others += newValue.map { OtherProperty(name: $0.label, label: "", value: $0.value, isCustom: true) }
        }
    }

    /// The name for display: the card's own, else one made from the name parts, the organization, an e-mail or a phone.
    /// Empty if the card has none of these.
    package var displayName: String {
        if !formattedName.isEmpty { return formattedName }
        let candidates = [
            name.formatted, organization.filter { !$0.isEmpty }.joined(separator: ", "), nicknames.first ?? "",
            emails.primary?.value ?? "", phones.primary?.value ?? "",
        ]
        return candidates.first { !$0.isEmpty } ?? ""
    }
}

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

/// A day in a contact's life, with its label.
package struct LabeledDate: Hashable, Sendable {
    /// The label, such as `first met`; may be empty.
    package var label: String
    /// The day.
    package var date: ContactDate

    package init(_ date: ContactDate, label: String = "") {
        self.label = label
        self.date = date
    }
}

extension Collection<LabeledValue> {
    /// The preferred value, else the first.
    package var primary: LabeledValue? { self.min { ($0.preference ?? 101) < ($1.preference ?? 101) } }
}

/// The kind of entity that a card describes (RFC 6350 §6.1.4).
package enum ContactKind: Hashable, Sendable {
    case individual, group, organization
    /// A location, application, device or another kind, in lower case.
    case other(String)

    /// Parses the value of `KIND`, ignoring case.
    package init(_ name: String) {
        switch name.lowercased() {
        case "", "individual": self = .individual
        case "group": self = .group
        case "org", "organization", "company": self = .organization
        case let name: self = .other(name)
        }
    }

    /// The value of `KIND`.
    package var name: String {
        switch self {
        case .individual: "individual"
        case .group: "group"
        case .organization: "org"
        case .other(let name): name
        }
    }
}
