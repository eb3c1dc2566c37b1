package import Commands
package import HubKit
package import Storage
import Synchronization

/// All settings there are: those of hub and those of every built-in plugin, enabled or not.
package struct ConfigSchema: Sendable {
    /// A setting with its place in the file.
    package struct Setting: Sendable {
        /// The path from the root of the file; `*` in it stands for any one name.
        package let path: ConfigPath
        /// The declaration of the setting.
        package let key: AnyConfigKey
        /// The plugin that declares it; nil for hub's own.
        package let plugin: String?

        /// The environment variable that sets it: `HUB_LOCALE` for `hub.locale`, `HUB_CONTACTS_REMIND_AT` for
        /// `plugins.contacts.remind_at`; nil when none does.
        package var environmentName: String? {
            guard key.isInEnvironment else { return nil }
            let isShort = plugin != nil || path.parts.first == "hub"
            var name = Array("HUB".utf8)
            for part in isShort ? path.parts.dropFirst() : path.parts[...] {
                name.append(UInt8(ascii: "_"))
                // By bytes, since each start asks for the names of all settings.
                for byte in part.utf8 {
                    let isLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    name.append(isLower ? byte & 0xDF : byte == UInt8(ascii: "-") ? UInt8(ascii: "_") : byte)
                }
            }
            return String(decoding: name, as: UTF8.self)
        }
    }

    /// A step into the tree of paths.
    struct Node: Sendable {
        fileprivate(set) var setting: Setting?
        fileprivate(set) var children: [String: Node] = [:]

        /// The child under this name, or under the wildcard.
        subscript(name: String) -> Node? { children[name] ?? children[ConfigPath.anyName] }
    }

    /// Every setting, in the order in which they are explained.
    package var settings: [Setting] { contents.value.settings }
    /// The ids of the built-in plugins, in their order.
    package let plugins: [String]
    /// Settings that had another name: it is still read, with a warning.
    package let renamed: [RenamedSetting]
    var root: Node { contents.value.root }
    private let contents: Contents
    /// Returns the topics that the plugins declare.
    let topics: @Sendable () -> [Topic]
    /// Whether a word is a command.
    let isCommand: @Sendable (String) -> Bool

    /// The settings and their tree, made when they are first asked for: a command that finds no config file needs none of them.
    private final class Contents: Sendable {
        typealias Value = (settings: [Setting], root: Node)

        private let known = Mutex<Value?>(nil)
        private let make: @Sendable () -> Value

        init(_ make: @escaping @Sendable () -> Value) { self.make = make }

        var value: Value {
            known.withLock { known in
                if let known { return known }
                let made = make()
                known = made
                return made
            }
        }
    }

    /// The schema of hub with these plugins; each lists the keys of its descriptor.
    package init(
        plugins: [(id: String, keys: [any ConfigDeclaration])],
        topics: @autoclosure @escaping @Sendable () -> [Topic] = [], renamed: [RenamedSetting] = RenamedSetting.all,
        isCommand: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.init(
            plugins: plugins.map(\.id), keys: { plugins.map(\.keys) }, topics: topics(), renamed: renamed,
            isCommand: isCommand)
    }

    private init(
        plugins ids: [String], keys: @escaping @Sendable () -> [[any ConfigDeclaration]],
        topics: @autoclosure @escaping @Sendable () -> [Topic] = [], renamed: [RenamedSetting] = RenamedSetting.all,
        isCommand: @escaping @Sendable (String) -> Bool = { _ in false }
    ) {
        self.renamed = renamed
        self.topics = topics
        self.isCommand = isCommand
        self.plugins = ids
        contents = Contents {
            let core = HubKeys.all(plugins: ids).map { Setting(path: $0.erased.path, key: $0.erased, plugin: nil) }
            let others = zip(ids, keys()).flatMap { plugin, keys in
                keys.map { declaration in
                    let key = declaration.erased
                    return Setting(path: key.path.prefixed(by: ["plugins", plugin]), key: key, plugin: plugin)
                }
            }
            let settings = core + others
            var root = Node()
            for setting in settings { Self.insert(setting, at: setting.path.parts[...], into: &root) }
            // A plugin without settings of its own is still a name that `plugins.` can be followed by.
            for id in ids { Self.insert(nil, at: ["plugins", id], into: &root) }
            for setting in renamed { Self.insert(nil, at: setting.old.parts.dropLast()[...], into: &root) }
            return (settings, root)
        }
    }

    /// The schema of hub with these plugins, from their descriptors.
    package init(of plugins: [any Plugin.Type]) {
        self.init(
            plugins: plugins.map { $0.descriptor.id }, keys: { plugins.map { $0.descriptor.configKeys } },
            topics: plugins.flatMap { $0.descriptor.emits.map(\.topic) },
            isCommand: { word in
                let commands = plugins.lazy.map { $0.descriptor.command }
                return Self.hubCommands.contains(word)
                    || commands.contains { $0.name == word || $0.aliases.contains(word) }
            })
    }

    /// The names of hub's own commands, which no alias can have.
    static let hubCommands: Set<String> = [
        "today", "search", "show", "sync", "undo", "redo", "history", "status", "doctor", "logs", "config", "backup",
        "restore", "export", "import", "open", "serve", "web", "trash", "plugins", "plugin", "secrets", "secret",
        "events", "event", "flows", "flow", "devices", "device", "join", "machines", "machine", "demo", "mcp", "api",
        "service", "version", "help", "completion", "__unit", "__complete", "__manual",
    ]

    /// A schema in which a renamed setting has both names, for looking into a file.
    init(renaming name: RenamedSetting, of schema: ConfigSchema) {
        (plugins, topics, isCommand, renamed) = (schema.plugins, schema.topics, schema.isCommand, [])
        contents = Contents {
            let settings =
                schema.settings
                + [schema.setting(at: name.new)].compactMap { $0 }.map {
                    Setting(path: name.old, key: $0.key, plugin: $0.plugin)
                }
            var root = schema.root
            Self.insert(settings.last, at: name.old.parts[...], into: &root)
            return (settings, root)
        }
    }

    private static func insert(_ setting: Setting?, at parts: ArraySlice<String>, into node: inout Node) {
        guard let first = parts.first else {
            if let setting { node.setting = setting }
            return
        }
        insert(setting, at: parts.dropFirst(), into: &node.children[first, default: Node()])
    }

    /// The setting that `path`, which holds no wildcard, sets.
    package func setting(at path: ConfigPath) -> Setting? {
        var node = root
        for part in path.parts {
            guard let child = node[part] else { return nil }
            node = child
        }
        return node.setting
    }

    /// The setting at `path`; throws a configuration error with the nearest name when there is none.
    package func requireSetting(at path: ConfigPath) throws(HubError) -> Setting {
        if let setting = setting(at: path) { return setting }
        // People leave out where settings lie: `market.providers`, `region`.
        for part in ["plugins", "hub"] {
            let longer = path.prefixed(by: [part])
            if setting(at: longer) != nil { throw Self.unknown(path, hint: "did you mean \(longer)?") }
        }
        var node = root
        for (index, part) in path.parts.enumerated() {
            guard let child = node[part] else {
                let nearest = Suggestion.nearest(to: part, in: node.children.keys.sorted())
                let corrected = nearest.map {
                    ConfigPath(Array(path.parts[..<index]) + [$0] + path.parts[(index + 1)...])
                }
                throw Self.unknown(path, hint: corrected.map { "did you mean \($0)?" })
            }
            node = child
        }
        let inside = node.children.keys.sorted().prefix(8).joined(separator: ", ")
        throw Self.unknown(path, hint: inside.isEmpty ? nil : "settings below it: \(inside)")
    }

    private static func unknown(_ path: ConfigPath, hint: String?) -> HubError {
        HubError(
            .notFound, code: "unknown-setting", "no setting named \(path)",
            hint: hint ?? "hub config list lists all settings")
    }
}
