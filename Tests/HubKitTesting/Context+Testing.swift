package import Commands
package import HubKit
package import Storage

extension Context {
    /// Returns a context for a plugin on a test's own database, with no keyring, no folders and no log unless they are
    /// given.
    package static func testing(
        _ store: Store, clock: any Clock, config: Config = Config(), settings: any Settings = MemorySettings(),
        secrets: any Secrets = MemorySecrets(), locks: FileLocks? = nil, bus: EventBus = EventBus(),
        state: String? = nil, log: @escaping @Sendable (Log.Level, String) -> Void = { _, _ in }
    ) -> Context {
        let nowhere = "/nonexistent"
        return Context(
            config: config, store: store, clock: clock, locks: locks ?? FileLocks(directory: nowhere, clock: clock),
            secrets: secrets,
            directories: Directories(
                data: nowhere, state: state ?? nowhere, cache: nowhere, config: nowhere, runtime: nil),
            log: Log(label: store.owner) { level, _, text in log(level, text) }, settings: settings, bus: bus)
    }
}
