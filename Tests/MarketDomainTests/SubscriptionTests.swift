import MarketDomain
import Testing

struct SubscriptionTests {
    private struct Store {
        var prices = ["a": 1, "b": 2]
        var order = ["a", "b"]
    }

    @Test(arguments: ["domain.market/prices", "gate.market/last-fetched-page", "ui.market/token2", "app.x/y"])
    func `names of keys are read and written`(text: String) {
        #expect(StoreKey(text)?.description == text)
    }

    @Test(arguments: [
        "", "domain.market", "domain/prices", "core.market/prices", "domain.market/", "domain./x", "Domain.market/x",
        "domain.market/x/y", "domain.market.x/y", "domain.market/ü", "domain.Market/x",
    ])
    func `other names are not keys`(text: String) {
        #expect(StoreKey(text) == nil)
    }

    @Test func `the keys of the market have the names of the architecture`() {
        for key in [StoreKey.leaderboard, .tokens, .prices, .watchlists, .trades, .alerts, .board, .providers] {
            #expect(StoreKey(key.description) == key)
        }
    }

    @Test func `a change computes what it concerns once`() {
        var graph = SubscriptionGraph(state: Store())
        let prices = graph.read([.prices]) { $0.prices }
        let order = graph.read([.leaderboard]) { $0.order }
        let sum = graph.map(prices) { $0.values.reduce(0, +) }
        let rows = graph.combine(prices, order) { prices, order in order.map { "\($0) \(prices[$0] ?? 0)" } }
        let board = graph.combine(rows, sum) { "\($0.joined(separator: ", ")); \($1)" }
        #expect(graph[board] == "a 1, b 2; 3" && graph.computations == 5)

        // Both ways from the prices to the board meet in one computation.
        var store = graph.state
        store.prices["a"] = 5
        let update = graph.update(store, changed: [.prices])
        #expect(graph[board] == "a 5, b 2; 7" && graph.computations == 9)
        #expect(graph.changed(board, in: update) && graph.changed(sum, in: update) && !graph.changed(order, in: update))

        // What comes out the same goes no further.
        store.prices = ["a": 2, "b": 5]
        let swapped = graph.update(store, changed: [.prices])
        #expect(!graph.changed(sum, in: swapped) && graph.changed(board, in: swapped) && graph.computations == 13)
        #expect(graph.update(store, changed: [.prices]).isEmpty && graph.computations == 14)
        #expect(graph.update(store, changed: [.alerts]).isEmpty && graph.computations == 14)
    }
}
