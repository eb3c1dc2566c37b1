import HTTPClient
import MarketDomain
import MarketFormats
import System

/// Calls of one provider over HTTP: the budget is asked before, and updated by rate limits after. One call is one request.
struct ProviderClient: Sendable {
    let http: HTTPClient
    let provider: Provider
    let base: HTTPURL
    let budget: CallBudget
    let keeper: any CallBudgetKeeper
    let clock: any Clock
    let deadlines: HTTPDeadlines

    /// The largest body: 5,000 full rows with a week of hourly prices each are about 20 MB.
    private static let maximumBody = 48 << 20

    /// The longest pause that a call waits for, beside the distance to the calls of others.
    private static let shortWait = Duration.seconds(3)

    /// Takes a call from the budget; the distance that calls of one provider keep is waited for.
    private func take() async throws(GatewayError) -> Instant {
        while true {
            let pause: Duration
            do {
                return try await keeper.take(from: budget, of: provider)
            } catch {
                guard case .postponed(let until, let reason) = error, reason != .rateLimited,
                    reason == .spacing || until - clock.now <= Self.shortWait
                else { throw error }
                pause = max(until - clock.now, .zero)
            }
            do { try await clock.sleep(for: pause) } catch { throw .cancelled }
        }
    }

    /// The maximum number of tries of a server that failed.
    private static let maximumTries = 3

    /// Returns the body of the answer to a request, which is made again after a pause if the server failed.
    func get(_ request: ProviderRequest) async throws(GatewayError) -> [UInt8] {
        for attempt in 1..<Self.maximumTries {
            do throws(GatewayError) { return try await send(request) } catch {
                guard case .serverFailed = error else { throw error }
                let pause = Backoff.failure.delay(attempt: attempt, random: .random(in: 0..<1))
                do { try await clock.sleep(for: pause) } catch { throw .cancelled }
            }
        }
        return try await send(request)
    }

    private func send(_ request: ProviderRequest) async throws(GatewayError) -> [UInt8] {
        let root = base.description
        guard let url = HTTPURL((root.hasSuffix("/") ? String(root.dropLast()) : root) + request.target) else {
            throw .refused(400, "invalid address \(base)\(request.target)")
        }
        var headers: HTTPHeaders = ["Accept": "application/json"]
        for (name, value) in request.headers { headers.append(name, value) }
        let response = try await answer(
            HTTPRequest(
                .get, url, headers: headers, deadlines: deadlines, maximumBody: Self.maximumBody,
                redirects: RedirectPolicy(limit: 0)))
        let failure =
            response.status == 200 ? nil : ProviderErrorBody.error(status: response.status, body: response.body)
        let isBusy = response.status == 503 && response.headers["Retry-After"] != nil
        if failure == .rateLimited || response.status == 429 || isBusy {
            let wait = RateLimitHeaders.wait(
                retryAfter: response.headers["Retry-After"], reset: response.headers["x-ratelimit-reset"],
                now: clock.now)
            throw .postponed(
                until: await keeper.noteRateLimit(budget, of: provider, wait: wait), .rateLimited)
        }
        await keeper.noteSuccess(budget, of: provider)
        // Without a key in use, a key that is missing is what this request needs.
        if case .unauthorized(let text)? = failure, request.headers.isEmpty { throw .refused(401, text) }
        if let failure { throw failure }
        return response.body
    }

    /// Returns the response to a request and its redirects, each of which is a call of the budget.
    private func answer(_ first: HTTPRequest) async throws(GatewayError) -> HTTPResponse {
        var (request, redirects) = (first, 0)
        while true {
            let call = try await take()
            let response: HTTPResponse
            do { response = try await http.send(request) } catch {
                if error.isUnsent { await keeper.giveBack(call, to: budget, of: provider) }
                throw GatewayError(error)
            }
            let place = response.headers["Location"]
            switch RedirectPolicy().decide(
                status: response.status, location: place, request: request, taken: redirects)
            {
            case .deliver: return response
            case .refuse(let refusal): throw GatewayError(.redirectRefused(refusal))
            case .follow(let next): (request, redirects) = (next, redirects + 1)
            }
        }
    }

    /// Returns the decoded answer; a rate limit may also come as a successful answer.
    func get<Value>(
        _ request: ProviderRequest, _ decode: ([UInt8], Instant) throws(GatewayError) -> Value
    ) async throws(GatewayError) -> Value {
        let body = try await get(request)
        do {
            return try decode(body, clock.now)
        } catch GatewayError.rateLimited {
            throw .postponed(until: await keeper.noteRateLimit(budget, of: provider, wait: nil), .rateLimited)
        }
    }
}

extension HTTPError {
    /// Whether nothing of the request reached the provider.
    fileprivate var isUnsent: Bool {
        switch self {
        case .unreachable, .timedOut(.connect), .tlsRefused, .libraryMissing, .closed, .invalidRequest, .outOfScope:
            true
        case .timedOut, .connectionLost, .bodyTooLarge, .headersTooLarge, .invalidResponse, .redirectRefused,
            .cancelled:
            false
        }
    }
}

extension GatewayError {
    /// The error of a transfer.
    init(_ error: HTTPError) {
        self =
            switch error {
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .unreachable(let reason), .connectionLost(let reason): .unreachable(reason)
            case .libraryMissing, .tlsRefused, .closed: .unreachable(error.description)
            case .bodyTooLarge, .headersTooLarge, .invalidResponse: .malformed(error.description)
            case .invalidRequest, .outOfScope, .redirectRefused: .refused(0, error.description)
            }
    }
}
