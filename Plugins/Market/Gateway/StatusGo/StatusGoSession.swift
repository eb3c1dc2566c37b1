import HTTPClient
import MarketDomain
import MarketFormats
import System

/// A session with status-go: the calls over HTTP, and the signals over a WebSocket.
///
/// It is started by the first call, in the steps of ``StatusGoStart``.
actor StatusGoSession {
    private enum Signal: Sendable {
        case login(error: String, keyUID: String?)
        case connection(GatewayError?)
    }

    private let http: HTTPClient
    private let base: HTTPURL
    private let credentials: StatusGoStart.Credentials
    private let silence: Duration
    private let clock: any Clock
    private var socket: SignalSocket?
    private var isConnected = false
    private var isReady = false
    /// Whether the link of a ready session was lost and is not back.
    private var wasLost = false
    private var starting: Task<Result<Void, GatewayError>, Never>?
    private var lastID = 0
    /// The waiter of the current step of the start, and what arrived before it waited.
    private var waiter: CheckedContinuation<Signal?, Never>?
    private var login: Signal?
    private var board: AsyncStream<LeaderboardFlow.Event>.Continuation?
    private var routeWaiters: [String: CheckedContinuation<JSONValue?, Never>] = [:]

    /// How long a step of the start may take.
    private static let stepTimeout = Duration.seconds(60)

    init(
        http: HTTPClient, base: HTTPURL, credentials: StatusGoStart.Credentials, silence: Duration, clock: any Clock
    ) {
        self.http = http
        self.base = base
        self.credentials = credentials
        self.silence = silence
        self.clock = clock
    }

    deinit {
        socket?.close()
        board?.finish()
    }

    /// What happens on the board from now on; an earlier stream ends.
    func boardEvents() -> AsyncStream<LeaderboardFlow.Event> {
        board?.finish()
        let (stream, continuation) = AsyncStream<LeaderboardFlow.Event>.makeStream(
            bufferingPolicy: .bufferingNewest(256))
        board = continuation
        return stream
    }

    /// Says whether a page is live.
    func setLive(_ live: Bool) { socket?.setLive(live) }

    /// Starts the session unless it is started.
    func start() async throws(GatewayError) {
        if isReady { return }
        if starting == nil { starting = Task { await Result(catching: self.runStart) } }
        let result = await starting?.value
        starting = nil
        try result?.get()
    }

    private func runStart() async throws(GatewayError) {
        var machine = StatusGoStart(credentials)
        var action = machine.handle(.begin)
        while let current = action {
            switch current {
            case .connectSignals: action = machine.handle(await connect())
            case .call(let function, let body):
                do throws(GatewayError) {
                    let (status, answer) = try await post("/statusgo/\(function)", body, timeout: Self.stepTimeout)
                    action = machine.handle(.answered(try StatusGoRPC.functionResult(status: status, answer)))
                } catch {
                    action = machine.handle(.failed(error))
                }
            case .rpc(let method, let parameters):
                do throws(GatewayError) {
                    action = machine.handle(.result(try await send(method, parameters)))
                } catch {
                    action = machine.handle(.failed(error))
                }
            case .await:
                guard case .login(let error, let keyUID)? = await nextSignal() else {
                    action = machine.handle(.timedOut)
                    continue
                }
                action = machine.handle(.loggedIn(error: error, keyUID: keyUID))
            case .ready:
                isReady = true
                return
            case .giveUp(let error): throw error
            }
        }
        throw .malformed("status-go did not start")
    }

    private func connect() async -> StatusGoStart.Event {
        login = nil
        if isConnected { return .signalsConnected }
        if socket == nil {
            let (events, continuation) = AsyncStream<SignalSocket.Event>.makeStream(
                bufferingPolicy: .bufferingNewest(4096))
            let made = SignalSocket(over: http, to: base, silence: silence) { continuation.yield($0) }
            made.start()
            socket = made
            Task { [weak self] in
                for await event in events { await self?.receive(event) }
            }
        }
        switch await nextSignal() {
        case .connection(nil): return .signalsConnected
        case .connection(let error?): return .failed(error)
        case .login, nil: return .timedOut
        }
    }

    /// The next signal of the start, or nil when none comes in time.
    private func nextSignal() async -> Signal? {
        if let early = login {
            login = nil
            return early
        }
        let timer = Task { [clock] in
            try await clock.sleep(for: Self.stepTimeout)
            self.resume(nil)
        }
        defer { timer.cancel() }
        return await withCheckedContinuation { waiter = $0 }
    }

    private func resume(_ signal: Signal?) {
        let waiting = waiter
        waiter = nil
        waiting?.resume(returning: signal)
    }

    private func receive(_ event: SignalSocket.Event) {
        switch event {
        case .connected:
            isConnected = true
            if waiter != nil {
                resume(.connection(nil))
            } else if wasLost {
                board?.yield(.linkRestored)
            }
            wasLost = false
        case .lost(let error):
            isConnected = false
            socket?.setLive(false)
            if isReady { board?.yield(.linkLost(error)) } else { resume(.connection(error)) }
            // It may be another process when it is back, which knows of no login.
            (wasLost, isReady) = (wasLost || isReady, false)
        case .message(let bytes):
            // What cannot be read, and what is not known, is none of the session's business.
            guard let signal = try? StatusGoSignal(bytes, arrival: clock.now) else { return }
            handle(signal)
        }
    }

    private func handle(_ signal: StatusGoSignal) {
        switch signal {
        case .pageDone(let page):
            switch page.outcome {
            case .success:
                guard !page.lacksRows else {
                    board?.yield(.pageFailed(request: nil, .malformed("a page without rows")))
                    return
                }
                board?.yield(.pageArrived(page.flowPage))
            case .superseded: board?.yield(.pageFailed(request: nil, .superseded))
            case .failed: board?.yield(.pageFailed(request: nil, .serverFailed(3)))
            }
        case .pageUpdated(let page): if !page.lacksRows { board?.yield(.pageUpdated(page.flowPage)) }
        case .pricesUpdated(let prices):
            board?.yield(
                .pricesUpdated(VisiblePage(size: prices.size, number: prices.page), prices.currency, prices.prices))
        case .login(let error, let keyUID):
            let found = Signal.login(error: error, keyUID: keyUID)
            if waiter != nil { resume(found) } else if !isReady { login = found }
        case .stopped:
            isReady = false
            board?.yield(.linkLost(.unreachable("status-go was logged out")))
        case .routes(let uuid, let routes):
            routeWaiters.removeValue(forKey: uuid)?.resume(returning: routes)
        case .marketStatus, .other: break
        }
    }

    /// Calls a method of JSON-RPC, after the start.
    func call(_ method: String, _ parameters: [JSONValue] = []) async throws(GatewayError) -> JSONValue {
        try await start()
        return try await send(method, parameters)
    }

    private func send(_ method: String, _ parameters: [JSONValue]) async throws(GatewayError) -> JSONValue {
        lastID += 1
        let id = lastID
        let request = StatusGoRPC.request(id: id, method: method, parameters: parameters)
        let (status, body) = try await post("/statusgo/CallRPC", request, timeout: .seconds(30))
        guard status == 200 else { throw ProviderErrorBody.error(status: status, body: body) }
        return try StatusGoRPC.result(body, id: id)
    }

    /// Asks for routes of a transfer and waits for the signal with this uuid; nil when none comes in time.
    func routes(uuid: String, request: JSONValue) async throws(GatewayError) -> JSONValue? {
        try await start()
        let timer = Task { [clock] in
            try await clock.sleep(for: Self.stepTimeout)
            self.endRoutes(uuid)
        }
        defer { timer.cancel() }
        let answer = Task { await self.nextRoutes(uuid) }
        do throws(GatewayError) {
            _ = try await send("wallet_getSuggestedRoutesAsync", [request])
        } catch {
            endRoutes(uuid)
            _ = await answer.value
            throw error
        }
        return await answer.value
    }

    private func nextRoutes(_ uuid: String) async -> JSONValue? {
        await withCheckedContinuation { routeWaiters[uuid] = $0 }
    }

    private func endRoutes(_ uuid: String) { routeWaiters.removeValue(forKey: uuid)?.resume(returning: nil) }

    private func post(
        _ path: String, _ body: [UInt8], timeout: Duration
    ) async throws(GatewayError) -> (status: Int, body: [UInt8]) {
        guard let url = HTTPURL(base.description)?.resolving(path) else { throw .refused(0, "invalid address \(base)") }
        do throws(HTTPError) {
            let response = try await http.send(
                HTTPRequest(
                    .post, url, headers: ["Content-Type": "application/json"], body: body,
                    deadlines: HTTPDeadlines(connect: .seconds(5), idle: timeout, total: timeout)))
            return (response.status, response.body)
        } catch {
            throw GatewayError(error)
        }
    }

    /// Whether the backend answers, without a login; its version.
    func health() async throws(GatewayError) -> String {
        guard let url = HTTPURL(base.description)?.resolving("/health") else {
            throw .refused(0, "invalid address \(base)")
        }
        do throws(HTTPError) {
            let response = try await http.send(
                HTTPRequest(.get, url, deadlines: HTTPDeadlines(connect: .seconds(5), total: .seconds(10))))
            guard response.isSuccess else { throw HTTPError.invalidResponse("status \(response.status)") }
            let json = try? JSONReader.read(response.body)
            return json?["version"]?.string.map { TokenLabel.cleaned($0) } ?? "version unknown"
        } catch {
            throw GatewayError(error)
        }
    }
}

extension Result where Failure == GatewayError {
    /// Creates the result of `body` as a value.
    fileprivate init(catching body: () async throws(Failure) -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension StatusGoPage {
    /// Whether there are no rows although the list goes on: the backend sends null for them.
    fileprivate var lacksRows: Bool { rows.sentCount == 0 && (total ?? 0) > (page - 1) * size }

    /// The page as the board takes it.
    fileprivate var flowPage: LeaderboardFlow.Page {
        LeaderboardFlow.Page(
            page: VisiblePage(size: size, number: page), currency: currency, total: total, rows: rows)
    }
}
