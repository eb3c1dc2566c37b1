import BigInteger
import JSON
import MarketDomain
import TestSupport
import Testing

/// The vectors of status-mobile and of CoinGecko's formatter, with the faults of the former repaired.
struct DisplayTests {
    @Test func `balances have two digits and the currency's sign`() {
        #expect(FiatFormat.balance(100, .usd) == "$100.00" && FiatFormat.balance(decimal("0.5"), .usd) == "$0.50")
        #expect(FiatFormat.balance(nil, .usd) == "$0.00" && FiatFormat.balance(1, currency("chf")) == "CHF 1.00")
        // Upstream shows nothing of a small balance, and no thousands.
        #expect(FiatFormat.balance(decimal("0.000012"), .usd) == "<$0.01")
        #expect(FiatFormat.balance(decimal("-1234567.891"), .usd) == "-$1,234,567.89")
        #expect(FiatFormat.text(0, .usd) == "$0.00" && FiatFormat.text(decimal("0.009"), .usd) == "<$0.01")
        #expect(FiatFormat.text(decimal("0.01"), .usd) == "$0.01" && FiatFormat.text(1500, currency("jpy")) == "¥1,500")
    }

    @Test func `thresholds, cutting and normalizing`() {
        #expect(FiatFormat.threshold(2, .usd) == "<$0.01" && FiatFormat.threshold(2) == "<0.01")
        #expect(FiatFormat.threshold(0) == "0" && FiatFormat.threshold(-1, .usd) == "0")
        for (text, digits, expected) in [
            ("123.456", 2, "123.45"), ("-123.456", 2, "-123.45"), ("0.000650462672354754", 4, "0.0006"),
            ("123.999", 0, "123"), ("123.456", 5, "123.45600"),
        ] {
            #expect(FiatFormat.cut(decimal(text), fractionDigits: digits) == expected)
        }
    }

    @Test(arguments: [
        ("0", "0"), ("10", "10"), ("0.000999", "0.000999"), ("14199", "14.2K"), ("500000", "500K"), ("999999", "1M"),
        ("12345678", "12.3M"), ("1200000000", "1.2B"), ("999990000", "1B"), ("999900000000", "999.9B"),
        ("3500000000000", "3.5T"), ("1000", "1K"),
        // Rounded twice upstream, without a suffix, and negatives as they are.
        ("1049949999", "1B"), ("1050000000", "1.1B"), ("1000000000000000", "1,000T"), ("-14199", "-14.2K"),
        ("999", "999"), ("999.99", "999.99"), ("999949", "999.9K"), ("999950", "1M"), ("999949999", "999.9M"),
        ("999950000", "1B"), ("999949999999", "999.9B"), ("999950000000", "1T"), ("-999950", "-1M"),
    ])
    func `large numbers are shortened and rounded once`(value: String, text: String) {
        #expect(CompactNumber.text(decimal(value)) == text)
    }

    @Test func `the other precisions of large numbers`() {
        #expect(CompactNumber.text(decimal("12311111"), .fraction(3)) == "12.311M")
        #expect(CompactNumber.text(decimal("1820000000000"), .significant(4), separator: " ") == "1.82 T")
        #expect(CompactNumber.text(decimal("376583000000"), .significant(4), separator: " ") == "376.6 B")
        #expect(CompactNumber.text(decimal("999960000"), .significant(4), separator: " ") == "1 B")
        #expect(CompactNumber.text(decimal("0.000123456"), .significant(4)) == "0.0001235")
    }

    @Test(arguments: [
        ("0.5", "usd", "$0.500000"), ("0.00002", "usd", "$0.00002000"), ("2e-7", "usd", "$0.000000200000"),
        ("51100", "usd", "$51,100.00"), ("100000", "usd", "$100,000.00"), ("100000.01", "usd", "$100,000"),
        ("250000.9", "usd", "$250,001"), ("-0.04", "usd", "-$0.04000000"), ("0", "usd", "$0.00"),
        ("0.05", "usd", "$0.050000"), ("1", "usd", "$1.00"), ("99", "jpy", "¥99.00"), ("100", "jpy", "¥100"),
        ("5e-10", "usd", "$0.000000000500000"), ("5e-13", "usd", "$0.000000000000500000"),
        ("1000", "btc", "₿1,000"), ("50", "btc", "₿50.000"), ("1.5", "btc", "₿1.500000"), ("0.5", "btc", "₿0.50000000"),
        ("5e-7", "eth", "Ξ0.000000500000"), ("5e-13", "eth", "Ξ0.000000000000500000"),
    ])
    func `prices have the digits that their size needs`(price: String, code: String, text: String) {
        #expect(PriceFormat.text(decimal(price), currency(code)) == text)
    }

    /// The page writes money in the words of its locale, and by the same rules: both sides read these cases.
    @Test func `the page and the terminal agree on digits`() throws {
        let cases = try #require(try JSONReader.read(Array(PageVectors.read("money").utf8)).array)
        #expect(cases.count > 30)
        for row in cases.compactMap(\.array) {
            let words = row.prefix(4).compactMap(\.string)
            let value = decimal(words[1])
            switch words[0] {
            case "price":
                let currency = currency(words[2])
                #expect(PriceFormat.text(value, currency, trimsZeros: true) == words[3])
                #expect(row.last?.integer == PriceFormat.fractionDigits(of: value.magnitude, currency))
            case "large": #expect(CompactNumber.text(value, .significant(4), separator: " ") == words[3])
            default: #expect(PercentFormat.signed(value) == words[3])
            }
        }
    }

    @Test func `columns drop zeros`() {
        for (price, text) in [
            ("91204.1", "91,204.10"), ("0.4512", "0.4512"), ("0.5", "0.50"), ("3120.55", "3,120.55"),
            ("-0.04", "-0.04"),
            ("123456.7", "123,457"),
        ] {
            #expect(PriceFormat.column(decimal(price), .usd) == text)
        }
        #expect(PriceFormat.column(decimal("150.4"), currency("jpy")) == "150")
        #expect(PriceFormat.column(decimal("99"), currency("jpy")) == "99")
    }

    @Test func `an amount of a token shows a cent's worth`() {
        for (cent, digits) in [("0.00323", 2), ("0.00123", 3), ("0.00000423", 5), ("1.13e-6", 6), ("5", 0), ("0.1", 1)]
        {
            #expect(PriceFormat.tokenDigits(cent: decimal(cent)) == digits)
        }
        #expect(PriceFormat.tokenDigits(price: nil) == 6 && PriceFormat.tokenDigits(price: 0) == 6)
        #expect(PriceFormat.tokenDigits(price: decimal("91204.1")) == 7)
    }

    @Test func `changes have a sign, and nothing is flat`() {
        for (percent, text) in [
            ("1.24", "+1.24 %"), ("-0.42", "-0.42 %"), ("0", "0.00 %"), ("-0.004", "0.00 %"), ("0.005", "+0.01 %"),
            ("-2.345", "-2.35 %"), ("12345.6", "+12,345.60 %"),
        ] {
            #expect(PercentFormat.signed(decimal(percent)) == text)
        }
        #expect(PercentFormat.signed(decimal("-3.1"), fractionDigits: 1) == "-3.1 %")
        #expect(PercentFormat.unsigned(decimal("-87.4"), fractionDigits: 0) == "87 %")
        #expect(PercentFormat.direction(0) == .flat && PercentFormat.direction(-1) == .down)
    }

    @Test func `names are cut by what people see`() {
        #expect(TokenLabel.truncated("Bitcoin") == "Bitcoin")
        #expect(TokenLabel.truncated("123456789012345678") == "123456789012345678")
        #expect(TokenLabel.truncated("1234567890123456789") == "123456789012345...")
        let family = "👨‍👩‍👧‍👦"
        #expect(
            TokenLabel.truncated(String(repeating: family, count: 19)) == String(repeating: family, count: 15) + "...")
    }

    @Test(arguments: [
        ("Bit\u{1B}[31mcoin", "Bitcoin"), ("\u{1B}]0;title\u{7}Name", "Name"),
        ("\u{1B}]8;;http://x\u{1B}\\Link", "Link"),
        ("a\nb\tc", "a b c"), ("a\u{0}b", "ab"), ("\u{202E}evil", "evil"), ("\u{9B}2Jx", "x"), ("  ", ""),
        ("zero\u{200B}width", "zerowidth"), ("👨‍👩‍👧 ok", "👨‍👩‍👧 ok"), ("مرحبا", "مرحبا"), ("ビット", "ビット"),
        ("e\u{301}", "e\u{301}"), ("\u{1B}", ""), ("\u{1B}[", ""), ("\u{1B}Pdata", ""),
    ])
    func `escape sequences and controls do not pass`(name: String, cleaned: String) {
        #expect(TokenLabel.cleaned(name) == cleaned)
    }

    @Test func `long names are bounded, and tokens always have a name`() {
        #expect(TokenLabel.cleaned(String(repeating: "x", count: 10_000)).count == 200)
        #expect(Token(id: "a", symbol: "btc", name: "\u{1B}[0m")?.name == "btc".uppercased())
        #expect(Token(id: "coin-a")?.name == "coin-a" && Token(id: "coin-a")?.symbol == "COIN-A")
        #expect(Token(id: "") == nil && Token(id: "a\u{1B}") == nil)
        #expect(Token(id: String(repeating: "a", count: 129)) == nil)
        #expect(Token(id: "a", imageURL: "javascript:alert(1)")?.imageURL == nil)
    }
}
