import HubKit
import Storage
import Sync

/// What plugins exchange with other machines by protocols of their own, over connections beside the requests for documents.
struct MachineExchanges: Sendable {
    private let hub: Hub

    init(_ hub: Hub) { self.hub = hub }

    private var all: [(plugin: String, exchange: MachineExchange)] {
        get throws { try hub.enabledDescriptors().compactMap { plugin in plugin.exchange.map { (plugin.id, $0) } } }
    }

    /// What serves machines that have joined this one, by the plugins.
    var servers: [String: @Sendable (any WebSocketPeer, _ machine: String) async throws -> Void] {
        get throws {
            var servers: [String: @Sendable (any WebSocketPeer, _ machine: String) async throws -> Void] = [:]
            for (plugin, exchange) in try all {
                servers[plugin] = { [hub] peer, machine in try await exchange.serve(hub, peer, machine) }
            }
            return servers
        }
    }

    /// Exchanges with a home until both sides have everything, and adds to the report what was done.
    func run(with machine: String, over link: any MachineLink, _ report: inout MachineReport) async throws {
        for (plugin, exchange) in try all {
            let done = try await run(plugin, exchange, with: machine, over: link, isLasting: false)
            if done.received > 0 { report.received[plugin, default: 0] += done.received }
            if done.sent > 0 { report.sent[plugin, default: 0] += done.sent }
            if done.received + done.sent > 0 { report.isQuiet = false }
            report.notes += done.notes
        }
    }

    /// Keeps connections to a home open, over which changes go both ways at once; ends with the first that is lost.
    func follow(
        _ machine: String, over link: any MachineLink,
        onUpToDate: @escaping @Sendable (_ words: String) async -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            for (plugin, exchange) in try all {
                group.addTask {
                    _ = try await run(plugin, exchange, with: machine, over: link, isLasting: true) { report in
                        let parts = [("received", report.received), ("sent", report.sent)].filter { $0.1 > 0 }
                        await onUpToDate(parts.map { "\($0) \(exchange.words($1))" }.joined(separator: "; "))
                    }
                }
            }
            try await group.next()
        }
    }

    private func run(
        _ plugin: String, _ exchange: MachineExchange, with machine: String, over link: any MachineLink,
        isLasting: Bool, onUpToDate: @escaping @Sendable (MachineExchangeReport) async -> Void = { _ in }
    ) async throws -> MachineExchangeReport {
        let channel = try await link.open(MachineHome.exchange + plugin)
        let operation = Operation("sync \(machine)", who: .service(machine), commandLine: "sync with \(machine)")
        // An exchange that fails before it begins would leave the other side waiting.
        defer { channel.close(1000, reason: "") }
        do {
            return try await exchange.run(
                hub,
                MachineConnection(
                    machine: machine, operation: operation, isLasting: isLasting, channel: channel,
                    files: LinkedFiles(link: link, blobs: try hub.database().blobs), onUpToDate: onUpToDate))
        } catch let error as RemoteError {
            throw HubError(
                .unavailable, code: "machine-unreachable", "the connection to \(machine) was lost",
                details: ["\(error)"], hint: "the next exchange goes on from there")
        }
    }

    /// Whether there is anything to keep connections open for.
    var isEmpty: Bool { get throws { try all.isEmpty } }

    /// The numbers of things of this store, and of those whose changes a home lacks, by the plugins.
    func counts(for machine: String?) async throws -> [(exchange: MachineExchange, all: Int, waiting: Int)] {
        var counts: [(exchange: MachineExchange, all: Int, waiting: Int)] = []
        for (_, exchange) in try all {
            let count = try await exchange.count(hub, machine)
            counts.append((exchange, count.all, count.waiting))
        }
        return counts
    }

    /// Explains the things of a plugin whose ids begin so, at the homes.
    func explain(_ plugin: String, _ id: String, _ machines: [JoinedMachine]) async throws -> [ItemExplanation] {
        guard let exchange = try all.first(where: { $0.plugin == plugin })?.exchange else { return [] }
        var explanations: [ItemExplanation] = []
        for machine in machines {
            explanations += try await exchange.explain(hub, id, machine.name)
        }
        return explanations
    }

    /// Forgets what a home has, which this machine leaves.
    func forget(_ machine: String) async throws {
        for (_, exchange) in try all { try await exchange.forget(hub, machine) }
    }

    /// `received 3 notes` for each plugin of a report.
    func words(_ counts: [String: Int]) throws -> [String] {
        try all.compactMap { plugin, exchange in counts[plugin].map { exchange.words($0) } }
    }
}

/// The files of a home.
private struct LinkedFiles: MachineFiles {
    let link: any MachineLink
    let blobs: BlobStore?

    func fetch(_ id: BlobID) async throws -> StoredBlob? {
        guard let blobs else { return nil }
        return try await MachineBlobs.fetch(id, into: blobs, from: link)
    }

    func send(_ id: BlobID) async throws -> Bool {
        guard let blobs else { return false }
        return try await MachineBlobs.send(id, from: blobs, to: link)
    }
}
