package import Time

/// The reason why a provider gave no data; each transport's own errors map to one of these.
package enum GatewayError: Error, Hashable, Sendable {
    /// No connection: refused, no route, name not found.
    case unreachable(String)
    /// The deadline passed.
    case timedOut
    /// The request was given up by the program itself.
    case cancelled
    /// Too many requests; the time to wait is in the budget.
    case rateLimited
    /// Nothing was sent: the budget, or a pause that the provider asked for, allows no call before this time.
    case postponed(until: Instant, CallBudget.Reason)
    /// The server failed (5xx).
    case serverFailed(Int)
    /// This request is wrong or not allowed (4xx), with the server's words; asking for it again changes nothing.
    case refused(Int, String)
    /// The key is missing or wrong, so that no request can succeed; with the server's words.
    case unauthorized(String)
    /// The address of this computer is blocked for a while, with the server's words.
    case blocked(String)
    /// The answer is not what was asked for.
    case malformed(String)
    /// A newer request replaced it.
    case superseded

    /// The refusal of prices that lie further back than the plan of the provider covers.
    package static func historyTooLong(_ days: Int) -> GatewayError {
        .refused(0, "without a paid plan it has the prices of the last \(days) days")
    }

    /// Whether asking again, after a pause, may help.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .timedOut, .rateLimited, .postponed, .serverFailed, .malformed: true
        case .cancelled, .refused, .unauthorized, .blocked, .superseded: false
        }
    }

    /// Whether it speaks against the provider's health.
    package var isFailure: Bool {
        switch self {
        case .cancelled, .superseded, .postponed: false
        case .unreachable, .timedOut, .rateLimited, .serverFailed, .refused, .unauthorized, .blocked, .malformed: true
        }
    }
}
