/// The environment of one plugin. Everything it provides is released with it.
package struct Context: Sendable {
    /// The plugin's settings, already checked.
    package let config: Config
    /// The same settings in their file, to be read again or changed.
    package let settings: any Settings
    /// The database, seen as this plugin: its own tables and no other's.
    package let store: Store
    /// The bus that announces commits, in this and other processes.
    package let bus: EventBus
    /// Whether nothing may go out to the network.
    package let isOffline: Bool
    /// Time.
    package let clock: any Clock
    /// Rights to outer resources across processes.
    package let locks: FileLocks
    /// Passwords and tokens.
    package let secrets: any Secrets
    /// The folders for files of this plugin.
    package let directories: Directories
    /// The log for background work of the plugin.
    package let log: Log

    package init(
        config: Config, store: Store, clock: any Clock, locks: FileLocks, secrets: any Secrets,
        directories: Directories,
        log: Log, settings: any Settings, bus: EventBus, isOffline: Bool = false
    ) {
        self.config = config
        self.settings = settings
        self.store = store
        self.bus = bus
        self.isOffline = isOffline
        self.clock = clock
        self.locks = locks
        self.secrets = secrets
        self.directories = directories
        self.log = log
    }
}
