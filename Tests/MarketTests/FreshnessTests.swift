import Commands
import Glibc
import HTTPClient
import JSON
import MarketDomain
import MarketKnownProviders
import Storage
import TestSupport
import Testing

@testable import Market

/// How old the rows in sight become, and what keeping them young costs. The backend's own log and clock are the evidence.
@Suite(.timeLimit(.minutes(20)))
struct FreshnessTests {
    /// One of the programs that run side by side, with a view that stays open.
    private final class Program {
        let market: MarketPlugin
        let reader: String
        var sight: PricesInSight
        private var keeper: PriceKeeper
        private var lock: FileLock?
        /// When it does something next.
        var wake: Instant

        init(_ market: MarketPlugin, _ reader: String, _ sight: PricesInSight) {
            (self.market, self.reader, self.sight) = (market, reader, sight)
            keeper = PriceKeeper(market)
            wake = market.clock.now
        }

        var isKeeper: Bool { lock != nil }

        /// What its loop does when it wakes up; only one of the programs keeps prices fresh.
        func turn() async throws {
            try await market.lookAt(sight, as: reader)
            if lock == nil { lock = try await market.boardLock() }
            let next = lock == nil ? nil : try await keeper.step()
            // While another program keeps prices fresh, a look now and then is enough for the test.
            wake = next ?? market.clock.now + .seconds(120)
        }

        /// It is killed, and started again.
        func restart() {
            lock = nil
            keeper = PriceKeeper(market)
            wake = market.clock.now + .seconds(30)
        }

        /// When the oldest of the rows that it shows was fetched; nil if one has no price.
        func oldest() async throws -> Instant? {
            var rows: [RankedRow] = []
            if !sight.places.isEmpty {
                var query = BoardQuery(currency: .usd)
                (query.offset, query.limit) = (sight.places.lowerBound, sight.places.count)
                rows = try await market.storedBoard(query).rows
                guard rows.count == sight.places.count else { return nil }
            }
            let tokens = try await market.storedPrices(of: sight.tokens).rows
            guard tokens.count == sight.tokens.count else { return nil }
            let times = (rows + tokens).map(\.row.seenAt)
            return times.contains(nil) ? nil : times.compactMap(\.self).min()
        }
    }

    /// How long the programs run, by the clock of the test: `HUB_MINUTES=60` makes it an hour.
    private static let minutes = getenv("HUB_MINUTES").flatMap { Int(String(cString: $0)) } ?? 20
    /// Decides which programs are killed, and when: `HUB_SEED=1` is another run.
    private static let seed = getenv("HUB_SEED").flatMap { UInt64(String(cString: $0)) } ?? 34

    @Test func `three programs: rows in sight are never older than the setting, and no call is one too many`()
        async throws
    {
        let backend = try Backend("--tokens", "262", "--limit", "5")
        let clock = MarketClock(patience: .seconds(60)) { pause in
            try await backend.control("clock", #"{"advance": \#(pause.seconds)}"#)
        }
        let hub = try MarketHub(backend.config("coingecko"), clock: clock)
        await hub.run("market list --limit 5")
        #expect(await hub.run("market alerts new coin-3 '> 1' --currency eur").exit == 0)
        let start = clock.now
        try await hub.market { first in
            try await hub.market { second in
                try await hub.market { third in
                    let programs = [
                        Program(first, "terminal", PricesInSight(places: 0..<40)),
                        Program(second, "page", PricesInSight(places: 240..<260)),
                        Program(third, "list", PricesInSight(tokens: [TokenKey("coin-261"), TokenKey("coin-5")])),
                    ]
                    try await simulate(programs, clock, backend, until: start + .seconds(60 * Self.minutes))
                }
            }
        }
        let log = try await backend.log()
        #expect(log.allSatisfy { $0["status"]?.integer == 200 }, "the backend never had to refuse")
        let times = log.compactMap { $0["time"]?.scalarText.flatMap { Double($0) } }
        for (index, time) in times.enumerated() { #expect(times[index...].prefix { $0 < time + 60 }.count <= 5) }
        let pages = log.compactMap { $0["query"]?["page"]?.string }
        // The tokens of the list are on the two pages in sight; the alert has a currency of its own.
        #expect(Set(pages) == ["1", "2"])
        #expect(
            log.count { $0["query"]?["ids"]?.string == "coin-3" && $0["query"]?["vs_currency"]?.string == "eur" }
                > Self.minutes)
        // Three parts, each once in fifty seconds or a little more often.
        let fewest = 3 * 60 * Self.minutes / 50
        #expect((fewest - 16...fewest + max(8, fewest / 9)).contains(log.count), "\(log.count)")
    }

    /// Runs the programs in the order in which they wake up, and looks at what each shows at its oldest.
    private func simulate(
        _ programs: [Program], _ clock: MarketClock, _ backend: Backend, until end: Instant
    ) async throws {
        let euro = try #require(Currency("eur"))
        var random = SeededGenerator(seed: Self.seed)
        var isWarm = false
        var restarts = 0
        while clock.now < end, let next = programs.min(by: { $0.wake < $1.wake }) {
            let pause = next.wake - clock.now
            if pause > .zero { try await clock.sleep(for: pause) }
            if isWarm, next.isKeeper || !programs.contains(where: \.isKeeper) {
                for program in programs { try await expectYoung(try await program.oldest(), program.reader, clock) }
                let alert = try await next.market.store.read {
                    try $0.boardRows([TokenKey("coin-3")], from: PriceSource(.coingecko, euro)).first?.seenAt
                }
                try await expectYoung(alert, "the alert", clock)
            }
            try await next.turn()
            if !isWarm { isWarm = try await allKnown(programs) }
            // Killed between two rounds: while the budget is used up nobody could go on in time.
            let isBetween = next.wake - clock.now > .seconds(10)
            if next.isKeeper, isWarm, isBetween, Int.random(in: 0..<6, using: &random) == 0 {
                next.restart()
                for other in programs where other !== next { other.wake = clock.now + other.market.handOver }
                restarts += 1
            }
        }
        #expect(isWarm && restarts > 0, "seed \(String(Self.seed))")
    }

    private func expectYoung(_ oldest: Instant?, _ reader: String, _ clock: MarketClock) async throws {
        let age = try #require(oldest).age(at: clock.now)
        #expect(age <= 60, "\(reader) shows rows of \(age) s at \(clock.now)")
    }

    private func allKnown(_ programs: [Program]) async throws -> Bool {
        for program in programs where try await program.oldest() == nil { return false }
        return true
    }

    @Test func `of more than the budget reaches the oldest is fetched first, and each view says its age`() async throws
    {
        let backend = try Backend("--tokens", "10", "--limit", "5")
        let clock = MarketClock(patience: .seconds(120)) { pause in
            try await backend.control("clock", #"{"advance": \#(pause.seconds)}"#)
        }
        let hub = try MarketHub(backend.config("coingecko"), clock: clock)
        await hub.run("market list --limit 5")
        for code in ["eur", "jpy", "btc"] { await hub.run("market alerts new coin-3 '> 1' --currency \(code)") }
        try await hub.market { market in
            var keeper = PriceKeeper(market)
            for _ in 0..<40 {
                let next = try #require(try await keeper.step())
                try await clock.sleep(for: next - clock.now)
                // Another program takes calls of the same budget.
                _ = try await market.refreshBoard(0..<10, in: .usd, isOffline: false, isForced: true)
            }
            try await clock.sleep(for: .seconds(120))
            let view = try await market.storedBoard(BoardQuery(currency: .usd))
            #expect(!view.origin.isFresh && view.rows.shownAsOf.map { clock.now - $0 >= .seconds(120) } ?? false)
        }
        let log = try await backend.log()
        #expect(log.allSatisfy { $0["status"]?.integer == 200 })
        let counts = ["eur", "jpy", "btc"].map { code in log.count { $0["query"]?["vs_currency"]?.string == code } }
        #expect((counts.min() ?? 0) > 3 && (counts.max() ?? 0) - (counts.min() ?? 0) <= 2, "\(counts)")
    }

    @Test func `a list that comes back short brings prices, and takes no token off the board`() async throws {
        let backend = try Backend("--tokens", "300")
        let hub = try MarketHub(backend.config("coingecko"))
        await hub.run("market list --limit 300")
        hub.clock.advance(by: .seconds(90))
        try await backend.control("market", #"{"tick": 5, "share": 1}"#)
        try await backend.control("market", #"{"truncate": 10}"#)
        let short = await hub.run("market list --limit 300 --plain=id")
        #expect(short.output.split(separator: "\n").count == 300, "\(short.messages)")
        #expect(short.messages.contains("10 tokens where 300 are known; prices are 1 min old"), "\(short.messages)")
        let first = await hub.run("market list --limit 1 --json=as_of,price --offline").output
        #expect(!first.contains("90000"), "the prices that came are shown")
        // A list that stays short for a day is as short as it says.
        hub.clock.advance(by: .seconds(90_000))
        #expect(await hub.run("market list --plain=id").output.split(separator: "\n").count == 10)
    }
}

extension Duration {
    fileprivate var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension Instant {
    fileprivate func age(at now: Instant) -> Double { (now - self).seconds }
}
