import Commands
import DictofunDomain
import HubKit

/// `hub dictofun status`: records, engine, inbox and what waits.
enum StatusCommand {
    private static let fields = [
        Field<StatusLine>("name", "NAME", help: "part: records, transcription, or an inbox folder") { .text($0.name) },
        Field<StatusLine>("state", "STATE", help: "state in a word or two") { .text($0.state) },
        Field<StatusLine>("detail", "DETAIL", help: "pending work, or the reason of a failure") { .text($0.detail) },
    ]

    static let command = Command(
        "status", summary: "show records, transcription and inbox",
        examples: [
            Example("hub dictofun status", "show everything"),
            Example("hub dictofun status --json", "for a script"),
        ], prominence: .more, fields: fields
    ) { (dictofun: DictofunPlugin, _: Input) in .list(try await lines(dictofun), fields) }

    /// The lines, also for `hub status`.
    static func lines(_ dictofun: DictofunPlugin) async throws -> [StatusLine] {
        let status = try await dictofun.status()
        var lines = [
            StatusLine("records", state: NumberFormat.grouped(status.recordCount), detail: "")
        ]
        let engine = status.engine.map { "engine \($0)" } ?? "no engine: hub dictofun engines list"
        if let (record, progress) = status.running {
            let share = progress.map { ", \(Int($0 * 100)) %" } ?? ""
            lines.append(
                StatusLine(
                    "transcription", state: "running",
                    detail: "\(record.shownName)\(share); \(status.waiting) more pending"))
        } else if status.waiting > 0 {
            lines.append(
                StatusLine(
                    "transcription", state: "waiting",
                    detail: "\(NumberFormat.counted(status.waiting, "record")), \(engine)"))
        } else {
            lines.append(StatusLine("transcription", state: status.engine == nil ? "off" : "idle", detail: engine))
        }
        lines += status.failed.map {
            StatusLine("transcription", state: "failed", detail: "\($0.record.shownName): \($0.reason)")
        }
        lines += status.devices.map { stored in
            let device = stored.device
            let parts = [
                device.battery.map { "battery \($0.percent) %\($0.isLow ? ", low" : "")" },
                device.storage.map { "memory \(Int(($0.fraction * 100).rounded())) % in use, \($0.fileCount) files" },
                status.talking.map { "in use by \($0)" },
            ]
            return StatusLine(
                device.name, state: stored.syncedAt == nil ? "never synced" : "synced",
                detail: parts.compactMap(\.self).joined(separator: "; "))
        }
        lines += status.inbox.map { StatusLine($0.folder, state: $0.isThere ? "inbox" : "missing", detail: "") }
        return lines
    }
}
