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
