/// A name in the form that is compared for duplicates: folded, split into words, without titles.
///
/// It is a class because copying its texts in millions of comparisons would cost more than comparing.
package final class ComparableName: Hashable, Sendable {
    /// The sorted words, separated by spaces; empty if the contact has no name.
    let sorted: [UInt8]
    /// The sorted words without middle names, for comparison with a name that has none.
    let core: [UInt8]
    /// The words, sorted.
    let words: [String]
    /// Whether a word is a single letter.
    let hasInitial: Bool
    /// The first given name.
    let given: String
    /// The family name.
    let family: String
    /// The first letter of the middle names; empty when there are none.
    let middle: String
    /// The generation: `jr`, `sr`, `ii`…; empty if there is none.
    let generation: String

    /// The maximum number of words that are compared.
    private static let maximumWords = 12

    /// The name of `details`.
    package init(_ details: ContactDetails) {
        var name = details.name
        if name.given.isEmpty, name.family.isEmpty, details.kind == .individual {
            name = StructuredName(parsing: ComparableName.ownName(details))
        }
        var suffixes = ComparableName.cut(name.suffix)
        var given = ComparableName.cut(name.given)
        var family = ComparableName.cut(name.family)
        if name.given.isEmpty, name.family.isEmpty { family = ComparableName.cut(ComparableName.ownName(details)) }
        // Without an N, `John Smith Jr` ends in a suffix.
        if family.count == 1, given.count > 1, ComparableName.generations[family[0]] != nil {
            suffixes += family
            family = [given.removeLast()]
        } else if family.count > 1, let last = family.last, ComparableName.generations[last] != nil {
            suffixes.append(family.removeLast())
        }
        let additional = Array(given.dropFirst()) + ComparableName.cut(name.additional)
        self.given = given.first ?? ""
        self.family = family.joined(separator: " ")
        middle = additional.first.map { String($0.prefix(1)) } ?? ""
        generation = suffixes.lazy.compactMap { ComparableName.generations[$0] }.first ?? ""
        words = Array((given.prefix(1) + additional + family).prefix(ComparableName.maximumWords)).sorted()
        hasInitial = words.contains { $0.count == 1 }
        sorted = ComparableName.bytes(words)
        core = ComparableName.bytes((given.prefix(1) + family).prefix(ComparableName.maximumWords).sorted())
    }

    /// Whether all parts are equal.
    package static func == (left: ComparableName, right: ComparableName) -> Bool {
        left === right
            || left.sorted == right.sorted && left.core == right.core && left.words == right.words
                && left.given == right.given && left.family == right.family && left.middle == right.middle
                && left.generation == right.generation
    }

    /// Hashes the words, as most names that differ have others.
    package func hash(into hasher: inout Hasher) { hasher.combine(sorted) }

    /// Whether the contact has no name.
    package var isEmpty: Bool { words.isEmpty }

    /// The words that each spelling of the name has, for a search.
    package var searchWords: String {
        (given.isEmpty && family.isEmpty ? words : [given, family]).joined(separator: " ")
    }

    /// Whether both names are the same, apart from the order of their words and middle names that one does not state.
    package func isNamesake(of other: ComparableName) -> Bool {
        if isEmpty || other.isEmpty || generation != other.generation { return false }
        let haveMiddles = !middle.isEmpty && !other.middle.isEmpty
        return haveMiddles ? sorted == other.sorted : core == other.core
    }

    /// The name in the card; empty if it only repeats the address or number.
    private static func ownName(_ details: ContactDetails) -> String {
        let name = details.formattedName
        if name.isEmpty { return details.organization.first ?? "" }
        return name.contains("@") || !name.contains(where: \.isLetter) ? "" : name
    }

    private static func cut(_ text: String) -> [String] {
        text.isEmpty ? [] : SearchText.words(text)
    }

    private static func bytes(_ words: some Sequence<String>) -> [UInt8] {
        Array(words.joined(separator: " ").utf8.prefix(NameSimilarity.maximumLength))
    }

    private static let generations = [
        "jr": "jr", "jnr": "jr", "junior": "jr", "fils": "jr", "sr": "sr", "snr": "sr", "senior": "sr", "pere": "sr",
        "ii": "ii", "2nd": "ii", "iii": "iii", "3rd": "iii", "iv": "iv", "4th": "iv",
    ]
}

/// The relation of two names.
struct NameRelation {
    /// The Jaro-Winkler similarity of the sorted words, 0...1; 0 if one has no name.
    var similarity = 0.0
    /// Whether one has no name, or the words of one abbreviate those of the other.
    var isOpen = false
    /// Whether the family name is the same and one given name is a form of the other.
    var isNickname = false

    /// Whether the names are close enough for contacts with the same address.
    var isAlike: Bool { similarity >= DuplicateThreshold.strong || isOpen || isNickname }

    /// Compares `left` with `right`.
    init(_ left: ComparableName, _ right: ComparableName) {
        if left.isEmpty || right.isEmpty {
            isOpen = true
            return
        }
        let haveMiddles = !left.middle.isEmpty && !right.middle.isEmpty
        let (mine, other) = haveMiddles ? (left.sorted, right.sorted) : (left.core, right.core)
        similarity = NameSimilarity.jaroWinkler(mine.span, other.span)
        isOpen = (left.hasInitial || right.hasInitial) && NameRelation.abbreviates(left.words, right.words)
        let isSameFamily = !left.family.isEmpty && left.family == right.family
        isNickname = isSameFamily && Nicknames.arePair(left.given, right.given)
    }

    /// Whether the names are of different people: of another generation, with another middle name, or of the same
    /// household. Most pairs of names are not alike and need no answer.
    func isApart(_ left: ComparableName, _ right: ComparableName) -> Bool {
        if left.isEmpty || right.isEmpty { return false }
        let areGenerations = !left.generation.isEmpty && !right.generation.isEmpty
        let haveMiddles = !left.middle.isEmpty && !right.middle.isEmpty
        return areGenerations && left.generation != right.generation || haveMiddles && left.middle != right.middle
            || isHousehold(left, right)
    }

    /// Whether the names are of two people of a household: their given names differ in any order of the parts.
    private func isHousehold(_ left: ComparableName, _ right: ComparableName) -> Bool {
        guard !left.given.isEmpty, !right.given.isEmpty, !isOpen, !isNickname, left.words != right.words else {
            return false
        }
        func similarity(_ left: String, _ right: String) -> Double { NameSimilarity.jaroWinkler(left, right) }
        if similarity(left.given, right.given) >= DuplicateThreshold.household { return false }
        let isTurned =
            similarity(left.given, right.family) >= DuplicateThreshold.strong
            && similarity(left.family, right.given) >= DuplicateThreshold.strong
        return !isTurned
    }

    /// Whether every word of the shorter name is a word of the other or its initial, with at least one initial.
    private static func abbreviates(_ left: [String], _ right: [String]) -> Bool {
        let (short, long) = left.count <= right.count ? (left, right) : (right, left)
        var rest = long
        var letters = 0
        // Whole words first, so that initials match the remaining words.
        for word in short.sorted(by: { $0.count > $1.count }) {
            let place =
                rest.firstIndex(of: word)
                ?? rest.firstIndex { ($0.count == 1 || word.count == 1) && $0.first == word.first }
            guard let place else { return false }
            if rest[place] != word || word.count == 1 { letters += 1 }
            rest.remove(at: place)
        }
        return letters > 0
    }
}

/// The minimum similarities of names.
enum DuplicateThreshold {
    /// With the same address or number.
    static let strong = 0.88
    /// With the same organization, birthday or street.
    static let medium = 0.92
    /// Without other matches.
    static let weak = 0.95
    /// Given names below this similarity are of two people.
    static let household = 0.7
}
