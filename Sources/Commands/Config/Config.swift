/// The settings as one plugin sees them: its own and those of all of hub, already checked. A value, fixed when it was
/// read; an empty one holds the defaults.
package struct Config: Sendable {
    private struct Slot: Hashable {
        let scope: AnyConfigKey.Scope
        let path: ConfigPath
    }

    private var values: [Slot: any Sendable] = [:]
    private var groups: [Slot: [String]] = [:]

    /// Settings that are all at their defaults.
    package init() {}

    /// The value of a setting, or its default.
    package subscript<Value: Sendable>(key: ConfigKey<Value>) -> Value {
        get { value(of: key, at: key.erased.path) }
        set { set(newValue, scope: key.erased.scope, path: key.erased.path) }
    }

    /// The value of a setting for `name`, which replaces `*` in the key's path; or its default.
    package subscript<Value: Sendable>(key: ConfigKey<Value>, name: String) -> Value {
        get { value(of: key, at: key.erased.path.naming(name)) }
        set {
            set(newValue, scope: key.erased.scope, path: key.erased.path.naming(name))
            if let group = key.erased.path.group { add(name: name, to: group, scope: key.erased.scope) }
        }
    }

    /// The names in the config file that replace `*` in the key's path, in the order of the file: the accounts of
    /// `accounts.*.url`.
    package func names(for key: some ConfigDeclaration) -> [String] {
        key.erased.path.group.flatMap { groups[Slot(scope: key.erased.scope, path: $0)] } ?? []
    }

    /// Keeps a value that a key's `read` returned.
    package mutating func set(_ value: any Sendable, scope: AnyConfigKey.Scope, path: ConfigPath) {
        values[Slot(scope: scope, path: path)] = value
    }

    /// Adds a name to a group, even when nothing is set for it.
    package mutating func add(name: String, to group: ConfigPath, scope: AnyConfigKey.Scope) {
        let slot = Slot(scope: scope, path: group)
        if groups[slot]?.contains(name) != true { groups[slot, default: []].append(name) }
    }

    private func value<Value: Sendable>(of key: ConfigKey<Value>, at path: ConfigPath) -> Value {
        values[Slot(scope: key.erased.scope, path: path)] as? Value ?? key.defaultValue
    }
}
