package import Time

/// The life of a board: which page is asked for, which one is live, and which answers count.
///
/// A provider that pushes keeps at most one page live; of one that is polled, the pages in sight are asked for in turn. The flow
/// asks for one page at a time; a new request replaces the one before, and only the newest may change anything. Nothing that arrives after the board was closed is stored.
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

    /// The part of a page that the flow looks at; the rows themselves go with the action.
    package struct Page: Hashable, Sendable {
        /// The page.
        package let page: VisiblePage
        /// The currency; nil if the provider does not send it, which means US dollars.
        package let currency: Currency?
        /// The number of all tokens; nil if the provider does not send it.
        package let total: Int?
        /// The rows.
        package let rows: MarketPage

        package init(page: VisiblePage, currency: Currency?, total: Int?, rows: MarketPage) {
            self.page = page
            self.currency = currency
            self.total = total
            self.rows = rows
        }
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
        /// The answer to a request. Polled providers name the request; status-go only the page.
        case pageArrived(request: Int?, Page)
        /// A request failed; nil when the failure names none, and so is of the one that is outstanding.
        case pageFailed(request: Int?, GatewayError)
        /// The budget, or the provider, allows no request before this time.
        case postponed(request: Int?, until: Instant, CallBudget.Reason = .rateLimited)
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

    /// How the provider behaves.
    package struct Behavior: Hashable, Sendable {
        /// Whether it sends changes of the live page by itself.
        package let isPush: Bool
        /// The number of rows of a page that is scrolled to.
        package let pageSize: Int
        /// The largest page.
        package let maximumPageSize: Int
        /// How long data stays fresh: a polled provider is asked again after it, a pushing one counts as stale.
        package let freshness: Duration
        /// How long an answer may take.
        package let timeout: Duration

        package init(isPush: Bool, pageSize: Int, maximumPageSize: Int, freshness: Duration, timeout: Duration) {
            self.isPush = isPush
            self.pageSize = pageSize
            self.maximumPageSize = maximumPageSize
            self.freshness = freshness
            self.timeout = timeout
        }

        /// status-go sends changes every second, and its whole list every ten.
        package static let statusGo = Behavior(
            isPush: true, pageSize: 100, maximumPageSize: 5000, freshness: .seconds(60), timeout: .seconds(30))
        /// CoinGecko's own cache lasts a minute.
        package static let coingecko = Behavior(
            isPush: false, pageSize: 250, maximumPageSize: 250, freshness: .seconds(60), timeout: .seconds(20))
    }

    /// How the provider behaves.
    package let behavior: Behavior
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
    /// When each page of a polled provider arrived last, by its number.
    private var arrivals: [Int: Instant] = [:]

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
    package init(_ behavior: Behavior) { self.behavior = behavior }

    /// When the flow wants a tick; nil when only an event can change something.
    package var nextTick: Instant? {
        if state == .closed || isRefused { return nil }
        if let outstanding { return outstanding.deadline }
        if let retryAt { return retryAt }
        let last = behavior.isPush ? lastArrival : pagesInSight.compactMap { arrivals[$0] }.min()
        return last.map { $0 + behavior.freshness }
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
            return fetch(VisiblePage(size: behavior.pageSize, number: depth / behavior.pageSize + 1), now)
        case .visible(let first, let count): return show(first, count, now)
        case .pageArrived(let request, let page): return arrived(request, page, now)
        case .pageFailed(let request, let error): return failed(request, error, now, random)
        case .postponed(let request, let until, let reason):
            guard let outstanding, request == nil || request == outstanding.id else { return [] }
            (self.outstanding, retryAt) = (nil, until)
            return stale(.postponed(until: until, reason), now)
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

    private var firstPage: VisiblePage { VisiblePage(size: behavior.pageSize, number: 1) }

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
        self = LeaderboardFlow(behavior)
        // Late answers of the closed board stay recognizable.
        lastID = id
        replaced = behavior.isPush ? ended : 0
        return [.unsubscribe, .clear, .stateChanged(.closed)]
    }

    private mutating func fetch(_ page: VisiblePage, _ now: Instant) -> [Action] {
        guard let currency else { return [] }
        if outstanding != nil, behavior.isPush { replaced += 1 }
        lastID += 1
        let request = Request(id: lastID, page: page, currency: currency, deadline: now + behavior.timeout)
        (outstanding, wanted, retryAt) = (request, page, nil)
        return [.fetch(request)]
    }

    /// The most pages that are kept young at once.
    private static let maximumPages = 40

    /// The pages of a polled provider that hold the visible rows; the first one when nothing is said of them.
    private var pagesInSight: [Int] {
        guard let window else { return [1] }
        let size = behavior.pageSize
        let pages = window.first / size + 1...(window.first + window.count - 1) / size + 1
        let existing = pages.filter { $0 == 1 || !isComplete || ($0 - 1) * size < depth }
        return existing.isEmpty ? [1] : Array(existing.prefix(Self.maximumPages))
    }

    /// The page in sight that is to be asked for again: one that was never read, or else the oldest one that is too old.
    private func duePage(_ now: Instant) -> VisiblePage? {
        let pages = pagesInSight
        let number =
            pages.first { arrivals[$0] == nil }
            ?? pages.filter { arrivals[$0].map { now - $0 >= behavior.freshness } ?? true }
            .min { (arrivals[$0] ?? now) < (arrivals[$1] ?? now) }
        return number.map { VisiblePage(size: behavior.pageSize, number: $0) }
    }

    /// Asks a polled provider for a page in sight that is due.
    private mutating func refresh(_ now: Instant) -> [Action] {
        guard livePage != nil, !isRefused, outstanding == nil, retryAt == nil else { return [] }
        return duePage(now).map { fetch($0, now) } ?? []
    }

    /// Keeps the visible rows live: by the smallest page that covers them, or by all pages of a polled provider that do.
    private mutating func show(_ first: Int, _ count: Int, _ now: Instant) -> [Action] {
        guard let page = covering(first, count) else { return [] }
        window = (first, count)
        if !behavior.isPush { return refresh(now) }
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
        guard page.size > behavior.maximumPageSize else { return page }
        return VisiblePage(size: behavior.maximumPageSize, number: first / behavior.maximumPageSize + 1)
    }

    private mutating func arrived(_ id: Int?, _ page: Page, _ now: Instant) -> [Action] {
        guard let outstanding, id.map({ $0 == outstanding.id }) ?? (page.page == outstanding.page),
            isOurs(page.currency)
        else { return [] }
        (self.outstanding, self.wanted, livePage, failures) = (nil, nil, page.page, 0)
        arrivals[page.page.number] = now
        let end = (page.page.number - 1) * page.page.size + page.rows.sentCount
        depth = max(depth, end)
        if page.rows.sentCount < page.page.size || page.total.map({ end >= $0 }) ?? false {
            (depth, isComplete) = (end, true)
        }
        let actions = fresh(now) + [.store(page)]
        if !behavior.isPush { return actions + refresh(now) }
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
            let due = behavior.isPush ? nil : duePage(now)
            return now >= retryAt ? fetch(due ?? wanted ?? livePage ?? firstPage, now) : []
        }
        if !behavior.isPush { return refresh(now) }
        guard let livePage, let lastArrival, now - lastArrival >= behavior.freshness else { return [] }
        // A push that stopped is asked for again.
        return stale(.timedOut, now) + fetch(livePage, now)
    }
}
