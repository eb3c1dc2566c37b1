import Commands
package import MarketDomain
import Storage

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
    package var source: PriceSource?
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

    /// Makes sure that these places of the board are known and young, if that can be had; `reader` needs them from now on.
    package func refreshBoard(
        _ rows: Range<Int>, in currency: Currency, isOffline: Bool, isForced: Bool = false,
        of reader: String = "commands"
    ) async throws -> PriceOrigin {
        try await noteInterest(rows, of: reader)
        var origin = PriceOrigin()
        origin.isOffline = isOffline || self.isOffline
        for provider in health.available(now: clock.now) {
            let source = PriceSource(provider, currency)
            let old = try await oldRows(rows, of: source, isForced: isForced)
            if old.isEmpty {
                origin.source = source
                origin.isFresh = true
                return origin
            }
            if origin.isOffline { continue }
            guard let error = try await fetchBoard(source, old) else {
                origin.source = source
                origin.isFresh = true
                return origin
            }
            origin.failures.append(PriceOrigin.Failure(provider: provider, error: error))
            // A pause of the preferred provider is not a reason for other prices while its own are still good.
            if case .postponed = error, try await oldRows(0..<1, of: source, within: Self.goodAge).isEmpty {
                origin.source = source
                return origin
            }
        }
        origin.source = try await lastSource(in: currency)
        return origin
    }

    /// How old prices may be before those of another provider are better.
    private static var goodAge: Duration { .seconds(900) }

    /// The number of rows whose age is looked at together: the page of a provider that has several.
    private static var chunk: Int { LeaderboardFlow.Behavior.coingecko.pageSize }

    /// Returns the parts of some rows that are not known, or too old.
    private func oldRows(
        _ rows: Range<Int>, of source: PriceSource, within age: Duration? = nil, isForced: Bool = false
    ) async throws -> [Range<Int>] {
        let chunks = stride(from: rows.lowerBound / Self.chunk, to: (rows.upperBound - 1) / Self.chunk + 1, by: 1).map {
            ($0 * Self.chunk..<($0 + 1) * Self.chunk).clamped(to: rows)
        }
        if isForced { return chunks }
        return try await store.read { transaction in
            guard let state = try transaction.sources().first(where: { $0.source == source }) else { return chunks }
            return try chunks.filter { chunk in
                if let total = state.total, chunk.lowerBound >= max(total, 1) { return false }
                guard let times = try transaction.fetchTimes(of: source, places: chunk) else {
                    return !(state.isComplete && isYoung(state.fetchedAt, within: age))
                }
                return !isYoung(times.oldest, within: age) || times.newest > clock.now
            }
        }
    }

    /// Fetches the pages of some rows; returns the failure that ended it.
    private func fetchBoard(_ source: PriceSource, _ parts: [Range<Int>]) async throws -> GatewayError? {
        let gateway = try await gateways.gateway(source.provider)
        guard !gateway.behavior.isPush else {
            return try await fetchBoard(source, parts.map(\.upperBound).max() ?? 1, gateway)
        }
        let size = gateway.behavior.pageSize
        for number in Set(parts.map { $0.lowerBound / size + 1 }).sorted() {
            let request = LeaderboardFlow.Request(
                id: 0, page: VisiblePage(size: size, number: number), currency: source.currency,
                deadline: clock.now + gateway.behavior.timeout)
            var isLast = false
            let error = try await retrying(source.provider) { () async throws(GatewayError) in
                switch await gateway.fetch(request) {
                case .pageArrived(_, let page)?:
                    do { try await store(page, from: source) } catch {
                        // Without room in the store the last prices are shown.
                        throw .unreachable((error as? HubError)?.message ?? "the store: \(error)")
                    }
                    isLast = page.rows.sentCount < size
                case .pageFailed(_, let error)?: throw error
                case .postponed(_, let until, let reason)?: throw .postponed(until: until, reason)
                default: throw .malformed("no page")
                }
            }
            if error != nil || isLast { return error }
        }
        return nil
    }

    /// Fetches the first places of a provider that pushes; returns the failure that ended it.
    private func fetchBoard(
        _ source: PriceSource, _ rowCount: Int, _ gateway: any MarketGateway
    ) async throws -> GatewayError? {
        let board = LiveBoard(gateway, in: source.currency, of: self)
        let (failures, failure) = (Counter(), FailureBox())
        try await board.run { progress in
            switch progress {
            case .stored(let depth, let isLast): return depth >= rowCount || isLast ? .close : .more
            case .failed(let error):
                // A local backend that is not ready yet sends pages without rows.
                let mayPass =
                    switch error {
                    case .serverFailed, .malformed: true
                    default: false
                    }
                if mayPass, failures.next() < Self.maximumTries { return nil }
                failure.set(error)
                return .close
            case .state, .prices: return nil
            }
        }
        return failure.value
    }

    /// Makes a call, again after a pause if the server failed, and notes the health of the provider; returns the failure. The
    /// refusal of some tokens is none of the provider.
    private func retrying(
        _ provider: Provider, isOfBoard: Bool = true, _ call: () async throws(GatewayError) -> Void
    ) async throws -> GatewayError? {
        for attempt in 1... {
            do throws(GatewayError) {
                try await call()
                health.record(.success(()), of: provider, at: clock.now)
                return nil
            } catch {
                if case .refused = error, !isOfBoard { return error }
                health.record(.failure(error), of: provider, at: clock.now)
                guard case .serverFailed = error, attempt < Self.maximumTries else { return error }
                try await clock.sleep(for: Backoff.failure.delay(attempt: attempt, random: .random(in: 0..<1)))
            }
        }
        return nil
    }

    /// The source whose prices are shown when none can be fetched: the one that was heard of last.
    package func lastSource(in currency: Currency) async throws -> PriceSource? {
        try await store.read { try lastSource(in: currency, $0) }
    }

    func lastSource(in currency: Currency, _ transaction: Transaction) throws -> PriceSource? {
        let providers = health.providers
        func isConfigured(_ source: PriceSource) -> Bool { providers.contains(source.provider) }
        let board = try transaction.sources().map(\.source).first { $0.currency == currency && isConfigured($0) }
        // Prices outside of a board are looked through only when there is none.
        return try board ?? transaction.pricedSources(in: currency).first(where: isConfigured)
    }

    /// Makes sure that the prices of some tokens are young, if that can be had, and returns their rows in the order given.
    /// Tokens that the source does not know are left out.
    package func refreshTokens(
        _ keys: [TokenKey], in currency: Currency, isOffline: Bool, isForced: Bool = false
    ) async throws -> (rows: [TokenKey: BoardRow], origin: PriceOrigin) {
        try await noteInterest()
        var origin = PriceOrigin()
        origin.isOffline = isOffline || self.isOffline
        for provider in keys.isEmpty ? [] : health.available(now: clock.now) {
            let source = PriceSource(provider, currency)
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

    private func isYoung(_ row: BoardRow, within age: Duration? = nil) -> Bool { isYoung(row.seenAt, within: age) }

    /// Whether a time lies no further back than an age, that of the config without one; a time that lies ahead does not.
    func isYoung(_ time: Instant?, within age: Duration? = nil) -> Bool {
        guard let time, time <= clock.now else { return false }
        return clock.now - time < age ?? config[MarketKeys.maximumAge]
    }

    /// Returns the rows of tokens from one source, by the keys that were asked for.
    func rows(_ keys: [TokenKey], from source: PriceSource) async throws -> [TokenKey: BoardRow] {
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

    /// Fetches the prices of some tokens; returns the failure.
    func fetchTokens(_ keys: [TokenKey], _ source: PriceSource) async throws -> GatewayError? {
        let catalogue = source.provider.catalogue
        let own = try await store.read { transaction in
            try keys.compactMap { try transaction.counterpart(of: $0, in: catalogue) }
        }
        guard !own.isEmpty else { return .refused(404, "\(source.provider.rawValue) has none of these tokens") }
        let gateway = try await gateways.gateway(source.provider)
        // A board is all that status-go has.
        if source.provider.isPush { return try await fetchBoard(source, 1, gateway) }
        return try await retrying(source.provider, isOfBoard: false) { () async throws(GatewayError) in
            let page = try await gateway.rows(own.map(\.id), in: source.currency)
            try? await store(page.rows, from: source)
        }
    }

    /// The time for which one look at the market keeps it refreshed.
    package static let interestTerm = Duration.seconds(600)

    /// Notes that the user looks at these rows of the board, so that the service keeps them young.
    func noteInterest(_ rows: Range<Int> = 0..<0, of reader: String = "commands") async throws {
        // Most looks come soon after another one at nearly the same rows, and need no write.
        let step = 50
        let wanted = rows.isEmpty ? rows : rows.lowerBound / step * step..<(rows.upperBound + step - 1) / step * step
        let known = try await store.read { transaction in
            try transaction.interest(of: reader, at: transaction.now + Self.interestTerm / 2, limit: Self.interestTerm)
        }
        // A view that stays open moves; what one command needed stays after another one that needs less.
        if let known, known == wanted || reader == "commands" && (wanted.isEmpty || known.contains(wanted)) { return }
        let operation = Operation("market interest", who: .service("market"), kind: .cache)
        do {
            try await store.write(operation) { transaction in
                try transaction.setInterest(of: reader, rows: wanted, until: transaction.now + Self.interestTerm)
                if known != wanted { transaction.afterCommit(MarketEvents.interestChanged) }
            }
        } catch let error as HubError where HubError.unwritableStore.contains(error.code) {
            // The last prices can be shown all the same; why they are not newer is said with them.
            log.warning("nothing can be stored: \(error.message)")
        }
    }
}
