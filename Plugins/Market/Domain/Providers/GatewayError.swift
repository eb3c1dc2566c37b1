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
    /// The request is wrong or not allowed (4xx), with the server's words; asking again changes nothing.
    case refused(Int, String)
    /// The answer is not what was asked for.
    case malformed(String)
    /// A newer request replaced it.
    case superseded

    /// Whether asking again, after a pause, may help.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .timedOut, .rateLimited, .postponed, .serverFailed, .malformed: true
        case .cancelled, .refused, .superseded: false
        }
    }

    /// Whether it speaks against the provider's health.
    package var isFailure: Bool {
        switch self {
        case .cancelled, .superseded, .postponed: false
        case .unreachable, .timedOut, .rateLimited, .serverFailed, .refused, .malformed: true
        }
    }
}
