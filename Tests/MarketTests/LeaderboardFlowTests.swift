import BigInteger
import Market
import MarketDomain
import TestSupport
import Testing
import Time

private func at(_ seconds: Double) -> Instant { Instant(milliseconds: 1_790_000_000_000 + Int64(seconds * 1000)) }

private func currency(_ code: String) -> Currency { Currency(code) ?? .usd }

private func rows(_ range: Range<Int>) -> MarketPage {
    let rows = range.compactMap { index in Token(id: "c\(index)").map { MarketRow(token: $0, price: Price()) } }
    return MarketPage(rows: rows, sentCount: rows.count, droppedRows: 0, lostFields: 0)
}

private func page(_ page: VisiblePage, of total: Int? = 5000, currency: Currency? = .usd) -> LeaderboardFlow.Page {
    LeaderboardFlow.Page(page: page, currency: currency, total: total, rows: rows(page.rows))
}

/// The actions in words.
private func words(_ actions: [LeaderboardFlow.Action]) -> [String] {
    actions.map { action in
        switch action {
        case .fetch(let request): "fetch \(request.page.number)x\(request.page.size)"
        case .unsubscribe: "unsubscribe"
        case .store(let page): "store \(page.page.number)x\(page.page.size)"
        case .storePrices(let prices): "prices \(prices.count)"
        case .clear: "clear"
        case .stateChanged(.closed): "closed"
        case .stateChanged(.loading): "loading"
        case .stateChanged(.live): "live"
        case .stateChanged(.stale): "stale"
        }
    }
}

struct LeaderboardFlowTests {
    private let first = VisiblePage(size: 100, number: 1)

    /// A board of status-go that is open and live.
    private func live() -> LeaderboardFlow {
        var flow = LeaderboardFlow()
        #expect(words(flow.handle(.open(.usd), now: at(0))) == ["loading", "fetch 1x100"])
        #expect(words(flow.handle(.pageArrived(page(first)), now: at(1))) == ["live", "store 1x100"])
        return flow
    }

    @Test func `opening, scrolling and closing`() {
        var flow = live()
        #expect(words(flow.handle(.more, now: at(2))) == ["fetch 2x100"])
        #expect(words(flow.handle(.more, now: at(2))) == [])
        #expect(
            words(flow.handle(.pageArrived(page(.init(size: 100, number: 2))), now: at(3))) == [
                "store 2x100"
            ])
        #expect(words(flow.handle(.more, now: at(4))) == ["fetch 3x100"])
        #expect(words(flow.handle(.close, now: at(5))) == ["unsubscribe", "clear", "closed"])
        #expect(flow.state == .closed && flow.nextTick == nil && flow.outstanding == nil && flow.livePage == nil)
        #expect(words(flow.handle(.close, now: at(6))) == [])
    }

    @Test func `nothing is stored after the board was closed`() {
        var flow = live()
        _ = flow.handle(.close, now: at(2))
        for event in [
            LeaderboardFlow.Event.pageArrived(page(first)), .pageUpdated(page(first)),
            .pricesUpdated(first, .usd, []), .more, .visible(first: 0, count: 10), .tick, .linkRestored,
            .pageFailed(request: nil, .timedOut),
        ] {
            #expect(words(flow.handle(event, now: at(3))) == [] && flow.state == .closed)
        }
    }

    @Test func `the visible rows are kept live by the smallest page`() {
        var flow = live()
        #expect(words(flow.handle(.visible(first: 14, count: 11), now: at(2))) == [])
        #expect(words(flow.handle(.visible(first: 95, count: 10), now: at(3))) == ["fetch 7x15"])
        #expect(words(flow.handle(.visible(first: 94, count: 10), now: at(3))) == [])
        #expect(words(flow.handle(.visible(first: 300, count: 10), now: at(3))) == ["fetch 31x10"])
        // The answer to the replaced request changes nothing.
        #expect(words(flow.handle(.pageArrived(page(.init(size: 15, number: 7))), now: at(4))) == [])
        #expect(
            words(flow.handle(.pageArrived(page(.init(size: 10, number: 31))), now: at(4))) == [
                "store 31x10"
            ])
        #expect(flow.livePage == VisiblePage(size: 10, number: 31))
    }

    @Test func `updates of another page or currency are ignored`() {
        var flow = live()
        #expect(words(flow.handle(.pageUpdated(page(.init(size: 100, number: 2))), now: at(2))) == [])
        #expect(words(flow.handle(.pageUpdated(page(first, currency: Currency("eur"))), now: at(2))) == [])
        #expect(words(flow.handle(.pricesUpdated(first, Currency("EUR"), []), now: at(2))) == [])
        // Without a currency it is US dollars.
        #expect(words(flow.handle(.pricesUpdated(first, nil, []), now: at(2))) == ["prices 0"])
        #expect(words(flow.handle(.pageUpdated(page(first)), now: at(2))) == ["store 1x100"])
    }

    @Test func `another currency starts over, and late rows of the old one are ignored`() throws {
        var flow = live()
        let euro = currency("eur")
        #expect(
            words(flow.handle(.open(euro), now: at(2))) == ["unsubscribe", "clear", "closed", "loading", "fetch 1x100"])
        #expect(words(flow.handle(.pageArrived(page(first)), now: at(3))) == [])
        #expect(
            words(flow.handle(.pageArrived(page(first, currency: Currency("EUR"))), now: at(3)))
                == ["live", "store 1x100"])
        #expect(words(flow.handle(.open(euro), now: at(4))) == [])
    }

    @Test func `a superseded request that was replaced is no failure, one that was not is`() {
        var flow = live()
        _ = flow.handle(.visible(first: 200, count: 10), now: at(2))
        _ = flow.handle(.visible(first: 300, count: 10), now: at(2))
        #expect(words(flow.handle(.pageFailed(request: nil, .superseded), now: at(3))) == [] && flow.outstanding != nil)
        #expect(words(flow.handle(.pageFailed(request: nil, .superseded), now: at(3))) == ["stale"])
        #expect(flow.outstanding == nil && flow.nextTick == at(4))
        #expect(words(flow.handle(.tick, now: at(4))) == ["fetch 31x10"])
    }

    @Test func `failures are tried again with growing pauses, and the state says since when`() {
        var flow = live()
        var times: [Double] = []
        _ = flow.handle(.more, now: at(2))
        var now = 2.0
        for _ in 0..<4 {
            _ = flow.handle(.pageFailed(request: nil, .serverFailed(503)), now: at(now))
            #expect(flow.state == .stale(since: at(1), .serverFailed(503)))
            let next = flow.nextTick.map { Double(($0 - at(now)).components.seconds) } ?? -1
            times.append(next)
            now += next
            #expect(words(flow.handle(.tick, now: at(now - 0.1))) == [])
            #expect(words(flow.handle(.tick, now: at(now))) == ["fetch 2x100"])
        }
        #expect(times == [1, 2, 4, 8])
        let answer = LeaderboardFlow.Event.pageArrived(page(.init(size: 100, number: 2)))
        #expect(words(flow.handle(answer, now: at(now))) == ["live", "store 2x100"])
    }

    @Test func `a request without an answer fails at its deadline`() {
        var flow = LeaderboardFlow()
        _ = flow.handle(.open(.usd), now: at(0))
        #expect(flow.nextTick == at(30) && words(flow.handle(.tick, now: at(29.9))) == [])
        #expect(words(flow.handle(.tick, now: at(30))) == ["stale"])
        #expect(flow.state == .stale(since: at(30), .timedOut))
        // Its answer comes too late.
        #expect(words(flow.handle(.pageArrived(page(first)), now: at(30.5))) == [])
    }

    @Test func `a push that stopped is stale, and asked for again`() {
        var pushed = live()
        #expect(words(pushed.handle(.tick, now: at(61))) == ["stale", "fetch 1x100"])
    }

    @Test func `a lost link keeps the rows, and they are asked for again once`() {
        var flow = live()
        #expect(words(flow.handle(.linkLost(.unreachable("refused")), now: at(2))) == ["stale"])
        #expect(words(flow.handle(.linkLost(.unreachable("refused")), now: at(3))) == [])
        #expect(words(flow.handle(.linkRestored, now: at(4))) == ["fetch 1x100"])
        #expect(words(flow.handle(.pageArrived(page(first)), now: at(5))) == ["live", "store 1x100"])
    }

    @Test func `a refusal is not tried again until the board is reloaded`() {
        var flow = live()
        _ = flow.handle(.more, now: at(2))
        #expect(words(flow.handle(.pageFailed(request: nil, .refused(401, "wrong key")), now: at(3))) == ["stale"])
        #expect(flow.nextTick == nil)
        for event in [LeaderboardFlow.Event.tick, .more, .visible(first: 500, count: 5)] {
            #expect(words(flow.handle(event, now: at(9999))) == [])
        }
        #expect(words(flow.handle(.reload, now: at(9999))).last == "fetch 1x100")
    }

    @Test func `the end of the list is not passed`() {
        var flow = LeaderboardFlow()
        _ = flow.handle(.open(.usd), now: at(0))
        _ = flow.handle(.pageArrived(page(first, of: 100)), now: at(1))
        #expect(words(flow.handle(.more, now: at(2))) == [])
        var short = LeaderboardFlow()
        _ = short.handle(.open(.usd), now: at(0))
        let few = LeaderboardFlow.Page(page: first, currency: .usd, total: nil, rows: rows(0..<30))
        _ = short.handle(.pageArrived(few), now: at(1))
        #expect(words(short.handle(.more, now: at(2))) == [])
    }

    /// Whatever happens in whatever order: one request at a time, only the newest is stored, a closed board stays closed.
    @Test func `the flow holds its promises for random events`() {
        var generator = SeededGenerator(seed: 71)
        for _ in 0..<200 {
            var flow = LeaderboardFlow()
            var (now, requests): (Double, [LeaderboardFlow.Request]) = (0, [])
            for _ in 0..<100 {
                now += Double.random(in: 0...5, using: &generator)
                let known = requests.randomElement(using: &generator)
                let event: LeaderboardFlow.Event
                switch Int.random(in: 0..<13, using: &generator) {
                case 0: event = .open(Bool.random(using: &generator) ? .usd : currency("eur"))
                case 1: event = .close
                case 2: event = .reload
                case 3, 4: event = .more
                case 5, 6:
                    event = .visible(
                        first: Int.random(in: 0...400, using: &generator),
                        count: Int.random(in: 0...40, using: &generator))
                case 7: event = .pageFailed(request: nil, .superseded)
                case 8: event = .linkLost(.timedOut)
                case 9: event = .linkRestored
                case 10: event = .tick
                default:
                    guard let known else { continue }
                    event = .pageArrived(page(known.page, currency: known.currency))
                }
                let before = flow
                let actions = flow.handle(event, now: at(now), random: Double.random(in: 0..<1, using: &generator))
                for action in actions {
                    if case .fetch(let request) = action {
                        #expect(request == flow.outstanding && !requests.contains { $0.id == request.id })
                        #expect(
                            request.currency == flow.currency && request.page.size <= LeaderboardFlow.maximumPageSize)
                        requests.append(request)
                    }
                    if case .store(let page) = action {
                        #expect(before.outstanding?.page == page.page && page.currency == before.currency)
                    }
                }
                #expect(actions.filter { if case .fetch = $0 { true } else { false } }.count <= 1)
                if flow.state == .closed {
                    #expect(flow.outstanding == nil && flow.livePage == nil && flow.nextTick == nil)
                }
            }
        }
    }
}
