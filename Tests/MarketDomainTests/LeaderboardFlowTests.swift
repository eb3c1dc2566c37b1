import BigInteger
import MarketDomain
import TestSupport
import Testing
import Time

private func at(_ seconds: Double) -> Instant { Instant(milliseconds: 1_790_000_000_000 + Int64(seconds * 1000)) }

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
        var flow = LeaderboardFlow(.statusGo)
        #expect(words(flow.handle(.open(.usd), now: at(0))) == ["loading", "fetch 1x100"])
        #expect(words(flow.handle(.pageArrived(request: nil, page(first)), now: at(1))) == ["live", "store 1x100"])
        return flow
    }

    @Test func `opening, scrolling and closing`() {
        var flow = live()
        #expect(words(flow.handle(.more, now: at(2))) == ["fetch 2x100"])
        #expect(words(flow.handle(.more, now: at(2))) == [])
        #expect(
            words(flow.handle(.pageArrived(request: nil, page(.init(size: 100, number: 2))), now: at(3))) == [
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
            LeaderboardFlow.Event.pageArrived(request: nil, page(first)), .pageUpdated(page(first)),
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
        #expect(words(flow.handle(.pageArrived(request: nil, page(.init(size: 15, number: 7))), now: at(4))) == [])
        #expect(
            words(flow.handle(.pageArrived(request: nil, page(.init(size: 10, number: 31))), now: at(4))) == [
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
        #expect(words(flow.handle(.pageArrived(request: nil, page(first)), now: at(3))) == [])
        #expect(
            words(flow.handle(.pageArrived(request: nil, page(first, currency: Currency("EUR"))), now: at(3)))
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
        let answer = LeaderboardFlow.Event.pageArrived(request: nil, page(.init(size: 100, number: 2)))
        #expect(words(flow.handle(answer, now: at(now))) == ["live", "store 2x100"])
    }

    @Test func `a request without an answer fails at its deadline`() {
        var flow = LeaderboardFlow(.coingecko)
        _ = flow.handle(.open(.usd), now: at(0))
        #expect(flow.nextTick == at(20) && words(flow.handle(.tick, now: at(19.9))) == [])
        #expect(words(flow.handle(.tick, now: at(20))) == ["stale"])
        #expect(flow.state == .stale(since: at(20), .timedOut))
        // Its answer comes too late.
        #expect(words(flow.handle(.pageArrived(request: 1, page(.init(size: 250, number: 1))), now: at(20.5))) == [])
    }

    @Test func `a polled page is asked for when it is due, a push that stopped is stale`() {
        var polled = LeaderboardFlow(.coingecko)
        _ = polled.handle(.open(.usd), now: at(0))
        _ = polled.handle(.pageArrived(request: 1, page(.init(size: 250, number: 1), of: nil)), now: at(1))
        #expect(polled.nextTick == at(61) && words(polled.handle(.tick, now: at(60))) == [])
        #expect(words(polled.handle(.tick, now: at(61))) == ["fetch 1x250"] && polled.state == .live)
        // A clock that went back does not lead to a storm.
        #expect(words(polled.handle(.tick, now: at(-3600))) == [])
        var pushed = live()
        #expect(words(pushed.handle(.tick, now: at(61))) == ["stale", "fetch 1x100"])
    }

    @Test func `a lost link keeps the rows, and they are asked for again once`() {
        var flow = live()
        #expect(words(flow.handle(.linkLost(.unreachable("refused")), now: at(2))) == ["stale"])
        #expect(words(flow.handle(.linkLost(.unreachable("refused")), now: at(3))) == [])
        #expect(words(flow.handle(.linkRestored, now: at(4))) == ["fetch 1x100"])
        #expect(words(flow.handle(.pageArrived(request: nil, page(first)), now: at(5))) == ["live", "store 1x100"])
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

    @Test func `a request that the budget postpones is made when it may be`() {
        var flow = LeaderboardFlow(.coingecko)
        _ = flow.handle(.open(.usd), now: at(0))
        #expect(words(flow.handle(.postponed(request: 1, until: at(40)), now: at(0))) == ["stale"])
        #expect(flow.nextTick == at(40) && words(flow.handle(.tick, now: at(39))) == [])
        #expect(
            words(flow.handle(.more, now: at(39))) == []
                && words(flow.handle(.visible(first: 5, count: 5), now: at(39))) == [])
        #expect(words(flow.handle(.postponed(request: 1, until: at(99)), now: at(39))) == [])
        #expect(words(flow.handle(.tick, now: at(40))).count == 1 && flow.outstanding != nil)
    }

    @Test func `of a polled provider the pages in sight are asked for in turn`() {
        var flow = LeaderboardFlow(.coingecko)
        func answer(_ number: Int, at time: Double) -> [String] {
            let page = page(VisiblePage(size: 250, number: number), of: nil)
            return words(flow.handle(.pageArrived(request: flow.outstanding?.id, page), now: at(time)))
        }
        _ = flow.handle(.open(.usd), now: at(0))
        #expect(answer(1, at: 1) == ["live", "store 1x250"])
        #expect(words(flow.handle(.visible(first: 520, count: 60), now: at(2))) == ["fetch 3x250"])
        #expect(answer(3, at: 3) == ["store 3x250"])
        // Back at the top it is the first page that is kept young.
        #expect(words(flow.handle(.visible(first: 0, count: 60), now: at(4))) == [])
        #expect(flow.nextTick == at(61) && words(flow.handle(.tick, now: at(61))) == ["fetch 1x250"])
        #expect(answer(1, at: 62) == ["store 1x250"])
        // Rows of two pages need both.
        #expect(words(flow.handle(.visible(first: 240, count: 30), now: at(63))) == ["fetch 2x250"])
        #expect(answer(2, at: 64) == ["store 2x250"])
        #expect(words(flow.handle(.tick, now: at(122))) == ["fetch 1x250"])
        #expect(answer(1, at: 124) == ["store 1x250", "fetch 2x250"])
    }

    @Test func `the end of the list is not passed`() {
        var flow = LeaderboardFlow(.statusGo)
        _ = flow.handle(.open(.usd), now: at(0))
        _ = flow.handle(.pageArrived(request: nil, page(first, of: 100)), now: at(1))
        #expect(words(flow.handle(.more, now: at(2))) == [])
        var short = LeaderboardFlow(.coingecko)
        _ = short.handle(.open(.usd), now: at(0))
        let few = LeaderboardFlow.Page(
            page: .init(size: 250, number: 1), currency: .usd, total: nil, rows: rows(0..<30))
        _ = short.handle(.pageArrived(request: 1, few), now: at(1))
        #expect(words(short.handle(.more, now: at(2))) == [])
    }

    /// A person scrolls for an hour while the provider fails at random: the budget holds, and a pause is kept.
    @Test func `no event makes more calls than the budget allows`() {
        var generator = SeededGenerator(seed: 72)
        for budget in [CallBudget.coingeckoKeyless, CallBudget(perMinute: 30)] {
            var (flow, row) = (LeaderboardFlow(.coingecko), CallBudget.Row())
            var (calls, answers): ([Double], [(time: Double, request: LeaderboardFlow.Request)]) = ([], [])
            var now = 0.0
            var events: [LeaderboardFlow.Event] = [.open(.usd)]
            while now < 3600 {
                for event in events {
                    for case .fetch(let request) in flow.handle(event, now: at(now)) {
                        switch budget.request(row, now: at(now)) {
                        case .allow(let next):
                            if let blocked = row.blockedUntil { #expect(at(now) >= blocked) }
                            row = next
                            calls.append(now)
                            answers.append((now + Double.random(in: 0...3, using: &generator), request))
                        case .wait(let until, _, let next):
                            row = next
                            _ = flow.handle(.postponed(request: request.id, until: until), now: at(now))
                        }
                    }
                }
                now += 0.5
                events = [.tick]
                switch Int.random(in: 0..<20, using: &generator) {
                case 0: events.append(.more)
                case 1: events.append(.visible(first: Int.random(in: 0...900, using: &generator), count: 40))
                case 2: events.append(.reload)
                case 3: events.append(.open(Bool.random(using: &generator) ? .usd : currency("eur")))
                default: break
                }
                for answer in answers where answer.time <= now {
                    switch Int.random(in: 0..<6, using: &generator) {
                    case 0: events.append(.pageFailed(request: answer.request.id, .serverFailed(500)))
                    case 1:
                        row = budget.rateLimited(row, wait: .seconds(20), now: at(now), random: 0)
                        events.append(.pageFailed(request: answer.request.id, .rateLimited))
                    default:
                        let arrived = page(answer.request.page, of: nil, currency: answer.request.currency)
                        events.append(.pageArrived(request: answer.request.id, arrived))
                    }
                }
                answers.removeAll { $0.time <= now }
            }
            #expect(calls.count > 100)
            for (index, call) in calls.enumerated() where index >= budget.perMinute {
                #expect(call - calls[index - budget.perMinute] > 60)
            }
        }
    }

    /// Whatever happens in whatever order: one request at a time, only the newest is stored, a closed board stays closed.
    @Test func `the flow holds its promises for random events`() {
        var generator = SeededGenerator(seed: 71)
        for behavior in [LeaderboardFlow.Behavior.statusGo, .coingecko] {
            for _ in 0..<200 {
                var flow = LeaderboardFlow(behavior)
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
                    case 7: event = .pageFailed(request: behavior.isPush ? nil : known?.id, .superseded)
                    case 8: event = .linkLost(.timedOut)
                    case 9: event = .linkRestored
                    case 10: event = .tick
                    case 11: event = .postponed(request: known?.id, until: at(now + 5))
                    default:
                        guard let known else { continue }
                        event = .pageArrived(
                            request: behavior.isPush ? nil : known.id, page(known.page, currency: known.currency))
                    }
                    let before = flow
                    let actions = flow.handle(event, now: at(now), random: Double.random(in: 0..<1, using: &generator))
                    for action in actions {
                        if case .fetch(let request) = action {
                            #expect(request == flow.outstanding && !requests.contains { $0.id == request.id })
                            #expect(request.currency == flow.currency && request.page.size <= behavior.maximumPageSize)
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
}
