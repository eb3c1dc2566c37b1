import JSON
import MarketDomain
import MarketFormats
import TestSupport
import Testing

/// Answers of providers and of status-go, and config files of other programs, cost no more than their length.
struct ScalingTests {
    private static func list(_ count: Int, _ element: (Int) -> String) -> String {
        (0..<count).map(element).joined(separator: ",")
    }

    private static func array(_ count: Int, _ element: (Int) -> String) -> [UInt8] {
        Array(("[" + list(count, element) + "]").utf8)
    }

    private static func value(_ text: String) -> JSONValue {
        (try? JSONReader.read(Array(text.utf8))) ?? .null
    }

    @Test func `charts and candles`() {
        Scaling.expectLinear("a chart", size: 1000) { count in
            Array((#"{"prices":["# + Self.list(count) { "[\(1_790_000_000_000 + $0 * 60_000),\($0).5]" } + "]}").utf8)
        } _: {
            _ = try? CoinGeckoChart.series($0)
        }
        Scaling.expectLinear("a chart in the wrong order", size: 1000) { count in
            Array((#"{"prices":["# + Self.list(count) { "[\(1_790_000_000_000 - $0 * 60_000),1]" } + "]}").utf8)
        } _: {
            _ = try? CoinGeckoChart.series($0)
        }
        Scaling.expectLinear("candles", size: 1000) { count in
            Self.array(count) { "[\(1_790_000_000_000 + $0 * 60_000),1,2,0.5,1.5]" }
        } _: {
            _ = try? CoinGeckoChart.candles($0)
        }
    }

    @Test func `searches, single prices and errors`() {
        Scaling.expectLinear("hits", size: 500) { count in
            Array((#"{"coins":["# + Self.list(count) { #"{"id":"c\#($0)","name":"Coin","symbol":"C"}"# } + "]}").utf8)
        } _: {
            _ = try? CoinGeckoSearch.hits($0)
            _ = try? CoinPaprikaSearch.hits($0)
        }
        Scaling.expectLinear("an error page", size: 20_000) {
            Array(("<html>" + String(repeating: "<p>\u{1B}no", count: $0)).utf8)
        } _: {
            _ = ProviderErrorBody.error(status: 503, body: $0)
        }
    }

    @Test func `the wallet of status-go`() {
        let address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
        Scaling.expectLinear("networks", size: 200) { count in
            Self.value(
                "["
                    + Self.list(count) {
                        #"{"Prod":{"chainId":\#($0 + 1),"chainName":"N\#($0)","shortName":"n\#($0)"}}"#
                    } + "]")
        } _: {
            _ = StatusGoWallet.networks($0)
        }
        Scaling.expectLinear("accounts", size: 200) { count in
            Self.value("[" + Self.list(count) { #"{"address":"\#(address)","name":"A\#($0)","type":"seed"}"# } + "]")
        } _: {
            _ = StatusGoWallet.accounts($0)
        }
        Scaling.expectLinear("tokens", size: 200) { count in
            Self.value(
                "[" + Self.list(count) { #"{"chainId":1,"address":"\#(address)","symbol":"T\#($0)","decimals":18}"# }
                    + "]")
        } _: {
            _ = StatusGoWallet.tokens($0, on: 1)
        }
        Scaling.expectLinear("routes", size: 200) { count in
            Self.value(
                #"{"Uuid":"u","Route":["#
                    + Self.list(count) { _ in
                        #"{"ProcessorName":"T","FromChain":{"chainId":1},"ToChain":{"chainId":1},"AmountIn":"0x1","AmountOut":"0x1"}"#
                    } + "]}")
        } _: {
            _ = StatusGoRoutes($0)
        }
    }

    @Test func `config files of other programs`() {
        for (name, line) in [
            ("lists", "  - a: 1\n"), ("keys", "k: [a, b]\n"), ("comments", "# c\n"), ("quotes", "  - \"a\\\"\n"),
        ] {
            Scaling.expectLinear("YAML of \(name)", size: 1000) {
                "lots:\n" + String(repeating: line, count: $0)
            } _: {
                _ = try? TickerConfig.read($0)
            }
        }
        Scaling.expectLinear("depth", size: 200) { count in
            (0..<count).map { String(repeating: " ", count: min($0, 60)) + "a:\n" }.joined()
        } _: {
            _ = try? TickerConfig.read($0)
        }
        Scaling.expectLinear("cointop", size: 500) { count in
            "[portfolio]\nholdings = [" + Self.list(count) { #"["Coin \#($0)", "1.5", "10", "USD"]"# } + "]\n"
        } _: {
            _ = try? CointopConfig.read($0)
        }
    }
}
