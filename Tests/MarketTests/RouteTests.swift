import HubKit
import HubKitTesting
import Market
import Testing

@testable import HubRuntime

/// The JSON of the page: the same use cases as the commands, with what is refused at its field.
struct RouteTests {
    private let hub: MarketHub

    init() throws { hub = try MarketHub() }

    /// The body of an answer.
    private func call(
        _ method: Route.Method, _ pattern: String, _ body: String = "", id: String? = nil, query: [String: String] = [:]
    ) async throws -> JSONValue { try await hub.call(method, pattern, body, id: id, query: query) }

    /// The fields of a form that are refused.
    private func problems(_ pattern: String, _ body: String) async throws -> [String] {
        let error = try await #require(throws: HubError.self) { _ = try await call(.post, pattern, body) }
        return error.problems.map(\.field)
    }

    private func ids(_ json: JSONValue) -> [String] { json["rows"]?.array?.compactMap { $0["id"]?.string } ?? [] }

    @Test func `reading goes out to no provider, and a refresh does`() async throws {
        let before = try await call(.get, "/api/market/board")
        #expect(before["rows"]?.array?.count == 0 && before["origin"]?["provider"]?.string == nil)
        let refreshed = try await call(.post, "/api/market/refresh", #"{"rows": 100}"#)
        #expect(refreshed["origin"]?["is_fresh"]?.bool == true)
        let board = try await call(.get, "/api/market/board", query: ["limit": "20", "offset": "40"])
        #expect(board["rows"]?.array?.count == 20 && board["count"]?.integer == 250)
        #expect(board["rows"]?.array?.first?["number"]?.integer == 41)
        #expect(board["sparklines"]?.array?.first?.array?.count == 56)
        #expect(board["origin"]?["attribution"]?.string == "Demo data, not real prices")
    }

    @Test func `the board is sorted and filtered as the command does it`() async throws {
        await hub.run("market list --limit 1")
        let board = try await call(.get, "/api/market/board", query: ["sort": "change_24h", "limit": "30"])
        let listed = await hub.run("market list --sort change_24h --limit 30 --json=id --offline")
        let text = try JSONReader.read(Array(listed.output.utf8))
        #expect(ids(board) == text.array?.compactMap { $0["id"]?.string })
        let reversed = try await call(.get, "/api/market/board", query: ["sort": "rank", "reverse": "1", "limit": "1"])
        #expect(ids(reversed) == ["demo:demo-250"])
        #expect(ids(try await call(.get, "/api/market/board", query: ["q": "bitc"])) == ["demo:demo-1"])
        let error = try await #require(throws: HubError.self) {
            _ = try await call(.get, "/api/market/board", query: ["sort": "beauty"])
        }
        #expect(error.problems.map(\.field) == ["sort"])
    }

    @Test func `prices of some tokens have the digits that the domain gives them`() async throws {
        await hub.run("market list --limit 1")
        let prices = try await call(.get, "/api/market/prices", query: ["ids": "demo:demo-2,unknown,demo:demo-1"])
        #expect(ids(prices) == ["demo:demo-2", "demo:demo-1"])
        #expect(prices["rows"]?.array?.first?["digits"]?.integer == 2)
        let many = Array(repeating: "a", count: 501).joined(separator: ",")
        await #expect(throws: HubError.self) { _ = try await call(.get, "/api/market/prices", query: ["ids": many]) }
    }

    @Test func `a trade is kept as it is typed, and every mistake is named at its field`() async throws {
        await hub.run("market list --limit 1")
        let path = "/api/market/trades"
        #expect(try await problems(path, "{}") == ["token", "kind", "amount", "price"])
        #expect(
            try await problems(
                path,
                #"{"token": "nothing such", "kind": "present", "amount": "1.000,5", "price": "1", "fee": "x", "day": "soon", "currency": "?"}"#
            ) == ["token", "kind", "amount", "fee", "day", "currency"])
        let made = try await call(
            .post, path,
            #"{"token": "btc", "kind": "buy", "amount": "0,5", "price": "42.000,10", "day": "2026-01-03", "decimal_mark": ","}"#
        )
        #expect(made["amount"]?.string == "0.5" && made["price"]?.string == "42000.1")
        // A group of thousands is never taken as decimals, in no language.
        for (mark, amount) in [(".", "1,000"), (",", "1.000"), (".", "0,5")] {
            #expect(
                try await problems(
                    path,
                    #"{"token": "btc", "kind": "buy", "amount": "\#(amount)", "price": "1", "decimal_mark": "\#(mark)"}"#
                )
                    == ["amount"])
        }
        #expect(
            try await problems(
                "/api/market/alerts", #"{"token": "btc", "kind": "above", "value": "100,000", "decimal_mark": "."}"#)
                == [
                    "value"
                ])
        let portfolio = try await call(.get, "/api/market/portfolio")
        #expect(portfolio["cost"]?.string == "21000.05")
        #expect(portfolio["positions"]?.array?.first?["symbol"]?.string == "BTC")
        let id = try #require(made["id"]?.string)
        let one = "/api/market/trades/{id}"
        #expect(try await call(.get, one, id: id)["revision"]?.integer == 1)
        func put(_ body: String, _ revision: Int) async throws -> JSONValue {
            try await hub.call(.put, one, body, id: id, revision: revision)
        }
        let changed = try await put(
            #"{"kind": "buy", "amount": "0,25", "time": "08:26", "fee": "", "decimal_mark": ","}"#, 1)
        #expect(
            changed["amount"]?.string == "0.25" && changed["time"]?.string == "08:26"
                && changed["price"]?.string == "42000.1")
        #expect(try await put(#"{"time": ""}"#, 2)["time"]?.string == nil)
        let refused = try await #require(throws: HubError.self) {
            _ = try await put(#"{"amount": "", "kind": "present", "time": "25:00", "currency": "?"}"#, 3)
        }
        #expect(refused.problems.map(\.field) == ["kind", "amount", "time", "currency"])
        await #expect(throws: HubError.self) { _ = try await put(#"{"amount": "1"}"#, 2) }
        _ = try await call(.delete, "/api/market/trades/{id}", id: id)
        #expect(try await call(.get, path).array?.count == 0)
    }

    @Test func `the form takes every kind of entry`() async throws {
        await hub.run("market list --limit 1")
        await hub.run("market portfolio buy 2 eth --price 100 --date 2026-01-01 --place kraken")
        let path = "/api/market/trades"
        #expect(
            try await problems(path, #"{"token": "eth", "kind": "swap", "amount": "1"}"#) == [
                "received_token", "received_amount",
            ])
        #expect(
            try await problems(
                path, #"{"token": "eth", "kind": "transfer", "amount": "1", "place": "a", "destination": "a"}"#)
                == ["destination"])
        #expect(
            try await problems(
                path,
                #"{"token": "eth", "kind": "income", "amount": "1", "income": "luck", "price": "1", "total": "2"}"#)
                == ["total", "income"])
        let swap = try await call(
            .post, path,
            #"{"token": "eth", "kind": "swap", "amount": "1", "received_token": "btc", "received_amount": "0.01", "total": "150", "fee": "0.1", "fee_token": "eth", "day": "2026-01-02", "tags": ["a", "b"], "note": "one\ntwo"}"#
        )
        #expect(
            swap["received_symbol"]?.string == "BTC" && swap["fee_amount"]?.string == "0.1"
                && swap["total"]?.string == "150")
        #expect(swap["tags"]?.array?.count == 2 && swap["note"]?.string == "one\ntwo" && swap["price"]?.string == nil)
        let unknown = try await call(
            .post, path, #"{"token": "ada", "kind": "buy", "amount": "1", "unknown_price": true, "portfolio": "kids"}"#)
        #expect(unknown["total"]?.string == nil)
        let view = try await call(.get, "/api/market/portfolio")
        #expect(view["unknown_cost"]?.array?.compactMap(\.string) == ["ADA"] && view["places"]?.array?.count == 1)
        let kids = try await call(.get, "/api/market/portfolio", query: ["portfolio": "kids"])
        #expect(kids["positions"]?.array?.count == 1)
        let sales = try await call(.get, "/api/market/portfolio/sales", query: ["basis": "pool"])
        #expect(sales.array?.compactMap { $0["kind"]?.string } == ["swap", "fee"])
    }

    @Test func `the value over time is that of what was held then`() async throws {
        await hub.run("market list --limit 1")
        await hub.run("market portfolio buy 2 eth --price 100 --date 2020-01-01")
        let history = try await call(.get, "/api/market/portfolio/history", query: ["days": "7"])
        let points = try #require(history["points"]?.array)
        let price = try await call(.get, "/api/market/tokens/{id}/chart", id: "eth", query: ["days": "7"])
        let last = try #require(price["points"]?.array?.last?.array?.last?.scalarText.flatMap(Double.init))
        let value = try #require(points.last?.array?.last?.scalarText.flatMap(Double.init))
        #expect(points.count == 160)
        #expect(abs(value - 2 * last) < value / 1e6)
    }

    @Test func `an alert has a bound or a change within a time`() async throws {
        await hub.run("market list --limit 1")
        let path = "/api/market/alerts"
        #expect(try await problems(path, #"{"token": "btc", "kind": "above", "value": "-1"}"#) == ["value"])
        #expect(
            try await problems(path, #"{"token": "btc", "kind": "change", "value": "5", "period": "90d"}"#) == [
                "period"
            ])
        #expect(try await problems(path, #"{"token": "btc", "kind": "near", "value": "5"}"#) == ["kind"])
        let made = try await call(
            .post, path, #"{"token": "btc", "kind": "change", "value": "-5", "period": "1h"}"#)
        let id = try #require(made["id"]?.string)
        _ = try await call(.put, "/api/market/alerts/{id}", #"{"enabled": false}"#, id: id)
        let alert = try #require(try await call(.get, path).array?.first)
        #expect(alert["state"]?.string == "off" && alert["seconds"]?.integer == 3600 && alert["value"]?.string == "-5")
        _ = try await call(.delete, "/api/market/alerts/{id}", id: id)
        #expect(try await call(.get, path).array?.count == 0)
    }

    @Test func `a list is filled, ordered and emptied`() async throws {
        await hub.run("market list --limit 1")
        let path = "/api/market/watchlists/{id}"
        _ = try await call(.put, path, #"{"add": ["demo:demo-1", "demo:demo-2"]}"#, id: "defi")
        _ = try await call(.put, path, #"{"add": ["demo:demo-2"], "place": 1}"#, id: "defi")
        #expect(ids(try await call(.get, path, id: "defi")) == ["demo:demo-2", "demo:demo-1"])
        #expect(ids(try await call(.get, path, id: "defi", query: ["sort": "rank"])) == ["demo:demo-1", "demo:demo-2"])
        _ = try await call(.put, path, #"{"remove": ["demo:demo-1", "demo:demo-2"]}"#, id: "defi")
        #expect(try await call(.get, "/api/market/watchlists").array?.count == 0)
        await #expect(throws: HubError.self) {
            _ = try await call(.put, path, #"{"add": ["demo:demo-1"]}"#, id: "\u{1B}[0m")
        }
    }

    @Test func `a token and a provider that are not known are said`() async throws {
        for pattern in ["/api/market/tokens/{id}", "/api/market/tokens/{id}/chart"] {
            let error = try await #require(throws: HubError.self) { _ = try await call(.get, pattern, id: "nothing") }
            #expect(error.kind == .notFound)
        }
        await #expect(throws: HubError.self) {
            _ = try await call(.post, "/api/market/providers/{id}/test", id: "nothing")
        }
        let tested = try await call(.post, "/api/market/providers/{id}/test", id: "demo")
        #expect(tested.array?.first?["state"]?.string == "ok")
    }
}
