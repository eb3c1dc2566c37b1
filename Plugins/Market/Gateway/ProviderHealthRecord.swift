import MarketDomain
import Synchronization
import System

/// What this process knows of the health of providers. It does not outlive the process.
final class ProviderHealthRecord: Sendable {
    private let order: Mutex<ProviderOrder>

    init(_ providers: [Provider]) { order = Mutex(ProviderOrder(providers)) }

    /// The providers in the user's order.
    var providers: [Provider] { order.withLock(\.providers) }

    /// The providers that may be asked now, the preferred one first.
    func available(now: Instant) -> [Provider] {
        order.withLock { order in
            order.providers.filter { (order.health[$0] ?? ProviderHealth()).isAvailable(now: now) }
        }
    }

    /// The health of a provider.
    func health(of provider: Provider) -> ProviderHealth {
        order.withLock { $0.health[provider] ?? ProviderHealth() }
    }

    /// Notes the result of a call for the board.
    func record(_ result: Result<Void, GatewayError>, of provider: Provider, at now: Instant) {
        order.withLock { $0.record(result, of: provider, at: now) }
    }

    /// Makes one call for something else than the board, and notes its result; a refusal is one of this request only.
    func noting<Value: Sendable>(
        _ provider: Provider, _ clock: any Clock, _ call: () async throws(GatewayError) -> Value
    ) async throws(GatewayError) -> Value {
        do {
            let value = try await call()
            record(.success(()), of: provider, at: clock.now)
            return value
        } catch {
            if case .refused = error { throw error }
            record(.failure(error), of: provider, at: clock.now)
            throw error
        }
    }
}
