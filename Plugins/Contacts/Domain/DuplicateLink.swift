/// The likelihood that two contacts are the same person.
package enum DuplicateTier: Int, Comparable, CaseIterable, Sendable {
    /// The cards have the same content.
    case certain = 1
    /// The same address or number, and matching names.
    case strong
    /// Matching names and another matching field.
    case medium
    /// Only matching names.
    case weak

    /// Orders tiers by likelihood.
    package static func < (left: DuplicateTier, right: DuplicateTier) -> Bool { left.rawValue < right.rawValue }
}

/// The matching fields of two contacts.
package struct DuplicateEvidence: OptionSet, Hashable, Sendable {
    /// The bits of the matching fields.
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The same content.
    package static let content = DuplicateEvidence(rawValue: 1)
    /// The same e-mail address.
    package static let email = DuplicateEvidence(rawValue: 2)
    /// Certainly the same phone number.
    package static let phone = DuplicateEvidence(rawValue: 4)
    /// The same last seven digits of a phone number.
    package static let digits = DuplicateEvidence(rawValue: 8)
    /// The same organization.
    package static let organization = DuplicateEvidence(rawValue: 16)
    /// The same day and month of birth.
    package static let birthday = DuplicateEvidence(rawValue: 32)
    /// The same street and postal code.
    package static let address = DuplicateEvidence(rawValue: 64)
    /// Similar names.
    package static let name = DuplicateEvidence(rawValue: 128)
    /// One given name is a form of the other, with the same family name.
    package static let nickname = DuplicateEvidence(rawValue: 256)
}

/// Two possible duplicates.
package struct DuplicateLink: Hashable, Sendable {
    /// The index of the first contact in the profiles; smaller than `second`.
    package let first: Int
    /// The index of the second contact.
    package let second: Int
    /// The likelihood.
    package let tier: DuplicateTier
    /// The similarity of the names, 0...1.
    package let similarity: Double
    /// The matching fields.
    package let evidence: DuplicateEvidence
}

extension DuplicateTier {
    /// The name of the tier for output.
    package var words: String {
        switch self {
        case .certain: "certain"
        case .strong: "very likely"
        case .medium: "likely"
        case .weak: "perhaps"
        }
    }
}

extension DuplicateEvidence {
    /// Returns the matching fields for output, with the shared values.
    package func words(_ members: [ContactDetails], region: CallingCode? = nil) -> [String] {
        var words: [String] = []
        func add(_ evidence: DuplicateEvidence, _ text: String, _ shared: String? = nil) {
            if contains(evidence) { words.append([text, shared ?? ""].filter { !$0.isEmpty }.joined(separator: " ")) }
        }
        add(.content, "same content")
        add(.email, "same e-mail", Self.shared(members.map { $0.emails.map(\.value) }) { $0.lowercased() })
        add(
            .phone, "same number",
            Self.shared(members.map { $0.phones.map(\.value) }) { text in
                let number = PhoneNumber(text, region: region)
                return String((number.e164 ?? number.digits).suffix(9))
            })
        add(.digits, "same last digits")
        add(.name, Set(members.map { ComparableName($0).words }).count == 1 ? "same name" : "similar names")
        if !contains(.name) { add(.nickname, "nickname of the other") }
        add(
            .organization, "same organization",
            Self.shared(members.map { Array($0.organization.prefix(1)) }, DuplicateProfile.letters))
        add(.birthday, "same birthday")
        add(
            .address, "same address",
            Self.shared(members.map { $0.addresses.map(\.street) }, DuplicateProfile.letters))
        return words
    }

    /// The first value that two of the lists have, compared by `key`.
    private static func shared(_ lists: [[String]], _ key: (String) -> String) -> String? {
        var seen: Set<String> = []
        for list in lists {
            for value in list where !key(value).isEmpty && seen.contains(key(value)) { return value }
            seen.formUnion(list.map(key))
        }
        return nil
    }
}
