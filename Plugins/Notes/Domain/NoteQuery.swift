import Collation

/// A search for words, split and folded like the stored text.
package struct NoteQuery: Hashable, Sendable {
    /// The longest query in characters.
    package static let maximumLength = 256

    /// The spellings of each word; a note must have a word that begins with one spelling of each.
    package let terms: [[String]]

    /// Splits and folds a text; any input is valid.
    package init(_ text: String) {
        let text = Transliterator.withoutInvisible(String(text.prefix(NoteQuery.maximumLength)))
        var seen: Set<[String]> = []
        terms = text.split { !$0.isLetter && !$0.isNumber }.flatMap { word -> [[String]] in
            let spellings = [Transliterator.fold(String(word)), Transliterator.foldGerman(String(word))]
                .compactMap(\.self).map { $0.split { !$0.isLetter && !$0.isNumber }.map(String.init) }
            guard let first = spellings.first, !first.isEmpty else { return [] }
            // Folding may make several words of one: 田中 is "tian zhong".
            return first.count > 1 ? first.map { [$0] } : [Array(Set(spellings.compactMap(\.first))).sorted()]
        }
        .filter { seen.insert($0).inserted }
    }

    /// Whether there are no words.
    package var isEmpty: Bool { terms.isEmpty }

    /// The words in all spellings, to find them in a text.
    package var spellings: [String] { terms.flatMap(\.self) }
}
