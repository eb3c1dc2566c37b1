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
