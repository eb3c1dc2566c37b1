import HubKit
package import NotesDomain
import System

extension NotesPlugin {
    /// The time after which a database that does not answer makes the server one that is not ready.
    private static let patience = Duration.seconds(5)

    /// What the server counts, for Prometheus.
    package var serverMetrics: String {
        metrics.text(
            [
                ServerMetrics.Gauge(
                    "connections", "Connections of clients.", Double(live.count), labels: "protocol=\"hub\""),
                ServerMetrics.Gauge(
                    "connections", "Connections of clients.", Double(noteAppClients.count),
                    labels: "protocol=\"noteapp\""
                ),
            ] + (database?.gauges ?? []))
    }

    /// The database that is served; nil for the notes of the person here.
    private var database: PostgresNoteDatabase? { (serverStore as? PostgresNoteServerStore)?.database }

    /// Whether clients can be served now: whether the notes can be read.
    package func isServerReady() async -> Bool {
        if draining.isDraining { return false }
        if let outage = database?.outage, outage > Self.patience { return false }
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask { [self] in (try? await serverStore.position()) != nil }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    /// Does what a server of a database has to do beside its clients' requests, until it is cancelled: it says that it is there, tells of its
    /// clients' cursors again, and removes what nothing needs.
    package func keepUpServer() async {
        guard let database else { return }
        let contents = Task { await moveContentsAtStart() }
        defer { contents.cancel() }
        // Servers that are started together do not look together.
        let first = ContinuousClock.now + .seconds(Int.random(in: 60...600))
        var nextPruning = first
        while !Task.isCancelled {
            cursors.refresh()
            do {
                if try await database.tellState(connections: live.count + noteAppClients.count) {
                    Task { await drainServer() }
                }
                if .now >= nextPruning {
                    nextPruning = .now + PostgresUpkeep.interval
                    metrics.count(.pruned, by: try await database.prune())
                }
            } catch {
                log.warning("the upkeep of the database failed: \(error)")
            }
            try? await Task.sleep(for: PostgresUpkeep.beat)
        }
        try? await database.leave()
    }
}

extension NotesPlugin {
    /// Returns the servers of the database that are there.
    package func serverInstances() async throws -> [ServerInstance] { try await servedDatabase().instances() }

    /// Lets the server of the database send its clients away whose name begins with `name`, or the one on the machine of this name.
    package func drainInstance(_ name: String) async throws -> ServerInstance {
        let database = try servedDatabase()
        let found = try await database.instances().filter { $0.name.hasPrefix(name) || $0.host == name }
        guard let instance = found.first, found.count == 1 else {
            throw HubError(
                .notFound, code: found.isEmpty ? "server-not-found" : "server-ambiguous",
                "\(found.isEmpty ? "no server" : "\(found.count) servers") named \"\(TerminalSanitizer.line(name))\"",
                hint: "hub notes server instances lists them")
        }
        try await database.drain(instance.name)
        return instance
    }

    private func servedDatabase() throws(HubError) -> PostgresNoteDatabase {
        guard let database = (serverStore as? PostgresNoteServerStore)?.database else {
            throw HubError(
                .config, code: "one-server", "the notes of this machine have one server",
                hint: "set plugins.notes.server.store to a database of PostgreSQL for several; SIGTERM drains this one")
        }
        return database
    }
}
