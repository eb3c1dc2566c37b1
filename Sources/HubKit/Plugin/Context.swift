/// What hub gives to one plugin. All that came from here is released with it.
package struct Context: Sendable {
    /// The plugin's settings, already checked.
    package let config: Config
    /// The database, seen as this plugin: its own tables and no other's.
    package let store: Store
    /// Time.
    package let clock: any Clock
    /// Rights to outer resources across processes.
    package let leases: Leases
    /// Passwords and tokens.
    package let secrets: any Secrets
    /// Where files of this plugin may be kept.
    package let directories: Directories
    /// Where the plugin says what happens in the background.
    package let log: Log

    package init(
        config: Config, store: Store, clock: any Clock, leases: Leases, secrets: any Secrets, directories: Directories,
        log: Log
    ) {
        self.config = config
        self.store = store
        self.clock = clock
        self.leases = leases
        self.secrets = secrets
        self.directories = directories
        self.log = log
    }
}
