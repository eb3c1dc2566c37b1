package import DictofunDomain
import Storage

/// What came of a run with a recorder.
package struct RecorderRun: Sendable {
    /// How the connection ended.
    package var connection: ConnectionEngine.Outcome?
    /// How the transfer ended; nil when there was none.
    package var report: FTSReport?
    /// The recorder, once it was connected.
    package var device: Device?
    /// The new records.
    package var records: [RecordSummary] = []
    /// Whether the Bluetooth service has connected with the recorder by itself.
    package var wasConnectedByService = false
    /// What a test of the transfer received.
    package var test = TransferTest()
}

/// What is done over the link to a recorder.
enum RecorderTask: Sendable {
    /// Nothing: the link ends as soon as it is ready.
    case none
    /// New files become records.
    case fetch
    /// The built-in test files are received and nothing is stored.
    case test
}

/// One run with BlueZ: carries out what the two engines decide, and reports back what happens. It is the only loop.
final class RecorderSession {
    private enum Input: Sendable {
        case service(BlueZClient.Event)
        case transfer(FTSEngine.Event)
        case cancelled
    }

    private let dictofun: DictofunPlugin
    private let client: BlueZClient
    private let operation: Operation
    private let task: RecorderTask
    private let linked: @Sendable (Device) async throws -> Void
    private let report: @Sendable (Device, FTSProgress) -> Void
    private var engine: ConnectionEngine
    private var transfer: FTSEngine?
    private var link: ConnectionEngine.Link?
    private var characteristics: [String: FTSCharacteristic] = [:]
    private var file: (info: FTSEngine.File, writer: BlobWriter)?
    /// The reason why the file that is on its way cannot be kept.
    private var fileError: (any Error)?
    /// Whether the recorder has said nothing since a file was requested.
    private var isSilent = false
    private var result = RecorderRun()
    private let inputs: AsyncStream<Input>
    private let continuation: AsyncStream<Input>.Continuation
    private let calls = SessionCalls()
    private var connectionTimer: Task<Void, Never>?
    private var transferTimer: Task<Void, Never>?
    private var unreportedBytes = 0

    /// The number of bytes after which the progress is reported.
    private static let reportSize = 4096

    /// Creates a session for one run of the engine, and one task over its link. `linked` gets the recorder first.
    init(
        _ dictofun: DictofunPlugin, _ client: BlueZClient, _ engine: ConnectionEngine, task: RecorderTask,
        operation: Operation, linked: @escaping @Sendable (Device) async throws -> Void,
        report: @escaping @Sendable (Device, FTSProgress) -> Void
    ) {
        self.dictofun = dictofun
        self.client = client
        self.operation = operation
        self.task = task
        self.linked = linked
        self.report = report
        self.engine = engine
        (inputs, continuation) = AsyncStream.makeStream()
    }

    /// Runs to the end. When the task is cancelled, the link is ended first.
    func run() async throws -> RecorderRun {
        let continuation = continuation
        let events = client.events
        calls.start { for await event in events { continuation.yield(.service(event)) } }
        defer {
            calls.cancel()
            for timer in [connectionTimer, transferTimer] { timer?.cancel() }
            continuation.finish()
        }
        try await perform(engine.start(isServiceRunning: await client.isServiceRunning()))
        return try await withTaskCancellationHandler {
            for await input in inputs {
                try await take(input)
                if engine.isFinished, transfer?.isFinished ?? true { break }
            }
            return result
        } onCancel: {
            continuation.yield(.cancelled)
        }
    }

    private func take(_ input: Input) async throws {
        switch input {
        case .service(.connection(let event)): try await perform(engine.handle(event))
        case .service(.notification(let path, let bytes)): try await receive(bytes, path)
        case .service(.waiting(let reader)): try await receive(reader.take(), reader.characteristic)
        case .service(.ended): try await perform(engine.handle(.serviceChanged(isRunning: false)))
        case .transfer(let event):
            try await perform(transfer?.handle(event) ?? [])
            tellProgress()
        case .cancelled:
            if let transfer, !transfer.isFinished {
                try await perform(self.transfer?.handle(.cancelled) ?? [])
            } else {
                try await perform(engine.handle(.cancelled))
            }
        }
    }

    private func receive(_ bytes: [UInt8], _ path: String) async throws {
        guard let characteristic = characteristics[path] else { return }
        isSilent = false
        try await perform(transfer?.handle(.notification(characteristic, bytes)) ?? [])
        // A look at the progress costs time in the number of files.
        unreportedBytes += bytes.count
        if unreportedBytes >= Self.reportSize { tellProgress() }
    }

    private func tellProgress() {
        unreportedBytes = 0
        if let device = result.device, let transfer, !transfer.isFinished { report(device, transfer.progress) }
    }

    // MARK: The connection

    private func perform(_ actions: [ConnectionEngine.Action]) async throws {
        for action in actions {
            switch action {
            case .call(let call): make(call)
            case .startTimer(let number, let duration):
                connectionTimer?.cancel()
                connectionTimer = timer(duration, .service(.connection(.timeout(number))))
            case .found: break
            case .battery(let level):
                result.device?.battery = level
                try await perform(transfer?.handle(.battery(level)) ?? [])
            case .ready(let link): try await begin(link)
            case .finish(let outcome):
                result.connection = outcome
                try await perform(transfer?.handle(.disconnected) ?? [])
            }
        }
    }

    private func begin(_ link: ConnectionEngine.Link) async throws {
        self.link = link
        result.device = link.device
        result.wasConnectedByService = engine.wasConnectedByService
        try await linked(link.device)
        guard task != .none else { return try await perform(engine.handle(.cancelled)) }
        characteristics = Dictionary(link.characteristics.map { ($0.value, $0.key) }) { first, _ in first }
        let address = link.device.address
        let inventory = task == .test ? .init() : try await dictofun.store.read { try $0.inventory(of: address) }
        transfer = FTSEngine(
            characteristics: Set(link.characteristics.keys), inventory: inventory, battery: link.device.battery,
            timeouts: dictofun.bluetooth.timeouts, tellsCompletion: task == .fetch)
        try await perform(transfer?.start() ?? [])
    }

    private func make(_ call: BlueZCall) {
        calls.start { [client, continuation] in
            continuation.yield(.service(.connection(await client.perform(call))))
        }
    }

    private func timer(_ duration: Duration, _ input: Input) -> Task<Void, Never> {
        Task { [clock = dictofun.clock, continuation] in
            guard (try? await clock.sleep(for: duration)) != nil else { return }
            continuation.yield(input)
        }
    }

    // MARK: The transfer

    private func perform(_ actions: [FTSEngine.Action]) async throws {
        for action in actions {
            if task == .test, keepForTest(action) { continue }
            switch action {
            case .subscribe(let characteristic): subscribe(characteristic)
            case .write(let bytes): write(bytes)
            case .startTimer(let number, let duration):
                transferTimer?.cancel()
                transferTimer = timer(duration, .transfer(.timeout(number)))
            case .stopTimer: transferTimer?.cancel()
            case .begin(let info):
                (fileError, isSilent) = (nil, true)
                await keep { self.file = (info, try await self.dictofun.blobs.writer()) }
            case .append(let bytes): await keep { try await self.file?.writer.write(bytes) }
            case .discard:
                (file, fileError) = (nil, nil)
                if isSilent { readSignals() }
            case .store(let number): await store(number)
            case .disconnect:
                if let link { make(.disconnect(device: link.path)) }
            case .finish(let report, _): result.report = report
            }
        }
    }

    /// Keeps what comes of a test file; with the first file of another kind the test ends. Returns false for an action that is
    /// not about a file.
    private func keepForTest(_ action: FTSEngine.Action) -> Bool {
        switch action {
        case .begin(let file):
            if !result.test.begin(file.id) { continuation.yield(.cancelled) }
        case .append(let bytes): result.test.append(bytes)
        case .discard: result.test.discard()
        case .store(let number): continuation.yield(.transfer(.stored(number)))
        default: return false
        }
        return true
    }

    /// Does a step of keeping a file. A failure is reported when the file is whole: until then the recorder sends on.
    private func keep(_ step: () async throws -> Void) async {
        guard fileError == nil else { return }
        do { try await step() } catch { (file, fileError) = (nil, error) }
    }

    private func subscribe(_ characteristic: FTSCharacteristic) {
        guard let path = link?.characteristics[characteristic] else { return }
        answer(.subscribed) { client, timeout throws(BlueZError) in
            try await client.subscribe(to: path, acquiring: characteristic == .fileData, timeout: timeout)
        }
    }

    /// Subscribes to the data of files once more, without a descriptor, since nothing came through it. The engine needs no answer:
    /// its next request comes after a pause, and fails as this one did when the service refuses.
    private func readSignals() {
        guard let path = link?.characteristics[.fileData] else { return }
        calls.start { [client, timeout = dictofun.bluetooth.timeouts.reply] in
            try? await client.subscribe(to: path, acquiring: false, timeout: timeout)
        }
    }

    private func write(_ bytes: [UInt8]) {
        guard let path = link?.characteristics[.controlPoint] else { return }
        answer(.written) { client, timeout throws(BlueZError) in
            try await client.write(bytes, to: path, timeout: timeout)
        }
    }

    private func answer(
        _ success: FTSEngine.Event, _ body: @escaping @Sendable (BlueZClient, Duration) async throws(BlueZError) -> Void
    ) {
        calls.start { [client, continuation, timeouts = dictofun.bluetooth.timeouts] in
            do throws(BlueZError) {
                try await body(client, timeouts.reply)
                continuation.yield(.transfer(success))
            } catch {
                continuation.yield(.transfer(.failed(error.linkError)))
            }
        }
    }

    /// Makes a file durable, and the record that names it; only then the engine learns of it.
    private func store(_ number: Int) async {
        defer { fileError = nil }
        do {
            if let fileError { throw fileError }
            guard let (info, writer) = file, let device = result.device else {
                throw HubError(.internal, code: "file-missing", "no file to store")
            }
            file = nil
            // The device knows only later that the record is here, so it must be on the disk now.
            let stored = try await writer.finish()
            result.records.append(
                try await dictofun.storeFile(info, stored, from: device, operation: operation))
            continuation.yield(.transfer(.stored(number)))
        } catch {
            let reason = (error as? HubError)?.message ?? "\(error)"
            continuation.yield(.transfer(.storeFailed(number, reason: reason)))
        }
    }
}
