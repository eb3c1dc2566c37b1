import Collation

/// A search query, split and folded by the same rules as the stored `SearchText`.
package struct SearchQuery: Hashable, Sendable {
    /// A term of the query; a contact must match all of them.
    package enum Term: Hashable, Sendable {
        /// A word of one character: a prefix of the name, since it is too short for the word index.
        case initial(String)
        /// A prefix of a word. Any of the spellings matches, such as `muller` or `mueller`.
        case word([String])
        /// Three digits or more: part of a phone number, or all of these words.
        case digits(String, words: [String])
    }

    /// The maximum length of a query in characters.
    package static let maximumLength = 256

    /// The terms in the order typed, without duplicates.
    package let terms: [Term]

    /// Splits and folds `text`; any input is valid.
    package init(_ text: String) {
        var terms: [Term] = []
        var number: [Substring] = []
        func flush() {
            defer { number = [] }
            let digits = SearchQuery.dialled(number.joined())
            if digits.utf8.count >= 3 {
                terms.append(.digits(digits, words: number.map(String.init)))
            } else {
                terms += number.map { $0.count == 1 ? .initial(String($0)) : .word([String($0)]) }
            }
        }
        let text = Transliterator.withoutInvisible(String(text.prefix(SearchQuery.maximumLength)))
        for word in text.split(whereSeparator: { !SearchQuery.isWordCharacter($0) }) {
            if word.utf8.allSatisfy({ $0 &- 0x30 < 10 }) {
                number.append(word)
                continue
            }
            flush()
            terms += SearchQuery.terms(of: String(word))
        }
        flush()
        var seen = Set<Term>()
        self.terms = terms.filter { seen.insert($0).inserted }
    }

    /// Whether the query has no terms.
    package var isEmpty: Bool { terms.isEmpty }

    /// The words of three letters or more, to search inside words if no prefix matches.
    package var substrings: [[String]] {
        terms.compactMap { term in
            guard case .word(let spellings) = term, spellings.allSatisfy({ $0.count >= 3 }) else { return nil }
            return spellings
        }
    }

    private static func terms(of word: String) -> [Term] {
        let spellings = [Transliterator.fold(word), Transliterator.foldGerman(word)].compactMap(\.self)
        // Folding may split a word into several: 田中 is "tian zhong".
        let words = spellings.map { $0.split { !isWordCharacter($0) }.map(String.init) }
        guard let first = words.first, !first.isEmpty else { return [] }
        if first.count > 1 || word.count == 1, first.joined().count > 1 { return first.map { .word([$0]) } }
        return first[0].count == 1 ? [.initial(first[0])] : [.word(words.compactMap(\.first))]
    }

    /// The digits to search for, without the `00` or `0` that a number with country code does not have.
    private static func dialled(_ digits: String) -> String {
        let national = digits.drop { $0 == "0" }
        return national.utf8.count >= 3 ? String(national) : digits
    }

    private static func isWordCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isNumber
    }
}

extension SearchQuery {
    /// Whether `text`, which is not folded yet, matches every term, also inside words.
    package func isMet(by text: String) -> Bool {
        let folded = [Transliterator.fold(text), Transliterator.foldGerman(text)].compactMap(\.self)
        let digits = text.filter { $0.isASCII && $0.isNumber }
        return terms.allSatisfy { term in
            switch term {
            case .initial(let letter): folded.contains { $0.contains(letter) }
            case .word(let spellings): spellings.contains { word in folded.contains { $0.contains(word) } }
            case .digits(let number, let words):
                digits.contains(number) || words.allSatisfy { word in folded.contains { $0.contains(word) } }
            }
        }
    }
}
