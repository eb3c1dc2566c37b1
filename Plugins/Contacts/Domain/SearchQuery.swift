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
        return terms.allSatisfy { term in
            switch term {
            case .initial(let letter): folded.contains { $0.holds(letter) }
            case .word(let spellings): spellings.contains { word in folded.contains { $0.holds(word) } }
            case .digits(let number, let words):
                text.filter { $0.isASCII && $0.isNumber }.holds(number)
                    || words.allSatisfy { word in folded.contains { $0.holds(word) } }
            }
        }
    }
}

extension String {
    /// Whether the text contains `part`. Text of ASCII, as nearly all folded text is, is compared by bytes, many times faster.
    fileprivate func holds(_ part: String) -> Bool {
        var (text, part) = (self, part)
        let isFound = text.withUTF8 { text in part.withUTF8 { String.holds(text, $0) } }
        return isFound ?? self.contains(part)
    }

    /// Nil if one of them is not ASCII.
    private static func holds(_ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>) -> Bool? {
        guard text.allSatisfy({ $0 < 0x80 }), part.allSatisfy({ $0 < 0x80 }) else { return nil }
        guard let first = part.first else { return true }
        guard part.count <= text.count else { return false }
        return (0...text.count - part.count).contains { start in
            text[start] == first && part.indices.allSatisfy { text[start + $0] == part[$0] }
        }
    }
}
