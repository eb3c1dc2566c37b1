import MarketDomain

/// One fetch of a source at a time in this process, so that two readers of the same prices pay for them once.
actor FetchTurns {
    private var busy: Set<PriceSource> = []
    private var waiters: [PriceSource: [CheckedContinuation<Void, Never>]] = [:]

    /// Runs `fetch` when no other one of the source runs.
    nonisolated func serialized<Value: Sendable>(
        for source: PriceSource, _ fetch: () async throws -> Value
    ) async throws -> Value {
        await begin(source)
        do {
            let value = try await fetch()
            await end(source)
            return value
        } catch {
            await end(source)
            throw error
        }
    }

    private func begin(_ source: PriceSource) async {
        if busy.insert(source).inserted { return }
        await withCheckedContinuation { waiters[source, default: []].append($0) }
    }

    private func end(_ source: PriceSource) {
        guard var waiting = waiters[source], !waiting.isEmpty else {
            busy.remove(source)
            return
        }
        let next = waiting.removeFirst()
        waiters[source] = waiting
        next.resume()
    }
}
