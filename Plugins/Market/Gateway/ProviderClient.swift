import HTTPClient
import HubKit
import MarketDomain

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

    /// Returns the body of the answer to a request.
    func get(_ request: ProviderRequest) async throws(GatewayError) -> [UInt8] {
        let root = base.description
        guard let url = HTTPURL((root.hasSuffix("/") ? String(root.dropLast()) : root) + request.target) else {
            throw .refused(400, "invalid address \(base)\(request.target)")
        }
        var headers: HTTPHeaders = ["Accept": "application/json"]
        for (name, value) in request.headers { headers.append(name, value) }
        try await keeper.take(from: budget, of: provider)
        let response: HTTPResponse
        do {
            response = try await http.send(
                HTTPRequest(
                    .get, url, headers: headers, deadlines: deadlines, maximumBody: Self.maximumBody))
        } catch {
            throw GatewayError(error)
        }
        let failure =
            response.status == 200 ? nil : ProviderErrorBody.error(status: response.status, body: response.body)
        if failure == .rateLimited || response.status == 429 {
            let wait = RateLimitHeaders.wait(
                retryAfter: response.headers["Retry-After"], reset: response.headers["x-ratelimit-reset"],
                now: clock.now)
            throw .postponed(
                until: await keeper.noteRateLimit(budget, of: provider, wait: wait), .rateLimited)
        }
        await keeper.noteSuccess(budget, of: provider)
        if let failure { throw failure }
        return response.body
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

/// A page that a polled provider answers a request with, as an event of the board.
func answer(
    to request: LeaderboardFlow.Request, _ read: () async throws(GatewayError) -> LeaderboardFlow.Page
) async -> LeaderboardFlow.Event {
    do {
        return .pageArrived(request: request.id, try await read())
    } catch {
        if case .postponed(let until, _) = error { return .postponed(request: request.id, until: until) }
        return .pageFailed(request: request.id, error)
    }
}
