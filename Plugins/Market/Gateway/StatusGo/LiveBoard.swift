package import MarketDomain
import System

/// The one loop of a board that status-go keeps live: signals, commands of its reader and the clock go into the
/// ``LeaderboardFlow``, and what it says is done. Pages, tries and time limits stay in here.
package struct LiveBoard: Sendable {
    /// A notice for the reader of a board.
    package enum Progress: Sendable {
        case state(LeaderboardFlow.State)
        /// A part of the board arrived.
        case slice(BoardSlice)
        /// New prices of tokens by their ids.
        case prices([(id: String, price: Price)])
        /// A request failed.
        case failed(GatewayError)
    }

    /// What the reader of a board wants next.
    package enum Command: Hashable, Sendable {
        /// The places after those that are known.
        case more
        /// Keep these places live.
        case show(Range<Int>)
        case close
    }

    private let gateway: StatusGoGateway
    private let currency: Currency
    private let clock: any Clock
    private let events: AsyncStream<LeaderboardFlow.Event>
    private let continuation: AsyncStream<LeaderboardFlow.Event>.Continuation

    init(_ gateway: StatusGoGateway, in currency: Currency, clock: any Clock) {
        self.gateway = gateway
        self.currency = currency
        self.clock = clock
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1024))
    }

    /// Gives the board a command, from any task.
    package func send(_ command: Command) {
        switch command {
        case .more: continuation.yield(.more)
        // The one live page begins at the first place; one that is live stays so without readers.
        case .show(let places): if !places.isEmpty { continuation.yield(.visible(first: 0, count: places.upperBound)) }
        case .close: continuation.yield(.close)
        }
    }

    /// Opens the board and runs until it is closed or the task is cancelled. `report` may return a command to go on with.
    package func run(_ report: @escaping @Sendable (Progress) async throws -> Command?) async throws {
        try await withThrowingTaskGroup { group in
            let pushed = gateway.events()
            group.addTask { for await event in pushed { continuation.yield(event) } }
            var flow = LeaderboardFlow()
            var timer: Task<Void, Never>?
            defer { timer?.cancel() }
            continuation.yield(.open(currency))
            for await event in events {
                if Task.isCancelled { break }
                if let failure = failure(event, flow.outstanding) { try await report(.failed(failure)).map(send) }
                for action in flow.handle(event, now: clock.now, random: .random(in: 0..<1)) {
                    switch action {
                    case .fetch(let request):
                        group.addTask { if let event = await gateway.fetch(request) { continuation.yield(event) } }
                    case .unsubscribe: await gateway.unsubscribe()
                    case .clear: break
                    case .store(let page): try await report(.slice(page.slice)).map(send)
                    case .storePrices(let prices): try await report(.prices(prices)).map(send)
                    case .stateChanged(let state): try await report(.state(state)).map(send)
                    }
                }
                if flow.state == .closed { break }
                timer?.cancel()
                timer = flow.nextTick.map(tick)
            }
            if flow.state != .closed { await gateway.unsubscribe() }
            group.cancelAll()
            continuation.finish()
        }
    }

    private func tick(at time: Instant) -> Task<Void, Never> {
        Task {
            let pause = time - clock.now
            if pause > .zero { try? await clock.sleep(for: pause) }
            if !Task.isCancelled { continuation.yield(.tick) }
        }
    }

    /// The failure that the outstanding request met.
    private func failure(_ event: LeaderboardFlow.Event, _ outstanding: LeaderboardFlow.Request?) -> GatewayError? {
        switch event {
        case .pageFailed(let request, let error):
            (request == nil || request == outstanding?.id) && error != .superseded ? error : nil
        case .linkLost(let error): error
        case .tick: outstanding.map { clock.now >= $0.deadline } ?? false ? .timedOut : nil
        case .open, .more, .visible, .reload, .close, .linkRestored, .pageArrived, .pageUpdated, .pricesUpdated: nil
        }
    }
}
