/// A plugin's own settings in the config file, for the use cases that change them.
///
/// A ``Config`` is a value, fixed when it was read; this is the way to what the file says now.
package protocol Settings: Sendable {
    /// The path of the config file for messages, such as `~/.config/hub/config.toml`.
    var place: String { get }

    /// Returns a path for messages: with `~` for the home folder.
    func shown(_ path: String) -> String

    /// The settings as the file says now; throws all that is wrong with them at once.
    func current() throws(HubError) -> Config

    /// Returns all values in the file, of this plugin, of others and of hub, with paths from the root of the file.
    func written() throws(HubError) -> [(path: ConfigPath, value: ConfigValue)]

    /// Makes all of the changes or none, and leaves every other byte of the file as it is. A missing file is made.
    ///
    /// Throws when a key is none of the plugin's or does not take its value, and when the file cannot be written.
    func apply(_ changes: [SettingChange]) throws(HubError)
}

extension Settings {
    /// Returns the path as it is: without a home folder nothing is shorter.
    package func shown(_ path: String) -> String { path }

    /// Makes all of the changes or none, as the method for threads that may wait for the disk, on one of those.
    package func apply(_ changes: [SettingChange]) async throws(HubError) {
        try await BackgroundThread.run(
            { () throws(HubError) in try self.apply(changes) }, whenRefused: { HubError(noThread: $0) })
    }
}

/// One change of a plugin's settings; paths are relative to the plugin and hold no wildcard.
package enum SettingChange: Hashable, Sendable {
    /// Gives a setting a value.
    case set(ConfigPath, ConfigValue)
    /// Takes a setting, or a group such as `accounts.posteo` with all in it, out of the file. What is not there stays so.
    case remove(ConfigPath)
}

extension SettingChange {
    /// Returns the change that sets `key` for `name`, which replaces `*` in the key's path.
    package static func set(_ key: some ConfigDeclaration, _ name: String, _ value: ConfigValue) -> SettingChange {
        .set(key.erased.path.naming(name), value)
    }
}
