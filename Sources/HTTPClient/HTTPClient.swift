import Synchronization
import Threading

/// A client for HTTP on libcurl, with a thread of its own that waits on all its connections and keeps them for reuse.
///
/// The library is loaded and the thread started by the first request. No call blocks the caller's thread. The client ends
/// with `close`, or when the last reference is gone.
package final class HTTPClient: Sendable {
    private enum State {
        case new
        case running(TransferQueue)
        case closed
    }

    let configuration: HTTPConfiguration
    private let state = Mutex(State.new)
    private let lastID = Atomic<UInt64>(0)

    package init(_ configuration: HTTPConfiguration = HTTPConfiguration()) { self.configuration = configuration }

    deinit { state.withLock { if case .running(let queue) = $0 { queue.send(.close(nil)) } } }

    /// Sends `request` and returns the answer, whatever its status, following redirects as the request's policy says.
    package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        let deadline = ContinuousClock.now + request.deadlines.total
        var (current, taken) = (request, 0)
        while true {
            let response = try await exchange(current)
            switch request.redirects.decide(
                status: response.status, location: response.headers["Location"], request: current, taken: taken)
            {
            case .deliver: return response
            case .refuse(let refusal): throw .redirectRefused(refusal)
            case .follow(let next):
                (current, taken) = (next, taken + 1)
                current.deadlines.total = deadline - .now
            }
        }
    }

    /// Sends `request`, again if `policy` says so, with the waits that `timing` makes. All attempts and waits end before
    /// `end`; then the last outcome counts.
    package func send(
        _ request: HTTPRequest, retrying policy: HTTPRetryPolicy, timing: RetryTiming,
        until end: ContinuousClock.Instant? = nil
    ) async throws(HTTPError) -> HTTPResponse {
        var (request, attempt) = (request, 1)
        let total = request.deadlines.total
        while true {
            if let end { request.deadlines.total = min(total, end - .now) }
            let outcome = await outcome(of: request)
            guard
                let delay = policy.delay(
                    after: outcome, attempt: attempt, method: request.method, now: timing.now(),
                    random: timing.random()), end.map({ .now + delay < $0 }) ?? true
            else { return try outcome.get() }
            do { try await timing.sleep(delay) } catch { throw .cancelled }
            attempt += 1
        }
    }

    /// The certificate that the server at `url` shows, whether it is trusted or not. Nothing is sent to the server but the
    /// handshake.
    package func certificate(
        at url: HTTPURL, deadlines: HTTPDeadlines = HTTPDeadlines()
    ) async throws(HTTPError) -> ServerCertificate {
        guard url.scheme == .https else {
            throw .tlsRefused(TLSRefusal(.other, at: url, reason: "http does not use TLS"))
        }
        var request = HTTPRequest(.head, url, deadlines: deadlines)
        request.endsAfterHandshake = true
        let answer = try await exchange(request)
        guard let certificate = ServerCertificate(pem: String(decoding: answer.body, as: UTF8.self)) else {
            throw .tlsRefused(TLSRefusal(.other, at: url, reason: "the server presented no certificate"))
        }
        return certificate
    }

    /// Ends all transfers, closes all connections and returns when the thread has let go of everything.
    package func close() async {
        let queue = state.withLock { state -> TransferQueue? in
            defer { state = .closed }
            guard case .running(let queue) = state else { return nil }
            return queue
        }
        if let queue { await withCheckedContinuation { queue.send(.close($0)) } }
    }

    private func outcome(of request: HTTPRequest) async -> Result<HTTPResponse, HTTPError> {
        do { return .success(try await send(request)) } catch { return .failure(error) }
    }

    /// One request and its answer, redirects being answers.
    private func exchange(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
        try check(request)
        guard !Task.isCancelled else { throw .cancelled }
        let queue = try runningQueue()
        let id = lastID.add(1, ordering: .relaxed).newValue
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { reply in
                queue.send(.send(request, id: id, reply))
                // A cancellation may have come before there was anything to cancel.
                if Task.isCancelled { queue.send(.cancel(id: id)) }
            }
        } onCancel: {
            queue.send(.cancel(id: id))
        }.get()
    }

    private func runningQueue() throws(HTTPError) -> TransferQueue {
        try state.withLock { state throws(HTTPError) in
            switch state {
            case .running(let queue): return queue
            case .closed: throw .closed
            case .new:
                let queue = try TransferLoop.start(configuration)
                state = .running(queue)
                return queue
            }
        }
    }

    /// Refuses what leads elsewhere, and what libcurl would send as it is, however it breaks the message.
    func check(_ request: HTTPRequest) throws(HTTPError) {
        // The one place through which every request leaves, redirects too.
        guard request.scope.contains(request.url) else { throw .outOfScope(request.url.description) }
        guard request.method.isValid
        else {
            throw .invalidRequest("“\(request.method.rawValue)” is not a valid method")
        }
        for field in request.headers.fields where !field.isValid {
            throw .invalidRequest("the field “\(field.name)” cannot be sent")
        }
        if let credentials = request.credentials {
            guard !(credentials.user + credentials.password).utf8.contains(where: { $0 == 0 }) else {
                throw .invalidRequest("a user name or password contains a zero byte")
            }
            guard credentials.scheme != .basic || !credentials.user.utf8.contains(UInt8(ascii: ":")) else {
                throw .invalidRequest("a user name must not contain a colon")
            }
        }
        guard !request.url.description.utf8.contains(0) else { throw .invalidRequest("the URL contains a zero byte") }
    }
}
