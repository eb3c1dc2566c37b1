extension ContactDetails {
    /// Returns the differences in `new`, field by field.
    package func changes(to new: ContactDetails) -> [FieldChange] {
        var changes: [FieldChange] = []
        func compare(_ field: String, _ old: String, _ new: String) {
            guard old != new else { return }
            changes.append(FieldChange(field, old: old.isEmpty ? nil : old, new: new.isEmpty ? nil : new))
        }
        func compare(_ field: String, _ old: [LabeledValue], _ new: [LabeledValue]) {
            let old = old.map { LabeledValue($0.value, label: $0.label) }
            let new = new.map { LabeledValue($0.value, label: $0.label) }
            let pairing = Pairing(old, new)
            for pair in pairing.pairs where old[pair.old] != new[pair.new] {
                changes.append(
                    FieldChange(
                        field, label: new[pair.new].label, old: old[pair.old].value, new: new[pair.new].value))
            }
            changes += pairing.removed.map { FieldChange(field, label: old[$0].label, old: old[$0].value) }
            changes += pairing.added.map { FieldChange(field, label: new[$0].label, new: new[$0].value) }
        }
        func compare(_ field: String, _ old: [String], _ new: [String]) {
            compare(field, old.map { LabeledValue($0) }, new.map { LabeledValue($0) })
        }
        compare("name", displayName, new.displayName)
        if displayName == new.displayName { compare("name", name.formatted, new.name.formatted) }
        compare("nickname", nicknames, new.nicknames)
        compare("phone", phones, new.phones)
        compare("email", emails, new.emails)
        compare("address", addresses.map(\.labeled), new.addresses.map(\.labeled))
        compare("org", organization.joined(separator: ", "), new.organization.joined(separator: ", "))
        compare("title", title, new.title)
        compare("role", role, new.role)
        compare("birthday", birthday?.description ?? "", new.birthday?.description ?? "")
        compare("anniversary", anniversary?.description ?? "", new.anniversary?.description ?? "")
        compare("date", dates.map(\.labeled), new.dates.map(\.labeled))
        compare("gender", gender, new.gender)
        compare("pronouns", pronouns, new.pronouns)
        compare("language", languages, new.languages)
        compare("relation", relations, new.relations)
        compare("url", urls, new.urls)
        compare("im", messengers, new.messengers)
        compare("tag", tags, new.tags)
        compare("note", note, new.note)
        compare("custom", customFields, new.customFields)
        return changes
    }
}

extension LabeledDate {
    /// The day as text with its label.
    var labeled: LabeledValue { LabeledValue(date.description, label: label) }
}

extension PostalAddress {
    /// The address as a single text with its label.
    var labeled: LabeledValue { LabeledValue(formatted, label: label) }
}

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
    /// A description such as `birthday 1985-03-31`, `phone mobile +48 601 234 567`, `note removed`, `photo added, JPEG, 34 kB`.
    package var description: String {
        if let photoWords { return photoWords }
        let value = new.map { $0.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? "" }
        return [field, label, value ?? "removed"].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
