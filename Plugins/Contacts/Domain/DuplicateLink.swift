/// How sure it is that two contacts are one.
package enum DuplicateTier: Int, Comparable, CaseIterable, Sendable {
    /// Their cards say the same.
    case certain = 1
    /// They are reached by the same address or number, and the names agree.
    case strong
    /// The names agree, and something else does.
    case medium
    /// Only the names agree.
    case weak

    package static func < (left: DuplicateTier, right: DuplicateTier) -> Bool { left.rawValue < right.rawValue }
}

/// What speaks for two contacts being one.
package struct DuplicateEvidence: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The cards say the same.
    package static let content = DuplicateEvidence(rawValue: 1)
    /// One e-mail address is the same.
    package static let email = DuplicateEvidence(rawValue: 2)
    /// One phone number surely is the same.
    package static let phone = DuplicateEvidence(rawValue: 4)
    /// The last seven digits of a phone number are the same.
    package static let digits = DuplicateEvidence(rawValue: 8)
    /// The organization is the same.
    package static let organization = DuplicateEvidence(rawValue: 16)
    /// Day and month of birth are the same.
    package static let birthday = DuplicateEvidence(rawValue: 32)
    /// Street and postal code of one address are the same.
    package static let address = DuplicateEvidence(rawValue: 64)
    /// The names are alike.
    package static let name = DuplicateEvidence(rawValue: 128)
    /// One given name is a form of the other, in the same family.
    package static let nickname = DuplicateEvidence(rawValue: 256)
}

/// Two contacts that may be one.
package struct DuplicateLink: Hashable, Sendable {
    /// The places of the two among the profiles; the first is smaller.
    package let first: Int
    package let second: Int
    /// How sure it is.
    package let tier: DuplicateTier
    /// How alike the names are, 0...1.
    package let similarity: Double
    /// Why.
    package let evidence: DuplicateEvidence
}
