import HubKit
package import MarketDomain

/// Where shown prices come from, and what stood in the way of newer ones.
package struct PriceOrigin: Sendable {
    /// A provider that gave nothing, and why.
    package struct Failure: Sendable {
        /// The provider.
        package let provider: Provider
        /// The reason.
        package let error: GatewayError
    }

    /// The source; nil when nothing is known in this currency.
    package var source: PriceTable.Source?
    /// The providers that were asked and gave nothing.
    package var failures: [Failure] = []
    /// Whether the network was not to be used.
    package var isOffline = false
    /// Whether prices are younger than `market.max_age`.
    package var isFresh = false
}

/// Fetching prices when those that are stored are too old. Nothing here goes out with `--offline`.
extension MarketPlugin {
    /// The maximum number of tries of a server that failed.
    private static var maximumTries: Int { 3 }

    /// Makes sure that the first `rowCount` places of the board are known and young, if that can be had.
    package func refreshBoard(
        _ rowCount: Int, in currency: Currency, isOffline: Bool, isForced: Bool = false
    ) async throws -> PriceOrigin {
        try await noteInterest(rowCount)
        var origin = PriceOrigin()
        origin.isOffline = isOffline || self.isOffline
        for provider in health.available(now: clock.now) {
            let source = PriceTable.Source(provider, currency)
            if !isForced, try await isFresh(source, rowCount) {
                origin.source = source
                origin.isFresh = true
                return origin
            }
            if origin.isOffline { continue }
            guard let error = try await fetchBoard(source, rowCount) else {
                origin.source = source
                origin.isFresh = true
                return origin
            }
            origin.failures.append(PriceOrigin.Failure(provider: provider, error: error))
            // A pause of the preferred provider is not a reason for other prices while its own are still good.
            if case .postponed = error, try await isFresh(source, 1, within: Self.goodAge) {
                origin.source = source
                return origin
            }
        }
        origin.source = try await lastSource(in: currency)
        return origin
    }

    /// The longest pause of a budget that a command waits for.
    private static var shortWait: Duration { .seconds(3) }

    /// How old prices may be before those of another provider are better.
    private static var goodAge: Duration { .seconds(900) }

    /// Fetches pages until there are `rowCount` places; returns the failure that ended it.
    private func fetchBoard(_ source: PriceTable.Source, _ rowCount: Int) async throws -> GatewayError? {
        let gateway = try await gateways.gateway(source.provider)
        let board = LiveBoard(gateway, in: source.currency, of: self)
        let (failures, failure) = (Counter(), FailureBox())
        try await board.run { progress in
            switch progress {
            case .stored(let depth, let isLast): return depth >= rowCount || isLast ? .close : .more
            case .failed(let error):
                let mayPass: Bool
                switch error {
                // The calls of one provider keep a distance of a second; that is waited for.
                case .postponed(let until, _) where until - clock.now <= Self.shortWait: return nil
                case .serverFailed: mayPass = true
                // A local backend that is not ready yet sends pages without rows.
                case .malformed: mayPass = source.provider.isPush
                default: mayPass = false
                }
                if mayPass, failures.next() < Self.maximumTries { return nil }
                failure.set(error)
                return .close
            case .state, .prices: return nil
            }
        }
        return failure.value
    }

    private func isFresh(
        _ source: PriceTable.Source, _ rowCount: Int, within age: Duration? = nil
    ) async throws -> Bool {
        let limit = age ?? config[MarketKeys.maximumAge]
        let now = clock.now
        return try await store.read { transaction in
            guard let state = try transaction.sources().first(where: { $0.source == source }),
                now - state.fetchedAt < limit, state.fetchedAt <= now
            else { return false }
            return try state.isComplete || transaction.placeCount(of: source) >= min(rowCount, state.total ?? .max)
        }
    }

    /// The source whose prices are shown when none can be fetched: the one that was heard of last.
    package func lastSource(in currency: Currency) async throws -> PriceTable.Source? {
        try await store.read { try lastSource(in: currency, $0) }
    }

    func lastSource(in currency: Currency, _ transaction: Transaction) throws -> PriceTable.Source? {
        let providers = health.providers
        func isConfigured(_ source: PriceTable.Source) -> Bool { providers.contains(source.provider) }
        let board = try transaction.sources().map(\.source).first { $0.currency == currency && isConfigured($0) }
        // Prices outside of a board are looked through only when there is none.
        return try board ?? transaction.pricedSources(in: currency).first(where: isConfigured)
    }

    /// Makes sure that the prices of some tokens are young, if that can be had, and returns their rows in the order given.
    /// Tokens that the source does not know are left out.
    package func refreshTokens(
        _ keys: [TokenKey], in currency: Currency, isOffline: Bool, isForced: Bool = false
    ) async throws -> (rows: [TokenKey: BoardRow], origin: PriceOrigin) {
        try await noteInterest(0)
        var origin = PriceOrigin()
        origin.isOffline = isOffline || self.isOffline
        for provider in keys.isEmpty ? [] : health.available(now: clock.now) {
            let source = PriceTable.Source(provider, currency)
            let known = try await rows(keys, from: source)
            let old = keys.filter { isForced || known[$0].map { !isYoung($0) } ?? true }
            if old.isEmpty {
                origin.source = source
                origin.isFresh = true
                return (known, origin)
            }
            if origin.isOffline { continue }
            guard let error = try await fetchTokens(old, source) else {
                origin.source = source
                origin.isFresh = true
                return (try await rows(keys, from: source), origin)
            }
            origin.failures.append(PriceOrigin.Failure(provider: provider, error: error))
            if case .postponed = error, known.values.contains(where: { isYoung($0, within: Self.goodAge) }) {
                origin.source = source
                return (known, origin)
            }
        }
        origin.source = try await lastSource(in: currency)
        guard let source = origin.source else { return ([:], origin) }
        return (try await rows(keys, from: source), origin)
    }

    private func isYoung(_ row: BoardRow, within age: Duration? = nil) -> Bool {
        guard let seen = row.seenAt, seen <= clock.now else { return false }
        return clock.now - seen < age ?? config[MarketKeys.maximumAge]
    }

    /// Returns the rows of tokens from one source, by the keys that were asked for.
    func rows(_ keys: [TokenKey], from source: PriceTable.Source) async throws -> [TokenKey: BoardRow] {
        try await store.read { transaction in
            var found: [TokenKey: BoardRow] = [:]
            for key in keys {
                guard let own = try transaction.counterpart(of: key, in: source.provider.catalogue),
                    let row = try transaction.boardRows([own], from: source).first
                else { continue }
                found[key] = row
            }
            return found
        }
    }

    private func fetchTokens(_ keys: [TokenKey], _ source: PriceTable.Source) async throws -> GatewayError? {
        let catalogue = source.provider.catalogue
        let own = try await store.read { transaction in
            try keys.compactMap { try transaction.counterpart(of: $0, in: catalogue) }
        }
        guard !own.isEmpty else { return .refused(404, "\(source.provider.rawValue) has none of these tokens") }
        // A board is all that status-go has.
        if source.provider.isPush { return try await fetchBoard(source, 1) }
        let gateway = try await gateways.gateway(source.provider)
        for attempt in 1... {
            do throws(GatewayError) {
                let page = try await gateway.rows(own.map(\.id), in: source.currency)
                health.record(.success(()), of: source.provider, at: clock.now)
                try? await store(page.rows, from: source)
                return nil
            } catch {
                health.record(.failure(error), of: source.provider, at: clock.now)
                guard attempt < Self.maximumTries else { return error }
                switch error {
                case .postponed(let until, _) where until - clock.now <= Self.shortWait:
                    try await clock.sleep(for: max(until - clock.now, .zero))
                case .serverFailed:
                    try await clock.sleep(for: Backoff.failure.delay(attempt: attempt, random: .random(in: 0..<1)))
                default: return error
                }
            }
        }
        return nil
    }

    /// The time for which one look at the market keeps it refreshed.
    package static let interestTerm = Duration.seconds(600)

    /// Notes that the user looks at the first `rowCount` places of the board, so that the service keeps them young.
    func noteInterest(_ rowCount: Int, of reader: String = "commands") async throws {
        // Most looks come soon after another one, and need no write.
        let needed = try await store.read { transaction in
            try transaction.neededRows(at: transaction.now + Self.interestTerm / 2, limit: Self.interestTerm)
        }
        if let needed, needed >= rowCount { return }
        let operation = Operation("market interest", who: .service("market"), kind: .cache)
        do {
            try await store.write(operation) { transaction in
                try transaction.setInterest(
                    of: reader, rowCount: rowCount, until: transaction.now + Self.interestTerm)
                if rowCount > needed ?? 0 { transaction.afterCommit(MarketEvents.interestChanged) }
            }
        } catch let error as HubError where HubError.unwritableStore.contains(error.code) {
            // The last prices can be shown all the same; why they are not newer is said with them.
            log.warning("nothing can be stored: \(error.message)")
        }
    }
}
