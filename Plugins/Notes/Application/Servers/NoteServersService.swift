import Commands
import HubKit
import NotesDomain
import Storage
import Sync

extension SyncReport<SyncNotes> {
    /// Adds what was exchanged with a server of hub.
    mutating func add(_ counts: SyncHub.Counts, account: String) {
        (run.received, run.sent, run.merged) = (counts.received, counts.sent, counts.merged.count)
        run.problems = counts.refused.count + counts.failed.count
        self.details.notes += counts.merged.prefix(20).map { Diagnostic("  merged  \($0)") }
        self.details.notes += counts.refused.sorted { $0.key < $1.key }.prefix(20).map {
            Diagnostic.warning("\(account) refuses the changes of \($0.key): \($0.value)", code: "note-refused")
        }
        self.details.notes += counts.failed.sorted { $0.key < $1.key }.prefix(20).map {
            let what = $0.key.isEmpty ? $0.value : "the note \($0.key) was not synced: \($0.value)"
            return Diagnostic.warning("\(account): \(what)", code: "note-not-synced")
        }
    }
}

/// Keeps a connection to each server, over which changes go both ways at once, and connects again when it is lost.
///
/// The service that syncs at intervals runs beside it: it has what a server without a WebSocket needs, and the log.
struct NoteServersService: Service {
    /// The time between two looks at the config file.
    private static let configInterval = Duration.seconds(10)

    /// What has happened at a server.
    struct Report: Sendable {
        /// The time.
        let at: Instant
        /// The name of the server.
        let server: String
        /// What has happened, in a few words.
        let words: String
    }

    let accounts: AccountManager<NoteServers>
    let cursors: Cursors
    let log: Log
    /// The servers to connect to; empty for all.
    var names: [String] = []
    /// Called when notes were exchanged, and when a connection was made or lost.
    var report: @Sendable (Report) -> Void = { _ in }

    func run() async throws {
        guard !accounts.registry.isOffline else { return }
        var running: [ConfiguredAccount: Task<Void, Never>] = [:]
        defer { for task in running.values { task.cancel() } }
        while true {
            let setups = try accounts.registry.accounts(names)
            for (setup, task) in running where !setups.contains(setup) {
                task.cancel()
                running[setup] = nil
            }
            for setup in setups where running[setup] == nil {
                running[setup] = Task {
                    await ServerConnection(setup: setup, accounts: accounts, cursors: cursors, log: log, report: report)
                        .run()
                }
            }
            try await accounts.registry.clock.sleep(for: Self.configInterval)
        }
    }
}

extension NotesPlugin {
    /// Keeps servers in sync, all for no names, and returns what happens until the task is cancelled.
    func watchServers(_ names: [String]) throws -> AsyncThrowingStream<NoteServersService.Report, any Error> {
        let registry = accounts.registry
        _ = try registry.accounts(names)
        // Other processes tell this one of their changes.
        try? registry.bus.listen()
        var service = NoteServersService(accounts: accounts, cursors: cursors, log: log, names: names)
        let (reports, continuation) = AsyncThrowingStream<NoteServersService.Report, any Error>.makeStream()
        service.report = { continuation.yield($0) }
        let task = Task { [service] in
            do { try await service.run() } catch { continuation.finish(throwing: error) }
        }
        continuation.onTermination = { _ in task.cancel() }
        return reports
    }
}

/// The connection to one server, again and again.
private struct ServerConnection: Sendable {
    /// The time in which several messages of a server of whole notes count as one.
    private static let settling = Duration.milliseconds(200)

    let setup: ConfiguredAccount
    let accounts: AccountManager<NoteServers>
    let cursors: Cursors
    let log: Log
    let report: @Sendable (NoteServersService.Report) -> Void

    private var server: String { setup.name }
    private var clock: any Clock { accounts.registry.clock }
    private var backend: NoteServers { accounts.backend }

    func run() async {
        var schedule = ReconnectSchedule()
        while !Task.isCancelled {
            let start = clock.monotonicNow
            var retryAfter = Duration.zero
            do {
                try await connect()
            } catch is CancellationError {
                break
            } catch {
                if case .busy(let seconds?)? = error as? RemoteError { retryAfter = .seconds(seconds) }
                log.info("\(server): \(Self.words(error))")
            }
            let wait = schedule.lost(
                after: clock.monotonicNow - start, jitter: .random(in: 0..<1), retryAfter: retryAfter)
            await show("not connected, next try in \(max(1, wait.components.seconds)) s")
            guard (try? await clock.sleep(for: wait)) != nil else { break }
        }
        await show("")
    }

    private static func words(_ error: any Error) -> String {
        (error as? HubError).map { ([$0.message] + $0.details.prefix(1)).joined(separator: ": ") } ?? "\(error)"
    }

    /// Stores the state of the connection.
    private func show(_ words: String) async {
        let isNew = try? await backend.store.write(NoteServers.kind.operation) { [server] transaction in
            let isNew = try transaction.connection(of: server).words != words
            if isNew { try transaction.setConnection(words, of: server) }
            return isNew
        }
        if isNew == true, !words.isEmpty { tell(words) }
    }

    private func tell(_ words: String) {
        report(NoteServersService.Report(at: clock.now, server: server, words: words))
    }

    private var operation: Operation { Operation("notes sync \(server)", who: .service("serve")) }

    /// Opens a connection and serves it to its end. A server without a WebSocket is left to the service that syncs at intervals.
    private func connect() async throws {
        try await backend.use(setup.account)
        let connection = try await accounts.connect(to: setup)
        let socket = try await accounts.attempting(setup.account) { try await connection.openSocket() }
        guard let socket else {
            await show("")
            return try await clock.sleep(for: setup.account.every)
        }
        if socket.isHub {
            let hub = try backend.hub(setup.account, connection, operation, .open, cursors: cursors) { counts in
                await show("connected")
                await record(counts)
            }
            _ = try await accounts.attempting(setup.account) {
                try await socket.whileAnswering(.first, clock: clock) { try await hub.run(socket) }
            }
        } else {
            try await follow(socket)
        }
    }

    /// Reports what was exchanged over the connection.
    private func record(_ counts: SyncHub.Counts) async {
        var entry = SyncLogEntry(account: server, finishedAt: 0, milliseconds: 0, nextAt: 0)
        (entry.received, entry.sent, entry.merged) = (counts.received, counts.sent, counts.merged.count)
        tell(entry)
    }

    private func tell(_ entry: SyncLogEntry) {
        guard entry.received.total + entry.sent.total > 0 else { return }
        log.info("\(server): \(entry.words())")
        tell(entry.words())
    }

    // MARK: NoteApp

    /// Stores the request for access that a message of NoteApp is, if the note belongs to the person here.
    private func request(in text: String) async throws {
        guard let event = NoteAppEvent(fromServer: text.utf8), event.method == .accessRequest else { return }
        let name = backend.name(at: setup.account)
        try await backend.store.write(operation) { [server] transaction in
            try transaction.requestAccess(
                toRemote: event.id, on: server, owner: name, by: event.deviceId, reason: event.reason ?? "")
        }
    }

    /// Syncs with a server of whole notes when it says that notes have changed, and when they have changed here.
    private func follow(_ socket: NoteSocket) async throws {
        let wake = AsyncSignal()
        let heartbeat = HeartbeatMonitor(clock: clock)
        let changes = accounts.registry.bus.changes(of: ["domain.notes/*"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer {
                group.cancelAll()
                socket.close()
            }
            group.addTask {
                while true {
                    let event = await socket.receive()
                    heartbeat.received()
                    switch event {
                    case .text(let text):
                        try await request(in: text)
                        wake.wake()
                    case .other: break
                    case .closed(let reason): throw RemoteError.unreachable(reason: reason)
                    }
                }
            }
            group.addTask { await heartbeat.run(socket) }
            group.addTask { for await _ in changes { wake.wake() } }
            group.addTask {
                while true {
                    let report = try await accounts.sync(setup, SyncRequest(operation))
                    if let failure = report.failure { throw failure }
                    await show("connected")
                    tell(report.run)
                    guard await wake.wait(clock: clock) else { return }
                    try await clock.sleep(for: Self.settling)
                }
            }
            try await group.next()
        }
    }
}
