/// All that hub understands of a contact; it is derived from its card, which stays the source of truth.
///
/// Changing a value and handing it back to the card patches only the properties that differ.
package struct ContactDetails: Hashable, Sendable {
    /// The id under which other programs know the contact (vCard `UID`); any shape, nil when the card has none.
    package var uid: String?
    /// Person, group or organization.
    package var kind = ContactKind.individual
    /// The name as the card wants it shown (vCard `FN`); may be empty.
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
    /// Web pages.
    package var urls: [LabeledValue] = []
    /// Messenger and social network addresses.
    package var messengers: [LabeledValue] = []
    /// Free text of any number of lines.
    package var note = ""
    /// Tags (vCard `CATEGORIES`), without duplicates.
    package var tags: [String] = []
    /// Relatives, friends and colleagues with what they are to the contact, such as `spouse`; for display only. The value
    /// is a name, or a link such as `urn:uuid:…` to another contact.
    package var relations: [LabeledValue] = []
    /// The members of a group as links, such as `urn:uuid:…` or `mailto:…`; for display only.
    package var members: [String] = []
    /// How the card itself wants to be sorted (`SORT-STRING`, `SORT-AS`); empty when it does not say.
    package var sortAs = ""
    /// The cards that this contact took over in merges.
    package var mergedSources: [MergedSource] = []
    /// Every property that has no field here, for display only.
    package var others: [OtherProperty] = []

    package init() {}
}

extension ContactDetails {
    /// A property that hub keeps but does not understand.
    package struct OtherProperty: Hashable, Sendable {
        /// The property's name, or its custom label when it has one.
        package var name: String
        /// The kind, as `LabeledValue.label`.
        package var label: String
        /// The decoded text; of pictures and sounds only the size.
        package var value: String

        package init(name: String, label: String, value: String) {
            self.name = name
            self.label = label
            self.value = value
        }
    }

    /// The name to show: the card's own, else one made of the name's parts, the organization, an e-mail or a phone.
    /// Empty when the card has none of these.
    package var displayName: String {
        if !formattedName.isEmpty { return formattedName }
        let candidates = [
            name.formatted, organization.filter { !$0.isEmpty }.joined(separator: ", "), nicknames.first ?? "",
            emails.primary?.value ?? "", phones.primary?.value ?? "",
        ]
        return candidates.first { !$0.isEmpty } ?? ""
    }
}
