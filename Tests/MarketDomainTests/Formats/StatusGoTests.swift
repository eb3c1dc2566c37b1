import BigInteger
import JSON
import MarketDomain
import MarketFormats
import TestSupport
import Testing
import Time

struct StatusGoTests {
    private let arrival = MarketPages.arrival

    private func signal(_ type: String, _ message: String) throws -> StatusGoSignal {
        var writer = JSONWriter()
        writer.value(message)
        let event =
            #"{"type":"\#(type)","blockNumber":null,"accounts":null,"at":1,"chainId":0,"message":"# + writer.string
        return try StatusGoSignal(Array((#"{"type":"wallet","event":"# + event + "}}").utf8), arrival: arrival)
    }

    private func page(_ message: String) throws -> StatusGoPage {
        guard case .pageDone(let page) = try signal("wallet-fetch-leaderboard-page-done", message) else {
            throw GatewayError.malformed("not a page")
        }
        return page
    }

    private func prices(_ message: String) throws -> StatusGoPrices {
        guard case .pricesUpdated(let prices) = try signal("wallet-leaderboard-page-prices-updated", message) else {
            throw GatewayError.malformed("no prices")
        }
        return prices
    }

    @Test func `a page comes as text inside a signal`() throws {
        let page = try page(
            #"{"all_cryptocurrency_count":5000,"page":2,"page_size":20,"sorting":0,"currency":"EUR","cryptocurrencies":[{"id":"coin-a","symbol":"aaa","name":"Coin A","image":"https://x","current_price":10.5,"market_cap":1000000,"total_volume":5000,"price_change_percentage_24h":0},{"id":"coin-b","current_price":0,"market_cap":0},{"id":""}],"error_code":1}"#
        )
        #expect(page.outcome == .success && page.page == 2 && page.size == 20 && page.total == 5000)
        #expect(page.currency == Currency("eur") && page.rows.rows.map(\.token.id) == ["coin-a", "coin-b"])
        #expect(page.rows.droppedRows == 1 && page.rows.sentCount == 3)
        // 0 stands for a price that is not known, but a change of 0 is one.
        #expect(page.rows.rows[1].price[.current] == .init(nil, at: arrival))
        #expect(page.rows.rows[0].price.value(.change24h) == 0 && page.rows.rows[0].price.value(.volume24h) == 5000)
    }

    @Test(arguments: [(1, StatusGoPage.Outcome.success), (2, .superseded), (3, .failed), (9, .failed)])
    func `the code of a page tells its outcome`(code: Int, outcome: StatusGoPage.Outcome) throws {
        let page = try page(
            #"{"page":0,"page_size":0,"sorting":0,"currency":"","cryptocurrencies":null,"all_cryptocurrency_count":0,"error_code":\#(code)}"#
        )
        #expect(page.outcome == outcome && page.rows.rows.isEmpty && page.page == 0 && page.currency == nil)
    }

    @Test(arguments: [
        #"{"id":"a","current_price":10.6,"market_cap":7,"volume_24h":5100,"price_change_percentage_24h":-0.3}"#,
        #"{"id":"a","price":10.6,"percent_change_24h":-0.3,"volume_24h":5100}"#,
    ])
    func `prices of all versions merge under the same fields`(text: String) throws {
        let update = try prices(
            #"{"page":1,"page_size":20,"sorting":0,"currency":" usd ","prices":[\#(text),{"price":1},null]}"#)
        #expect(update.prices.map(\.id) == ["a"] && update.droppedRows == 2 && update.currency == .usd)
        let price = try #require(update.prices.first?.price)
        #expect(price.value(.current) == decimal("10.6") && price.value(.change24h) == decimal("-0.3"))
        #expect(price.value(.volume24h) == 5100)
    }

    /// The list of markets lags behind the prices: an update of the page must not make a price step back.
    @Test func `older data after a newer price keeps the price`() throws {
        var known = Price()
        func receive(_ type: String, _ price: String, after seconds: Int) throws -> BigDecimal? {
            let list = type.hasSuffix("prices-updated") ? "prices" : "cryptocurrencies"
            let message =
                #"{\"page\":1,\"page_size\":1,\"currency\":\"usd\",\"error_code\":1,"#
                + #"\"\#(list)\":[{\"id\":\"a\",\"current_price\":\#(price)}]}"#
            let frame = #"{"type":"wallet","event":{"type":"wallet-\#(type)","message":""# + message + "\"}}"
            switch try StatusGoSignal(Array(frame.utf8), arrival: arrival + .seconds(seconds)) {
            case .pageDone(let page), .pageUpdated(let page): for row in page.rows.rows { known.merge(row.price) }
            case .pricesUpdated(let update): for row in update.prices { known.merge(row.price) }
            default: Issue.record("\(type) is not of the leaderboard")
            }
            return known.value(.current)
        }
        #expect(try receive("fetch-leaderboard-page-done", "10", after: 0) == 10)
        #expect(try receive("leaderboard-page-prices-updated", "12", after: 5) == 12)
        #expect(try receive("leaderboard-page-data-updated", "10", after: 10) == 12)
        #expect(try receive("leaderboard-page-data-updated", "13", after: 36) == 13)
    }

    @Test func `no prices are no error`() throws {
        for value in ["null", "[]", "\"x\""] {
            #expect(
                try prices(#"{"page":1,"page_size":20,"sorting":0,"currency":"usd","prices":\#(value)}"#).prices.isEmpty
            )
        }
    }

    @Test func `other signals are told apart, and unknown ones are not errors`() throws {
        guard case .marketStatus(isUp: false) = try signal("wallet-market-status-changed", "down"),
            case .other("wallet-tick") = try signal("wallet-tick", ""),
            case .other("mailserver") = try StatusGoSignal(Array(#"{"type":"mailserver"}"#.utf8), arrival: arrival),
            case .login(error: "bad password", keyUID: nil) = try StatusGoSignal(
                Array(#"{"type":"node.login","event":{"error":"bad password"}}"#.utf8), arrival: arrival),
            case .login(error: "", keyUID: "0xab") = try StatusGoSignal(
                Array(#"{"type":"node.login","event":{"error":"","settings":{"key-uid":"0xab"}}}"#.utf8),
                arrival: arrival),
            case .routes(uuid: "u1", _) = try StatusGoSignal(
                Array(#"{"type":"wallet.suggested.routes","event":{"Uuid":"u1"}}"#.utf8), arrival: arrival)
        else {
            Issue.record("a signal was taken for another")
            return
        }
        for frame in ["", "{}", "[]", #"{"type":5}"#, #"{"type":"wallet"}"#, "\u{0}"] {
            #expect(throws: GatewayError.self) { try StatusGoSignal(Array(frame.utf8), arrival: arrival) }
        }
        #expect(throws: GatewayError.self) { try signal("wallet-fetch-leaderboard-page-done", "{\"page\":1") }
        #expect(throws: GatewayError.self) { try signal("wallet-leaderboard-page-prices-updated", "down") }
    }

    @Test func `requests and responses of RPC`() throws {
        let request = StatusGoRPC.request(
            id: 7, method: "wallet_fetchMarketTokenPageAsync",
            parameters: StatusGoRPC.pageParameters(page: 1, size: 20, currency: .usd))
        #expect(
            String(decoding: request, as: UTF8.self)
                == #"{"jsonrpc":"2.0","id":7,"method":"wallet_fetchMarketTokenPageAsync","params":[1,20,0,"usd"]}"#)
        func result(_ body: String) throws -> JSONValue { try StatusGoRPC.result(Array(body.utf8), id: 7) }
        #expect(try result(#"{"jsonrpc":"2.0","id":7,"result":null}"#) == .null)
        #expect(try result(#"{"id":7,"error":null,"result":[1]}"#) == .array([.number("1")]))
        for (body, error) in [
            (#"{"error":{"code":-32601,"message":"no method"}}"#, GatewayError.refused(-32601, "no method")),
            (#"{"error":"JSON-RPC client is unavailable"}"#, .refused(0, "JSON-RPC client is unavailable")),
            ("", .malformed("empty response")), (#"{"id":8,"result":1}"#, .malformed("response to another request")),
            (#"{"id":7}"#, .malformed("response without a result")),
            ("[", .malformed("response: unexpected end at byte 1")),
        ] {
            #expect(throws: error) { try result(body) }
        }
        #expect(throws: GatewayError.refused(0, "x")) {
            try StatusGoRPC.functionResult(status: 200, Array(#"{"error":"x"}"#.utf8))
        }
        #expect(throws: Never.self) { try StatusGoRPC.functionResult(status: 200, Array(#"{"error":""}"#.utf8)) }
        #expect(throws: GatewayError.refused(501, "this version of status-go does not have the function")) {
            try StatusGoRPC.functionResult(status: 501, [])
        }
    }

    @Test func `routes are read with their fees, and a broken leg makes no route`() {
        let leg = #"""
            {"ProcessorName":"Transfer","FromChain":{"chainId":1},"ToChain":{"chainId":10},"AmountIn":"0xde0b6b3a7640000",
            "AmountOut":"0xde0b6b3a7640000","TxTotalFee":"0x5208","TxEstimatedTime":15,"ApprovalRequired":true}
            """#
        func routes(_ text: String) -> StatusGoRoutes {
            StatusGoRoutes((try? JSONReader.read(Array(text.utf8))) ?? .null)
        }
        let good = routes(#"{"Uuid":"u","Route":[\#(leg)],"ErrorResponse":null}"#)
        #expect(
            good.path.count == 1 && good.path.first?.amountIn == .powerOfTen(18) && good.path.first?.totalFee == 21000)
        #expect(
            good.path.first?.needsApproval == true && good.path.first?.requiredNative == 21000 && good.errorCode == nil)
        #expect(routes(#"{"Route":[\#(leg),{"ProcessorName":"x"}]}"#).path.isEmpty)
        let failed = routes(#"{"Route":[],"ErrorResponse":{"code":"WR-002","details":"no gas"}}"#)
        #expect(failed.errorCode == "WR-002" && failed.errorDetails == "no gas")
    }

    @Test func `signals with mutations are refused or read, never fatal`() {
        var generator = SeededGenerator(seed: 42)
        let message =
            #"{\"page\":1,\"page_size\":2,\"currency\":\"usd\",\"cryptocurrencies\":[{\"id\":\"a\",\"current_price\":1}],\"error_code\":1}"#
        let frame = Array(
            (#"{"type":"wallet","event":{"type":"wallet-fetch-leaderboard-page-done","message":""# + message + "\"}}")
                .utf8)
        var accepted = 0
        for _ in 0..<5000 {
            var bytes = frame
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                    in: 0x20...0x7E, using: &generator)
            }
            if (try? StatusGoSignal(bytes, arrival: arrival)) != nil { accepted += 1 }
        }
        #expect(accepted > 500)
    }
}

struct StatusGoStartTests {
    private let credentials = StatusGoStart.Credentials(dataFolder: "/data", password: "secret")

    private func json(_ text: String) -> JSONValue { (try? JSONReader.read(Array(text.utf8))) ?? .null }

    private func function(_ action: StatusGoStart.Action?) -> String? {
        if case .call(let function, _) = action { function } else { nil }
    }

    @Test func `a fresh folder gets an account, and the signal of the login is the proof`() {
        var start = StatusGoStart(credentials)
        #expect(start.handle(.begin) == .connectSignals)
        #expect(start.handle(.signalsConnected) == .rpc(method: "settings_getSettings", parameters: []))
        #expect(
            function(start.handle(.failed(.refused(0, "JSON-RPC client is unavailable")))) == "InitializeApplication")
        #expect(function(start.handle(.answered(json(#"{"accounts":null}"#)))) == "CreateAccountAndLogin")
        #expect(start.handle(.answered(json(#"{"error":""}"#))) == .await && !start.isReady)
        #expect(
            start.handle(.loggedIn(error: "", keyUID: "0xab")) == .rpc(method: "wakuext_startMessenger", parameters: [])
        )
        #expect(start.handle(.result(.null)) == .rpc(method: "wallet_startWallet", parameters: []))
        #expect(start.handle(.result(.null)) == .rpc(method: "settings_getSettings", parameters: []))
        #expect(start.handle(.result(json(#"{"key-uid":"0xab"}"#))) == .ready(keyUID: "0xab") && start.isReady)
        #expect(start.handle(.timedOut) == nil)
    }

    @Test func `a known account is logged in to, also when the signal comes before the answer`() {
        var start = StatusGoStart(credentials)
        _ = start.handle(.begin)
        _ = start.handle(.signalsConnected)
        _ = start.handle(.result(json("{}")))
        let action = start.handle(.answered(json(#"{"accounts":[{"key-uid":"0x1"},{"key-uid":"0x2"}]}"#)))
        #expect(
            action
                == .call(
                    function: "LoginAccount",
                    body: Array(#"{"keyUid":"0x1","password":"secret","kdfIterations":256000}"#.utf8)))
        #expect(
            start.handle(.loggedIn(error: "", keyUID: nil)) == .rpc(method: "wakuext_startMessenger", parameters: []))
        #expect(start.handle(.answered(json("{}"))) == nil)
    }

    @Test func `a session that is logged in already is not logged in again`() {
        var start = StatusGoStart(credentials)
        _ = start.handle(.begin)
        _ = start.handle(.signalsConnected)
        let settings = json(##"{"public-key":"0x04","key-uid":"0x9"}"##)
        #expect(start.handle(.result(settings)) == .rpc(method: "wakuext_startMessenger", parameters: []))
    }

    @Test func `failures end the start and it can begin again`() {
        for event in [
            StatusGoStart.Event.loggedIn(error: "invalid password", keyUID: nil), .timedOut,
            .failed(.unreachable("refused")),
        ] {
            var start = StatusGoStart(credentials)
            for step in [StatusGoStart.Event.begin, .signalsConnected, .result(.null), .answered(.null)] {
                _ = start.handle(step)
            }
            guard case .giveUp = start.handle(event) else {
                Issue.record("\(event)")
                continue
            }
            #expect(start.handle(.loggedIn(error: "", keyUID: nil)) == nil && start.handle(.begin) == .connectSignals)
        }
        var other = StatusGoStart(.init(dataFolder: "/data", keyUID: "0x7", password: "x"))
        for step in [StatusGoStart.Event.begin, .signalsConnected, .result(.null)] { _ = other.handle(step) }
        guard case .giveUp(.refused) = other.handle(.answered(json(#"{"accounts":[{"key-uid":"0x1"}]}"#))) else {
            Issue.record("an unknown account was accepted")
            return
        }
    }
}
