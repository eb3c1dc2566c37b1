import Commands
import HubKit
import Storage
import WebServer

/// `hub status`: the state of hub, its plugins and accounts, on one screen.
enum StatusCommand {
    private struct Line: Sendable {
        let part: String
        let state: String
        let detail: String
    }

    private static let plugin = Arguments<String>(
        "PLUGIN", .optional, help: "only this plugin", completion: SyncCommand.pluginNames)

    private static let fields = [
        Field<Line>("part", "PART", help: "component") { .text($0.part) },
        Field<Line>(
            "state", "STATE", help: "state", tone: { ["failed", "failing"].contains($0.state) ? .bad : .plain }
        ) {
            .text($0.state)
        },
        Field<Line>("detail", "DETAIL", help: "details") { .text($0.detail) },
    ]

    static let command = Command(
        "status", summary: "show the state of hub, its plugins and accounts",
        examples: [
            Example("hub status", "show hub serve, the store, plugins and services"),
            Example("hub status contacts", "show one plugin and its accounts"),
            Example("hub status --plain=part,state", "print two columns for a status bar"),
        ],
        prominence: .more, parameters: [plugin], fields: fields
    ) { (hub: Hub, input: Input) in
        let wanted = try input[plugin].first.map { try hub.descriptor(named: $0).id }
        let holder = try Daemon.holder(hub)
        var lines = wanted == nil ? [try daemon(holder, hub), try await store(hub)] : []
        if wanted == nil, try DaemonState.isOutdated(hub) {
            lines.append(
                Line(
                    part: "config", state: "outdated",
                    detail: "hub serve does not use the current settings; hub logs shows why"))
        }
        if wanted == nil { lines += try await running(hub) }
        for descriptor in hub.descriptors where wanted == nil || descriptor.id == wanted {
            let isOn = try hub.enabledDescriptors().contains { $0.id == descriptor.id }
            lines.append(Line(part: descriptor.id, state: isOn ? "on" : "off", detail: descriptor.summary))
            guard isOn, let provider = descriptor.providers.status else { continue }
            lines += try await provider.lines(hub).map {
                Line(part: "\(descriptor.id)/\($0.name)", state: $0.state, detail: $0.detail)
            }
        }
        if wanted == nil {
            lines += try await MachinePairs(hub).lines().map { machine in
                let age =
                    machine.seenAt.map { RelativeTime(now: hub.clock.now, zone: .system).words(for: $0) } ?? "never"
                let parts = [
                    machine.failure, "last seen \(age)", machine.waiting.flatMap { $0 > 0 ? "\($0) wait" : nil } ?? "",
                    machine.held.flatMap { $0 > 0 ? "\($0) refused: hub machines refused" : nil } ?? "",
                ]
                return Line(
                    part: "machines/\(machine.name)", state: machine.failure.isEmpty ? "joined" : "failing",
                    detail: parts.filter { !$0.isEmpty }.joined(separator: "; "))
            }
        }
        // The last report of a killed daemon is outdated.
        if holder != nil {
            lines += ServiceReports(hub).read().filter { wanted.map($0.service.hasPrefix) ?? true }
                .map { Line(part: $0.service, state: $0.state, detail: $0.detail) }
        }
        return .list(lines, fields)
    }

    private static func daemon(_ holder: FileLock.Holder?, _ hub: Hub) throws -> Line {
        guard let holder else {
            return Line(part: "hub serve", state: "not running", detail: "start it: hub serve, or hub service install")
        }
        let age = RelativeTime(now: hub.clock.now, zone: .system).words(for: holder.start)
        let page = try DaemonState.current(hub)?.page.map { ", \($0.isLoopback ? "http" : "https")://\($0)" } ?? ""
        return Line(part: "hub serve", state: "running", detail: "process \(holder.process), since \(age)\(page)")
    }

    /// Returns the running operations that take more than one transaction, such as an import.
    private static func running(_ hub: Hub) async throws -> [Line] {
        let locks = FileLocks(directory: hub.directories.locks, clock: hub.clock)
        // Looked at before anything else, for it may be over soon.
        let writer = try hub.database().currentWriter().map {
            Line(part: "store", state: "writing", detail: "\($0.command): process \($0.process) has the write lock")
        }
        let operations = try await hub.database().history.openOperations().compactMap { record -> Line? in
            guard let holder = try locks.holder(of: BulkLock.name(record.id)) else { return nil }
            let age = RelativeTime(now: hub.clock.now, zone: .system).words(for: record.at)
            return Line(
                part: "operation", state: "running",
                detail: "\(record.commandLine): process \(holder.process), since \(age)")
        }
        return (writer.map { [$0] } ?? []) + operations
    }

    private static func store(_ hub: Hub) async throws -> Line {
        let problems = try await hub.database().prepare()
        let path = hub.directories.data + "/hub.db"
        guard let first = problems.sorted(by: { $0.key < $1.key }).first else {
            return Line(part: "store", state: "open", detail: path)
        }
        return Line(part: "store", state: "failed", detail: "\(first.key): \(first.value.message)")
    }
}
