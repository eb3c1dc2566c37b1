/// Finds names of people in a text. A name counts when all its words follow each other in the text, however they are written:
/// `Zofia Kowalska` is in `met ZOFIA KOWALSKA`. A single word would be found too often, so a name has at least two.
package struct NamesInText: Sendable {
    /// The longest text that is read, in bytes.
    private static let maximumLength = 64 << 10

    private let words: [String]
    /// The places of each pair of words that follow each other.
    private let places: [Pair: Int]

    private struct Pair: Hashable {
        let first: String
        let second: String
    }

    /// Reads the words of a text.
    package init(_ text: String) {
        let words = SearchText.words(String(decoding: text.utf8.prefix(Self.maximumLength), as: UTF8.self))
        var places: [Pair: Int] = [:]
        for (place, (first, second)) in zip(words, words.dropFirst()).enumerated() {
            let pair = Pair(first: first, second: second)
            if places[pair] == nil { places[pair] = place }
        }
        (self.words, self.places) = (words, places)
    }

    /// Returns the place of a name among the words of the text; nil when it is not there.
    package func place(of name: String) -> Int? {
        let sought = SearchText.words(name)
        guard sought.count >= 2, let place = places[Pair(first: sought[0], second: sought[1])] else { return nil }
        guard sought.count > 2 else { return place }
        // The beginning may be there several times.
        return words.indices[place...].first { words[$0...].starts(with: sought) }
    }
}
