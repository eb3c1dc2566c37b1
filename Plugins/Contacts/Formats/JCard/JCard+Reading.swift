import ContentLines
import JSON
import Text
import TextDecoding

extension JCard {
    /// Converts `node`, a jCard, to the bytes of a vCard 4.0.
    struct Refusal: Error {
        /// The place, in bytes from the beginning of the card.
        var offset = 0
        let reason: String
    }

    /// The bytes of the vCard 4.0 that says what `node`, a jCard, says.
    static func card(_ node: JSONValue) throws(Refusal) -> [UInt8] {
        guard case .array(let parts) = node, parts.count >= 2, case .array(let properties) = parts[1] else {
            throw Refusal(reason: "the properties are missing")
        }
        var bytes = Array("BEGIN:VCARD\r\nVERSION:4.0\r\n".utf8)
        for property in properties {
            guard let line = line(property) else {
                throw Refusal(reason: "a property is not an array of name, parameters, type and value")
            }
            if line.name == "VERSION" { continue }
            bytes += line.bytes(lineEnd: [ASCII.cr, ASCII.lf], version: .v4)
        }
        return bytes + Array("END:VCARD\r\n".utf8)
    }

    /// Returns the line of a property; nil if its structure is invalid.
    private static func line(_ node: JSONValue) -> PropertyLine? {
        guard case .array(let parts) = node, parts.count >= 4, case .string(let name) = parts[0], isName(name),
            case .object(let members) = parts[1], case .string(let written) = parts[2]
        else { return nil }
        let type = written.lowercased()
        var line = PropertyLine(name.uppercased())
        for member in members {
            let texts = texts(member.value)
            if member.name.lowercased() == "group" {
                if let group = texts.first, isName(group) { line.group = group }
            } else if isName(member.name) {
                line.parameters.append(
                    ContentParameter(
                        member.name.uppercased(), written: texts.map(parameterValue).joined(separator: ",")))
            }
        }
        if type != JCard.type(of: name), type != "unknown" {
            let declared = isName(type) ? ContentParameter.escaped(type) : "text"
            line.parameters.append(ContentParameter("VALUE", written: declared))
        }
        let values = parts[3...].compactMap { value($0, name: name, type: type) }
        line.content = Array(values.joined(separator: ",").utf8)
        return line
    }

    /// Returns a value in vCard syntax.
    private static func value(_ node: JSONValue, name: String, type: String) -> String? {
        if case .array(let components) = node {
            return components.map { component in
                texts(component).map { escaped($0, type) }.joined(separator: ",")
            }
            .joined(separator: ";")
        }
        return node.scalarText.map { escaped($0, type) }
    }

    private static func escaped(_ text: String, _ type: String) -> String {
        if isTime(type) { return ValueEncoding.escaped(basic(text)) }
        if type == "utc-offset" { return ValueEncoding.escaped(text.filter { $0 != ":" }) }
        let plain = TextDecoding.withoutControls(text)
        switch type {
        // A line end would start another property.
        case "unknown": return plain.replacing("\n", with: "\\n")
        case "uri": return plain.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        default: return ValueEncoding.escaped(plain)
        }
    }

    private static func texts(_ node: JSONValue) -> [String] {
        if case .array(let items) = node { return items.compactMap(\.scalarText) }
        return node.scalarText.map { [$0] } ?? []
    }

    /// A parameter value with RFC 6868 escapes, quoted if necessary.
    private static func parameterValue(_ text: String) -> String {
        ContentParameter.quoted(ContentParameter.escaped(TextDecoding.withoutControls(text)))
    }

    /// Whether the text may be the name of a property, a parameter or a group; programs use more characters than the
    /// RFC.
    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !separators.contains($0) }
    }

    private static let separators = Set(";:,.=\"".utf8)
}
