package import Text

extension Target: CustomStringConvertible {
    /// The target as typed: `3 <= x < 5`, `x >= 20`, `x = 2`.
    package var description: String { label() }

    /// Parses a target in normal form; throws the problem with its position.
    ///
    /// One or two comparisons of `x` with numbers, either way round: `3 <= x < 5`, `x >= 20`, `5 > x`. `x` may be left
    /// out, as in `>= 20`; `done` is `x >= 1`. Equivalent words are accepted: `at least 8`, `8+`, `6-10`.
    package init(_ text: String, _ mark: DecimalMark = .point) throws(TextProblem) {
        try self.init(text[...], column: 1, mark)
    }

    init(_ text: Substring, column: Int, _ mark: DecimalMark) throws(TextProblem) {
        let tokens = TargetPhrase.tokens(of: text, from: column)
        let all = column..<column + Swift.max(1, text.count)
        if tokens.count == 1, tokens[0].text.lowercased() == "done" {
            self = .done
            return
        }
        var phrase = TargetPhrase(all: all, mark: mark)
        try phrase.read(tokens)
        do throws(TargetProblem) {
            self = try Target(
                minOperator: phrase.minOperator, maxOperator: phrase.maxOperator, min: phrase.min, max: phrase.max)
        } catch {
            let start = tokens.first?.columns.lowerBound ?? column
            throw TextProblem(error.message, start..<(tokens.last?.columns.upperBound ?? start + 1))
        }
    }
}

/// The comparisons of a target while it is parsed.
struct TargetPhrase {
    let all: Range<Int>
    /// The decimal mark of the numbers.
    let mark: DecimalMark
    private(set) var (minOperator, maxOperator) = (TargetOperator.none, TargetOperator.none)
    private(set) var (min, max) = (0.0, 0.0)

    init(all: Range<Int>, mark: DecimalMark) {
        self.all = all
        self.mark = mark
    }

    /// A comparison of two sides, as written from the left.
    private enum Comparison { case less, lessOrEqual, equal, greaterOrEqual, greater }

    private static let comparisons: [String: Comparison] = [
        "<": .less, "<=": .lessOrEqual, "≤": .lessOrEqual, "=<": .lessOrEqual, "=": .equal, "==": .equal,
        ">": .greater, ">=": .greaterOrEqual, "≥": .greaterOrEqual, "=>": .greaterOrEqual,
    ]

    private static let signs: Set<Character> = ["<", ">", "=", "≤", "≥"]

    /// The start of the target in a text without a colon: the value left of its first comparison, or the comparison
    /// itself; nil if there is none.
    static func start(in text: Substring) -> String.Index? {
        guard let sign = text.firstIndex(where: signs.contains) else { return nil }
        let before = text[..<sign]
        guard let end = before.lastIndex(where: { !$0.isWhitespace }) else { return sign }
        let from = before[...end].lastIndex { $0.isWhitespace || $0 == "," }.map { before.index(after: $0) }
        let start = from ?? before.startIndex
        guard start <= end else { return sign }
        let word = before[start...end]
        return isValue(String(word)) || NumberText.number(word) != nil ? start : sign
    }

    /// Splits numbers, operators and words, separated by blanks or by character class.
    static func tokens(of text: Substring, from start: Int) -> [TextToken] {
        var tokens: [TextToken] = []
        var current = ""
        var isSign = false
        var column = start
        for character in text + " " {
            let sign = signs.contains(character)
            if !current.isEmpty, character.isWhitespace || sign != isSign {
                tokens.append(TextToken(text: current, columns: column - current.count..<column))
                current = ""
            }
            if !character.isWhitespace {
                current.append(character)
                isSign = sign
            }
            column += 1
        }
        return tokens
    }

    mutating func read(_ tokens: [TextToken]) throws(TextProblem) {
        var tokens = tokens
        guard !tokens.isEmpty else { throw TextProblem("no target given", all) }
        guard tokens.contains(where: { TargetPhrase.comparisons[$0.text] != nil }) else { return try readWords(tokens) }
        if let first = tokens.first, TargetPhrase.comparisons[first.text] != nil {
            tokens.insert(TextToken(text: "x", columns: first.columns), at: 0)
        }
        for (index, token) in tokens.enumerated()
        where (TargetPhrase.comparisons[token.text] != nil) != (index % 2 == 1) {
            if index == tokens.count - 1, index % 2 == 1 { throw TargetPhrase.isUnit(token, tokens[..<index]) }
            throw TextProblem(
                index % 2 == 1 ? "expected <, <=, =, >= or >" : "expected a number or x", token.columns,
                hint: "write \"x >= 20\" or \"3 <= x < 5\"")
        }
        guard tokens.count == 3 || tokens.count == 5 else {
            let end = tokens[tokens.count - 1].columns.upperBound
            throw TextProblem("expected a target such as x >= 20 or 3 <= x < 5", end..<end + 1)
        }
        let values = tokens.indices.filter { $0 % 2 == 0 }
        let places = values.filter { TargetPhrase.isValue(tokens[$0].text) }
        guard places.count == 1, let place = places.first, tokens.count == 3 || place == 2 else {
            let second = places.count > 1 ? tokens[places[1]].columns : all
            throw TextProblem("x must occur once, between its bounds", second)
        }
        for index in tokens.indices where index % 2 == 1 {
            guard let comparison = TargetPhrase.comparisons[tokens[index].text] else { continue }
            let isValueLeft = index - 1 == place
            let bound = tokens[isValueLeft ? index + 1 : index - 1]
            let value = try number(bound)
            try add(isValueLeft ? comparison : TargetPhrase.mirrored(comparison), value, tokens[index].columns)
        }
    }

    // MARK: - Numbers

    /// The number of a token; throws with a hint for a decimal comma or a unit.
    private func number(_ token: TextToken) throws(TextProblem) -> Double {
        if let number = try? NumberText.number(token.text, mark) { return number }
        let problem = NumberText.problem(token.text, mark)
        let message = if case .ambiguous = problem { "has two readings" } else { "is not a number" }
        throw TextProblem("\"\(token.text)\" \(message)", token.columns, hint: problem.hint)
    }

    private static func isUnit(_ token: TextToken, _ rest: ArraySlice<TextToken>) -> TextProblem {
        TextProblem(
            "a target cannot have a unit", token.columns,
            hint: "write \"\(rest.map(\.text).joined(separator: " "))\"; put units into --notes")
    }

    private static func isValue(_ text: String) -> Bool { ["x", "value", "target"].contains(text.lowercased()) }

    private static func mirrored(_ comparison: Comparison) -> Comparison {
        switch comparison {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .equal: .equal
        case .greaterOrEqual: .lessOrEqual
        case .greater: .less
        }
    }

    /// Adds the comparison of `x` with `number`.
    private mutating func add(_ comparison: Comparison, _ number: Double, _ columns: Range<Int>) throws(TextProblem) {
        switch comparison {
        case .less, .lessOrEqual:
            guard maxOperator == .none else { throw TextProblem("there are two upper bounds", columns) }
            (maxOperator, max) = (comparison == .less ? .less : .lessOrEqual, number)
        case .greater, .greaterOrEqual, .equal:
            guard minOperator == .none else { throw TextProblem("there are two lower bounds", columns) }
            (minOperator, min) = (
                comparison == .greater ? .less : comparison == .equal ? .equal : .lessOrEqual, number
            )
        }
    }

    // MARK: - Words

    private static let before: [String: Comparison] = [
        "at least": .greaterOrEqual, "min": .greaterOrEqual, "minimum": .greaterOrEqual,
        "no less than": .greaterOrEqual,
        "not less than": .greaterOrEqual, "no fewer than": .greaterOrEqual, "at most": .lessOrEqual,
        "max": .lessOrEqual, "maximum": .lessOrEqual, "up to": .lessOrEqual, "no more than": .lessOrEqual,
        "not more than": .lessOrEqual, "more than": .greater, "over": .greater, "above": .greater, "less than": .less,
        "fewer than": .less, "under": .less, "below": .less, "exactly": .equal,
    ]

    private static let after: [String: Comparison] = [
        "or more": .greaterOrEqual, "and more": .greaterOrEqual, "+": .greaterOrEqual, "or less": .lessOrEqual,
        "or fewer": .lessOrEqual,
    ]

    /// `at least 8`, `8+`, `6-10`, `between 6 and 10`, with `x` or `x is` before it.
    private mutating func readWords(_ tokens: [TextToken]) throws(TextProblem) {
        var words = TargetPhrase.split(tokens)[...]
        if let first = words.first, TargetPhrase.isValue(first.text), words.count > 1 { words = words.dropFirst() }
        guard let first = words.first, let last = words.last else { throw TextProblem("no target given", all) }
        let columns = first.columns.lowerBound..<last.columns.upperBound
        let texts = words.map { $0.text.lowercased() }
        if let comparison = TargetPhrase.before[texts.dropLast().joined(separator: " ")] {
            try add(comparison, number(last), columns)
        } else if let comparison = TargetPhrase.after[texts.dropFirst().joined(separator: " ")] {
            try add(comparison, number(first), columns)
        } else if let (low, high) = TargetPhrase.ends(Array(words), texts) {
            try add(.greaterOrEqual, number(low), columns)
            try add(.lessOrEqual, number(high), columns)
        } else {
            throw TargetPhrase.refusal(Array(words), columns, mark)
        }
    }

    /// The ends of `6-10`, `6 to 10`, `between 6 and 10`.
    private static func ends(_ words: [TextToken], _ texts: [String]) -> (TextToken, TextToken)? {
        if words.count == 3, ["-", "–", "to", ".."].contains(texts[1]) { return (words[0], words[2]) }
        if words.count == 4, texts[0] == "between" && texts[2] == "and" || texts[0] == "from" && texts[2] == "to" {
            return (words[1], words[3])
        }
        return nil
    }

    /// Splits tokens such as `8+` and `6-10` at their signs.
    private static func split(_ tokens: [TextToken]) -> [TextToken] {
        tokens.flatMap { token -> [TextToken] in
            if NumberText.number(token.text) != nil { return [token] }
            let start = token.columns.lowerBound
            func part(_ text: Substring) -> TextToken {
                let first = start + token.text.distance(from: token.text.startIndex, to: text.startIndex)
                return TextToken(text: String(text), columns: first..<first + text.count)
            }
            if token.text.hasSuffix("+"), token.text.count > 1 {
                return [part(token.text.dropLast()), part(token.text.suffix(1))]
            }
            for sign in ["..", "–", "-"] {
                guard let range = token.text.dropFirst().firstRange(of: sign), token.text.first?.isNumber == true else {
                    continue
                }
                let high = token.text[range.upperBound...]
                if high.isEmpty { continue }
                return [part(token.text[..<range.lowerBound]), part(token.text[range]), part(high)]
            }
            return [token]
        }
    }

    private static func refusal(
        _ words: [TextToken], _ columns: Range<Int>, _ mark: DecimalMark
    ) -> TextProblem {
        if words.count == 1 {
            let problem = NumberText.problem(words[0].text, mark)
            if case .ambiguous = problem {
                return TextProblem("\"\(words[0].text)\" has two readings", columns, hint: problem.hint)
            }
            let suggestion: String? = if case .malformed(let text) = problem { text } else { nil }
            guard
                let number = (try? NumberText.number(words[0].text, mark))
                    ?? suggestion.flatMap({ try? NumberText.number($0, mark) })
            else {
                let isX = isValue(words[0].text)
                return TextProblem(
                    isX ? "expected a target such as x >= 20 or 3 <= x < 5" : "\"\(words[0].text)\" is not a target",
                    isX ? columns.upperBound..<columns.upperBound + 1 : columns,
                    hint: "write \"x >= 20\" or \"3 <= x < 5\"")
            }
            let text = NumberText.text(number)
            return TextProblem(
                "ambiguous: a minimum or a maximum", columns,
                hint: "write x >= \(text) (at least), x <= \(text) (at most) or x = \(text)")
        }
        if ["is", "are"].contains(words[0].text.lowercased()),
            let number = NumberText.number(words[words.count - 1].text)
        {
            return TextProblem(
                "expected <, <=, =, >= or >", words[0].columns, hint: "write \"x = \(NumberText.text(number))\"")
        }
        if let unit = words.last, NumberText.number(words[words.count - 2].text) != nil,
            NumberText.number(unit.text) == nil
        {
            let rest = Array(words.dropLast())
            let texts = rest.map { $0.text.lowercased() }
            let isKnown =
                rest.count == 1 || before[texts.dropLast().joined(separator: " ")] != nil || ends(rest, texts) != nil
            if isKnown {
                let number = words[words.count - 2].text
                return TextProblem(
                    "a target cannot have a unit", unit.columns,
                    hint: rest.count == 1
                        ? "write \"x >= \(number)\"; put units into --notes"
                        : "write \"\(rest.map(\.text).joined(separator: " "))\"; put units into --notes")
            }
        }
        return TextProblem(
            "this is not a target", columns, hint: "write \"x >= 20\", \"x <= 3\" or \"3 <= x < 5\"")
    }
}
