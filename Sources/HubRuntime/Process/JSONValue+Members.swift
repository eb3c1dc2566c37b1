package import HubKit

extension JSONValue {
    /// An object with these members; those that are nil are left out.
    static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        .object(members.compactMap { name, value in value.map { Member(name: name, value: $0) } })
    }

    static func int(_ number: Int) -> JSONValue { .number(String(number)) }

    /// The value as JSON in one line.
    package var line: String {
        var writer = JSONWriter()
        writer.value(self)
        return writer.string
    }

    /// The same with all texts changed by `change`, the names of members aside.
    func mappingTexts(_ change: (String) -> String) -> JSONValue {
        switch self {
        case .string(let text): .string(change(text))
        case .array(let elements): .array(elements.map { $0.mappingTexts(change) })
        case .object(let members):
            .object(members.map { Member(name: $0.name, value: $0.value.mappingTexts(change)) })
        case .null, .bool, .number: self
        }
    }
}
