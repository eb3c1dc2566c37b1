package import Commands
package import Storage

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
    /// The watcher of folders, one for all plugins.
    package let watcher: DirectoryWatcher
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
    /// The path by which this process starts hub again, for work that it does in a process of its own; nil in tests, which are not hub.
    package let program: String?
    /// The files that are on other machines of the person alone.
    package let absentFiles: any AbsentFiles
    /// The files of any size beside the database.
    package var blobs: BlobStore { BlobStore(directory: BlobStore.directory(in: directories.data), locks: locks) }

    package init(
        config: Config, store: Store, clock: any Clock, locks: FileLocks, secrets: any Secrets,
        directories: Directories,
        log: Log, settings: any Settings, bus: EventBus,
        watcher: DirectoryWatcher = DirectoryWatcher(), isOffline: Bool = false, program: String? = nil,
        absentFiles: any AbsentFiles = NoAbsentFiles()
    ) {
        self.absentFiles = absentFiles
        self.config = config
        self.settings = settings
        self.store = store
        self.bus = bus
        self.watcher = watcher
        self.isOffline = isOffline
        self.program = program
        self.clock = clock
        self.locks = locks
        self.secrets = secrets
        self.directories = directories
        self.log = log
    }
}

extension JobQueue {
    /// Creates the queue `name` of the plugin of `context`.
    package init(_ name: String, _ context: Context, policy: RetryPolicy = .standard) {
        self.init(name, in: context.store, locks: context.locks, clock: context.clock, policy: policy)
    }
}

/// The folders of hub, after the XDG base directory specification.
package struct Directories: Sendable {
    /// The database and what cannot be made again.
    package let data: String
    /// Logs.
    package let state: String
    /// The folder for files that can be recreated at any time.
    package let cache: String
    /// The config file.
    package let config: String
    /// The folder for sockets, removed with the login session. Nil when there is no folder private to the user.
    package let runtime: String?

    package init(data: String, state: String, cache: String, config: String, runtime: String?) {
        self.data = data
        self.state = state
        self.cache = cache
        self.config = config
        self.runtime = runtime
    }

    /// The folder of the files that processes lock.
    package var locks: String { data + "/locks" }
}

/// Passwords and tokens, which are kept outside hub's own files.
package protocol Secrets: Sendable {
    /// The secret that `source` stands for. Throws within a few seconds, and names the other ways, when the place does
    /// not answer; `notFound` when it holds nothing.
    func read(_ source: SecretSource) async throws(HubError) -> String

    /// Returns the secret of a keyring entry; nil when there is none.
    func secret(of entry: KeyringEntry) async throws(HubError) -> String?

    /// Makes the keyring entry hold `secret`, in place of what it held.
    func save(_ secret: String, as entry: KeyringEntry) async throws(HubError)

    /// Removes a keyring entry; whether there was one.
    func remove(_ entry: KeyringEntry) async throws(HubError) -> Bool

    /// Returns the names of the entries that the user named.
    func names() async throws(HubError) -> [String]
}
