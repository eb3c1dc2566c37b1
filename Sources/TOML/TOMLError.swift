/// The first syntax error in a text, with its position.
package struct TOMLError: Error, Hashable, Sendable {
    /// The character at which the text stops to make sense.
    package let position: TOMLPosition
    /// The message, in lower case without a full stop.
    package let message: String

    package init(position: TOMLPosition, message: String) {
        self.position = position
        self.message = message
    }
}

extension TOMLError {
    /// The parser's words without its own structure: `Error while parsing array: expected …, saw '\n'` becomes
    /// `expected …, found the end of the line`.
    static func plainMessage(_ text: String) -> String {
        if text.contains("TOML_MAX_NESTED_VALUES") { return "nested too deep" }
        var words = text[...]
        if words.hasPrefix("Error while parsing "), let colon = words.firstRange(of: ": ") {
            words = words[colon.upperBound...]
        }
        let plain = words.replacing("saw '\\n'", with: "found the end of the line")
            .replacing("encountered end-of-file", with: "the file ends too early")
            .replacing("saw '", with: "found '")
        return plain.prefix(1).lowercased() + plain.dropFirst()
    }
}

/// A place in a text. Lines and columns count from 1; a column is one Unicode scalar.
package struct TOMLPosition: Hashable, Comparable, Sendable {
    /// The line, counted from 1.
    package var line: Int
    /// The column in Unicode scalars, counted from 1.
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The first character of a text.
    package static let start = TOMLPosition(line: 1, column: 1)

    /// Whether `left` comes earlier in the file.
    package static func < (left: TOMLPosition, right: TOMLPosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// The text of a key or value, from `start` up to, not including, `end`.
///
/// A table made by a header has the header's range, one made by a dotted key the range of its part of the key.
package struct TOMLRange: Hashable, Sendable {
    /// The position of the first character.
    package var start: TOMLPosition
    /// The position after the last character.
    package var end: TOMLPosition

    package init(_ start: TOMLPosition, _ end: TOMLPosition) {
        self.start = start
        self.end = end
    }
}
