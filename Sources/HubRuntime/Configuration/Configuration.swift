package import Commands
import Hashing

/// The settings in force, each with its origin, and all that is wrong with what was written.
package struct Configuration: Sendable {
    /// A value that is set, or the default.
    package struct Candidate: Sendable, Equatable {
        /// The origin of the value.
        package let origin: ConfigOrigin
        /// The value; nil when there is no default.
        package let value: ConfigValue?
    }

    /// One setting in force.
    package struct Entry: Sendable {
        /// The path from the root, with the user's names in place of wildcards.
        package let path: ConfigPath
        /// The declaration of the setting.
        package let setting: ConfigSchema.Setting
        /// The candidate in effect.
        package let winner: Candidate
        /// The overridden candidates, highest precedence first, without a default of nil.
        package let overridden: [Candidate]

        /// All candidates, most important first.
        package var candidates: [Candidate] { [winner] + overridden }
    }

    /// All settings in the order of the schema; those with a wildcard once for each name in use.
    package var entries: [Entry] { makeEntries() }
    private let makeEntries: @Sendable () -> [Entry]
    /// The problems; the settings concerned use their next valid candidate.
    package internal(set) var problems: [ConfigProblem]
    private let hub: Config
    private let plugins: [String: Config]

    init(entries: [Entry], problems: [ConfigProblem], hub: Config, plugins: [String: Config]) {
        makeEntries = { entries }
        self.problems = problems
        self.hub = hub
        self.plugins = plugins
    }

    /// The settings when nothing sets any: those of the schema are looked at only if the entries are.
    init(defaultsOf schema: ConfigSchema) {
        makeEntries = { ConfigIssues(home: "").configuration(schema: schema).entries }
        problems = []
        hub = Config()
        plugins = [:]
    }

    /// The settings as the runtime sees them.
    package var core: Config { hub }

    /// The settings as the plugin sees them.
    package func config(for plugin: String) -> Config { plugins[plugin] ?? hub }

    /// The command lines that `[alias]` names.
    package var aliases: [String: String] {
        var aliases: [String: String] = [:]
        for name in hub.names(for: HubKeys.alias) { aliases[name] = hub[HubKeys.alias, name] }
        return aliases
    }

    /// The problems that stop nothing.
    package var warnings: [ConfigProblem] { problems.filter(\.isWarning) }

    /// The same configuration when it can be used; else all problems as one error, warnings too.
    package func checked() throws(HubError) -> Configuration {
        guard problems.allSatisfy(\.isWarning) else { throw HubError(problems) }
        return self
    }

    /// A fingerprint of what the file sets, apart from settings that are read again each time: a running `hub serve` that has another
    /// one uses older settings.
    var fingerprint: String {
        let lines = entries.compactMap { entry -> String? in
            guard !entry.setting.key.isLive else { return nil }
            let written = entry.candidates.first { $0.origin.isInFile }?.value
            return written.map { "\(entry.path) = \(ConfigLiteral.toml($0))\n" }
        }
        return String(FNV1a.hash(lines.sorted().joined().utf8), radix: 16)
    }

    /// The setting in force at `path`.
    package func entry(at path: ConfigPath) -> Entry? { entries.first { $0.path == path } }
}

/// The settings of one plugin in the user's config file.
package struct PluginSettings: Settings {
    private let manager: ConfigManager
    private let plugin: String
    private let complete: @Sendable (Config) -> Config

    /// The settings of the plugin `plugin`; `completing` fills in what the environment gives beyond the file.
    package init(_ manager: ConfigManager, plugin: String, completing: @escaping @Sendable (Config) -> Config = { $0 })
    {
        self.manager = manager
        self.plugin = plugin
        complete = completing
    }

    /// The path of the config file for messages.
    package var place: String { manager.file.shownPath }

    /// Returns a path with `~` for the home folder.
    package func shown(_ path: String) -> String { manager.environment.shown(path) }

    /// Returns the plugin's settings in effect.
    package func current() throws(HubError) -> Config {
        complete(try manager.load().checked().config(for: plugin))
    }

    /// Returns the plugin's values as written in the file.
    package func written() throws(HubError) -> [(path: ConfigPath, value: ConfigValue)] {
        try manager.load().entries.compactMap { entry in
            entry.candidates.first { $0.origin.isFile }?.value.map { (entry.path, $0) }
        }
    }

    /// Writes the changes to the file, atomically.
    package func apply(_ changes: [SettingChange]) throws(HubError) {
        try manager.apply(changes, below: ["plugins", plugin])
    }
}
