import Audio
import CivilDate
import Commands
package import DictofunDomain
import HubKit
package import Storage

extension DictofunPlugin {
    /// The right to use recorders.
    package var bluetoothLock: BluetoothLock { BluetoothLock(locks) }

    /// How long recorders are looked for by a command.
    private static let scanTime = Duration.seconds(20)
    /// The most connections of a transfer.
    private static let connectionLimit = 3

    /// Returns the paired recorders, with their last reports.
    package func devices() async throws -> [StoredDevice] { try await store.read { try $0.devices() } }

    /// Looks for recorders nearby; `end` says when that ends before the time.
    package func scan(
        for time: Duration = .seconds(10), until end: ConnectionEngine.ScanEnd? = nil, operation: Operation,
        waiting: @escaping @Sendable (String?) -> Void = { _ in }
    ) async throws -> [Device] {
        let known = Dictionary(try await devices().map { ($0.device.address, $0.device.alias) }) { first, _ in first }
        @Sendable func named(_ device: Device) -> Device {
            var device = device
            device.alias = known[device.address.uppercased()] ?? nil
            return device
        }
        let run = try await run(
            .scan, scanTime: time,
            scanEnd: end.map { end in .init(after: end.time) { end.isWanted(named($0)) } },
            task: .none, operation: operation, waiting: waiting)
        guard case .scanned(let found)? = run.connection else { throw failure(run, device: nil) }
        return found.map(named)
    }

    /// Pairs with `device`, which must be nearby, and fetches its records over the same connection: after one, a recorder switches
    /// itself off.
    package func pair(
        _ device: Device, alias: String? = nil, fetches: Bool = true, operation: Operation,
        waiting: @escaping @Sendable (String?) -> Void = { _ in },
        report: @escaping @Sendable (Device, FTSProgress) -> Void = { _, _ in }
    ) async throws -> RecorderRun {
        let run = try await transfer(
            .pair(address: device.address), scanTime: Self.scanTime, task: fetches ? .fetch : .none,
            operation: operation, waiting: waiting,
            linked: { [store] paired in
                var saved = paired
                (saved.alias, saved.isPaired) = (alias, true)
                try await store.write(Self.unrecorded(operation)) { [saved] in try $0.saveDevice(saved) }
            }, report: report)
        guard run.device != nil else { throw failure(run, device: device) }
        return run
    }

    /// Deletes the bonds on both sides; on this computer's also while the recorder is away. Its records stay.
    package func unpair(
        _ device: Device, operation: Operation, waiting: @escaping @Sendable (String?) -> Void = { _ in }
    ) async throws {
        let run = try await run(
            .unpair(address: device.address), scanTime: Self.scanTime, task: .none, operation: operation,
            waiting: waiting)
        switch run.connection {
        case .unpaired?, .failed(.notFound)?:
            try await store.write(Self.unrecorded(operation)) { try $0.removeDevice(device.address) }
        default: throw failure(run, device: device)
        }
    }

    /// Gives a paired recorder another name, notes the version of its firmware, or both.
    package func change(
        _ device: Device, alias: String? = nil, firmware: FirmwareVersion? = nil, operation: Operation
    ) async throws {
        var changed = device
        (changed.alias, changed.firmware) = (alias ?? device.alias, firmware ?? device.firmware)
        let saved = changed
        try await store.write(Self.unrecorded(operation)) { try $0.saveDevice(saved, isHeard: false) }
    }

    /// Fetches all that is new from a paired recorder: from `device`, or from the first that is heard.
    ///
    /// Each file is on the disk, with its record, before the recorder gets the confirmation that all was received. Throws `unavailable` when no
    /// recorder is heard.
    package func sync(
        _ device: Device?, scanTime: Duration = .seconds(20), search: ConnectionEngine.Search = .init(),
        operation: Operation, waiting: @escaping @Sendable (String?) -> Void = { _ in },
        report: @escaping @Sendable (Device, FTSProgress) -> Void = { _, _ in }
    ) async throws -> RecorderRun {
        let run = try await transfer(
            .connect(address: device?.address), scanTime: scanTime, search: search, task: .fetch, operation: operation,
            waiting: waiting, report: report)
        guard run.report != nil else { throw failure(run, device: device) }
        return run
    }

    /// Runs to a link and does `task` over it. When the link is lost, it connects again: the recorder is visible for some seconds.
    private func transfer(
        _ goal: ConnectionEngine.Goal, scanTime: Duration, search: ConnectionEngine.Search = .init(),
        task: RecorderTask, operation: Operation, waiting: @escaping @Sendable (String?) -> Void,
        linked: @escaping @Sendable (Device) async throws -> Void = { _ in },
        report: @escaping @Sendable (Device, FTSProgress) -> Void
    ) async throws -> RecorderRun {
        let tell: @Sendable (Device, FTSProgress) -> Void = { [activity] device, progress in
            activity.note(device, progress)
            report(device, progress)
        }
        var run = try await run(
            goal, scanTime: scanTime, search: search, task: task, operation: operation, waiting: waiting,
            linked: linked, report: tell)
        var connections = 1
        while run.report?.outcome == .interrupted, connections < Self.connectionLimit, !Task.isCancelled {
            connections += 1
            guard
                let next = try? await self.run(
                    .connect(address: run.device?.address), scanTime: Self.scanTime, task: task, operation: operation,
                    isAgain: true, waiting: waiting, report: tell), next.report != nil
            else { break }
            let wasConnected = run.wasConnectedByService
            (run, run.records) = (next, run.records + next.records)
            run.wasConnectedByService = wasConnected
        }
        let known = try await devices().map(\.device)
        let address = run.device?.address.uppercased()
        run.device?.alias = known.first { $0.address == address }?.alias
        if let device = run.device { try await note(device, run, operation) }
        return run
    }

    /// Stores what a recorder reported during a run, and emits events for new records and a low battery.
    private func note(_ device: Device, _ run: RecorderRun, _ operation: Operation) async throws {
        var saved = device
        (saved.storage, saved.isPaired) = (run.report?.storage, true)
        let (told, isSynced, count) = (saved, run.report?.outcome == .complete, run.records.count)
        let (today, isService) = (clock.today.description, operation.who != .person)
        try await store.write(Self.unrecorded(operation)) { tx in
            try tx.saveDevice(told, isSynced: isSynced)
            if count > 0 { try tx.emit(RecorderSynced.make(told, count: count, isService: isService)) }
            if let level = told.battery, level.isLow { try tx.emit(BatteryLow.make(told, level, on: today)) }
        }
    }

    /// Creates the record of a file that was fetched, and asks for its transcription.
    func storeFile(
        _ file: FTSEngine.File, _ stored: StoredBlob, from device: Device, operation: Operation
    ) async throws -> RecordSummary {
        let sound = try await sounds.summary(of: blobs.path(of: stored.id), .recorder)
        let record = StoredRecord(
            id: Identifier.make(), revision: 1, deletedAt: nil, blob: stored.id.text, size: stored.size,
            format: .recorder, name: "",
            record: Record(
                file: file.id, of: device.address.uppercased(), length: sound.length,
                fetchTime: localNow), isRough: false)
        let transcribes = config[DictofunKeys.transcribes] && (try? engines.engine()) != nil
        try await stored.whileKept {
            try await store.write(operation) { tx in
                try tx.insertRecord(record)
                try tx.setOutline(sound.waveform.bytes, of: record.id)
                try tx.reindexRecords([record.id])
                try tx.emit(DictofunEvents.recordAdded, record.summary)
                if transcribes, record.record.needsTranscription { try transcriptions.enqueue(record.id, in: tx) }
            }
        }
        newTranscriptions.wake()
        return record.summary
    }

    private static func unrecorded(_ operation: Operation) -> Operation {
        Operation(operation.name, who: operation.who, kind: .cache)
    }

    /// Runs to `goal`, and does `task` over the link; `linked` is called before it. While another process uses recorders, it waits
    /// and says so by `waiting`; a service throws `busy` instead, and leaves an adapter off that is off.
    func run(
        _ goal: ConnectionEngine.Goal, scanTime: Duration, scanEnd: ConnectionEngine.ScanEnd? = nil,
        search: ConnectionEngine.Search = .init(), task: RecorderTask, operation: Operation, isAgain: Bool = false,
        waiting: @escaping @Sendable (String?) -> Void = { _ in },
        linked: @escaping @Sendable (Device) async throws -> Void = { _ in },
        report: @escaping @Sendable (Device, FTSProgress) -> Void = { _, _ in }
    ) async throws -> RecorderRun {
        let lock = try await acquireBluetooth(operation, waiting)
        defer { withExtendedLifetime(lock) {} }
        let client = try await openBlueZ(connects: search.isSilent)
        let engine = ConnectionEngine(
            goal, scanTime: scanTime, scanEnd: scanEnd, search: search, switchesOn: operation.who == .person,
            expectsAdapter: isAgain)
        let session = RecorderSession(
            self, client, engine, task: task, operation: operation, linked: linked, report: report)
        do {
            let result = try await session.run()
            await client.close()
            return result
        } catch {
            await client.close()
            throw error
        }
    }

    /// Connects with the Bluetooth service; recorders get the time from this process then. With `connects`, the service connects with
    /// paired recorders by itself.
    func openBlueZ(connects: Bool = false) async throws -> BlueZClient {
        let zone = TimeZoneRules.system
        return try await BlueZClient.open(bluetooth.bus, patience: bluetooth.patience, connects: connects) { [clock] in
            zone.localTime(at: clock.now)
        }
    }

    /// Returns when the Bluetooth service has an adapter that is on, after `limit` at the latest.
    func awaitAdapter(atMost limit: Duration) async throws {
        let client = try await openBlueZ()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [clock] in try? await clock.sleep(for: limit) }
            group.addTask { await client.awaitAdapter() }
            await group.next()
            group.cancelAll()
        }
        await client.close()
    }

    /// Takes the right to use recorders: a person waits for it, a service comes again later.
    func acquireBluetooth(
        _ operation: Operation, _ waiting: @Sendable (String?) -> Void
    ) async throws -> FileLock {
        if operation.who == .person { return try await bluetoothLock.acquire(waiting: waiting) }
        guard let lock = try await bluetoothLock.tryAcquire() else {
            throw HubError(.busy, code: "recorder-busy", "another hub process is using the recorder")
        }
        return lock
    }

    /// Returns the error of a run that did not come to its task.
    func failure(_ run: RecorderRun, device: Device?) -> any Error {
        let name = device?.name ?? "recorder"
        guard case .failed(let failure)? = run.connection else {
            if run.connection == .cancelled { return CancellationError() }
            return HubError(
                .unavailable, code: "recorder-lost", "the connection to \(name) was lost",
                hint: "switch it on and try again")
        }
        return failure.hubError(name)
    }
}

extension ConnectionEngine.Failure {
    /// The error for the user, about the recorder `name`.
    func hubError(_ name: String) -> HubError {
        switch self {
        case .serviceMissing:
            HubError(
                .unavailable, code: "bluetooth-missing", "the Bluetooth service is not running",
                hint: "apt install bluez, then systemctl start bluetooth")
        case .noAdapter:
            HubError(.unavailable, code: "no-adapter", "this computer has no usable Bluetooth adapter")
        case .adapterOff:
            HubError(
                .unavailable, code: "adapter-off", "the Bluetooth adapter is off",
                hint: "bluetoothctl power on, or rfkill unblock bluetooth")
        case .notPermitted:
            HubError(
                .denied, code: "bluetooth-denied", "access to Bluetooth denied",
                hint: "join the group bluetooth, then log in again")
        case .notFound:
            HubError(
                .unavailable, code: "recorder-away", "\(name) is not nearby",
                details: ["a recorder is visible only for some seconds after a recording"],
                hint: "press its button, then try again; hub dictofun scan lists the recorders nearby")
        case .notPaired:
            HubError(.conflict, code: "not-paired", "\(name) is not paired", hint: "hub dictofun pair NAME")
        case .pairingFailed(let error):
            HubError(
                .unavailable, code: "pairing-failed", "pairing with \(name) failed", details: ["\(error)"],
                hint: "keep it near, switch it on and try again; if it was paired before: hub dictofun unpair NAME")
        case .bondLost:
            HubError(
                .conflict, code: "bond-lost", "\(name) has forgotten its pairing with this computer",
                hint: "hub dictofun unpair NAME, then hub dictofun pair NAME")
        case .unsupported:
            HubError(
                .unavailable, code: "recorder-unsupported", "\(name) does not offer file transfer",
                details: ["the Bluetooth service may still have the description of an older firmware"],
                hint: "hub dictofun unpair NAME, then pair it again")
        case .connectionFailed(let error):
            HubError(
                .unavailable, code: "connection-failed", "the connection to \(name) failed", details: ["\(error)"],
                hint: "keep it near, switch it on and try again")
        }
    }
}
