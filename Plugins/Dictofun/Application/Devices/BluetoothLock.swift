import Glibc
package import Storage

/// The right to use recorders, which one process has at a time. The background service, which has it most of the time, gives it
/// up when another process asks for it.
package struct BluetoothLock: Sendable {
    private let locks: FileLocks

    /// The lock itself.
    private static let name = "dictofun/bluetooth"
    /// The lock of the process that gets the right next.
    private static let nextName = "dictofun/bluetooth.next"
    /// How long changes of the lock files may follow each other before they are looked at.
    private static let settling = Duration.milliseconds(20)

    init(_ locks: FileLocks) { self.locks = locks }

    /// Returns the process that uses recorders; nil when none does.
    package func holder() throws -> FileLock.Holder? { try locks.holder(of: Self.name) }

    /// Takes the right; nil when another process has it.
    package func tryAcquire() async throws -> FileLock? { try await locks.tryAcquire(Self.name) }

    /// Takes the right as soon as it is free, and asks its holder for it. While it waits, `waiting` is called with the holder in words,
    /// and with nil at the end. Throws when the task is cancelled.
    package func acquire(waiting: @Sendable (String?) -> Void) async throws -> FileLock {
        if let lock = try await tryAcquire() { return lock }
        let holder = try holder()
        waiting(holder.map { "\($0.command), process \($0.process)" } ?? "another hub process")
        defer { waiting(nil) }
        let next = try await locks.acquire(Self.nextName)
        defer { withExtendedLifetime(next) {} }
        // Watchers hear of a file when it is closed, and that of the lock stays open.
        close(open("\(locks.directory)/\(Self.nextName)", O_WRONLY | O_CLOEXEC))
        return try await locks.acquire(Self.name)
    }

    /// Calls `body` whenever another process waits for the right, until the task is cancelled.
    func watchRequests(_ watcher: DirectoryWatcher, log: Log, _ body: () -> Void) async throws {
        let folder = "\(locks.directory)/dictofun"
        try Directory.make(folder)
        let changes = watcher.changes(below: folder, settling: Self.settling) { log.warning($0) }
        for await _ in changes where try locks.holder(of: Self.nextName) != nil { body() }
    }
}
