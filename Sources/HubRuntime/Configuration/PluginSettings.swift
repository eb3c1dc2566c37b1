package import HubKit

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
