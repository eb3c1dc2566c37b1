import Collation
import Hashing

/// The values of a contact that are compared for duplicates. Texts are stored as hashes, so that a hundred thousand
/// contacts fit into little memory. It is a class because copying it in millions of comparisons would cost more than
/// comparing.
package final class DuplicateProfile: Sendable {
    /// The contact's id.
    package let id: String
    /// The content hash of its card.
    let content: UInt128
    /// Its name.
    let name: ComparableName
    let kind: ContactKind
    /// A full birthday as year × 10 000 + month × 100 + day.
    let birthday: Int?
    /// The birthday as month × 100 + day.
    let birthdayInYear: Int?
    let emails: [UInt64]
    /// The last digits of the numbers that are long enough, and the numbers.
    let phones: [(ending: UInt64, number: PhoneNumber)]
    let organization: UInt64?
    /// The hashes of street and postal code of each address.
    let streets: [UInt64]

    /// Creates the profile of a contact; numbers without a country code belong to `region`.
    package init(id: String, _ details: ContactDetails, content: UInt128, region: CallingCode? = nil) {
        self.id = id
        self.content = content
        name = ComparableName(details)
        kind = details.kind
        let date = details.birthday?.date
        birthdayInYear = date.flatMap { date in date.month.flatMap { month in date.day.map { month * 100 + $0 } } }
        birthday = birthdayInYear.flatMap { day in date?.year.map { $0 * 10_000 + day } }
        emails = details.emails.map { DuplicateProfile.hash(Transliterator.fold($0.value.trimmed)) }
        phones = details.phones.compactMap { phone in
            let number = PhoneNumber(phone.value, region: region)
            guard number.digits.utf8.count >= PhoneNumber.lookupLength else { return nil }
            return (DuplicateProfile.hash(String(number.digits.suffix(PhoneNumber.lookupLength))), number)
        }
        let unit = details.organization.first.map(DuplicateProfile.letters) ?? ""
        organization = unit.isEmpty ? nil : DuplicateProfile.hash(unit)
        streets = details.addresses.compactMap { address in
            let street = DuplicateProfile.letters(address.street)
            return street.isEmpty
                ? nil : DuplicateProfile.hash(street + "\n" + DuplicateProfile.letters(address.postalCode))
        }
    }

    /// The folded letters and digits of a text.
    static func letters(_ text: String) -> String { text.isEmpty ? text : SearchText.letters(text) }

    /// FNV-1a; collisions within an address book are negligible, and the user decides anyway.
    static func hash(_ text: String) -> UInt64 { FNV1a.hash(text.utf8) }
}

extension DuplicateProfile {
    /// Returns the evidence and likelihood that two contacts are the same; nil if there is none, or if they certainly
    /// differ.
    ///
    /// They differ if their full birthdays, kinds or names are of different people.
    func judge(_ other: DuplicateProfile, _ names: NameRelation) -> (tier: DuplicateTier, evidence: DuplicateEvidence)?
    {
        if let birthday, let theirs = other.birthday, birthday != theirs { return nil }
        if content == other.content { return (.certain, .content) }
        if kind != other.kind || names.isApart(name, other.name) { return nil }
        var evidence: DuplicateEvidence = []
        if names.similarity >= DuplicateThreshold.strong || names.isOpen && !name.isEmpty && !other.name.isEmpty {
            evidence.insert(.name)
        }
        if names.isNickname { evidence.insert(.nickname) }
        if emails.contains(where: other.emails.contains) { evidence.insert(.email) }
        switch reach(other) {
        case .certain: evidence.insert(.phone)
        case .possible: evidence.insert(.digits)
        case .none: break
        }
        if let organization, organization == other.organization { evidence.insert(.organization) }
        if let birthdayInYear, birthdayInYear == other.birthdayInYear { evidence.insert(.birthday) }
        if streets.contains(where: other.streets.contains) { evidence.insert(.address) }
        if names.isAlike, !evidence.isDisjoint(with: [.email, .phone]) { return (.strong, evidence) }
        if names.similarity >= DuplicateThreshold.medium,
            !evidence.isDisjoint(with: [.phone, .digits, .organization, .birthday, .address])
        {
            return (.medium, evidence)
        }
        return names.similarity >= DuplicateThreshold.weak || names.isNickname ? (.weak, evidence) : nil
    }

    /// Compares the numbers; the same last seven digits are a possible match.
    private func reach(_ other: DuplicateProfile) -> PhoneNumber.Match {
        var best = PhoneNumber.Match.none
        for mine in phones {
            for theirs in other.phones where mine.ending == theirs.ending {
                best = max(best, max(mine.number.match(theirs.number), .possible))
            }
        }
        return best
    }
}
