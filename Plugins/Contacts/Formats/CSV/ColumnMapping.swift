/// The meaning of a column that the user has given, as in `Telefon=phone.mobile`.
package struct ColumnMapping: Hashable, Sendable {
    /// The name of the column.
    package let column: String
    let meaning: FlatColumns.Meaning

    /// The fields that a column may be.
    package static let fields =
        "name, name.given, name.family, phone.mobile, email.work, url, org, title, role, address.home.street, .city, "
        + ".region, .postcode or .country, birthday, anniversary, tag, note, skip"

    /// Parses `COLUMN=FIELD`; nil if it is not a known field.
    package init?(_ text: String) {
        guard let equals = text.lastIndex(of: "=") else { return nil }
        let column = text[..<equals].trimmed
        let words = text[text.index(after: equals)...].trimmed.lowercased().split(separator: ".").map {
            $0.trimmed.replacing("-", with: " ")
        }
        guard !column.isEmpty, let meaning = FlatColumns.Meaning(field: words) else { return nil }
        self.column = column
        self.meaning = meaning
    }

    /// Whether it is about the column `name`.
    package func applies(to name: String) -> Bool { name.lowercased() == column.lowercased() }
}

extension [String] {
    /// The names of columns for a message.
    package var listed: String { prefix(20).joined(separator: ", ") + (count > 20 ? " and \(count - 20) more" : "") }
}

extension FlatColumns.Meaning {
    private static let single: [[String]: FlatColumns.Meaning] = [
        ["name"]: .formattedName, ["name", "given"]: .given, ["name", "first"]: .given, ["name", "family"]: .family,
        ["name", "last"]: .family, ["name", "additional"]: .additional, ["name", "middle"]: .additional,
        ["name", "prefix"]: .prefix, ["name", "suffix"]: .suffix, ["nickname"]: .nickname, ["org"]: .company,
        ["org", "department"]: .department, ["title"]: .title, ["role"]: .role, ["birthday"]: .day("birthday"),
        ["anniversary"]: .day("anniversary"), ["tag"]: .tags, ["note"]: .note, ["skip"]: .ignored,
    ]

    private static let parts: [String: FlatColumns.AddressPart] = [
        "street": .street, "city": .locality, "region": .region, "postcode": .postalCode, "country": .country,
    ]

    /// The meaning of a field of the command line, such as `phone`, `mobile`.
    fileprivate init?(field words: [String]) {
        if let known = FlatColumns.Meaning.single[words] {
            self = known
            return
        }
        guard let first = words.first, words.count <= 3 else { return nil }
        let label = words.count > 1 ? words[1] : ""
        switch (first, words.count) {
        case ("phone", ...2): self = .phone(label)
        case ("email", ...2): self = .email(label)
        case ("url", ...2): self = .url(label)
        case ("address", _):
            // A part may stand without a kind: `address.city`.
            let part = FlatColumns.Meaning.parts[words.last ?? ""]
            let kind = words.count == 3 || part == nil ? label : ""
            guard ["home", "work", "other", ""].contains(kind), part != nil || words.count < 3 else { return nil }
            self = .address(kind, part ?? .street)
        default: return nil
        }
    }
}
