import DictofunDomain
import HubKit

/// Syncs a paired recorder whenever it appears, and makes room for commands.
///
/// The Bluetooth service is asked to connect with paired recorders by itself. Until it has done so, hub also looks for them in between, with
/// pauses that are shorter than the time for which a recorder is visible; from then on it only waits.
struct RecorderService: Service {
    let dictofun: DictofunPlugin

    /// The time between two runs after a sync: a recorder is visible for its last 5 seconds then, in which it must not be met again.
    private static let pause = Duration.seconds(12)
    /// The time between two runs that met no recorder.
    private static let shortPause = Duration.seconds(1)
    /// The time until it looks again when Bluetooth cannot be used.
    private static let longPause = Duration.seconds(300)
    /// The time until it looks again whether a recorder is paired.
    private static let pairingPause = Duration.seconds(20)

    /// What the runs so far have shown.
    struct Experience: Sendable {
        /// The connections after which the Bluetooth service is relied on: one may be the work of another program.
        private static let reliableCount = 2

        /// How often the Bluetooth service has connected by itself.
        private(set) var connectionCount = 0
        /// Whether the next run waits for a connection.
        private(set) var isSilent = true
        /// The recorders of the last runs, the last one last.
        private(set) var served: [String] = []

        private var isReliable: Bool { connectionCount >= Self.reliableCount }

        /// How recorders are found, of which `count` are paired. One alone has nothing to wait for.
        func search(of count: Int) -> ConnectionEngine.Search {
            .init(isSilent: isSilent, served: count > 1 ? served : [])
        }

        /// How long the next run takes. A recorder is visible for 25 seconds after a record.
        var scanTime: Duration { isReliable ? .seconds(600) : isSilent ? .seconds(12) : .seconds(8) }

        /// Takes notice of a run that met a recorder.
        mutating func note(_ run: RecorderRun) {
            if run.wasConnectedByService { connectionCount += 1 }
            isSilent = true
            guard let address = run.device?.address else { return }
            served.removeAll { $0 == address }
            served.append(address)
        }

        /// Takes notice of a run that met none; `isEarly` when the Bluetooth service refused to connect by itself.
        mutating func noteNone(isEarly: Bool) {
            if isEarly { connectionCount = 0 }
            isSilent = isReliable || !isSilent
        }
    }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [dictofun] in
                try await dictofun.bluetoothLock.watchRequests(dictofun.watcher, log: dictofun.log) {
                    dictofun.activity.makeRoom()
                }
            }
            group.addTask {
                var experience = Experience()
                while true { try await dictofun.clock.sleep(for: try await step(&experience)) }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// Listens once; returns the time until the next time.
    private func step(_ experience: inout Experience) async throws -> Duration {
        let count = try await dictofun.devices().count(where: \.device.isPaired)
        guard count > 0 else { return Self.pairingPause }
        let operation = Operation("dictofun sync", who: .service("recorder"))
        let (search, time) = (experience.search(of: count), experience.scanTime)
        let began = dictofun.clock.monotonicNow
        do {
            let run = try await dictofun.activity.listen { [dictofun] in
                try await dictofun.sync(
                    nil, scanTime: time, search: search, operation: operation)
            }
            experience.note(run)
            if !run.records.isEmpty {
                dictofun.log.notice("fetched \(NumberFormat.counted(run.records.count, "record"))")
            }
            if run.device?.battery?.isLow == true {
                dictofun.log.warning("the battery of \(run.device?.name ?? "") is low")
            }
            return run.report?.outcome == .complete ? Self.pause : Self.pause * 2
        } catch let error as HubError {
            // It is away most of the time.
            if error.code == "recorder-away" {
                let rest = time - (dictofun.clock.monotonicNow - began)
                let isEarly = search.isSilent && rest > Self.shortPause
                experience.noteNone(isEarly: isEarly)
                return isEarly ? min(rest, Self.pause) : Self.shortPause
            }
            if ["recorder-lost", "recorder-busy", "connection-failed"].contains(error.code) { return Self.pause }
            dictofun.log.info(error.message)
            if ["adapter-off", "no-adapter", "bluetooth-missing"].contains(error.code) {
                try await dictofun.awaitAdapter(atMost: Self.longPause)
                return Self.shortPause
            }
            return Self.longPause
        } catch is CancellationError where !Task.isCancelled {
            // A page or a command wants the adapter.
            return Self.pause
        }
    }
}
