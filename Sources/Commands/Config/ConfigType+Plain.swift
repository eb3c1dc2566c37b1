extension ConfigType<Bool> {
    /// `true` or `false`.
    package static let bool = ConfigType("true or false", shape: .boolean, write: { .boolean($0) }) {
        (value, _) throws(ConfigMismatch) in
        guard case .boolean(let truth) = value else { throw .expected("true or false", found: value) }
        return truth
    }
}

extension ConfigType<Int> {
    /// A whole number in `range`.
    package static func integer(in range: ClosedRange<Int> = 0...Int.max) -> ConfigType {
        let expectation =
            range.upperBound == .max
            ? "a whole number, \(range.lowerBound) or more"
            : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        return ConfigType(expectation, shape: .integer, write: { .integer($0) }) { (value, _) throws(ConfigMismatch) in
            guard case .integer(let number) = value else { throw .expected(expectation, found: value) }
            guard range.contains(number) else { throw ConfigMismatch("expected \(expectation)") }
            return number
        }
    }
}

extension ConfigType<String> {
    /// Any text.
    package static let text = text("text") { _ in true }

    /// Text that `isValid` accepts; `expectation` describes it, such as `a locale such as "en_GB"`.
    package static func text(
        _ expectation: String, isValid: @escaping @Sendable (String) -> Bool
    ) -> ConfigType {
        ConfigType(expectation, shape: .text, write: { .text($0) }) { (value, _) throws(ConfigMismatch) in
            guard case .text(let text) = value else { throw .expected(expectation, found: value) }
            guard isValid(text) else { throw ConfigMismatch("expected \(expectation)") }
            return text
        }
    }

    /// The absolute path of a file or a folder; `~` at its start is the home folder. A path relative to where hub was
    /// started would mean something else each time and is refused.
    package static let path = ConfigType("a path that starts with / or ~", shape: .text, write: { .text($0) }) {
        (value, home) throws(ConfigMismatch) in
        let expectation = "a path that starts with / or ~"
        guard case .text(let text) = value else { throw .expected(expectation, found: value) }
        if text == "~" { return home }
        if text.hasPrefix("~/") { return home + text.dropFirst() }
        guard text.hasPrefix("/") else { throw ConfigMismatch("expected \(expectation)") }
        return text
    }

    /// One of `words`; for lists that are not known when the program is written.
    package static func word(of words: [String]) -> ConfigType {
        ConfigType(oneOf(words), shape: .text, choices: words, write: { .text($0) }) {
            (value, _) throws(ConfigMismatch) in try chosen(value, of: words)
        }
    }
}

extension ConfigType where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One word of a closed list.
    package static var word: ConfigType {
        let words = Value.allCases.map(\.rawValue)
        return ConfigType(oneOf(words), shape: .text, choices: words, write: { .text($0.rawValue) }) {
            (value, _) throws(ConfigMismatch) in
            guard let word = Value(rawValue: try chosen(value, of: words)) else {
                throw .expected(oneOf(words), found: value)
            }
            return word
        }
    }
}

/// The words as a sentence lists them: `always, bulk or never`.
private func oneOf(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " or " + last
}

/// The word that `value` says, when it is one of `words`.
private func chosen(_ value: ConfigValue, of words: [String]) throws(ConfigMismatch) -> String {
    guard case .text(let word) = value else { throw .expected(oneOf(words), found: value) }
    guard words.contains(word) else {
        if let nearest = Suggestion.nearest(to: word, in: words) { throw ConfigMismatch("did you mean \(nearest)?") }
        throw ConfigMismatch("expected \(oneOf(words))")
    }
    return word
}
