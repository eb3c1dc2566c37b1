package import Commands
import TOML

/// Values as words: from the environment or the command line, and back to TOML.
package enum ConfigLiteral {
    /// The value that `word` means for a key of this shape. A word that fits the shape badly stays text, and the key's
    /// type says what it expected.
    package static func value(_ word: String, shape: ConfigShape) -> ConfigValue {
        switch shape {
        case .boolean:
            switch word.lowercased() {
            case "true", "yes", "on", "1": .boolean(true)
            case "false", "no", "off", "0": .boolean(false)
            default: .text(word)
            }
        case .integer: Int(word).map(ConfigValue.integer) ?? .text(word)
        case .text: .text(word)
        case .list:
            if word.hasPrefix("["), let value = literal(word) {
                value
            } else {
                .list(word.split(separator: ",").map { .text(trimmed($0)) })
            }
        case .textOrTable:
            if word.hasPrefix("{"), let value = literal(word) { value } else { .text(word) }
        }
    }

    private static func trimmed(_ word: Substring) -> String {
        let start = word.drop { $0 == " " }
        return String(start.reversed().drop { $0 == " " }.reversed())
    }

    /// A value in TOML's own notation; nil when it is none.
    private static func literal(_ word: String) -> ConfigValue? {
        guard !word.contains(where: \.isNewline), let node = try? TOML.parse("value = \(word)").entry("value")?.node
        else { return nil }
        return ConfigValue(node.value)
    }

    /// The value in TOML, on one line.
    package static func toml(_ value: ConfigValue) -> String {
        switch value {
        case .boolean(let truth): truth ? "true" : "false"
        case .integer(let number): String(number)
        case .text(let text): TOML.quoted(text)
        case .list(let values): "[" + values.map(toml).joined(separator: ", ") + "]"
        case .table(let members):
            members.isEmpty
                ? "{}"
                : "{ " + members.map { "\(TOML.key($0.name)) = \(toml($0.value))" }.joined(separator: ", ") + " }"
        case .unsupported(let kind): TOML.quoted(kind)
        }
    }
}

extension ConfigValue {
    /// A value of a TOML file.
    init(_ value: TOMLValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .integer(let number): self = .integer(Int(number))
        case .boolean(let truth): self = .boolean(truth)
        case .float: self = .unsupported("a number with a fraction")
        case .dateTime(let moment):
            self = .unsupported(moment.date == nil ? "a time without quotes" : "a date without quotes")
        case .array(let nodes): self = .list(nodes.map { ConfigValue($0.value) })
        case .table(let table):
            self = .table(table.entries.map { Member($0.key, ConfigValue($0.node.value)) })
        }
    }
}
