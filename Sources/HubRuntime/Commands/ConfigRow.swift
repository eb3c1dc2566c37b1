import Commands

/// A setting in force, as `hub config list` shows it.
struct ConfigRow: Sendable {
    let entry: Configuration.Entry

    /// The value for people: text without quotes; of a secret only that it is set.
    var shownValue: String { shown(entry.winner.value) }

    private func shown(_ value: ConfigValue?) -> String {
        switch value {
        case .text where entry.setting.key.isSecret: "(hidden)"
        case .text(let text): text
        case let value?: ConfigLiteral.toml(value)
        case nil: ""
        }
    }

    private var isHidden: Bool {
        if case .text = entry.winner.value { entry.setting.key.isSecret } else { false }
    }

    /// `config.toml:3 "DE", default`: what the value overrode.
    private var overridden: [String] {
        entry.overridden.map { "\($0.origin) \(shown($0.value))" }
    }

    /// The fields of a row; the origin is a column of the table only when it was asked for.
    static func fields(withOrigin: Bool) -> [Field<ConfigRow>] {
        let column: FieldDescriptor.Column = withOrigin ? .always : .onRequest
        return [
            Field("setting", "SETTING", help: "name of the setting") { .text($0.entry.path.description) },
            Field(
                "value", "VALUE", help: "effective value; null when there is none", cell: \.cell
            ) { $0.isHidden ? .text($0.shownValue) : FieldValue($0.entry.winner.value) },
            Field("origin", "ORIGIN", help: "origin of the value", column: column) {
                .text($0.entry.winner.origin.description)
            },
            Field(
                "overrides", "OVERRIDES", help: "overridden values", column: column,
                cell: { $0.overridden.joined(separator: ", ") }
            ) { FieldValue($0.overridden) },
            Field("help", "MEANING", help: "description", column: withOrigin ? .onRequest : .ifRoom(1)) {
                .text($0.entry.setting.key.help)
            },
            Field("takes", "TAKES", help: "expected values", column: .onRequest) {
                .text($0.entry.setting.key.expectation)
            },
            Field("variable", "VARIABLE", help: "environment variable that sets it", column: .onRequest) {
                FieldValue($0.entry.setting.environmentName)
            },
        ]
    }

    private var cell: String {
        guard entry.winner.value == nil else { return shownValue }
        return entry.setting.key.defaultText.map { "(\($0))" } ?? "(none)"
    }
}

extension FieldValue {
    /// A value of the configuration, or null.
    fileprivate init(_ value: ConfigValue?) {
        switch value {
        case .boolean(let truth): self = .bool(truth)
        case .integer(let number): self = .integer(number)
        case .text(let text), .unsupported(let text): self = .text(text)
        case .list(let values): self = .list(values.map { FieldValue($0) })
        case .table(let members): self = .object(members.map { Member($0.name, FieldValue($0.value)) })
        case nil: self = .null
        }
    }
}
