import MarketDomain
import Storage

/// The one loop of a board: events of the gateway, of its user and of the clock go into the ``LeaderboardFlow``, and what it
/// says is done.
///
/// What arrives is stored, and stays in the store when the board is closed: it is the board that is shown offline.
struct LiveBoard: Sendable {
    /// A notice for the user of a board.
    enum Progress: Sendable {
        case state(LeaderboardFlow.State)
        /// A page was stored; the number of its last place, and whether no page follows.
        case stored(depth: Int, isLast: Bool)
        /// Prices were stored.
        case prices
        /// A request failed, or was postponed.
        case failed(GatewayError)
    }

    private let plugin: MarketPlugin
    private let gateway: any MarketGateway
    private let currency: Currency
    private let events: AsyncStream<LeaderboardFlow.Event>
    private let continuation: AsyncStream<LeaderboardFlow.Event>.Continuation

    init(_ gateway: any MarketGateway, in currency: Currency, of plugin: MarketPlugin) {
        self.plugin = plugin
        self.gateway = gateway
        self.currency = currency
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
    }

    /// The origin of what is stored.
    var source: PriceSource { PriceSource(gateway.provider, currency) }

    /// Gives the board an event, from any task.
    func send(_ event: LeaderboardFlow.Event) { continuation.yield(event) }

    /// Keeps these rows in sight from now on.
    func show(_ rows: Range<Int>) { visible(rows).map(send) }

    /// The event by which rows are kept in sight; nil if nothing changes. The one live page of a provider that pushes begins at the first
    /// place.
    func visible(_ rows: Range<Int>) -> LeaderboardFlow.Event? {
        // Without readers the first page is kept, for alerts; a page that is live stays so.
        guard !rows.isEmpty else { return gateway.behavior.isPush ? nil : .visible(first: 0, count: 1) }
        let first = gateway.behavior.isPush ? 0 : rows.lowerBound
        return .visible(first: first, count: rows.upperBound - first)
    }

    /// Opens the board and runs until it is closed or the task is cancelled. `report` may return an event to go on with.
    func run(_ report: @escaping @Sendable (Progress) async throws -> LeaderboardFlow.Event?) async throws {
        try await withThrowingTaskGroup { group in
            let pushed = gateway.events()
            group.addTask { for await event in pushed { send(event) } }
            var flow = LeaderboardFlow(gateway.behavior)
            var timer: Task<Void, Never>?
            defer { timer?.cancel() }
            send(.open(currency))
            for await event in events {
                if Task.isCancelled { break }
                if let failure = note(event, flow.outstanding),
                    let next = try await report(.failed(failure))
                {
                    send(next)
                }
                let now = plugin.clock.now
                for action in flow.handle(event, now: now, random: .random(in: 0..<1)) {
                    switch action {
                    case .fetch(let request):
                        group.addTask { if let event = await gateway.fetch(request) { send(event) } }
                    default:
                        if let progress = try await perform(action), let next = try await report(progress) {
                            send(next)
                        }
                    }
                }
                if flow.state == .closed { break }
                timer?.cancel()
                timer = flow.nextTick.map { next in
                    Task {
                        let pause = next - plugin.clock.now
                        if pause > .zero { try? await plugin.clock.sleep(for: pause) }
                        if !Task.isCancelled { send(.tick) }
                    }
                }
            }
            if flow.state != .closed { await gateway.unsubscribe() }
            group.cancelAll()
            continuation.finish()
        }
    }

    /// Records the health of the provider, and returns the failure that the outstanding request met.
    private func note(_ event: LeaderboardFlow.Event, _ outstanding: LeaderboardFlow.Request?) -> GatewayError? {
        let now = plugin.clock.now
        switch event {
        case .pageArrived, .pageUpdated, .pricesUpdated:
            plugin.health.record(.success(()), of: gateway.provider, at: now)
            return nil
        case .pageFailed(let request, let error):
            guard request == nil || request == outstanding?.id, error != .superseded else { return nil }
            plugin.health.record(.failure(error), of: gateway.provider, at: now)
            return error
        case .linkLost(let error):
            plugin.health.record(.failure(error), of: gateway.provider, at: now)
            return error
        case .postponed(let request, let until, let reason):
            return request == nil || request == outstanding?.id ? .postponed(until: until, reason) : nil
        case .tick:
            guard let outstanding, now >= outstanding.deadline else { return nil }
            plugin.health.record(.failure(.timedOut), of: gateway.provider, at: now)
            return .timedOut
        case .open, .more, .visible, .reload, .close, .linkRestored: return nil
        }
    }

    private func perform(_ action: LeaderboardFlow.Action) async throws -> Progress? {
        switch action {
        case .fetch, .clear: return nil
        case .unsubscribe:
            await gateway.unsubscribe()
            return nil
        case .store(let page):
            do { try await plugin.store(page, from: source) } catch let error as HubError
                where HubError.unwritableStore.contains(error.code)
            {
                return .failed(.unreachable(error.message))
            }
            let depth = (page.page.number - 1) * page.page.size + page.rows.sentCount
            let isLast = page.rows.sentCount < page.page.size || page.total.map { depth >= $0 } ?? false
            return .stored(depth: depth, isLast: isLast)
        case .storePrices(let prices):
            do { try await plugin.store(prices, from: source) } catch let error as HubError
                where HubError.unwritableStore.contains(error.code)
            {
                return .failed(.unreachable(error.message))
            }
            return .prices
        case .stateChanged(let state): return .state(state)
        }
    }
}
