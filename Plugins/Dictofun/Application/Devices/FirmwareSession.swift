import DictofunDomain
import System

/// One link with a recorder or its bootloader for firmware: carries out what the connection engine and a procedure decide, and
/// reports to them what happens. It is the only loop.
final class FirmwareSession {
    /// What came of a link.
    struct Result {
        /// How the connection ended.
        var connection: ConnectionEngine.Outcome?
        /// The link; nil when there was none.
        var link: ConnectionEngine.Link?
        /// How the procedure ended; nil when none was begun.
        var outcome: DFUEngine.Outcome?
    }

    private enum Input: Sendable {
        case service(BlueZClient.Event)
        case procedure(DFUEngine.Event)
        /// The charge of the recorder stays unknown.
        case batteryUnknown
        case cancelled
    }

    /// What is sent to the characteristics, in this order.
    private enum Request: Sendable {
        case subscribe(String)
        case write([UInt8], to: String, withResponse: Bool)
    }

    private let client: BlueZClient
    private let clock: any Clock
    private let timeout: Duration
    private let choose: (ConnectionEngine.Link, BatteryLevel?) -> (any DFUProcedure)?
    private let report: (any DFUProcedure) -> Void
    private var engine: ConnectionEngine
    private var procedure: (any DFUProcedure)?
    private var result = Result()
    private let (inputs, continuation) = AsyncStream.makeStream(of: Input.self)
    private let (requests, sending) = AsyncStream.makeStream(of: Request.self)
    private let calls = SessionCalls()
    private var connectionTimer: Task<Void, Never>?
    private var procedureTimer: Task<Void, Never>?

    /// How long the charge of the recorder is waited for: the Bluetooth service reads it after the connection.
    private static let batteryTime = Duration.seconds(3)

    /// Creates a session. `choose` returns the procedure for a link and its battery, or nil to end it; `report` gets its
    /// progress. Each write may take `timeout`.
    init(
        _ client: BlueZClient, _ goal: ConnectionEngine.Goal, scanTime: Duration, clock: any Clock, timeout: Duration,
        choose: @escaping (ConnectionEngine.Link, BatteryLevel?) -> (any DFUProcedure)?,
        report: @escaping (any DFUProcedure) -> Void
    ) {
        self.client = client
        self.clock = clock
        self.timeout = timeout
        self.choose = choose
        self.report = report
        engine = ConnectionEngine(goal, scanTime: scanTime)
    }

    /// Runs to the end of the link. When the task is cancelled, the link is ended first.
    func run() async -> Result {
        let continuation = continuation
        calls.start { [events = client.events] in
            for await event in events { continuation.yield(.service(event)) }
        }
        calls.start { [client, requests, timeout] in
            await FirmwareSession.send(requests, client, timeout) { continuation.yield(.procedure($0)) }
        }
        defer {
            calls.cancel()
            for timer in [connectionTimer, procedureTimer] { timer?.cancel() }
            continuation.finish()
            sending.finish()
        }
        perform(engine.start(isServiceRunning: await client.isServiceRunning()))
        return await withTaskCancellationHandler {
            for await input in inputs {
                take(input)
                if engine.isFinished { break }
            }
            return result
        } onCancel: {
            continuation.yield(.cancelled)
        }
    }

    private static func send(
        _ requests: AsyncStream<Request>, _ client: BlueZClient, _ timeout: Duration,
        _ tell: (DFUEngine.Event) -> Void
    ) async {
        for await request in requests {
            do throws(BlueZError) {
                switch request {
                case .subscribe(let path):
                    try await client.subscribe(to: path, acquiring: false, timeout: timeout)
                    tell(.subscribed)
                case .write(let bytes, let path, let withResponse):
                    try await client.write(bytes, to: path, withResponse: withResponse, timeout: timeout)
                }
            } catch {
                // What comes after it has no meaning any more; the service reports that the link ended.
                if error.linkError != .notConnected { tell(.failed("\(error)")) }
                return
            }
        }
    }

    private func take(_ input: Input) {
        switch input {
        case .service(.connection(let event)): perform(engine.handle(event))
        case .service(.notification(let path, let bytes)):
            if path == answers { handle(.notification(bytes)) }
        // It acquires none: what the bootloader answers is short.
        case .service(.waiting): break
        case .service(.ended): perform(engine.handle(.serviceChanged(isRunning: false)))
        case .procedure(let event): handle(event)
        case .batteryUnknown: begin(nil)
        case .cancelled:
            // The end of the procedure ends the link.
            if procedure != nil, result.outcome == nil {
                handle(.cancelled)
            } else {
                perform(engine.handle(.cancelled))
            }
        }
    }

    /// The characteristic whose notifications answer.
    private var answers: String? {
        result.link.flatMap { $0.firmware[$0.isBootloader ? .controlPoint : .buttonless] }
    }

    // MARK: The connection

    private func perform(_ actions: [ConnectionEngine.Action]) {
        for action in actions {
            switch action {
            case .call(let call):
                calls.start { [client, continuation] in
                    continuation.yield(.service(.connection(await client.perform(call))))
                }
            case .startTimer(let number, let duration):
                connectionTimer?.cancel()
                connectionTimer = timer(duration, .service(.connection(.timeout(number))))
            case .found: break
            case .battery(let level): begin(level)
            case .ready(let link):
                result.link = link
                if link.isBootloader || link.device.battery != nil {
                    begin(link.device.battery)
                } else {
                    procedureTimer = timer(Self.batteryTime, .batteryUnknown)
                }
            case .finish(let outcome):
                result.connection = outcome
                handle(.disconnected)
            }
        }
    }

    /// Begins with what the link is for, once.
    private func begin(_ battery: BatteryLevel?) {
        guard procedure == nil, let link = result.link else { return }
        procedureTimer?.cancel()
        procedure = choose(link, battery)
        if procedure == nil { perform(engine.handle(.cancelled)) }
        perform(procedure?.start() ?? [])
    }

    private func timer(_ duration: Duration, _ input: Input) -> Task<Void, Never> {
        Task { [clock, continuation] in
            guard (try? await clock.sleep(for: duration)) != nil else { return }
            continuation.yield(input)
        }
    }

    // MARK: The procedure

    private func handle(_ event: DFUEngine.Event) {
        perform(procedure?.handle(event) ?? [])
        if let procedure, result.outcome == nil { report(procedure) }
    }

    private func perform(_ actions: [DFUEngine.Action]) {
        for action in actions {
            switch action {
            case .subscribe: if let answers { sending.yield(.subscribe(answers)) }
            case .write(let bytes): if let answers { sending.yield(.write(bytes, to: answers, withResponse: true)) }
            case .writePacket(let bytes):
                guard let path = result.link?.firmware[.packet] else { continue }
                sending.yield(.write(bytes, to: path, withResponse: false))
            case .startTimer(let number, let duration):
                procedureTimer?.cancel()
                procedureTimer = timer(duration, .procedure(.timeout(number)))
            case .finish(let outcome):
                result.outcome = outcome
                // Of a link that has ended the engine hears nothing more.
                perform(engine.handle(.cancelled))
            }
        }
    }
}
