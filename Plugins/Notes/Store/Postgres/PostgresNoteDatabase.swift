import NotesDomain
import PostgreSQL
import Synchronization
import System

/// A database of PostgreSQL that several equal servers use. Its tables are made or updated with the first use.
final class PostgresNoteDatabase: Sendable {
    private struct State {
        /// The name of what the tables hold, once they are known to be there.
        var epoch: String?
        /// The accounts, and the number of changes of them until then.
        var accounts: (number: Int, names: Set<String>)?
        var receive: (@Sendable (StoredEdits) -> Void)?
        /// How often the database has become another one.
        var identity = 0
    }

    /// Where it is, without a password.
    let shown: String
    let writer: PostgresWriter
    private let rows: PostgresReader
    private let follower: PostgresFollower
    private let messenger: PostgresMessenger
    private let upkeep: PostgresUpkeep
    private let pool: PostgresPool
    private let cache: PostgresNotes
    private let shared: Shared
    private let preparing = AsyncSemaphore(1)

    private final class Shared: Sendable {
        let state = Mutex(State())
    }

    init(_ address: PostgresAddress, connections: Int = 4, clock: any Clock, log: Log, metrics: ServerMetrics) {
        let (shared, cache) = (Shared(), PostgresNotes())
        shown = address.shown
        pool = PostgresPool(address, maximum: connections, identity: PostgresSchema.identity) {
            cache.forgetAll()
            shared.state.withLock { state in
                (state.epoch, state.accounts) = (nil, nil)
                state.identity += 1
            }
        } notice: {
            log.info("database: \($0)")
        }
        rows = PostgresReader(pool: pool, cache: cache)
        let agent = Identifier.make()
        messenger = PostgresMessenger(pool, server: agent)
        let follower = PostgresFollower(rows, messenger, metrics) { shared.state.withLock(\.identity) }
        writer = PostgresWriter(pool, cache, clock: clock, agent: agent, metrics: metrics) { turn in
            let receive = shared.state.withLock(\.receive)
            for edits in turn.edits { receive?(edits) }
            follower.committed(turn)
        }
        upkeep = PostgresUpkeep(pool: pool, server: agent)
        (self.shared, self.cache, self.follower) = (shared, cache, follower)
    }

    deinit { pool.close() }

    /// Reads an address.
    convenience init(url: String, password: String?, clock: any Clock, log: Log, metrics: ServerMetrics)
        throws(HubError)
    {
        let address: PostgresAddress
        do throws(PostgresError) { address = try PostgresAddress(url, password: password) } catch {
            throw HubError(error)
        }
        guard address.isLocal || address.isEncrypted else {
            throw HubError(
                .config, code: "database-plaintext",
                "the connection to the database \(address.shown) is not encrypted",
                hint: "add sslmode=verify-full to the address of the database")
        }
        self.init(address, clock: clock, log: log, metrics: metrics)
    }

    func receiveStored(_ receive: @escaping @Sendable (StoredEdits) -> Void) {
        shared.state.withLock { $0.receive = receive }
    }

    func wakes() -> AsyncStream<Void> { follower.wakes() }

    /// Tells all servers that there are other accounts.
    func accountsChanged() { follower.changed() }

    /// Tells other servers something that may get lost; see ``PostgresMessenger``.
    func tellServers(_ text: String, key: String) { messenger.tell(text, key: key) }

    func receiveMessages(_ receive: @escaping @Sendable (String, [String]) -> Void) { messenger.receive(receive) }

    // MARK: Upkeep

    /// Returns what the database knows of its servers.
    func group() async throws -> ServerGroup { try await read { try await PostgresUpkeep.group($0.pool) } }

    /// Returns the servers that are there.
    func instances() async throws -> [ServerInstance] { try await read { try await PostgresUpkeep.instances($0.pool) } }

    /// Lets a server send its clients away.
    func drain(_ name: String) async throws { try await read { try await PostgresUpkeep.drain(name, $0.pool) } }

    /// Says that this server is there, with the number of connections of clients.
    /// - Returns: whether it is to send them away.
    func tellState(connections: Int) async throws -> Bool {
        try await read { reader in
            // Without clients there is nothing to tell them.
            let known = connections == 0 ? nil : follower.knownChange
            let change: Int
            if let known { change = known } else { change = try await reader.position().change }
            return try await upkeep.tell(connections: connections, change: change)
        }
    }

    /// Says that this server ends.
    func leave() async throws { try await read { _ in try await upkeep.leave() } }

    /// Removes what nothing needs; returns the number of rows.
    func prune() async throws -> Int { try await read { _ in try await upkeep.prune() } }

    /// What there is now, for metrics.
    var gauges: [ServerMetrics.Gauge] {
        [
            .init("database_up", "Whether the database answers.", outage == nil ? 1 : 0),
            .init(
                "database_connections_in_use", "Connections to the database that are in use.",
                Double(pool.connectionsInUse)),
            .init("database_statements", "Statements that were sent to the database.", Double(pool.statements)),
            .init("change", "The last change that clients here were told of.", Double(follower.knownChange ?? 0)),
        ]
    }

    /// The statements that were sent.
    var statements: Int { pool.statements }

    /// How long the database has been away; nil while it is not known to be.
    var outage: Duration? { pool.outage }

    /// Returns what reads, once the tables are there.
    func reader() async throws -> PostgresReader {
        _ = try await epoch()
        return rows
    }

    /// Carries out a message; see ``PostgresWriter/perform(_:wireIDs:_:)``.
    func write<Result: Sendable>(
        _ ids: [String] = [], wireIDs: [String] = [],
        _ body: @escaping @Sendable (PostgresTurn) async throws -> Result
    ) async throws -> Result {
        _ = try await epoch()
        return try await writer.perform(ids, wireIDs: wireIDs, body)
    }

    private func epoch() async throws -> String {
        if let epoch = shared.state.withLock(\.epoch) { return epoch }
        return try await preparing.withPermit {
            if let epoch = shared.state.withLock(\.epoch) { return epoch }
            let epoch = try await converting { try await PostgresSchema.prepare(pool) }
            shared.state.withLock { $0.epoch = epoch }
            return epoch
        }
    }

    /// Runs `body`, and says its errors as those of hub.
    private func converting<Result>(_ body: () async throws -> Result) async throws -> Result {
        do { return try await body() } catch let error as PostgresError { throw HubError(error) }
    }

    /// Reads something, or changes something that may be done twice: it is done again when a connection was lost, such as after a restart of
    /// the database, unless `isRepeatable` is false.
    func read<Result>(
        isRepeatable: Bool = true, _ body: (PostgresReader) async throws -> Result
    ) async throws -> Result {
        let deadline = ContinuousClock.now + PostgresPool.patience
        var attempt = 1
        while true {
            do {
                return try await body(try await reader())
            } catch let error as PostgresError {
                guard isRepeatable, error.isLoss, attempt < Self.attempts, .now < deadline else {
                    throw HubError(error)
                }
                attempt += 1
                try await Task.sleep(for: PostgresPool.pause(attempt))
            }
        }
    }

    /// Each connection of the pool may have been lost.
    private static let attempts = 8

    /// Returns the last change, and what belongs to it.
    func position() async throws -> ServerPosition {
        try await read { reader in
            let position = try await reader.position()
            let known = shared.state.withLock(\.accounts)
            var names = known?.names ?? []
            if known?.number != position.accounts {
                names = try await reader.names()
                shared.state.withLock { [names] in $0.accounts = (position.accounts, names) }
            }
            // After the numbers, which may be those of another database than before.
            return ServerPosition(
                epoch: try await epoch(), latest: position.change, replica: "", accounts: names,
                requests: position.requests)
        }
    }
}
