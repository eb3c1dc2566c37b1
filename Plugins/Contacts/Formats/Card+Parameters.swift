import TextDecoding

extension Card {
    /// A parameter of a property: `TYPE=work`, or a bare word of 2.1, whose name is empty.
    struct Parameter: Hashable {
        /// The name as written.
        var name: String
        /// The text after the `=`, as written.
        var value: String

        /// The values, split at commas, without quotes. A quoted list (`"work,voice"`) is split as well.
        var values: [String] {
            value.split { $0 == "," || $0 == "\"" }.map { $0.trimmed }.filter { !$0.isEmpty }
        }

        /// The parameter as written, with its semicolon.
        var text: String { name.isEmpty ? ";\(value)" : ";\(name)=\(value)" }
    }

    /// The parameters of a property in order, without empty ones.
    func parameters(_ property: Property) -> [Parameter] {
        if property.parameters.isEmpty { return [] }
        let text = TextDecoding.decode(unfolded(property.parameters, property))
        var parameters: [Parameter] = []
        var quoted = false
        let pieces = text.split(omittingEmptySubsequences: true) { character in
            if character == "\"" { quoted.toggle() }
            return character == ";" && !quoted
        }
        for piece in pieces {
            if let equals = piece.firstIndex(of: "=") {
                parameters.append(
                    Parameter(
                        name: piece[..<equals].trimmed, value: String(piece[piece.index(after: equals)...])))
            } else if !piece.trimmed.isEmpty {
                parameters.append(Parameter(name: "", value: piece.trimmed))
            }
        }
        return parameters
    }

    /// The value of the first parameter named `name`, which is in upper case; without quotes, RFC 6868 decoded.
    func parameter(_ name: String, of property: Property) -> String? {
        if property.parameters.isEmpty { return nil }
        guard let parameter = parameters(property).first(where: { $0.name.uppercased() == name }) else { return nil }
        let value = parameter.value.filter { $0 != "\"" }
        return value.contains("^") ? Card.caretDecoded(value) : value
    }

    /// RFC 6868: `^n`, `^^` and `^'`.
    static func caretDecoded(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            guard character == "^", let next = rest.first else {
                result.append(character)
                continue
            }
            switch next {
            case "n": result.append("\n")
            case "^": result.append("^")
            case "'": result.append("\"")
            default:
                result.append("^")
                continue
            }
            rest = rest.dropFirst()
        }
        return result
    }
}
