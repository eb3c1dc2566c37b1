/// The reason why details cannot be saved.
package struct ContactValidationError: Error, Hashable, Sendable {
    /// The name of the field: `name`, `phone`.
    package var field: String
    /// The reason.
    package var reason: String

    package init(field: String, reason: String) {
        self.field = field
        self.reason = reason
    }
}

extension ContactDetails {
    /// The maximum length of a value in UTF-8 bytes; a note may be longer.
    package static let maximumLength = 4096
    /// The maximum length of a note in UTF-8 bytes.
    package static let maximumNoteLength = 1 << 20

    /// Validates edited details; imported cards are stored as they are.
    ///
    /// `fields` are the changed fields, nil for all: an invalid value in an imported card must not prevent changes of
    /// other fields.
    package func validate(_ fields: Set<String>? = nil) throws(ContactValidationError) {
        func isEntered(_ field: String) -> Bool { fields?.contains(field) ?? true }
        // Other fields of an imported card without a name can be changed.
        let named = ["name", "nickname", "org", "email", "phone"]
        if displayName.trimmed.isEmpty, named.contains(where: isEntered) {
            throw ContactValidationError(field: "name", reason: "a contact needs a name")
        }
        for (field, text) in texts where isEntered(field) {
            if text.utf8.count > (field == "note" ? ContactDetails.maximumNoteLength : ContactDetails.maximumLength) {
                throw ContactValidationError(field: field, reason: "the text is too long")
            }
            let allowed: Set<Unicode.Scalar> = field == "note" || field == "address" ? ["\t", "\n"] : ["\t"]
            if let control = text.unicodeScalars.first(where: { scalar in
                scalar.properties.generalCategory == .control && !allowed.contains(scalar)
            }) {
                let code = String(control.value, radix: 16, uppercase: true)
                let name = "U+" + String(repeating: "0", count: max(0, 4 - code.count)) + code
                throw ContactValidationError(field: field, reason: "the control character \(name) is not allowed")
            }
        }
        if isEntered("phone"), let phone = phones.first(where: { $0.value.trimmed.isEmpty }) {
            throw ContactValidationError(field: "phone", reason: "the \(phone.label) number is empty")
        }
    }

    /// All texts with the names of their fields.
    private var texts: [(field: String, text: String)] {
        func labeled(_ field: String, _ values: [LabeledValue]) -> [(String, String)] {
            values.flatMap { [(field, $0.label), (field, $0.value)] }
        }
        var texts = [
            ("name", formattedName), ("name", name.formatted), ("title", title), ("role", role), ("note", note),
        ]
        texts += nicknames.map { ("nickname", $0) } + organization.map { ("org", $0) } + tags.map { ("tag", $0) }
        texts += [("gender", gender), ("pronouns", pronouns)] + languages.map { ("language", $0) }
        texts += labeled("relation", relations) + labeled("custom", customFields)
        texts += dates.map { ("date", $0.label) }
        texts += labeled("phone", phones) + labeled("email", emails) + labeled("url", urls) + labeled("im", messengers)
        texts += addresses.flatMap { [("address", $0.label), ("address", $0.lines.joined(separator: "\n"))] }
        for (field, date) in [("birthday", birthday), ("anniversary", anniversary)] {
            if case .text(let text)? = date { texts.append((field, text)) }
        }
        return texts
    }
}
