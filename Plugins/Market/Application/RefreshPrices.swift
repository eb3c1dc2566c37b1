import Commands
package import MarketDomain
import MarketKnownProviders
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
    /// Makes sure that these places of the board are known and young, if that can be had; `reader` looks at them from now on.
    package func refreshBoard(
        _ rows: Range<Int>, in currency: Currency, isOffline: Bool, isForced: Bool = false,
        of reader: String = "commands"
    ) async throws -> PriceOrigin {
        try await noteInterest(PricesInSight(places: rows), of: reader)
        return try await refreshPlaces(rows, in: currency, isOffline: isOffline, isForced: isForced)
    }

    /// Makes sure that these places of the board are younger than an age, that of the config without one, if that can be had.
    func refreshPlaces(
        _ rows: Range<Int>, in currency: Currency, within age: Duration? = nil, isOffline: Bool = false,
        isForced: Bool = false
    ) async throws -> PriceOrigin {
        var origin = PriceOrigin()
        origin.isOffline = isOffline || self.isOffline
        for provider in health.available(now: clock.now) {
            let source = PriceSource(provider, currency)
            if !isForced, try await areYoung(rows, of: source, within: age) {
                origin.source = source
                origin.isFresh = true
                return origin
            }
            if origin.isOffline { continue }
            let problem = try await fetches.serialized(for: source) {
                try await fetchBoard(source, rows, within: age, isForced: isForced)
            }
            guard let error = problem else {
                origin.source = source
                origin.isFresh = true
                return origin
            }
            origin.failures.append(PriceOrigin.Failure(provider: provider, error: error))
            // A pause of the preferred provider is not a reason for other prices while its own are still good.
            if case .postponed = error, try await areYoung(0..<1, of: source, within: Self.goodAge) {
                origin.source = source
                return origin
            }
        }
        origin.source = try await lastSource(in: currency)
        return origin
    }

    /// The number of pages without rows after which a backend that keeps its board live counts as failed.
    private static var maximumFailures: Int { 3 }

    /// How old prices may be before those of another provider are better.
    private static var goodAge: Duration { .seconds(900) }

    /// Whether all of some places are known, and younger than an age.
    private func areYoung(_ rows: Range<Int>, of source: PriceSource, within age: Duration? = nil) async throws -> Bool
    {
        try await store.read { transaction in
            try source.provider.parts(of: rows).allSatisfy { part in
                isYoung(try transaction.fetchTime(of: part.clamped(to: rows), from: source), within: age)
            }
        }
    }

    /// Fetches the parts of the board that are not known, or too old; returns the failure that ended it.
    func fetchBoard(
        _ source: PriceSource, _ rows: Range<Int>, within age: Duration?, isForced: Bool
    ) async throws -> GatewayError? {
        let gateway = try await gateways.gateway(source.provider)
        if let board = gateway.live(in: source.currency) {
            return try await fetchBoard(board, source, rows.upperBound)
        }
        for part in source.provider.parts(of: rows) {
            // Another task may have fetched it while this one waited.
            if !isForced, try await areYoung(part.clamped(to: rows), of: source, within: age) { continue }
            var isLast = false
            let error = try await noting(source.provider) { () async throws(GatewayError) in
                let slice = try await gateway.fetch(part, in: source.currency)
                isLast = slice.isLast
                if let problem = try await stored(slice, from: source) { throw problem }
            }
            if error != nil || isLast { return error }
        }
        return nil
    }

    /// Stores a part of the board. Without room in the store the last prices are shown.
    private func stored(_ slice: BoardSlice, from source: PriceSource) async throws(GatewayError) -> GatewayError? {
        do { return try await store(slice, from: source) } catch {
            throw .unreachable((error as? HubError)?.message ?? "the store: \(error)")
        }
    }

    /// Fetches the first places of a provider that keeps them live; returns the failure that ended it.
    private func fetchBoard(_ board: LiveBoard, _ source: PriceSource, _ rowCount: Int) async throws -> GatewayError? {
        let (failures, failure) = (Counter(), FailureBox())
        try await keep(board, from: source) { progress in
            switch progress {
            case .slice(let slice):
                if slice.end >= rowCount || slice.isLast { return .close }
                return .show(0..<rowCount)
            case .failed(let error):
                // A local backend that is not ready yet sends pages without rows.
                let mayPass =
                    switch error {
                    case .serverFailed, .malformed: true
                    default: false
                    }
                if mayPass, failures.next() < Self.maximumFailures { return nil }
                failure.set(error)
                return .close
            case .state, .prices: return nil
            }
        }
        return failure.value
    }

    /// Runs a live board: what arrives is stored, and the health of the provider noted, before `report` hears of it.
    func keep(
        _ board: LiveBoard, from source: PriceSource,
        _ report: @escaping @Sendable (LiveBoard.Progress) async throws -> LiveBoard.Command?
    ) async throws {
        @Sendable func fail(_ error: GatewayError) async throws -> LiveBoard.Command? {
            health.record(.failure(error), of: source.provider, at: clock.now)
            return try await report(.failed(error))
        }
        try await board.run { progress in
            do {
                switch progress {
                case .slice(let slice):
                    if let problem = try await store(slice, from: source) { return try await fail(problem) }
                    health.record(.success(()), of: source.provider, at: clock.now)
                case .prices(let prices):
                    try await store(prices, from: source)
                    health.record(.success(()), of: source.provider, at: clock.now)
                case .failed(let error): return try await fail(error)
                case .state: break
                }
            } catch let error as HubError where HubError.unwritableStore.contains(error.code) {
                return try await fail(.unreachable(error.message))
            }
            return try await report(progress)
        }
    }

    /// Makes a call and notes the health of the provider; returns the failure. The refusal of some tokens is none of the provider.
    private func noting(
        _ provider: Provider, isOfBoard: Bool = true, _ call: () async throws(GatewayError) -> Void
    ) async throws -> GatewayError? {
        do throws(GatewayError) {
            try await call()
            health.record(.success(()), of: provider, at: clock.now)
            return nil
        } catch {
            if case .refused = error, !isOfBoard { return error }
            health.record(.failure(error), of: provider, at: clock.now)
            return error
        }
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
        _ keys: [TokenKey], in currency: Currency, within age: Duration? = nil, isOffline: Bool, isForced: Bool = false
    ) async throws -> (rows: [TokenKey: BoardRow], origin: PriceOrigin) {
        if age == nil { try await noteInterest() }
        var origin = PriceOrigin()
        origin.isOffline = isOffline || self.isOffline
        for provider in keys.isEmpty ? [] : health.available(now: clock.now) {
            let source = PriceSource(provider, currency)
            let known = try await rows(keys, from: source)
            func old(within age: Duration?) -> [TokenKey] {
                keys.filter { isForced || known[$0].map { !isYoung($0, within: age) } ?? true }
            }
            // Those that are old soon come with the same call.
            let old = old(within: age).isEmpty ? [] : old(within: age.map { $0 / 2 })
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
        if let board = gateway.live(in: source.currency) {
            let places = try await store.read { transaction in
                try own.compactMap { try transaction.position(of: $0, on: source) }
            }
            return try await fetchBoard(board, source, places.max() ?? source.provider.maximumPlaces)
        }
        return try await noting(source.provider, isOfBoard: false) { () async throws(GatewayError) in
            let page = try await gateway.rows(own.map(\.id), in: source.currency)
            try? await store(page.rows, from: source)
        }
    }

    /// The time for which one look at the market keeps it refreshed.
    package static let interestTerm = Duration.seconds(600)

    /// Notes what `reader` looks at, so that it is kept young.
    func noteInterest(_ sight: PricesInSight = PricesInSight(), of reader: String = "commands") async throws {
        // Most looks come soon after another one at nearly the same rows, and need no write.
        let (step, places) = (50, sight.places)
        var wanted = sight
        if !places.isEmpty {
            wanted.places = places.lowerBound / step * step..<(places.upperBound + step - 1) / step * step
        }
        let known = try await store.read { transaction in
            try transaction.interest(of: reader, at: transaction.now + Self.interestTerm / 2, limit: Self.interestTerm)
        }
        // A view that stays open moves; what one command needed stays after another one that needs less.
        if let known, known == wanted || reader == "commands" && known.covers(wanted) { return }
        let operation = Operation("market interest", who: .service("market"), kind: .cache)
        do {
            try await store.write(operation) { [wanted] transaction in
                try transaction.setInterest(of: reader, wanted, until: transaction.now + Self.interestTerm)
                if known != wanted { transaction.afterCommit(MarketEvents.interestChanged) }
            }
        } catch let error as HubError where HubError.unwritableStore.contains(error.code) {
            // The last prices can be shown all the same; why they are not newer is said with them.
            log.warning("nothing can be stored: \(error.message)")
        }
    }
}
