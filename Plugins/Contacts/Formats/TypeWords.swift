import TextDecoding

/// The label and preference in the parameters of a phone, an e-mail, an address or a URI.
struct TypeWords {
    /// The custom label of the property's group; it replaces the words.
    var customLabel: String?
    /// The service of a messenger, such as `icq`, which its URI may omit.
    var service: String?
    /// The preference: 1 is the highest, nil for none.
    private(set) var preference: Int?
    /// The first known word. Few properties have others, and each property of a card has these fields.
    private var first: LabelWord?
    /// The other known words.
    private var others: [LabelWord] = []
    /// Custom words.
    private var own: [String] = []

    /// The label: locations, then devices, then custom words.
    var label: String {
        if let customLabel { return customLabel }
        if let service, own.isEmpty {
            // Apple writes `OTHER` along with the service.
            return (words.filter { $0 != .other }.map(\.rawValue) + [service]).joined(separator: " ")
        }
        if own.isEmpty, others.isEmpty { return first?.rawValue ?? "" }
        return (words.map(\.rawValue) + own).joined(separator: " ")
    }

    /// The known words in the order of the labels.
    private var words: [LabelWord] { LabelWord.allCases.filter { $0 == first || others.contains($0) } }

    /// Parses parameters, each of which starts with a semicolon. Those inside quotes do not count.
    mutating func read(_ parameters: Span<UInt8>) {
        var start = 1
        var isQuoted = false
        while start <= parameters.count {
            var end = start
            var equals: Int?
            while end < parameters.count, isQuoted || parameters[end] != ASCII.semicolon {
                switch parameters[end] {
                case ASCII.quote: isQuoted.toggle()
                case ASCII.equals: if equals == nil { equals = end }
                default: break
                }
                end += 1
            }
            if let equals {
                if equals - start == 4, parameters.hasWord("TYPE", at: start) {
                    readList(parameters.extracting(equals + 1..<end))
                } else if equals - start == 4, parameters.hasWord("PREF", at: start) {
                    preference = TypeWords.preference(parameters.extracting(equals + 1..<end))
                }
            } else {
                readList(parameters.extracting(start..<end))
            }
            start = end + 1
        }
    }

    /// Parses words separated by commas or quotes.
    private mutating func readList(_ list: Span<UInt8>) {
        var start = 0
        while start < list.count {
            var end = start
            while end < list.count, list[end] != ASCII.comma, list[end] != ASCII.quote { end += 1 }
            // Some programs escape the separators.
            var last = end
            while last > start, list[last - 1] == ASCII.backslash { last -= 1 }
            if last > start { add(list.extracting(start..<last)) }
            start = end + 1
        }
    }

    private mutating func add(_ word: Span<UInt8>) {
        if word.count == 4, word.hasWord("PREF", at: 0) {
            preference = preference ?? 1
        } else if let known = LabelWord.byType.value(of: word) {
            if first == nil {
                first = known
            } else if let known, known != first, !others.contains(known) {
                others.append(known)
            }
        } else {
            // The X- is only required by the grammar.
            let isExtension = word.count > 2 && word.hasWord("X-", at: 0)
            let text = word.indices.dropFirst(isExtension ? 2 : 0).map { word[$0] }
            own.append(TextDecoding.decode(text).lowercased())
        }
    }

    /// The value of `PREF`, clamped to 1...100.
    private static func preference(_ digits: Span<UInt8>) -> Int? {
        var number: Int?
        for index in digits.indices where digits[index] != ASCII.quote {
            guard digits[index] &- 0x30 < 10, (number ?? 0) < 1000 else { return nil }
            number = (number ?? 0) * 10 + Int(digits[index] - 0x30)
        }
        return number.map { min(max($0, 1), 100) }
    }
}
