import Commands

/// The settings as a JSON Schema (2020-12), by which editors complete and check the config file.
enum ConfigJSONSchema {
    /// Returns the schema of all settings, in their order.
    static func document(of schema: ConfigSchema) -> JSONValue {
        let root = Table()
        for setting in schema.settings { root.insert(setting, at: setting.path.parts[...]) }
        for plugin in schema.plugins { root.insert(nil, at: ["plugins", plugin]) }
        guard case .object(let members) = root.json else { return .null }
        return .object(
            [
                .init(name: "$schema", value: .string("https://json-schema.org/draft/2020-12/schema")),
                .init(name: "title", value: .string("hub's settings")),
            ] + members)
    }

    /// A table of the file: its settings and tables in the order of the declarations.
    private final class Table {
        private var names: [String] = []
        private var tables: [String: Table] = [:]
        private var settings: [String: ConfigSchema.Setting] = [:]

        func insert(_ setting: ConfigSchema.Setting?, at parts: ArraySlice<String>) {
            guard let first = parts.first else { return }
            if tables[first] == nil, settings[first] == nil { names.append(first) }
            if parts.count == 1, let setting {
                settings[first] = setting
            } else {
                let table = tables[first] ?? Table()
                tables[first] = table
                table.insert(setting, at: parts.dropFirst())
            }
        }

        /// An unknown name is a warning to hub and an error to an editor, where it is a typing error.
        var json: JSONValue {
            let known = names.filter { $0 != ConfigPath.anyName }
            let other = json(of: ConfigPath.anyName)
            return .members([
                "type": .string("object"),
                "properties": known.isEmpty
                    ? nil : .object(known.map { .init(name: $0, value: json(of: $0) ?? .null) }),
                "additionalProperties": other ?? .bool(false),
            ])
        }

        private func json(of name: String) -> JSONValue? {
            // A name may be that of a setting and of a table at once.
            switch (settings[name], tables[name]) {
            case (let setting?, let table?):
                .members(["anyOf": .array([ConfigJSONSchema.json(of: setting.key), table.json])])
            case (let setting?, nil): ConfigJSONSchema.json(of: setting.key)
            case (nil, let table): table?.json
            }
        }
    }

    private static func json(of key: AnyConfigKey) -> JSONValue {
        let words = key.choices.isEmpty ? nil : JSONValue.array(key.choices.map(JSONValue.string))
        var members: [JSONValue.Member]
        switch key.shape {
        case .boolean: members = [.init(name: "type", value: .string("boolean"))]
        case .integer: members = [.init(name: "type", value: .string("integer"))]
        case .text:
            members = [.init(name: "type", value: .string("string"))]
            if let words { members.append(.init(name: "enum", value: words)) }
        case .list:
            // The elements of some lists are tables or numbers, so only lists of words say what they have.
            members = [.init(name: "type", value: .string("array"))]
            if let words { members.append(.init(name: "items", value: .members(["enum": words]))) }
        case .textOrTable:
            members = [.init(name: "type", value: .array([.string("string"), .string("object")]))]
        }
        members.append(.init(name: "description", value: .string("\(key.help); \(key.expectation)")))
        if let value = key.defaultValue.flatMap(json) { members.append(.init(name: "default", value: value)) }
        return .object(members)
    }

    private static func json(_ value: ConfigValue) -> JSONValue? {
        switch value {
        case .boolean(let truth): .bool(truth)
        case .integer(let number): .int(number)
        case .text(let text): .string(text)
        case .list(let values): .array(values.compactMap(json))
        case .table, .unsupported: nil
        }
    }
}
