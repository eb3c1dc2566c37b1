import Commands
import DictofunDomain
import HubKit

/// `hub dictofun sync`: fetches new records from a recorder, and transcribes them.
enum SyncCommand {
    private static let device = Arguments<String>(
        "DEVICE", .optional,
        help: "recorder: name, address or end of the address (default: the first paired one in range)",
        completion: .from(DictofunPlugin.self) { dictofun, _ in
            try await dictofun.devices().map { CompletionWord($0.device.name, $0.device.address) }
        })

    static let command = Command(
        "sync", summary: "fetch new records from a recorder, and transcribe them",
        discussion: [
            "A record is stored here before its transfer is confirmed to the recorder. Records in the trash are not fetched again. "
                + "hub serve syncs whenever a paired recorder is in range; while it fetches records, this command waits."
        ],
        examples: [
            Example("hub dictofun sync", "from the recorder in range"),
            Example("hub dictofun sync desk", "from one of several"),
        ], parameters: [device], fields: RecordListItem.fields, changes: true
    ) { (dictofun: DictofunPlugin, input: Input) in
        var chosen: Device?
        if let name = input[device].first { chosen = try await DeviceCommands.paired(dictofun, named: name) }
        if input.dryRun {
            return .done("Would fetch new records from \(chosen?.name ?? "the paired recorder that is nearby")")
        }
        let console = input.console
        let waiting = console.listening()
        let run = try await dictofun.sync(chosen, operation: Operation(input), waiting: waiting) {
            report($1, on: console)
        }
        return try await finish(run, dictofun, input)
    }

    /// Transcribes what was fetched, and returns the output of the run.
    static func finish(_ run: RecorderRun, _ dictofun: DictofunPlugin, _ input: Input) async throws -> Output {
        input.console.report(nil)
        let ids = run.records.map(\.id)
        let transcribed = try await TranscribeCommand.transcribeNew(dictofun, ids, input)
        let engine = dictofun.listEngines().first(where: \.isDefault)?.label ?? ""
        let records = try await dictofun.records.listed(try await dictofun.summaries(ids))
        return finished(run, records, transcribed, engine)
    }

    /// Shows how far a transfer is.
    static func report(_ progress: FTSProgress, on console: any Console) { console.report(shown(progress)) }

    private static func shown(_ progress: FTSProgress) -> Progress {
        switch progress.operation {
        case .connecting: Progress("connecting", completed: 0, unit: "")
        case .listing, .describing: Progress("listing files", completed: progress.newCount, unit: "new")
        case .receiving, .storing, .finishing:
            Progress(
                "record \(min(progress.receivedCount + 1, progress.newCount)) of \(progress.newCount)",
                completed: progress.receivedBytes / 1000, of: max(1, progress.totalBytes / 1000), unit: "kB")
        }
    }

    private static func finished(
        _ run: RecorderRun, _ records: [ListedRecord], _ transcribed: TranscribeCommand.Result, _ engine: String
    ) -> Output {
        guard let device = run.device, let report = run.report else { return .nothing }
        let battery = device.battery.map { ", battery \($0.percent) %" } ?? ""
        var output = Output.report(
            records, RecordListItem.fields,
            summary: records.isEmpty
                ? []
                : [
                    "\(records.count) fetched"
                        + (transcribed.count > 0 ? ", \(transcribed.count) transcribed (\(engine))" : "")
                ])
        output.hasHeader = true
        // With a low battery, the recorder is not asked for its list.
        let listed =
            report.outcome == .lowBattery && report.listedCount == 0
            ? "" : ": \(NumberFormat.counted(report.listedCount, "record")), \(records.count) new"
        output.heading = ["Found \(device.name) (\(device.advertisedName)\(battery))\(listed)"]
        output.notes = transcribed.notes
        if transcribed.isPartial { output.exit = .partly }
        func warn(_ text: String, _ code: String, hint: String? = nil) {
            output.notes.append(.warning(text, code: code, hint: hint))
            output.exit = .partly
        }
        if let level = device.battery, level.isLow {
            output.notes.append(
                .warning("the battery of \(device.name) is low: \(level.percent) %", code: "battery-low"))
        }
        if report.storage?.condition == .full || report.storage?.condition == .nearlyFull {
            output.notes.append(.warning("the memory of \(device.name) is nearly full", code: "storage-full"))
        }
        let retry = "switch it on and run hub dictofun sync again; nothing is fetched twice"
        switch report.outcome {
        case .complete: break
        case .incomplete:
            warn(
                "\(NumberFormat.counted(report.failures.count, "record")) could not be fetched", "sync-incomplete",
                hint: retry)
        case .interrupted: warn("the link ended early", "sync-interrupted", hint: retry)
        case .lowBattery:
            warn("nothing more was fetched because of the low battery", "sync-low-battery", hint: "charge it")
        case .cancelled: warn("stopped; what was fetched is kept", "sync-stopped")
        case .storeFailed(let reason): warn("a record could not be stored: \(reason)", "sync-not-stored")
        case .unsupported:
            warn(
                "the recorder does not support all of the file transfer", "sync-unsupported",
                hint: "unpair it, then pair it again")
        case .unresponsive, .listFailed:
            warn(
                "the recorder does not respond", "sync-no-answer",
                hint: "wait until it switches itself off, then " + retry)
        }
        return output
    }

    /// Returns the result of a run in a sentence without a full stop.
    static func sentence(_ run: RecorderRun) -> String {
        let count = NumberFormat.counted(run.records.count, "new record")
        switch run.report?.outcome {
        case .complete?: return run.records.isEmpty ? "Nothing new" : "\(count) fetched"
        case .lowBattery?: return "\(count) fetched; the battery is too low for more, charge it"
        case .incomplete?: return "\(count) fetched; some could not be fetched, try again"
        case .storeFailed(let reason)?: return "\(count) fetched; one could not be stored: \(reason)"
        case .cancelled?: return "Stopped; \(count) fetched"
        default: return "\(count) fetched; the link ended early, switch the recorder on and try again"
        }
    }
}
