package import Commands
import Synchronization

/// Settings in memory, for tests.
package final class MemorySettings: Settings {
    private struct Entry {
        let path: ConfigPath
        let value: ConfigValue
    }

    private let keys: [AnyConfigKey]
    private let base: Config
    private let plugin: String
    private let others: @Sendable () -> [(path: ConfigPath, value: ConfigValue)]
    private let entries = Mutex<[Entry]>([])

    /// The name that messages use for the config file.
    package let place = "config.toml"

    /// Settings of `plugin`, which declares `keys`; `base` holds settings that are never changed here, `others` the values
    /// of other plugins.
    package init(
        _ keys: [any ConfigDeclaration] = [], base: Config = Config(), plugin: String = "test",
        others: @escaping @Sendable () -> [(path: ConfigPath, value: ConfigValue)] = { [] }
    ) {
        self.keys = keys.map(\.erased)
        self.base = base
        self.plugin = plugin
        self.others = others
    }

    /// The stored values with their paths, in the order in which they were set.
    package var all: [(path: ConfigPath, value: ConfigValue)] {
        entries.withLock { $0.map { ($0.path, $0.value) } }
    }

    /// Returns the stored values and those of other plugins, with full paths.
    package func written() throws(HubError) -> [(path: ConfigPath, value: ConfigValue)] {
        all.map { ($0.path.prefixed(by: ["plugins", plugin]), $0.value) } + others()
    }

    /// Returns the stored values as a configuration; throws when one is not valid.
    package func current() throws(HubError) -> Config { try config(entries.withLock(\.self)) }

    /// Applies the changes atomically; throws when the result is not valid.
    package func apply(_ changes: [SettingChange]) throws(HubError) {
        var changed = entries.withLock(\.self)
        for change in changes {
            switch change {
            case .set(let path, let value):
                let index = changed.firstIndex { $0.path == path }
                let entry = Entry(path: path, value: value)
                if let index { changed[index] = entry } else { changed.append(entry) }
            case .remove(let path):
                changed.removeAll { $0.path.parts.starts(with: path.parts) }
            }
        }
        _ = try config(changed)
        entries.withLock { $0 = changed }
    }

    private func config(_ entries: [Entry]) throws(HubError) -> Config {
        var config = base
        for entry in entries {
            guard let key = keys.first(where: { $0.path.matches(entry.path) }) else {
                throw HubError(.notFound, code: "unknown-setting", "no setting named \(entry.path)")
            }
            do throws(ConfigMismatch) {
                config.set(try key.read(entry.value, "/home"), scope: .plugin, path: entry.path)
            } catch {
                throw HubError(.invalid, code: "wrong-value", "\(entry.path): \(error.note)")
            }
            if let group = key.path.group, let name = entry.path.parts.dropFirst(group.parts.count).first {
                config.add(name: name, to: group, scope: .plugin)
            }
        }
        return config
    }
}

extension ConfigPath {
    /// Whether `path` is this one with names in the place of wildcards.
    fileprivate func matches(_ path: ConfigPath) -> Bool {
        parts.count == path.parts.count
            && zip(parts, path.parts).allSatisfy { $0 == $1 || $0 == ConfigPath.anyName }
    }
}
