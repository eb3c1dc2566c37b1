/// A parameter of a property, as it is written (RFC 6350 §5, RFC 5545 §3.2).
package struct ContentParameter: Hashable, Sendable {
    /// The name as written; empty for a word without a name, as vCard 2.1 and vCalendar 1.0 have them.
    package let name: String
    /// The text after the equals sign as written, with its quotes and escapes.
    package let written: String

    /// Creates a parameter with one value, which is escaped and quoted as far as it needs that.
    package init(_ name: String, _ value: String) {
        self.init(name, written: ContentParameter.quoted(ContentParameter.escaped(ContentParameter.plain(value))))
    }

    /// Creates a parameter with `written` as the text after the equals sign.
    package init(_ name: String, written: String) {
        self.name = name
        self.written = written
    }

    /// The value without quotes, its escapes decoded. A list of values is one text with commas.
    package var value: String {
        let text =
            written.utf8.contains(UInt8(ascii: "\""))
            ? String(String.UnicodeScalarView(written.unicodeScalars.filter { $0 != "\"" })) : written
        return ContentParameter.unescaped(text)
    }

    /// The parameter as written, with its semicolon.
    package var text: String { name.isEmpty ? ";\(written)" : ";\(name)=\(written)" }
}

extension ContentParameter {
    /// Splits the part of a line between its name and its colon, such as `;TYPE=work;PREF=1`.
    ///
    /// Nothing is left out or changed: joined, the parameters are `text` again. Semicolons inside quotes do not count.
    package static func list(_ text: String) -> [ContentParameter] {
        var parameters: [ContentParameter] = []
        let bytes = text.utf8
        var start = bytes.startIndex
        if bytes.first == UInt8(ascii: ";") { start = bytes.index(after: start) }
        guard start < bytes.endIndex || !text.isEmpty else { return [] }
        var index = start
        var equals: String.Index?
        var isQuoted = false
        func add() {
            if let equals, equals > start {
                let value = text[bytes.index(after: equals)..<index]
                parameters.append(ContentParameter(String(text[start..<equals]), written: String(value)))
            } else {
                parameters.append(ContentParameter("", written: String(text[start..<index])))
            }
        }
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "="): if equals == nil { equals = index }
            case UInt8(ascii: ";") where !isQuoted:
                add()
                start = bytes.index(after: index)
                equals = nil
            default: break
            }
            index = bytes.index(after: index)
        }
        add()
        return parameters
    }

    /// Returns `value` in quotes if it contains a separator. What no value can hold is replaced: quotes by apostrophes,
    /// control characters by spaces.
    package static func quoted(_ value: String) -> String {
        let text = plain(value)
        return text.utf8.contains { ",;:".utf8.contains($0) } ? "\"\(text)\"" : text
    }

    private static func plain(_ value: String) -> String {
        func isRefused(_ code: UInt32) -> Bool { code < 0x20 && code != 0x09 || code == 0x7F }
        guard value.utf8.contains(where: { isRefused(UInt32($0)) || $0 == UInt8(ascii: "\"") }) else { return value }
        var result = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            result.append(scalar == "\"" ? "'" : isRefused(scalar.value) ? " " : scalar)
        }
        return String(result)
    }
}

/// Carets stand for characters that no value can hold (RFC 6868).
extension ContentParameter {
    /// Returns `value` with quotes, line feeds and carets as `^'`, `^n` and `^^`.
    package static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x22 || $0 == 0x0A || $0 == UInt8(ascii: "^") }) else { return value }
        var result = String.UnicodeScalarView()
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": result.append(contentsOf: ["^", "'"])
            case "\n": result.append(contentsOf: ["^", "n"])
            case "^": result.append(contentsOf: ["^", "^"])
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Returns the text that the escapes of `value` stand for. A caret before any other character stands for itself.
    package static func unescaped(_ value: String) -> String {
        guard value.utf8.contains(UInt8(ascii: "^")) else { return value }
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in value.unicodeScalars {
            guard isEscaped else {
                if scalar == "^" { isEscaped = true } else { result.append(scalar) }
                continue
            }
            isEscaped = false
            switch scalar {
            case "n": result.append("\n")
            case "'": result.append("\"")
            case "^": result.append("^")
            default: result.append(contentsOf: ["^", scalar])
            }
        }
        if isEscaped { result.append("^") }
        return String(result)
    }
}
