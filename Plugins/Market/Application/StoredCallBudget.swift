import MarketDomain
import Storage

/// The budgets of providers as rows of the store: each call is taken from its row, and committed, before it is made. So any
/// number of processes keep one limit, also when one of them is killed.
struct StoredCallBudget: CallBudgetKeeper {
    let store: Store
    let clock: any Clock

    private static let operation = Operation("market call", who: .service("market"), kind: .cache)

    func take(from budget: CallBudget, of provider: Provider) async throws(GatewayError) -> Instant {
        let result = await change(provider) { row, now -> Result<Instant, GatewayError> in
            switch budget.request(row, now: now) {
            case .allow(let taken):
                row = taken
                return .success(now)
            case .wait(let until, let reason, let seen):
                row = seen
                return .failure(.postponed(until: until, reason))
            }
        }
        switch result {
        case .success(let call): return try call.get()
        // Without the row nothing limits the calls, so none is made.
        case .failure(let error): throw .unreachable((error as? HubError)?.message ?? "the store: \(error)")
        }
    }

    func giveBack(_ call: Instant, to budget: CallBudget, of provider: Provider) async {
        _ = await change(provider) { row, _ in row = budget.givenBack(row, call: call) }
    }

    func noteSuccess(_ budget: CallBudget, of provider: Provider) async {
        // The row changes only after a rate limit.
        guard let row = try? await store.read({ try $0.budgetRow(of: provider) }), row.rateLimits > 0 else { return }
        _ = await change(provider) { row, _ in row = budget.succeeded(row) }
    }

    func noteRateLimit(_ budget: CallBudget, of provider: Provider, wait: Duration?) async -> Instant {
        let random = Double.random(in: 0..<1)
        let result = await change(provider) { row, now -> Instant in
            row = budget.rateLimited(row, wait: wait, now: now, random: random)
            return row.blockedUntil ?? now
        }
        return (try? result.get()) ?? clock.now + Backoff.rateLimit.first
    }

    private func change<Value: Sendable>(
        _ provider: Provider, _ body: @escaping @Sendable (inout CallBudget.Row, Instant) -> Value
    ) async -> Result<Value, any Error> {
        do {
            return .success(
                try await store.write(Self.operation) { transaction in
                    let old = try transaction.budgetRow(of: provider)
                    var row = old
                    let value = body(&row, transaction.now)
                    if row != old { try transaction.storeBudgetRow(row, of: provider) }
                    return value
                })
        } catch {
            return .failure(error)
        }
    }
}
