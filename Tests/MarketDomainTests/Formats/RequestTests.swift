import BigInteger
import JSON
import MarketDomain
import MarketFormats
import MarketKnownProviders
import TestSupport
import Testing
import Time

struct RequestTests {
    @Test func `requests of CoinGecko carry their key in a header`() {
        let api = CoinGeckoAPI(plan: .demo, key: "secret")
        let markets = api.markets(page: 2, size: 100, in: .usd, sparkline: true)
        #expect(
            markets.target
                == "/coins/markets?vs_currency=usd&per_page=100&page=2&sparkline=true&price_change_percentage=1h,24h,7d,30d,1y&precision=full"
        )
        #expect(markets.headers == ["x-cg-demo-api-key": "secret"] && !markets.target.contains("secret"))
        #expect(CoinGeckoAPI(plan: .keyless, key: "secret").ping().headers.isEmpty)
        #expect(CoinGeckoAPI(plan: .pro, key: "k").ping().headers == ["x-cg-pro-api-key": "k"])
        #expect(CoinGeckoAPI.Plan.pro.baseURL != CoinGeckoAPI.Plan.demo.baseURL)
        #expect(CoinGeckoAPI.Plan.demo.budget.perMonth == 10_000)
    }

    @Test func `long lists of ids are split, with a page size`() {
        let api = CoinGeckoAPI(plan: .keyless)
        let requests = api.markets(ids: (0..<501).map { "c\($0)" }, in: .usd, sparkline: false)
        #expect(requests.count == 3 && requests.allSatisfy { $0.target.contains("per_page=250") })
        #expect(requests[2].target.contains("ids=c500&"))
        #expect(api.markets(ids: [], in: .usd, sparkline: false).isEmpty)
    }

    @Test func `words are escaped`() {
        let api = CoinGeckoAPI(plan: .keyless)
        #expect(api.search("a b&c=ü/../?#").target == "/search?query=a%20b%26c%3D%C3%BC%2F..%2F%3F%23")
        #expect(
            api.chart("a/b", days: nil, in: .usd).target
                == "/coins/a%2Fb/market_chart?vs_currency=usd&days=max&precision=full")
        #expect(
            api.candles("a", days: 3, in: .usd).target.contains("days=7&")
                && api.candles("a", days: 400, in: .usd).target.contains("days=max"))
        #expect(CoinPaprikaAPI.tickers(in: .usd).target == "/tickers?quotes=USD")
    }

    private func json(_ text: String) -> JSONValue { (try? JSONReader.read(Array(text.utf8))) ?? .null }

    @Test func `networks of both shapes are read`() {
        let flat = StatusGoWallet.networks(
            json(
                #"""
                [{"chainId":1,"chainName":"Mainnet","shortName":"eth","layer":1,"isTest":false,"isActive":true,
                "blockExplorerUrl":"https://etherscan.io/","nativeCurrencySymbol":"ETH","nativeCurrencyDecimals":18},
                {"chainId":10,"chainName":"Opti\u001b[1mmism","shortName":"oeth","layer":2,"enabled":false},
                {"chainId":-5,"shortName":"x"},{"chainId":7,"shortName":"a:b"},{"chainId":"1"},null]
                """#))
        #expect(flat.networks.map(\.chainID) == [1, 10] && flat[10]?.name == "Optimism" && flat[10]?.isActive == false)
        #expect(flat[1]?.explorerURL == "https://etherscan.io" && flat.network(shortName: "opt")?.chainID == 10)
        let pairs = json(
            #"[{"Prod":{"chainId":1,"shortName":"eth"},"Test":{"chainId":5,"shortName":"gor","isTest":true}}]"#)
        #expect(StatusGoWallet.networks(pairs).split.test.map(\.chainID) == [5])
        #expect(StatusGoWallet.networks(.null).networks.isEmpty)
    }

    @Test func `accounts and balances are read`() throws {
        let text = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"
        let accounts = StatusGoWallet.accounts(
            json(
                #"""
                [{"address":"\#(text)","name":"Main","path":"m/44'/60'/0'/0/0","type":"seed"},{"address":"\#(text)","chat":true},
                {"address":"\#(text)","type":"watch","path":"m/44'/60'/0'/0/1"},{"address":"0x1"},5]
                """#))
        #expect(accounts.map(\.name) == ["Main", "0x5aAe…Aed"] && accounts.map(\.isWatchOnly) == [false, true])
        let zero = "0x" + String(repeating: "0", count: 40)
        let balances = StatusGoWallet.balances(
            json(
                #"{"1":{"\#(text)":{"\#(zero)":"0xde0b6b3a7640000","bad":"0x1"},"x":{}},"y":{},"10":{"\#(text)":{"\#(zero)":5}}}"#
            ))
        let owner = try Address(text)
        #expect(balances.keys.sorted() == [1] && balances[1]?[owner]?[.zero] == .powerOfTen(18))
    }

    @Test func `the cost of signals and of names is linear`() {
        let arrival = MarketPages.arrival
        Scaling.expectLinear(
            "StatusGoSignal", size: 300,
            { count in
                let rows = (0..<count).map { #"{\"id\":\"c\#($0)\",\"current_price\":1.5,\"name\":\"Coin\"}"# }.joined(
                    separator: ",")
                let message = #"{\"page\":1,\"page_size\":\#(count),\"cryptocurrencies\":[\#(rows)],\"error_code\":1}"#
                return Array(
                    (#"{"type":"wallet","event":{"type":"wallet-fetch-leaderboard-page-done","message":""# + message
                        + "\"}}").utf8)
            }
        ) { _ = try? StatusGoSignal($0, arrival: arrival) }
        Scaling.expectLinear("TokenLabel", size: 400, { String(repeating: "\u{1B}[31m\u{202E}é ", count: $0) }) {
            for _ in 0..<20 { _ = TokenLabel.cleaned($0) }
        }
    }
}
