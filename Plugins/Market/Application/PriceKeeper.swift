import Commands
import MarketDomain
import MarketKnownProviders
import Storage

/// What readers and alerts need now.
struct NeededPrices: Hashable, Sendable {
    /// The places of the board, in parts without overlaps.
    var places: [Range<Int>] = []
    /// The tokens by themselves, by the currency of their prices.
    var tokens: [Currency: [TokenKey]] = [:]
}

/// Keeps fresh what readers look at and what alerts wait for: the oldest first, within the budget, and nothing else.
///
/// Prices are as old as their rows, not as their source. What is about to get older than `market.max_age` is fetched shortly
/// before, by one call for each part of the board and one for the tokens of a currency. If the budget does not reach, rows
/// get older than that, all of them alike, and each view says so.
struct PriceKeeper: Sendable {
    let market: MarketPlugin

    /// What is fetched by one call.
    private enum Item: Hashable {
        case places(Range<Int>)
        case tokens(Currency)

        /// Of items that are due at the same time, parts of the board come first: they may have the tokens too.
        var rank: (Int, String) {
            switch self {
            case .places(let part): (part.lowerBound, "")
            case .tokens(let currency): (.max, currency.code)
            }
        }
    }

    /// The last try of an item.
    private struct Attempt {
        var time: Instant
        var failures = 0
    }

    private var attempts: [Item: Attempt] = [:]
    /// The number of failures of the network or a server in a row.
    private var failures = 0

    init(_ market: MarketPlugin) { self.market = market }

    /// Fetches what is due, and returns when to do so again; nil when no prices are needed.
    mutating func step() async throws -> Instant? {
        guard let needed = try await market.neededPrices() else { return nil }
        guard let provider = market.health.available(now: market.clock.now).first else {
            return market.clock.now + Backoff.failure.limit
        }
        let period = try await market.gateways.gateway(provider).period(market.config[MarketKeys.maximumAge])
        let items = try await items(needed, PriceSource(provider, market.currency))
        attempts = attempts.filter { items[$0.key] != nil }
        let due = items.map { item, oldest in (item: item, time: dueTime(item, oldest, period)) }
            .sorted { ($0.time, $0.item.rank.0, $0.item.rank.1) < ($1.time, $1.item.rank.0, $1.item.rank.1) }
        let now = market.clock.now
        for (item, time) in due where time <= now {
            let origin = try await fetch(item, needed, period)
            if let next = note(origin, of: item) { return next }
        }
        let left = try await self.items(needed, PriceSource(provider, market.currency))
        let next = left.map { dueTime($0, $1, period) }.min()
        return max(next ?? now + period, market.clock.now + .seconds(1))
    }

    private func dueTime(_ item: Item, _ oldest: Instant?, _ period: Duration) -> Instant {
        let now = market.clock.now
        // A time that lies ahead was noted before the clock was set back.
        let due = oldest.flatMap { $0 <= now ? $0 + period : nil } ?? now
        guard let attempt = attempts[item], attempt.time <= now else { return due }
        // What a call did not bring is not asked for again at once.
        let pause = attempt.failures > 0 ? Backoff.failure.delay(attempt: attempt.failures, random: 0) : period
        return max(due, attempt.time + pause)
    }

    /// The items, each with the time of its oldest price; nil for one that was never fetched.
    private func items(_ needed: NeededPrices, _ source: PriceSource) async throws -> [Item: Instant?] {
        try await market.store.read { transaction in
            var items: [Item: Instant?] = [:]
            let parts = Set(needed.places.flatMap { source.provider.parts(of: $0) })
            for part in parts {
                let sight = needed.places.map { $0.clamped(to: part) }.filter { !$0.isEmpty }
                let times = try sight.map { try transaction.fetchTime(of: $0, from: source) }
                items[.places(part)] = .some(times.contains(nil) ? nil : times.compactMap(\.self).min())
            }
            for (currency, keys) in needed.tokens {
                let source = PriceSource(source.provider, currency)
                let times = try keys.map { key in
                    try transaction.counterpart(of: key, in: source.provider.catalogue)
                        .flatMap { try transaction.boardRows([$0], from: source).first?.seenAt }
                }
                items[.tokens(currency)] = .some(times.contains(nil) ? nil : times.compactMap(\.self).min())
            }
            return items
        }
    }

    private func fetch(_ item: Item, _ needed: NeededPrices, _ period: Duration) async throws -> PriceOrigin {
        switch item {
        case .places(let part):
            let sight = needed.places.map { $0.clamped(to: part) }.filter { !$0.isEmpty }
            guard let first = sight.first?.lowerBound, let last = sight.last?.upperBound else { return PriceOrigin() }
            return try await market.refreshPlaces(first..<last, in: market.currency, within: period)
        case .tokens(let currency):
            return try await market.refreshTokens(
                needed.tokens[currency] ?? [], in: currency, within: period, isOffline: false
            ).origin
        }
    }

    /// Notes what came of a call, and returns when to go on if nothing else can be fetched now.
    private mutating func note(_ origin: PriceOrigin, of item: Item) -> Instant? {
        let now = market.clock.now
        guard !origin.isFresh, let error = origin.failures.first?.error else {
            (attempts[item], failures) = (Attempt(time: now), 0)
            return nil
        }
        market.bus.announce(.some([MarketEvents.providersChanged]))
        switch error {
        case .postponed(let until, _): return max(until, now + .seconds(1))
        case .malformed, .refused, .cancelled, .superseded:
            // What one call met says nothing of the others.
            attempts[item] = Attempt(time: now, failures: (attempts[item]?.failures ?? 0) + 1)
            return nil
        case .unreachable, .timedOut, .rateLimited, .serverFailed, .unauthorized, .blocked:
            failures += 1
            return now + Backoff.failure.delay(attempt: failures, random: .random(in: 0..<1))
        }
    }
}

extension MarketPlugin {
    /// The right to keep prices fresh; nil while another process has it.
    func boardLock() async throws -> FileLock? { try await locks.tryAcquire("market/board") }

    /// What readers and alerts need now; nil when no prices are needed.
    func neededPrices() async throws -> NeededPrices? {
        guard !isOffline else { return nil }
        return try await store.read { transaction in
            guard try transaction.wasAsked() else { return nil }
            let interests = try transaction.interests(at: transaction.now, limit: Self.interestTerm)
            let alerts = try transaction.alerts().filter(\.isEnabled)
            guard !interests.isEmpty || !alerts.isEmpty else { return nil }
            var tokens = Dictionary(grouping: alerts, by: \.currency).mapValues { Set($0.map(\.key)) }
            tokens[currency, default: []].formUnion(interests.tokens)
            return NeededPrices(
                places: interests.places,
                tokens: tokens.filter { !$0.value.isEmpty }.mapValues { $0.sorted { $0.text < $1.text } })
        }
    }

    /// Keeps fresh what is needed for as long as something is; `renew` is called before each look.
    func keepPrices(renewing renew: @escaping @Sendable () async throws -> Void = {}) async throws {
        try? bus.listen()
        let changes = bus.changes(of: [TopicPattern(MarketEvents.interestChanged)])
        let (wakes, wake) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let follower = Task { for await _ in changes { wake.yield() } }
        var (keeper, timer): (PriceKeeper, Task<Void, Never>?) = (PriceKeeper(self), nil)
        defer {
            follower.cancel()
            timer?.cancel()
        }
        wake.yield()
        for await _ in wakes {
            timer?.cancel()
            try await renew()
            try await keepLive(renewing: renew)
            guard let next = try await keeper.step() else { break }
            timer = Task {
                let pause = next - clock.now
                if pause > .zero { try? await clock.sleep(for: pause) }
                if !Task.isCancelled { wake.yield() }
            }
        }
        try Task.checkCancellation()
    }

    /// Keeps the board of a provider live that sends its changes by itself, for as long as it is the first one and prices are
    /// needed.
    private func keepLive(renewing renew: @escaping @Sendable () async throws -> Void) async throws {
        while let provider = health.available(now: clock.now).first,
            let board = try await gateways.gateway(provider).live(in: currency), try await neededPrices() != nil
        {
            let source = PriceSource(provider, currency)
            let interest = bus.changes(of: [TopicPattern(MarketEvents.interestChanged)])
            let follower = Task {
                for await _ in interest {
                    if let needed = try await neededPrices() {
                        board.send(.show(try await places(of: needed, on: source)))
                    }
                }
            }
            defer { follower.cancel() }
            try await keep(board, from: source) { progress in
                switch progress {
                case .slice:
                    try await renew()
                    guard let needed = try await neededPrices() else { return .close }
                    return .show(try await places(of: needed, on: source))
                case .prices: return nil
                case .failed:
                    bus.announce(.some([MarketEvents.providersChanged]))
                    guard try await neededPrices() != nil else { return .close }
                    return health.available(now: clock.now).first == provider ? nil : .close
                case .state(let state):
                    bus.announce(.some([MarketEvents.providersChanged]))
                    if case .stale = state, try await neededPrices() == nil { return .close }
                    return nil
                }
            }
            try Task.checkCancellation()
        }
    }

    /// The places that have all that is needed: those in sight, and those of tokens by themselves. The whole board if one is
    /// not known.
    private func places(of needed: NeededPrices, on source: PriceSource) async throws -> Range<Int> {
        let keys = needed.tokens[source.currency] ?? []
        let known = try await store.read { transaction in
            try keys.compactMap { key in
                try transaction.counterpart(of: key, in: source.provider.catalogue)
                    .flatMap { try transaction.position(of: $0, on: source) }
            }
        }
        let end = (known + needed.places.map(\.upperBound)).max() ?? 0
        return 0..<end
    }
}
