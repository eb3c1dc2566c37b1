import SQLite
import Synchronization

/// The store of a process: its file, the writer, the readers, and the listener for commits.
///
/// Making one opens nothing. The first use opens the file, brings it up to date, and rolls back what a process that
/// died has left half done.
package final class Database: Sendable {
    /// The location of the database.
    package enum Location: Sendable {
        /// In the folder with this path, as `hub.db`, with locks and backups beside it.
        case directory(String)
        /// In memory, for tests: it is gone with the last reference.
        case memory
    }

    /// Which threads the work is done on.
    package enum Executors: Sendable {
        /// All on the main thread with one connection: for a command, which ends soon.
        case main
        /// A writer and some readers, each on a queue: for the daemon.
        case queues
    }

    /// The folder of the database, or memory.
    package let location: Location
    let catalog: SchemaCatalog
    let clock: any Clock
    /// The rights to outer resources, and to the schema itself; nil in memory, where no other process can come.
    package let locks: FileLocks?
    /// Returns the free bytes on the file system of a path; nil when they are unknown.
    let freeSpace: @Sendable (String) -> Int?
    let writer: ConnectionActor
    private let readers: [ConnectionActor]
    private let nextReader = Atomic<UInt>(0)
    private let didBulk = Atomic(false)
    private let writes = WriteQueue()
    private let listener = Mutex(CommitListener { _ in })
    /// What tells of the commits of all processes, while the writer has the file open.
    private let dataVersion = Mutex<DataVersion?>(nil)
    private let edits = Mutex<Operation?>(nil)
    private let operations = Mutex<[String]>([])
    /// The plugins that are shut out, once the writer has looked.
    private let problems = Mutex<[String: HubError]?>(nil)
    private static let readerCount = 2

    /// A database in `location` that holds the tables of `plugins` besides HubKit's own.
    ///
    /// `freeSpace` returns the free bytes on the file system of a path; by default the system's value.
    package init(
        at location: Location, plugins: [PluginSchema], clock: any Clock, executors: Executors = .main,
        freeSpace: (@Sendable (String) -> Int?)? = nil
    ) {
        self.location = location
        self.clock = clock
        self.freeSpace = freeSpace ?? { DataDirectory.freeSpace($0) }
        let catalog = SchemaCatalog(plugins)
        self.catalog = catalog
        func executor(_ name: String) -> QueueExecutor? {
            switch executors {
            case .main: nil
            case .queues: QueueExecutor("hub.store.\(name)")
            }
        }
        switch location {
        case .memory:
            locks = nil
            writer = ConnectionActor(executor: executor("writer")) {
                try StoreOpener(catalog: catalog, clock: clock).openInMemory()
            }
            readers = []
        case .directory(let path):
            let locks = FileLocks(directory: path + "/locks", clock: clock)
            self.locks = locks
            let isAlone = if case .main = executors { true } else { false }
            writer = ConnectionActor(executor: executor("writer")) {
                try StoreOpener(catalog: catalog, clock: clock, isAlone: isAlone).open(in: path, locks: locks)
            }
            readers =
                switch executors {
                case .main: []
                case .queues:
                    (0..<Self.readerCount).map { number in
                        ConnectionActor(executor: executor("reader-\(number)")) {
                            try StoreOpener(catalog: catalog, clock: clock).openReader(in: path)
                        }
                    }
                }
        }
    }

    /// The database as one owner sees it.
    package func store(for owner: String) -> Store { Store(database: self, owner: owner) }

    /// Opens and brings up to date what the first use otherwise would.
    /// - Returns: the plugins that are shut out because a migration of theirs failed, and why.
    @discardableResult
    package func prepare() async throws -> [String: HubError] {
        if let known = problems.withLock({ $0 }) { return known }
        let found = try await writer.use { store in
            if store.access == .shared, let path = store.files?.database {
                // Without it all works, only slower.
                dataVersion.withLock { $0 = try? DataVersion(path) }
            }
            return store.problems
        }
        problems.withLock { $0 = found }
        return found
    }

    /// Has `body` called with the topics of every commit that named some; it must not wait.
    package func onCommit(_ body: @escaping @Sendable (Set<Topic>) -> Void) {
        listener.withLock { $0 = CommitListener(tell: body) }
    }

    /// Whether the file is open: something has used it.
    package var isOpen: Bool {
        get async { await writer.isOpen }
    }

    /// The revision of all tables, which every commit of every process changes; nil when it is not known. What was read after a
    /// revision was asked for is as it is now, if the revision still is. Only revisions of one database can be compared, until it is
    /// closed.
    package var revision: Int? { dataVersion.withLock(\.self)?.value }

    /// The last operation of the person that this process has recorded: it is in the history, and can be undone.
    package var lastEdit: Operation? { edits.withLock(\.self) }

    /// The ids of the first operations that this process has recorded, the person's and those of others, in their order.
    package var recordedOperations: [String] { operations.withLock(\.self) }

    /// The most operations that ``recordedOperations`` names.
    private static var namedOperations: Int { 100 }

    /// Whether this process has done bulk work.
    package var hasDoneBulk: Bool { didBulk.load(ordering: .relaxed) }

    func noteBulk() { didBulk.store(true, ordering: .relaxed) }

    /// Closes all connections. The next use opens them again.
    package func close() async {
        for reader in readers { await reader.close() }
        await writer.close { dataVersion.withLock { $0 = nil } }
        problems.withLock { $0 = nil }
    }

    /// Runs `body` on a reader, or on the only connection.
    func read<T: Sendable>(_ body: @Sendable (StoreConnection) throws -> T) async throws -> T {
        guard !readers.isEmpty else {
            return try await writer.use { connection in try withStoreErrors { try body(connection) } }
        }
        // The writer brings the tables up to date and knows which plugins are shut out.
        let problems = try await prepare()
        let turn = nextReader.wrappingAdd(1, ordering: .relaxed).newValue
        return try await readers[Int(turn % UInt(readers.count))].use { connection in
            connection.problems = problems
            return try withStoreErrors { try body(connection) }
        }
    }

    /// Runs `body` in a savepoint of a transaction that other waiting writes may share, and commits it.
    ///
    /// What is not final, a part of something longer, is on the disk with the next write that is.
    func write<T: Sendable>(
        isFinal: Bool = true, _ body: @escaping @Sendable (StoreConnection) throws -> WriteResult<T>
    ) async throws -> T {
        let outcome = Outcome<T>()
        await withCheckedContinuation { continuation in
            let entry = WriteQueue.Entry(
                isFinal: isFinal, perform: { outcome.perform(body, on: $0, isAlone: $1) },
                finish: { outcome.finish($0) }, wake: { continuation.resume() })
            if writes.join(entry) { Task.immediate { await commitWaiting() } }
        }
        let written = try outcome.get()
        if let edit = written.edit {
            if edit.who == .person { edits.withLock { $0 = edit } }
            operations.withLock { known in
                if !known.contains(edit.id), known.count < Self.namedOperations { known.append(edit.id) }
            }
        }
        return written.value
    }

    /// Lets the writer do all that wait, and tells which topics have news. One of the callers goes on only then: a process that writes alone
    /// may end at once.
    private func commitWaiting() async {
        var isMore = true
        while isMore {
            let done = await writer.commitWaiting(of: writes, locks: locks)
            if !done.topics.isEmpty { listener.withLock(\.self).tell(done.topics) }
            done.first?.wake()
            isMore = done.isMore
        }
    }
}

/// The listener for commits. A bare function in a `Mutex` would be wrapped again with each access.
private struct CommitListener: Sendable {
    let tell: @Sendable (Set<Topic>) -> Void
}
