import BigInteger
import JSON
import MarketDomain
import MarketFormats
import TestSupport
import Testing
import Time

struct CoinGeckoTests {
    private let arrival = MarketPages.arrival

    private func page(_ rows: String...) throws -> MarketPage {
        try CoinGeckoMarkets.page(MarketPages.page(rows), arrival: arrival)
    }

    private func error(_ body: String, status: Int = 200) -> GatewayError {
        do throws(GatewayError) {
            if status != 200 { return ProviderErrorBody.error(status: status, body: Array(body.utf8)) }
            _ = try CoinGeckoMarkets.page(Array(body.utf8), arrival: arrival)
            return .cancelled
        } catch { return error }
    }

    @Test func `a full row is read with all its digits`() throws {
        let page = try page(MarketPages.row(0, sparkline: 168))
        let row = try #require(page.rows.first)
        #expect(row.token.id == "coin-0" && row.token.symbol == "C0" && row.token.name == "Coin 0" && row.rank == 1)
        #expect(row.price.value(.current) == decimal("1.25") && row.price.value(.allTimeLow) == decimal("0.00006781"))
        #expect(row.price.value(.volume24h) == decimal("81000000.5") && row.price.value(.change7d) == decimal("2.5"))
        #expect(row.price[.maximumSupply] == .init(nil, at: row.price.latestTime ?? arrival))
        #expect(row.price.latestTime == Instant(milliseconds: 1_789_999_999_000))
        #expect(
            row.sparkline?.levels.count == 56 && row.sparkline?.levels.first == 0 && row.sparkline?.levels.last == 255)
        #expect(page.sentCount == 1 && page.droppedRows == 0 && page.lostFields == 0)
    }

    private static let nullable = [
        "current_price", "market_cap", "market_cap_rank", "fully_diluted_valuation", "total_volume", "high_24h",
        "low_24h", "price_change_24h", "price_change_percentage_24h", "circulating_supply", "total_supply",
        "max_supply",
        "ath", "atl", "roi", "last_updated", "image", "name", "symbol", "price_change_percentage_1h_in_currency",
    ]

    @Test(arguments: nullable)
    func `null in a field keeps the row and its other fields`(field: String) throws {
        let page = try page(MarketPages.row(0, [field: "null"]), MarketPages.row(1))
        #expect(page.rows.map(\.token.id) == ["coin-0", "coin-1"] && page.droppedRows == 0 && page.lostFields == 0)
        #expect(page.rows[0].price.value(.high24h) == (field == "high_24h" ? nil : 2))
    }

    @Test func `null in all fields keeps the row`() throws {
        let nulls = Dictionary(uniqueKeysWithValues: Self.nullable.map { ($0, "null") })
        let page = try page(MarketPages.row(0, nulls))
        let row = try #require(page.rows.first)
        #expect(row.token.name == "coin-0" && row.rank == nil && row.price.value(.current) == nil)
    }

    @Test(arguments: [
        "1e400", "-1e-400", "1e308", "\"1.5\"", "{}", "[1]", "true", "-5",
    ])
    func `a number that is wrong costs its field only`(text: String) throws {
        let page = try page(
            MarketPages.row(0), MarketPages.row(1, ["current_price": text]), MarketPages.row(2))
        #expect(page.rows.map(\.token.id) == ["coin-0", "coin-1", "coin-2"] && page.lostFields == 1)
        #expect(page.rows[1].price[.current] == nil && page.rows[1].price.value(.marketCap) == 8_999_999_999)
    }

    @Test(arguments: [
        ("-0", "0"), ("1e-05", "0.00001"), ("43602", "43602"),
        ("123456789012345678901234567890123456789012345678901234567890", nil), ("0.1e1", "1"),
    ])
    func `other spellings of numbers are exact`(text: String, value: String?) throws {
        let page = try page(MarketPages.row(0, ["current_price": text]))
        #expect(page.rows.first?.price.value(.current)?.description == value ?? text)
    }

    @Test(arguments: ["null", "\"\"", "5", "[\"a\"]", "\"a\\u001b[31m\"", "{}"])
    func `a row without a usable id is dropped and counted`(id: String) throws {
        let page = try page(MarketPages.row(0, ["id": id]), MarketPages.row(1), "null", "[]", "7")
        #expect(page.rows.map(\.token.id) == ["coin-1"] && page.droppedRows == 4 && page.sentCount == 5)
    }

    @Test(
        arguments: [("0", nil, 0), ("-3", nil, 1), ("1.5", nil, 1), ("\"1\"", nil, 1), ("12.0", 12, 0)]
            as [(String, Int?, Int)])
    func `ranks are whole and above zero, or there is none`(text: String, rank: Int?, lost: Int) throws {
        let page = try page(MarketPages.row(0, ["market_cap_rank": text]))
        #expect(page.rows.first?.rank == rank && page.lostFields == lost)
    }

    @Test func `of repeated ids the last row counts, and symbols may repeat`() throws {
        let page = try page(
            MarketPages.row(0), MarketPages.row(1), MarketPages.row(0, ["current_price": "7"]),
            MarketPages.row(3, ["symbol": "\"c1\""]))
        #expect(page.rows.map(\.token.id) == ["coin-1", "coin-0", "coin-3"] && page.sentCount == 4)
        #expect(page.rows[1].price.value(.current) == 7)
    }

    @Test func `names from outside are cleaned`() throws {
        let page = try page(
            MarketPages.row(0, ["name": #""\u001b]0;x\u0007Evil\u202e \ud83d\ude00\ud800""#]),
            MarketPages.row(1, ["name": "\"\"", "symbol": "\"\""]), MarketPages.row(2, ["image": "\"http://x\""]))
        #expect(page.rows.map(\.token.name) == ["Evil 😀\u{FFFD}", "coin-1", "Coin 2"])
        // Letters that look like nothing, and marks that pile up.
        #expect(TokenLabel.cleaned("\u{3164}\u{2800}\u{115F}") == "" && TokenLabel.cleaned("한국 é ñ̃") == "한국 é ñ̃")
        #expect(TokenLabel.cleaned("a" + String(repeating: "\u{301}", count: 90)).unicodeScalars.count == 5)
        #expect(page.rows[2].token.imageURL == nil)
    }

    @Test func `a time that lies ahead or says nothing is the arrival`() throws {
        let page = try page(
            MarketPages.row(0, ["last_updated": "\"2999-01-01T00:00:00Z\""]),
            MarketPages.row(1, ["last_updated": "\"yesterday\""]))
        #expect(page.rows.map(\.price.latestTime) == [arrival, arrival] && page.lostFields == 1)
    }

    @Test(arguments: [
        "", "[1,2", "[{\"id\":\"a\"", "[{}],", "[NaN]", "[{\"id\":Infinity}]", "[{},]", "{\"id\":}", "nul", "\u{0}",
    ])
    func `what is not JSON is a malformed answer`(body: String) {
        guard case .malformed = error(body) else {
            Issue.record("\(error(body))")
            return
        }
    }

    @Test func `a byte order mark and an empty page are accepted`() throws {
        #expect(try CoinGeckoMarkets.page([0xEF, 0xBB, 0xBF] + Array("[]".utf8), arrival: arrival).rows == [])
    }

    @Test(arguments: [
        (
            #"{"status":{"timestamp":"2026-01-01T00:00:00Z","error_code":429,"error_message":"slow down"}}"#, 200,
            GatewayError.rateLimited
        ),
        (#"{"status":{"error_code":429,"error_message":"slow down"}}"#, 429, .rateLimited),
        ("", 429, .rateLimited),
        (#"{"error":{"status":{"error_code":10012,"error_message":"365 days"}}}"#, 401, .refused(401, "365 days")),
        (#"{"error":{"status":{"error_code":10012,"error_message":"365 days"}}}"#, 200, .refused(403, "365 days")),
        (#"{"status":{"error_code":10005,"error_message":"PRO only"}}"#, 401, .refused(401, "PRO only")),
        (#"{"status":{"error_code":10002,"error_message":"no key"}}"#, 401, .unauthorized("no key")),
        (#"{"error":"not this path"}"#, 403, .refused(403, "not this path")),
        (#"{"error":"coin not found"}"#, 404, .refused(404, "coin not found")),
        (#"{"error":"coin not found"}"#, 200, .malformed("coin not found")),
        (#"{"error":"bad\u001b[31m \u202e"}"#, 422, .refused(422, "bad")),
        (#"{"status":{"error_code":10010,"error_message":"wrong host"}}"#, 200, .unauthorized("wrong host")),
        ("<!DOCTYPE html><title>Error 1020</title>", 403, .blocked("an HTML page instead of data")),
        ("  <html>error code: 1020</html>", 503, .serverFailed(503)),
        (#"{"data":{"message":"We are deprecating this API"}}"#, 200, .malformed("We are deprecating this API")),
        ("{}", 200, .malformed("answer without data")), ("", 500, .serverFailed(500)), ("", 408, .timedOut),
        ("null", 200, .malformed("answer without data")),
    ])
    func `errors in all their shapes are typed`(body: String, status: Int, expected: GatewayError) {
        #expect(error(body, status: status) == expected)
    }

    @Test func `rate limits are told by either header`() {
        // 2026-09-21T14:13:20Z
        func wait(_ retryAfter: String?, _ reset: String? = nil) -> Duration? {
            RateLimitHeaders.wait(retryAfter: retryAfter, reset: reset, now: arrival)
        }
        #expect(
            wait("7") == .seconds(7) && wait("1000000000000") == .seconds(1_000_000_000) && wait(" 7 ") == .seconds(7))
        #expect(wait("-7") == nil && wait("0") == nil && wait("soon") == nil && wait(nil) == nil)
        #expect(wait("Mon, 21 Sep 2026 14:13:50 GMT") == .seconds(30) && wait("Mon, 21 Sep 2020 14:13:50 GMT") == nil)
        #expect(wait(nil, "2026-09-21 14:13:40 +0000") == .seconds(20))
        #expect(
            wait("-1", "2026-09-21 16:13:40 +0200") == .seconds(20) && wait(nil, "2026-02-31 00:00:00 +0000") == nil)
        // The older forms of a date, a part of a second, and the reset as seconds from 1970 or from now.
        #expect(
            wait("Monday, 21-Sep-26 14:13:50 GMT") == .seconds(30) && wait("Mon Sep 21 14:13:50 2026") == .seconds(30))
        #expect(
            wait("7.5") == .seconds(8) && wait(nil, "45") == .seconds(45) && wait(nil, "1790000020") == .seconds(20))
        #expect(wait("1e3") == nil && wait(nil, "1600000000") == nil && wait("Sun Sep  6 14:13:50 2026") == nil)
    }

    @Test func `the numbers of a chart are as exact as a drawing needs`() throws {
        var generator = SeededGenerator(seed: 13)
        var texts = ["0", "-0.5", "1e-7", "2.5E+3", "123456789012345", "0.000000000000000000000000123", "1e300"]
        texts += [
            String(repeating: "9", count: 30), "0.12345678901234567890123", "99999999999999999.9",
            "1.0000000000000000000000000001",
        ]
        for _ in 0..<1000 {
            let scale = [1e-9, 1, 1e5, 1e14][Int.random(in: 0..<4, using: &generator)]
            texts.append("\(Double.random(in: -1...1, using: &generator) * scale)")
        }
        let body = "[" + texts.enumerated().map { "[\($0),\($1)]" }.joined(separator: ",") + "]"
        let points = try CoinGeckoChart.series(Array(#"{"prices":\#(body)}"#.utf8)).points
        try #require(points.count == texts.count)
        for (text, point) in zip(texts, points) {
            let exact = try #require(Double(text))
            #expect(abs(point.value - exact) <= 2 * exact.ulp, "\(text)")
            if text.count(where: \.isWholeNumber) <= 15 { #expect(point.value == exact, "\(text)") }
        }
    }

    @Test func `searches and charts`() throws {
        let hits = try CoinGeckoSearch.hits(
            Array(
                #"{"coins":[{"id":"a","symbol":"x","name":"A","market_cap_rank":3,"large":"https://x"},{"id":5},null,{"id":"b","market_cap_rank":null}],"nfts":[]}"#
                    .utf8))
        #expect(hits.map(\.token.id) == ["a", "b"] && hits.map(\.rank) == [3, nil])
        #expect(throws: GatewayError.malformed("x")) { try CoinGeckoSearch.hits(Array(#"{"error":"x"}"#.utf8)) }

        let series = try CoinGeckoChart.series(
            Array(
                #"{"prices":[[2000,1.5],[1000,1],[3000,null],[4000],"x",[2000,2.5],[1e300,1]],"market_caps":[]}"#.utf8))
        #expect(series.points.map(\.value) == [1, 2.5])
        let candles = try CoinGeckoChart.candles(Array("[[2000,1,5,0.5,2],[1000,1,2,0,1],[3000,1,2,null,1],[1]]".utf8))
        #expect(candles.map(\.close) == [1, 2] && candles[1].high == 5)
        #expect(throws: GatewayError.unauthorized("no key")) {
            try CoinGeckoChart.candles(
                Array(#"{"error":{"status":{"error_code":10002,"error_message":"no key"}}}"#.utf8))
        }
    }

    /// Whatever a mutation breaks, the decoder says so or keeps the rest: no crash, no row that was not sent.
    @Test func `mutated pages never lose other rows`() throws {
        var generator = SeededGenerator(seed: 41)
        let rows = (0..<4).map { MarketPages.row($0, sparkline: 3) }
        let pieces = [
            "null", "1e400", "\"", "{", "}", "[", "]", ",", ":", "-", "\\", "\u{0}", "0x", "\u{1B}", "e", "999",
        ]
        var (accepted, refused) = (0, 0)
        for _ in 0..<4000 {
            var bytes = Array(rows[1].utf8)
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.remove(at: place)
                case 1: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                default: bytes.insert(contentsOf: (pieces.randomElement(using: &generator) ?? "").utf8, at: place)
                }
            }
            var body = Array("[\(rows[0]),".utf8) + bytes
            body += Array(",\(rows[2]),\(rows[3])]".utf8)
            let isJSON = (try? JSONCursor.read(body) { cursor throws(JSONCursor.Problem) in try cursor.skip() }) != nil
            do {
                let ids = try CoinGeckoMarkets.page(body, arrival: arrival).rows.map(\.token.id)
                // The mutated row may be gone, changed, or several; the others are there.
                #expect(isJSON && ids.first == "coin-0" && ids.suffix(2) == ["coin-2", "coin-3"])
                accepted += 1
            } catch {
                #expect(!isJSON)
                refused += 1
            }
        }
        #expect(accepted > 500 && refused > 500)
    }

    @Test func `the cost of a page is linear`() {
        Scaling.expectLinear(
            "CoinGeckoMarkets", size: 60,
            { count in
                MarketPages.page((0..<count).map { MarketPages.row($0, sparkline: 24) })
            }
        ) { _ = try? CoinGeckoMarkets.page($0, arrival: arrival) }
    }
}
