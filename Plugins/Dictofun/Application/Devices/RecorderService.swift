import DictofunDomain
import HubKit

/// Syncs a paired recorder whenever it appears, and makes room for commands.
struct RecorderService: Service {
    let dictofun: DictofunPlugin

    /// How long it listens at a time, and the time between two runs: a recorder is met only once in its last seconds.
    private static let (listening, pause) = (Duration.seconds(60), Duration.seconds(10))
    /// The time until it looks again when Bluetooth cannot be used, and after it can be used again.
    private static let (longPause, wakingPause) = (Duration.seconds(300), Duration.seconds(1))
    /// The time until it looks again whether a recorder is paired.
    private static let pairingPause = Duration.seconds(20)

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [dictofun] in
                try await dictofun.bluetoothLock.watchRequests(dictofun.watcher, log: dictofun.log) {
                    dictofun.activity.makeRoom()
                }
            }
            group.addTask {
                while true { try await dictofun.clock.sleep(for: try await step()) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Listens once; returns the time until the next time.
    private func step() async throws -> Duration {
        guard try await dictofun.devices().contains(where: \.device.isPaired) else { return Self.pairingPause }
        let operation = Operation("dictofun sync", who: .service("recorder"))
        do {
            let run = try await dictofun.activity.listen { [dictofun] in
                try await dictofun.sync(nil, scanTime: Self.listening, operation: operation)
            }
            if !run.records.isEmpty {
                dictofun.log.notice("fetched \(NumberFormat.counted(run.records.count, "record"))")
            }
            if run.device?.battery?.isLow == true {
                dictofun.log.warning("the battery of \(run.device?.name ?? "") is low")
            }
            return run.report?.outcome == .complete ? Self.pause : Self.pause * 2
        } catch let error as HubError {
            // It is away most of the time.
            if ["recorder-away", "recorder-lost", "recorder-busy", "connection-failed"].contains(error.code) {
                return Self.pause
            }
            dictofun.log.info(error.message)
            if ["adapter-off", "no-adapter", "bluetooth-missing"].contains(error.code) {
                try await dictofun.awaitAdapter(atMost: Self.longPause)
                return Self.wakingPause
            }
            return Self.longPause
        } catch is CancellationError where !Task.isCancelled {
            // A page or a command wants the adapter.
            return Self.pause
        }
    }
}
