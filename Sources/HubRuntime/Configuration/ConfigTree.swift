import Commands
import TOML

/// The content of a TOML text without positions, order and spelling: texts with equal trees mean the same.
indirect enum ConfigTree: Equatable {
    case table([String: ConfigTree])
    case list([ConfigTree])
    case value(TOMLValue)
    /// A float by its bits, for not-a-number is not equal to itself.
    case float(UInt64)

    init(_ table: TOMLTable) {
        self = .table(
            Dictionary(
                table.entries.map { ($0.key, ConfigTree($0.node.value)) }, uniquingKeysWith: { first, _ in first }))
    }

    private init(_ value: TOMLValue) {
        switch value {
        case .table(let table): self.init(table)
        case .array(let nodes): self = .list(nodes.map { ConfigTree($0.value) })
        case .float(let number): self = .float(number.bitPattern)
        default: self = .value(value)
        }
    }

    private init(_ value: ConfigValue) {
        switch value {
        case .boolean(let truth): self = .value(.boolean(truth))
        case .integer(let number): self = .value(.integer(Int64(number)))
        case .text(let text), .unsupported(let text): self = .value(.string(text))
        case .list(let values): self = .list(values.map { ConfigTree($0) })
        case .table(let members):
            self = .table(
                Dictionary(members.map { ($0.name, ConfigTree($0.value)) }, uniquingKeysWith: { first, _ in first }))
        }
    }

    /// Returns the tree with `value` at `path`; nil when a part of the path is not a table.
    func setting(_ path: ArraySlice<String>, to value: ConfigValue) -> ConfigTree? {
        guard let first = path.first else { return ConfigTree(value) }
        guard case .table(var members) = self else { return nil }
        guard let changed = (members[first] ?? .table([:])).setting(path.dropFirst(), to: value) else { return nil }
        members[first] = changed
        return .table(members)
    }

    /// The tree without what lies at `path`.
    func removing(_ path: ArraySlice<String>) -> ConfigTree {
        guard let first = path.first, case .table(var members) = self, let member = members[first] else { return self }
        members[first] = path.count == 1 ? nil : member.removing(path.dropFirst())
        return .table(members)
    }

    /// The tree without tables that hold nothing: they set nothing.
    var withoutEmptyTables: ConfigTree {
        guard case .table(let members) = self else { return self }
        return .table(members.mapValues(\.withoutEmptyTables).filter { $0.value != .table([:]) })
    }
}

/// The origin of a value; a later case overrides an earlier one.
package enum ConfigOrigin: Hashable, Sendable {
    /// Built in.
    case `default`
    /// A config file of the system, for all its users, at this line counted from 1.
    case system(path: String, line: Int)
    /// The config file, at this line counted from 1.
    case file(path: String, line: Int)
    /// An environment variable.
    case environment(String)
    /// An option of the command line, such as `--set`.
    case option(String)
}

extension ConfigOrigin {
    /// Whether it is the person's config file.
    package var isFile: Bool { if case .file = self { true } else { false } }

    /// Whether it is a config file, that of the person or of the system.
    var isInFile: Bool { if case .system = self { true } else { isFile } }
}

extension ConfigOrigin: CustomStringConvertible {
    /// The origin as `config list --origin` shows it.
    package var description: String {
        switch self {
        case .default: "default"
        case .system(let path, let line), .file(let path, let line): "\(path):\(line)"
        case .environment(let name): name
        case .option(let name): name
        }
    }
}
