/// The source of a password or token. The config file names the source, so that it can be shown to others; only
/// `text` is the secret itself.
package enum SecretSource: Hashable, Sendable {
    /// The secret itself.
    case text(String)
    /// The first line that this shell command prints.
    case command(String)
    /// An entry of the keyring. The config file can name only entries that the user named.
    case keyring(KeyringEntry)
    /// The first line of this file.
    case file(String)

    /// None: that of a server that has no secrets.
    package static let nothing = SecretSource.text("")
}

extension ConfigType<SecretSource> {
    /// Text, `{ command = "…" }`, `{ keyring = "…" }` or `{ file = "…" }`.
    package static let secret = ConfigType(
        #"text, { command = "…" }, { keyring = "…" } or { file = "…" }"#, shape: .textOrTable, write: written
    ) { (value, home) throws(ConfigMismatch) in
        if case .text(let text) = value { return .text(text) }
        guard case .table(let members) = value, let member = members.first else {
            throw .expected("text, or a table with command, keyring or file", found: value)
        }
        if members.count > 1 {
            throw ConfigMismatch("only one of command, keyring and file", part: .member(members[1].name))
        }
        guard case .text(let text) = member.value else {
            throw ConfigMismatch("expected text, found \(member.value.kind)", part: .member(member.name))
        }
        switch member.name {
        case "command": return .command(text)
        case "keyring": return .keyring(.named(text))
        case "file": return .file(try ConfigType<String>.path.read(.text(text), home))
        default:
            let nearest = Suggestion.nearest(to: member.name, in: ["command", "keyring", "file"])
            throw ConfigMismatch(
                nearest.map { "did you mean \($0)?" } ?? "expected command, keyring or file", part: .member(member.name)
            )
        }
    }

    private static func written(_ source: SecretSource) -> ConfigValue {
        switch source {
        case .text(let text): .text(text)
        case .command(let text): .table([.init("command", .text(text))])
        case .keyring(let entry): .table([.init("keyring", .text(entry.description))])
        case .file(let text): .table([.init("file", .text(text))])
        }
    }
}
