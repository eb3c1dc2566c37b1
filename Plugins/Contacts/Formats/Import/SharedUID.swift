import Collation
package import Text

/// Decides whether two cards with the same `UID` are two states of one contact, or two contacts that a program gave the
/// same `UID`.
package struct SharedUID: Sendable {
    private let name: String
    private let words: [String]
    private let reach: Set<String>
    /// The words of the given name, or of the only one.
    private let given: [String]
    /// The words of the family name, if there is another one.
    private let family: [String]
    /// The day of birth, if it is known with its year.
    private let born: PartialDate?

    /// The values of a card that are compared.
    package init(_ card: Card, region: CallingCode?) {
        let details = card.details
        name = details.displayName
        words = SharedUID.words(name)
        let parts = details.name.isEmpty ? StructuredName(parsing: name) : details.name
        given = SharedUID.words(parts.given.isEmpty ? parts.family : parts.given)
        family = parts.given.isEmpty ? [] : SharedUID.words(parts.family)
        born = details.birthday?.date.flatMap { $0.year == nil || $0.day == nil ? nil : $0 }
        var reach: Set<String> = []
        for property in card.properties where [.phone, .email, .messenger, .serviceMessenger].contains(property.kind) {
            if let value = MainValue.of(property, in: card, region: region), !value.isEmpty { reach.insert(value) }
        }
        self.reach = reach
    }

    /// Whether the card is about another person than `other`: their names have nothing in common, and they share no
    /// phone number, e-mail address or messenger, or they have different given names like people of one household.
    ///
    /// Within one import that is sufficient. A card that is imported later may have a new name; then both must have
    /// contact data, and it must differ, or both a birthday, and these must.
    package func isSomebodyElse(than other: SharedUID, inOneImport: Bool) -> Bool {
        if words.isEmpty || other.words.isEmpty || isAlike(other) { return false }
        if !reach.isDisjoint(with: other.reach) {
            // A household or a company shares a number; one person may change all of the name.
            guard family == other.family, !given.isEmpty, !other.given.isEmpty, !isGivenAlike(other) else {
                return false
            }
            return inOneImport || born != nil && other.born != nil && born != other.born
        }
        return inOneImport || !reach.isEmpty && !other.reach.isEmpty
    }

    /// The derived `UID` for a card whose `uid` belongs to another contact: the same for each state of the card, as
    /// long as the contact keeps its name.
    package func ownUID(insteadOf uid: ByteString) -> ByteString {
        ByteString(ContactUID.stable(of: ([uid.repairedText] + words.sorted()).joined(separator: "\n")))
    }

    private func isGivenAlike(_ other: SharedUID) -> Bool {
        given.contains { mine in
            other.given.contains { theirs in
                mine.hasPrefix(theirs) || theirs.hasPrefix(mine) || NameSimilarity.jaroWinkler(mine, theirs) > 0.9
                    || Nicknames.arePair(mine, theirs)
            }
        }
    }

    /// Whether the words of the shorter name are prefixes of words of the longer one, or the names are nearly equal.
    private func isAlike(_ other: SharedUID) -> Bool {
        let (short, long) = words.count <= other.words.count ? (words, other.words) : (other.words, words)
        var rest = long
        let isPart = short.allSatisfy { word in
            guard let place = rest.firstIndex(where: { $0.hasPrefix(word) || word.hasPrefix($0) }) else { return false }
            rest.remove(at: place)
            return true
        }
        return isPart
            || NameSimilarity.jaroWinkler(words.joined(separator: " "), other.words.joined(separator: " ")) > 0.92
    }

    private static func words(_ name: String) -> [String] {
        Transliterator.fold(name).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
