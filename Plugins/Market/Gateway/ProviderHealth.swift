package import MarketDomain
package import Time

/// How well a provider answers: a circuit breaker that opens after failures in a row and lets one call through after a pause.
package struct ProviderHealth: Hashable, Sendable {
    /// Whether a provider may be asked.
    package enum State: Hashable, Sendable {
        /// It answers, or was never asked.
        case up
        /// It failed; one call may try it from this time on.
        case down(until: Instant)
        /// Its key is missing or wrong, which waiting does not change.
        case disabled(GatewayError)
    }

    /// The number of failures in a row that open the breaker.
    package static let threshold = 3
    /// The pauses while it is open.
    private static let pauses = Backoff(first: .seconds(60), limit: .seconds(900), jitter: 0)

    /// The state.
    package private(set) var state: State
    /// The number of failures in a row.
    package private(set) var failures: Int
    /// The time of the last answer with data.
    package private(set) var lastSuccess: Instant?
    /// The last error since then.
    package private(set) var lastError: GatewayError?
    /// The time of that error.
    package private(set) var lastErrorAt: Instant?

    /// Creates the health of a provider that was never asked.
    package init() {
        state = .up
        failures = 0
    }

    /// Whether the provider may be asked.
    package func isAvailable(now: Instant) -> Bool {
        switch state {
        case .up: true
        // A clock that was set back must not keep it down for longer than the longest pause.
        case .down(let until): now >= until || until - now > ProviderHealth.pauses.limit
        case .disabled: false
        }
    }

    /// Notes an answer with data.
    package mutating func succeeded(at now: Instant) {
        self = ProviderHealth()
        lastSuccess = now
    }

    /// Notes a failure. The refusal of a single request, such as for one token, is none of the provider and is not noted here.
    package mutating func failed(_ error: GatewayError, at now: Instant) {
        guard error.isFailure else { return }
        (lastError, lastErrorAt) = (error, now)
        switch error {
        case .unauthorized:
            state = .disabled(error)
            return
        // A content network that blocks an address does so for a while; a board that is refused is asked for again as seldom.
        case .blocked, .refused:
            state = .down(until: now + ProviderHealth.pauses.limit)
            return
        default: break
        }
        failures = min(failures + 1, 1000)
        // A rate limit is a pause of the budget; the provider itself is well.
        guard error.isTransient, error != .rateLimited, failures >= ProviderHealth.threshold else { return }
        state = .down(
            until: now + ProviderHealth.pauses.delay(attempt: failures - ProviderHealth.threshold + 1, random: 0))
    }

    /// Allows a disabled or failed provider again, after its settings changed.
    package mutating func reset() {
        state = .up
        failures = 0
        (lastError, lastErrorAt) = (nil, nil)
    }
}

/// The providers in the user's order with their health.
package struct ProviderOrder: Hashable, Sendable {
    /// The providers, the preferred one first; each once.
    package let providers: [Provider]
    /// The health of those that were asked.
    package var health: [Provider: ProviderHealth]

    /// Creates an order; a provider that comes twice keeps its first place.
    package init(_ providers: [Provider], health: [Provider: ProviderHealth] = [:]) {
        var seen: Set<Provider> = []
        self.providers = providers.filter { seen.insert($0).inserted }
        self.health = health
    }

    /// Returns the provider to ask: the first that is available. Nil when none is.
    package func provider(now: Instant) -> Provider? {
        providers.first { (health[$0] ?? ProviderHealth()).isAvailable(now: now) }
    }

    /// Notes the result of a call.
    package mutating func record(_ result: Result<Void, GatewayError>, of provider: Provider, at now: Instant) {
        switch result {
        case .success: health[provider, default: ProviderHealth()].succeeded(at: now)
        case .failure(let error): health[provider, default: ProviderHealth()].failed(error, at: now)
        }
    }
}
