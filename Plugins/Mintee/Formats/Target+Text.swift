extension Target: CustomStringConvertible {
    /// The target as people type it: `3 <= x < 5`, `x >= 20`, `x = 2`.
    package var description: String { label() }

    /// The target that `text` says, in normal form; throws what is wrong and where.
    ///
    /// One or two comparisons of `x` with numbers, either way round: `3 <= x < 5`, `x >= 20`, `5 > x`. Without `x`,
    /// `>= 20` does too; `done` is `x >= 1`.
    package init(_ text: String) throws(TextProblem) {
        try self.init(text[...], column: 1)
    }

    init(_ text: Substring, column: Int) throws(TextProblem) {
        let tokens = TargetReading.tokens(of: text, from: column)
        let all = column..<column + Swift.max(1, text.count)
        if tokens.count == 1, tokens[0].text.lowercased() == "done" {
            self = .done
            return
        }
        var reading = TargetReading(all: all)
        try reading.read(tokens)
        do throws(TargetProblem) {
            self = try Target(
                minOperator: reading.minOperator, maxOperator: reading.maxOperator, min: reading.min, max: reading.max)
        } catch {
            let start = tokens.first?.columns.lowerBound ?? column
            throw TextProblem(error.message, start..<(tokens.last?.columns.upperBound ?? start + 1))
        }
    }
}

/// The comparisons of a target, as they are met.
private struct TargetReading {
    let all: Range<Int>
    var (minOperator, maxOperator) = (TargetOperator.none, TargetOperator.none)
    var (min, max) = (0.0, 0.0)

    init(all: Range<Int>) { self.all = all }

    /// How two sides are compared, written from the left.
    private enum Comparison { case less, lessOrEqual, equal, greaterOrEqual, greater }

    private static let comparisons: [String: Comparison] = [
        "<": .less, "<=": .lessOrEqual, "≤": .lessOrEqual, "=<": .lessOrEqual, "=": .equal, "==": .equal,
        ">": .greater, ">=": .greaterOrEqual, "≥": .greaterOrEqual, "=>": .greaterOrEqual,
    ]

    /// Numbers, operators and words, parted by blanks or by what they are made of.
    static func tokens(of text: Substring, from start: Int) -> [TextToken] {
        let signs: Set<Character> = ["<", ">", "=", "≤", "≥"]
        var tokens: [TextToken] = []
        var current = ""
        var isSign = false
        var column = start
        func end(_ current: String, _ column: Int) -> TextToken {
            TextToken(text: current, columns: column - current.count..<column)
        }
        for character in text + " " {
            let sign = signs.contains(character)
            if !current.isEmpty, character.isWhitespace || sign != isSign {
                tokens.append(end(current, column))
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
        if let first = tokens.first, TargetReading.comparisons[first.text] != nil {
            tokens.insert(TextToken(text: "x", columns: first.columns), at: 0)
        }
        guard !tokens.isEmpty else { throw TextProblem("no target is given", all) }
        for (index, token) in tokens.enumerated()
        where (TargetReading.comparisons[token.text] != nil) != (index % 2 == 1) {
            throw TextProblem(
                index % 2 == 1 ? "expected <, <=, =, >= or >" : "expected a number or x", token.columns,
                word: index % 2 == 1 ? token.text : nil, vocabulary: ["<", "<=", "=", ">=", ">"])
        }
        guard tokens.count == 3 || tokens.count == 5 else {
            let end = tokens[tokens.count - 1].columns.upperBound
            throw TextProblem("a target is written x >= 20 or 3 <= x < 5", end..<end + 1)
        }
        let values = tokens.indices.filter { $0 % 2 == 0 }
        let places = values.filter { TargetReading.isValue(tokens[$0].text) }
        guard places.count == 1, let place = places.first, tokens.count == 3 || place == 2 else {
            let second = places.count > 1 ? tokens[places[1]].columns : all
            throw TextProblem("x stands once, between its bounds", second)
        }
        for index in tokens.indices where index % 2 == 1 {
            guard let comparison = TargetReading.comparisons[tokens[index].text] else { continue }
            let isValueLeft = index - 1 == place
            let bound = tokens[isValueLeft ? index + 1 : index - 1]
            guard let number = NumberText.number(bound.text) else {
                throw TextProblem("\"\(bound.text)\" is no number", bound.columns)
            }
            try add(isValueLeft ? comparison : TargetReading.mirrored(comparison), number, tokens[index].columns)
        }
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

    /// Takes in `x` compared with `number`.
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
}
