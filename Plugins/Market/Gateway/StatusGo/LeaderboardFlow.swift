package import MarketDomain
package import Time

/// The life of a board of status-go: which page is asked for, which one is live, and which answers count.
///
/// status-go keeps at most one page live. The flow asks for one page at a time; a new request replaces the one before, and only the
/// newest may change anything. Nothing that arrives after the board was closed is handed on.
package struct LeaderboardFlow: Hashable, Sendable {
    /// What the board shows beside its rows.
    package enum State: Hashable, Sendable {
        case closed
        /// The first page was asked for.
        case loading
        /// Data comes as expected.
        case live
        /// The rows are older than they should be.
        case stale(since: Instant, GatewayError)
    }

    /// A request of a page.
    package struct Request: Hashable, Sendable {
        /// The number of the request, which no other one has.
        package let id: Int
        /// The page.
        package let page: VisiblePage
        /// The currency.
        package let currency: Currency
        /// When it counts as failed.
        package let deadline: Instant

        package init(id: Int, page: VisiblePage, currency: Currency, deadline: Instant) {
            self.id = id
            self.page = page
            self.currency = currency
            self.deadline = deadline
        }
    }

    /// A page as it arrived.
    package struct Page: Hashable, Sendable {
        /// The page.
        package let page: VisiblePage
        /// The currency; nil if the backend does not send it, which means US dollars.
        package let currency: Currency?
        /// The number of all tokens; nil if the backend does not send it.
        package let total: Int?
        /// The rows.
        package let rows: MarketPage

        package init(page: VisiblePage, currency: Currency?, total: Int?, rows: MarketPage) {
            self.page = page
            self.currency = currency
            self.total = total
            self.rows = rows
        }

        /// The page as the other layers know it.
        package var slice: BoardSlice { BoardSlice(places: page.rows, total: total, rows: rows) }
    }

    /// What happened.
    package enum Event: Sendable {
        case open(Currency)
        /// The end of the rows was reached.
        case more
        /// These rows are visible, counted from 0 in the order of ranks.
        case visible(first: Int, count: Int)
        case reload
        case close
        /// The answer to a request, which names the page alone.
        case pageArrived(Page)
        /// A request failed; nil when the failure names none, and so is of the one that is outstanding.
        case pageFailed(request: Int?, GatewayError)
        /// The live page as the provider has it now.
        case pageUpdated(Page)
        /// New prices of the live page.
        case pricesUpdated(VisiblePage, Currency?, [(id: String, price: Price)])
        case linkLost(GatewayError)
        case linkRestored
        /// Time has passed.
        case tick
    }

    /// What to do.
    package enum Action: Sendable {
        case fetch(Request)
        /// Take the live page back.
        case unsubscribe
        case store(Page)
        case storePrices([(id: String, price: Price)])
        /// Drop leaderboard, prices and tokens.
        case clear
        case stateChanged(State)
    }

    /// The number of rows of a page that is scrolled to.
    package static let pageSize = 100
    /// The largest page.
    package static let maximumPageSize = 5000
    /// How long data stays fresh: status-go sends changes every second, and its whole list every ten.
    package static let freshness = Duration.seconds(60)
    /// How long an answer may take.
    package static let timeout = Duration.seconds(30)

    /// What the board shows.
    package private(set) var state = State.closed
    /// The currency of the open board.
    package private(set) var currency: Currency?
    /// The request that is outstanding.
    package private(set) var outstanding: Request?
    /// The page that is kept live.
    package private(set) var livePage: VisiblePage?
    /// When data of the live page arrived last.
    package private(set) var lastArrival: Instant?

    private var lastID = 0
    /// The number of requests that were replaced and whose end was not heard of: status-go reports each as superseded.
    private var replaced = 0
    private var failures = 0
    /// Whether the provider refused, so that asking again changes nothing until the board is reloaded.
    private var isRefused = false
    /// The earliest time of another attempt.
    private var retryAt: Instant?
    /// The page of an attempt that failed.
    private var wanted: VisiblePage?
    private var depth = 0
    private var isComplete = false
    private var window: (first: Int, count: Int)? {
        get { windowCount > 0 ? (windowFirst, windowCount) : nil }
        set { (windowFirst, windowCount) = newValue ?? (0, 0) }
    }
    private var windowFirst = 0
    private var windowCount = 0

    /// Creates a closed board.
    package init() {}

    /// When the flow wants a tick; nil when only an event can change something.
    package var nextTick: Instant? {
        if state == .closed || isRefused { return nil }
        if let outstanding { return outstanding.deadline }
        if let retryAt { return retryAt }
        return lastArrival.map { $0 + Self.freshness }
    }

    /// Advances by an event.
    /// - Parameter random: A number in 0..<1, for the jitter of pauses.
    package mutating func handle(_ event: Event, now: Instant, random: Double = 0) -> [Action] {
        switch event {
        case .open(let currency): return open(currency, now)
        case .reload:
            guard let currency else { return [] }
            return close() + open(currency, now)
        case .close: return close()
        default: break
        }
        guard state != .closed else { return [] }
        switch event {
        case .more:
            guard outstanding == nil, retryAt == nil, !isComplete, !isRefused, state != .loading else { return [] }
            return fetch(VisiblePage(size: Self.pageSize, number: depth / Self.pageSize + 1), now)
        case .visible(let first, let count): return show(first, count, now)
        case .pageArrived(let page): return arrived(page, now)
        case .pageFailed(let request, let error): return failed(request, error, now, random)
        case .pageUpdated(let page):
            guard page.page == livePage, isOurs(page.currency) else { return [] }
            return fresh(now) + [.store(page)]
        case .pricesUpdated(let page, let currency, let prices):
            guard page == livePage, isOurs(currency) else { return [] }
            return fresh(now) + [.storePrices(prices)]
        case .linkLost(let error):
            outstanding.map { wanted = $0.page }
            (outstanding, replaced) = (nil, 0)
            return stale(error, now)
        case .linkRestored:
            // The backend forgot the live page with the link.
            (failures, isRefused) = (0, false)
            return fetch(wanted ?? livePage ?? firstPage, now)
        case .tick: return tick(now, random)
        case .open, .reload, .close: return []
        }
    }

    private var firstPage: VisiblePage { VisiblePage(size: Self.pageSize, number: 1) }

    private func isOurs(_ currency: Currency?) -> Bool { (currency ?? .usd) == self.currency }

    private mutating func open(_ currency: Currency, _ now: Instant) -> [Action] {
        guard state == .closed || self.currency != currency else { return [] }
        let closing = state == .closed ? [] : close()
        self.currency = currency
        state = .loading
        return closing + [.stateChanged(.loading)] + fetch(firstPage, now)
    }

    private mutating func close() -> [Action] {
        guard state != .closed else { return [] }
        let (id, ended) = (lastID, replaced + (outstanding == nil ? 0 : 1))
        self = LeaderboardFlow()
        // Late answers of the closed board stay recognizable.
        (lastID, replaced) = (id, ended)
        return [.unsubscribe, .clear, .stateChanged(.closed)]
    }

    private mutating func fetch(_ page: VisiblePage, _ now: Instant) -> [Action] {
        guard let currency else { return [] }
        if outstanding != nil { replaced += 1 }
        lastID += 1
        let request = Request(id: lastID, page: page, currency: currency, deadline: now + Self.timeout)
        (outstanding, wanted, retryAt) = (request, page, nil)
        return [.fetch(request)]
    }

    /// Keeps the visible rows live, by the smallest page that covers them.
    private mutating func show(_ first: Int, _ count: Int, _ now: Instant) -> [Action] {
        guard let page = covering(first, count) else { return [] }
        window = (first, count)
        // Without rows nothing is visible; the window counts once they are there.
        guard livePage != nil, !isRefused else { return [] }
        let current = outstanding?.page ?? livePage
        // A page that covers the rows already is as good.
        if let current, current.rows.contains(first), current.rows.contains(first + count - 1) { return [] }
        guard retryAt == nil else {
            wanted = page
            return []
        }
        return fetch(page, now)
    }

    private func covering(_ first: Int, _ count: Int) -> VisiblePage? {
        guard let page = VisiblePage(first: first, count: count) else { return nil }
        guard page.size > Self.maximumPageSize else { return page }
        return VisiblePage(size: Self.maximumPageSize, number: first / Self.maximumPageSize + 1)
    }

    private mutating func arrived(_ page: Page, _ now: Instant) -> [Action] {
        guard let outstanding, page.page == outstanding.page, isOurs(page.currency) else { return [] }
        (self.outstanding, self.wanted, livePage, failures) = (nil, nil, page.page, 0)
        depth = max(depth, page.slice.end)
        if page.slice.isLast { (depth, isComplete) = (page.slice.end, true) }
        let actions = fresh(now) + [.store(page)]
        // The rows that were shown meanwhile may be on another page.
        guard let window else { return actions }
        return actions + show(window.first, window.count, now)
    }

    private mutating func failed(_ id: Int?, _ error: GatewayError, _ now: Instant, _ random: Double) -> [Action] {
        if let id, id != outstanding?.id { return [] }
        // A report without a name, of a request that a newer one replaced.
        if id == nil, error == .superseded, replaced > 0 {
            replaced -= 1
            return []
        }
        guard outstanding != nil else { return [] }
        outstanding = nil
        failures += 1
        isRefused = !error.isTransient && error != .superseded
        retryAt = isRefused ? nil : now + Backoff.failure.delay(attempt: failures, random: random)
        return stale(error, now)
    }

    private mutating func fresh(_ now: Instant) -> [Action] {
        lastArrival = now
        guard state != .live else { return [] }
        state = .live
        return [.stateChanged(.live)]
    }

    private mutating func stale(_ error: GatewayError, _ now: Instant) -> [Action] {
        if case .stale(let since, let known) = state {
            guard known != error else { return [] }
            state = .stale(since: since, error)
        } else {
            state = .stale(since: lastArrival ?? now, error)
        }
        return [.stateChanged(state)]
    }

    private mutating func tick(_ now: Instant, _ random: Double) -> [Action] {
        if isRefused { return [] }
        if let outstanding {
            return now >= outstanding.deadline ? failed(outstanding.id, .timedOut, now, random) : []
        }
        if let retryAt {
            return now >= retryAt ? fetch(wanted ?? livePage ?? firstPage, now) : []
        }
        guard let livePage, let lastArrival, now - lastArrival >= Self.freshness else { return [] }
        // A push that stopped is asked for again.
        return stale(.timedOut, now) + fetch(livePage, now)
    }
}
