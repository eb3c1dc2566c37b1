/// Texts inside of values (RFC 5545 §3.3.11).
enum ICalText {
    /// The text with its escapes. Control characters that no calendar can hold become U+FFFD.
    static func escaped(_ text: String) -> String {
        var result = ""
        var wasReturn = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case ";": result += "\\;"
            case ",": result += "\\,"
            case "\n": if !wasReturn { result += "\\n" }
            case "\r": result += "\\n"
            case "\t": result += "\t"
            default: result.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? "\u{FFFD}" : scalar)
            }
            wasReturn = scalar == "\r"
        }
        return result
    }

    /// The text that escapes stand for. A backslash before any other character stands for itself.
    static func unescaped(_ value: some StringProtocol) -> String {
        var result = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in value.unicodeScalars {
            if isEscaped {
                switch scalar {
                case "n", "N": result.append("\n")
                case "\\", ";", ",": result.append(scalar)
                default: result.append(contentsOf: ["\\", scalar])
                }
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                result.append(scalar)
            }
        }
        if isEscaped { result.append("\\") }
        return String(result)
    }

    /// Returns the texts of a list, separated by unescaped commas; none for an empty value.
    static func list(_ value: String) -> [String] {
        guard !value.isEmpty else { return [] }
        var parts: [String] = []
        let scalars = value.unicodeScalars
        var start = scalars.startIndex
        var isEscaped = false
        for index in scalars.indices {
            let scalar = scalars[index]
            if !isEscaped, scalar == "," {
                parts.append(unescaped(value[start..<index]))
                start = scalars.index(after: index)
            }
            isEscaped = !isEscaped && scalar == "\\"
        }
        return parts + [unescaped(value[start...])]
    }
}
