import Commands
import MarketDomain
import MarketKnownProviders
import Storage
import Synchronization

/// The loop of the live board: changes of the store, of the clock and keys go into a ``BoardScreen``, and what it shows is drawn.
struct BoardLoop: Sendable {
    let market: MarketPlugin
    let screen: any FullScreen
    let currency: Currency
    let isOffline: Bool

    private enum Event: Sendable {
        case screen(ScreenEvent)
        case data
        case second
        case end
        case failure(any Error)
    }

    /// All that the screen is computed from.
    private struct State {
        var board: BoardScreen
        var view: BoardView?
        var watched: Set<TokenKey> = []
        var now: Instant

        func frame(in currency: Currency) -> ScreenFrame {
            let lines = board.lines(view?.rows ?? [], watched: watched, currency: currency)
            let gap = Array(repeating: [ScreenFrame.Piece](), count: max(board.height + 1 - lines.count, 0))
            return ScreenFrame(lines: lines + gap + board.footer(view, now: now))
        }
    }

    /// What is kept fresh.
    private final class Sight: Sendable {
        private let sight = Mutex(PricesInSight(places: 0..<100))
        let reader: String

        init(_ reader: String) { self.reader = reader }

        var current: PricesInSight { sight.withLock { $0 } }

        /// Takes something else, and returns whether it differs.
        func replace(with new: PricesInSight) -> Bool {
            sight.withLock { sight in
                defer { sight = new }
                return sight != new
            }
        }
    }

    /// Events of which one that waits is as good as many, so that they never stand in the way of a key.
    private final class Waiting: Sendable {
        let data = Atomic(false)
        let second = Atomic(false)
    }

    /// The shortest time between two looks at the store.
    private static let pause = Duration.milliseconds(250)

    func run() async throws {
        try await withThrowingTaskGroup { group in
            let (events, continuation) = AsyncStream<Event>.makeStream()
            let waiting = Waiting()
            group.addTask {
                for await event in screen.events { continuation.yield(.screen(event)) }
                continuation.yield(.end)
            }
            let sight = Sight(market.newReader())
            if !isOffline {
                group.addTask {
                    do {
                        try await market.watchBoard(as: sight.reader) { sight.current }
                    } catch is CancellationError {} catch { continuation.yield(.failure(error)) }
                }
            }
            let changes = market.boardChanges()
            group.addTask {
                for await _ in changes {
                    if !waiting.data.exchange(true, ordering: .relaxed) { continuation.yield(.data) }
                    try await market.clock.sleep(for: Self.pause)
                }
            }
            group.addTask {
                while true {
                    try await market.clock.sleep(for: .seconds(1))
                    if !waiting.second.exchange(true, ordering: .relaxed) { continuation.yield(.second) }
                }
            }
            continuation.yield(.data)
            defer { group.cancelAll() }
            try await follow(events, waiting, sight)
        }
    }

    private func follow(_ events: AsyncStream<Event>, _ waiting: Waiting, _ sight: Sight) async throws {
        var state = State(board: BoardScreen(size: screen.size), now: market.clock.now)
        var shown = state.frame(in: currency)
        screen.show(shown)
        for await event in events {
            switch event {
            case .end: return
            case .failure(let error): throw error
            case .second:
                waiting.second.store(false, ordering: .relaxed)
                state.now = market.clock.now
                // Limits and failures are not announced by other processes.
                if let origin = state.view?.origin, !origin.isFresh || !origin.failures.isEmpty {
                    try await load(&state, sight)
                }
            case .data:
                waiting.data.store(false, ordering: .relaxed)
                try await load(&state, sight)
            case .screen(.resized(let size)):
                state.board.size = size
                try await load(&state, sight)
            case .screen(.key(let key)):
                switch state.board.handle(key) {
                case .quit?: return
                case .toggleWatch?: try await toggleWatch(state)
                case .refresh?: if !isOffline { try await refresh(sight) }
                case nil: break
                }
                try await load(&state, sight)
            }
            let frame = state.frame(in: currency)
            if frame != shown { screen.show(frame) }
            shown = frame
        }
    }

    /// Reads the visible rows.
    private func load(_ state: inout State, _ sight: Sight) async throws {
        state.now = market.clock.now
        let list = try await market.watchlists().first { $0.name == MarketPlugin.defaultList }
        state.watched = Set((list?.ids ?? []).map { TokenKey($0) })
        var query = BoardQuery(currency: currency)
        query.order = state.board.order
        query.words = state.board.filter.split(separator: " ").map(String.init)
        query.isOffline = isOffline
        if state.board.showsWatchlist {
            query.only = state.watched
        }
        query.offset = state.board.first
        query.limit = state.board.height
        var view = try await market.storedBoard(query)
        state.board.setCount(view.count)
        if state.board.first != query.offset {
            query.offset = state.board.first
            view = try await market.storedBoard(query)
        }
        state.view = view
        let wanted = state.board.sight(view.rows, hasMore: view.hasMore)
        if !isOffline, sight.replace(with: wanted) { try await market.lookAt(wanted, as: sight.reader) }
    }

    private func toggleWatch(_ state: State) async throws {
        let index = state.board.selected - state.board.first
        guard let rows = state.view?.rows, rows.indices.contains(index) else { return }
        let key = rows[index].key
        let operation = Operation("market watchlist", commandLine: "market watch")
        if state.watched.contains(key) {
            try await market.removeFromWatchlist(MarketPlugin.defaultList, [key], operation: operation)
        } else {
            _ = try await market.addToWatchlist(MarketPlugin.defaultList, [key], operation: operation)
        }
    }

    private func refresh(_ sight: Sight) async throws {
        let current = sight.current
        _ = try await market.refreshShown(
            rows: current.places, tokens: current.tokens, as: sight.reader, isForced: true)
    }
}
